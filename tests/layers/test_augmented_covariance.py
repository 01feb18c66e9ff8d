import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_layers import layers, mixed_covariance, random_layer, symmetric_root

from capacity import activations as act
from capacity.layers import (
    augmented_inputs,
    coupled_covariance,
    gaussian_covariance,
    mean_field_error,
    sampled_covariance,
)
from capacity.linalg import orthonormal_basis


@given(layers(), st.floats(0, 1))
@settings(max_examples=15)
def test_copies_have_nu_of_their_covariance_in_common(layer, nu):
    covariance, projection, _ = layer
    m = projection.shape[1]
    np.testing.assert_allclose(coupled_covariance(covariance, m, nu), mixed_covariance(covariance, m, nu), rtol=1e-14)


@pytest.mark.parametrize(("samples", "batch"), [(2, 1), (3, 2), (7, 3), (7, 99)])
def test_the_standard_error_is_that_of_the_mean_of_so_many_products(samples, batch):
    covariance, projection, _ = random_layer(11)
    inputs = np.random.default_rng(1).standard_normal((samples, 3)) @ symmetric_root(covariance)
    gains = (inputs @ projection > 0).astype(float)
    copies = np.array([[gain * y for gain in eta for y in row] for eta, row in zip(gains, inputs)])
    products = np.array([np.outer(copy, copy) for copy in copies])
    found = sampled_covariance(covariance, projection, act.relu(), samples, rng=1, batch=batch)
    np.testing.assert_allclose(found.mean, products.mean(axis=0), rtol=1e-12, atol=1e-13)
    expected = products.var(axis=0, ddof=1) / samples
    np.testing.assert_allclose(found.standard_error**2, expected, rtol=1e-11, atol=1e-12 * np.max(products**2))
    assert found.samples == samples


def test_mean_field_error_of_orthogonal_weights_is_the_missing_term():
    """White inputs and rho = 0: the missing term is (2 b^2/pi)(u v^T + v u^T), of Frobenius norm sqrt(2) 2 b^2/pi."""
    projection = orthonormal_basis(np.random.default_rng(0).standard_normal((9, 3))).vectors
    for slope, size in ((0.0, 1 / np.pi), (-1.0, 2 / np.pi), (1.0, 0.0)):
        rms, largest, along = mean_field_error(projection, act.leaky(slope))
        assert (rms, along) == pytest.approx((np.sqrt(2) * size / 9, size), abs=1e-12)
        assert rms <= largest <= size + 1e-12


def test_mean_field_error_is_that_of_the_whole_matrices():
    covariance, projection, _ = random_layer(10)
    error = gaussian_covariance(covariance, projection, act.relu()) - coupled_covariance(covariance, 5, 0.5)
    rms, largest, _ = mean_field_error(projection, act.relu(), covariance)
    assert largest == pytest.approx(np.abs(error).max())
    assert rms == pytest.approx(np.linalg.norm(error) / np.sqrt(5 * 4 * 9))  # the diagonal blocks are exact


def test_opposite_directions_make_the_covariance_of_abs_singular():
    copies = augmented_inputs(np.random.default_rng(8).standard_normal((50, 2)), [[1, -1], [0, 0]], act.absolute())
    assert np.linalg.matrix_rank(copies) == 2  # of 4
    with pytest.raises(ValueError, match="equal or opposite"):
        gaussian_covariance(np.eye(2), [[1, -1], [0, 0]], act.absolute())


def test_pseudo_random_layer_decouples_its_copies():
    _, projection, _ = random_layer(9)
    sampled = sampled_covariance(np.eye(3), projection, act.pseudo_random(), 60_000, rng=10)
    upper = np.triu_indices(15)
    score = (sampled.mean - np.eye(15))[upper] / sampled.standard_error[upper]
    assert np.abs(score).max() < 4.5
