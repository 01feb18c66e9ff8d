import numpy as np
import pytest

from capacity.linalg import fourier_basis


@pytest.mark.parametrize("n", [1, 2, 3, 8, 9, 64])
def test_the_basis_is_orthonormal_and_sorted_by_frequency(n):
    vectors, frequencies = fourier_basis(n)
    assert np.allclose(vectors.T @ vectors, np.eye(n), atol=1e-13)
    assert (np.diff(frequencies) >= 0).all()
    assert frequencies[0] == 0
    assert frequencies[-1] == (n // 2) / n


def test_each_vector_oscillates_at_its_frequency():
    vectors, frequencies = fourier_basis(12)
    second_difference = np.roll(vectors, 1, axis=0) - 2 * vectors + np.roll(vectors, -1, axis=0)
    assert np.allclose(second_difference, (2 * np.cos(2 * np.pi * frequencies) - 2) * vectors, atol=1e-13)
