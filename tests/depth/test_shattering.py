from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from capacity.activations import absolute, coupling, leaky, relu
from capacity.depth import (
    forward_correlations,
    gradient_correlations,
    normalised_gradient_correlations,
    residual_tail_exponent,
    return_share,
    straight_path_weights,
    straight_share,
)
from capacity.statistics import fit_power_law


def test_straight_share_is_the_weight_of_the_straight_path():
    delta = np.array([[-2.0, 1.0, 1.0], [1.0, -2.0, 1.0], [1.0, 1.0, -2.0]])
    layers = [np.eye(3) + delta / 10] * 10
    np.testing.assert_allclose(straight_path_weights(layers), straight_share(2.0, 10))
    np.testing.assert_allclose(straight_path_weights(layers), straight_share(2.0, 10, eps=0.1))
    assert straight_share(2.0, 0) == 1


@given(st.floats(-1, 1), st.floats(-0.99, 0.99), st.sampled_from([None, 0.3, 1.0, 2.0]), st.integers(0, 4))
@settings(max_examples=25)
def test_correlations_are_mapped_layer_by_layer_as_gaussian_means_say(slope, correlation, residual, n_layers):
    """Means over pairs of one sign and of both, and of their products by Price's theorem."""
    activation, norm = leaky(slope), (1 + slope**2) / 2
    forward, backward = [correlation], [1.0]
    for _ in range(n_layers):
        c = forward[-1]
        alike = 1 / 4 + np.arcsin(c) / (2 * np.pi)  # both positive
        slopes = ((1 + slope**2) * alike + 2 * slope * (1 / 2 - alike)) / norm
        activities = np.sqrt(1 - c**2) * (1 - slope) ** 2 / (2 * np.pi) / norm + c * slopes
        if residual is not None:
            activities, slopes = (
                (old + residual**2 * new) / (1 + residual**2) for old, new in ((c, activities), (1, slopes))
            )
        forward.append(activities)
        backward.append(backward[-1] * slopes)
    options = {"correlation": correlation, "residual": residual}
    np.testing.assert_allclose(forward_correlations(activation, n_layers, **options), forward, atol=1e-12)
    np.testing.assert_allclose(gradient_correlations(activation, n_layers, **options), backward, atol=1e-12)


@given(st.floats(-1, 1), st.sampled_from([0.3, 1.0, 2.0]), st.integers(0, 4))
@settings(max_examples=15)
def test_normalised_correlations_are_those_of_variances_that_grow_layer_by_layer(slope, residual, n_layers):
    mean = (1 - slope) / np.sqrt(2 * np.pi) / np.sqrt((1 + slope**2) / 2)  # of a normalised activation
    variance, found = 1.0, [1.0]
    for _ in range(n_layers):
        kept = variance + residual**2 * coupling(leaky(slope))
        found.append(found[-1] * kept / (variance + residual**2))
        variance += residual**2 * (1 - mean**2)
    np.testing.assert_allclose(normalised_gradient_correlations(leaky(slope), n_layers, residual=residual), found)


@given(st.sampled_from([1, 3, 5]), st.integers(0, 5))
@settings(max_examples=15)
def test_returning_paths_are_counted_one_by_one(taps, n_layers):
    paths = list(product(range(-(taps // 2), taps // 2 + 1), repeat=n_layers))
    assert return_share(taps, n_layers) == pytest.approx(sum(sum(path) == 0 for path in paths) / taps**n_layers)


def test_normalised_plain_networks_shatter_at_the_rate_of_the_coupling():
    found = normalised_gradient_correlations(leaky(0.2), 6)
    np.testing.assert_allclose(found, coupling(leaky(0.2)) ** np.arange(7))


@pytest.mark.parametrize("residual", [0.5, 1.0])
@pytest.mark.parametrize("activation", [relu(), leaky(0.3), absolute()], ids=lambda a: a.name)
def test_normalised_residual_networks_decay_as_a_power_of_depth(activation, residual):
    found = normalised_gradient_correlations(activation, 100_000, residual=residual)
    depths = np.array([20_000, 50_000, 100_000])
    assert fit_power_law(depths, found[depths]).exponent == pytest.approx(residual_tail_exponent(activation), abs=0.001)
