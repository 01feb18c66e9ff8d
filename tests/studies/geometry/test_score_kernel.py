import numpy as np
import pytest

from capacity_studies.geometry import fisher_kernel


def test_the_kernel_is_the_scalar_product_in_the_metric_of_the_pseudo_inverse():
    rng = np.random.default_rng(0)
    scores = rng.standard_normal((5, 8))
    inverse = np.linalg.pinv(scores.T @ scores / 5, hermitian=True, rtol=1e-10)
    np.testing.assert_allclose(fisher_kernel(scores), scores @ inverse @ scores.T, atol=1e-10)


def test_digits_that_single_precision_lacks_are_not_taken_for_rank():
    scores = np.random.default_rng(0).standard_normal((30, 4)) @ np.random.default_rng(1).standard_normal((4, 10))
    assert fisher_kernel(scores.astype(np.float32)).diagonal().mean() == pytest.approx(4, rel=1e-6)


def test_without_parameters_the_kernel_vanishes():
    np.testing.assert_array_equal(fisher_kernel(np.zeros((3, 0))), np.zeros((3, 3)))
