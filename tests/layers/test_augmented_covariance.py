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


@given(layers().filter(lambda layer: layer[1].shape[1] > 1), st.sampled_from([0.5, 0.0, -1.0]))
@settings(max_examples=25)
def test_mean_field_error_is_that_of_the_blocks_off_the_diagonal(layer, slope):
    covariance, projection, _ = layer
    n, m = projection.shape
    mixed = coupled_covariance(covariance, m, act.coupling(act.leaky(slope)))
    error = (gaussian_covariance(covariance, projection, act.leaky(slope)) - mixed).reshape(m, n, m, n)
    pairs = [(j, k) for j in range(m) for k in range(j)]
    blocks = np.array([error[j, :, k] for j, k in pairs])
    along = np.mean([projection[:, j] @ error[j, :, k] @ projection[:, k] for j, k in pairs])
    expected = np.sqrt(np.mean(blocks**2)), np.abs(blocks).max(), along
    assert mean_field_error(projection, act.leaky(slope), covariance) == pytest.approx(expected, rel=1e-9, abs=1e-12)


def test_opposite_directions_make_the_covariance_of_abs_singular():
    copies = augmented_inputs(np.random.default_rng(8).standard_normal((50, 2)), [[1, -1], [0, 0]], act.absolute())
    assert np.linalg.matrix_rank(copies) == 2  # of 4
