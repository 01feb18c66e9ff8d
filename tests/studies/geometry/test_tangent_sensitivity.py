import numpy as np
import pytest
from scipy import integrate, stats

from capacity.activations import hard_tanh, leaky, relu
from capacity.networks import Layer, forward_pass, parameter_jacobian
from capacity_studies.expressivity import he_layers, one_network, random_layers
from capacity_studies.geometry import (
    absolute_moment,
    printed_sensitivity_bound,
    sensitivity_bound,
    squared_sensitivity,
    tangent_sample_sensitivity,
)

RNG = np.random.default_rng(3)
POINTS = RNG.standard_normal((4, 3))


@pytest.mark.parametrize("activation", [relu(), leaky(0.2), hard_tanh()])
def test_sensitivity_is_how_the_parameter_jacobian_changes_with_the_input(activation):
    layers = one_network(random_layers(3, 6, 2, activation, sigma_w=1.5, sigma_b=0.5, outputs=2, rng=1))
    found = tangent_sample_sensitivity(layers, POINTS)
    step = 1e-6
    for axis in range(3):
        move = step * np.eye(3)[axis]
        change = parameter_jacobian(layers, POINTS + move) - parameter_jacobian(layers, POINTS - move)
        np.testing.assert_allclose(found[..., axis].reshape(8, -1), change / (2 * step), atol=1e-8)


def test_squared_norm_is_a_sum_over_layers():
    layers = one_network(random_layers(3, 6, 2, leaky(0.2), sigma_w=1.5, sigma_b=0.5, outputs=2, rng=1))
    full = tangent_sample_sensitivity(layers, POINTS)
    np.testing.assert_allclose(squared_sensitivity(layers, POINTS), np.square(full).sum(axis=(2, 3)), rtol=1e-12)


@pytest.mark.parametrize(
    ("order", "mean", "deviation"), [(3, 0.0, 1.0), (4, -2.0, 1.0), (2.5, 1.3, 0.7), (0, 3.0, 2.0)]
)
def test_absolute_moment_is_the_integral(order, mean, deviation):
    normal = stats.norm(mean, deviation)
    ends = mean + 12 * deviation * np.array([-1, 1])
    value, _ = integrate.quad(lambda t: abs(t) ** order * normal.pdf(t), *ends, points=[0.0], epsabs=1e-12)
    assert absolute_moment(order, mean, deviation) == pytest.approx(value, rel=1e-9)


def test_chain_of_units_that_are_all_on_has_equal_entries():
    """N = k + 1 weights w, each with the derivative w^k: k^2 times what the slides print."""
    for k in (1, 2, 3, 5):
        chain = [Layer([[0.8]], activation=relu() if level else None) for level in range(k + 1)]
        norm = float(squared_sensitivity(chain, [[1.0]])[0, 0])
        assert norm == pytest.approx((k + 1) * 0.8 ** (2 * k))
        weights = [layer.weights for layer in chain]
        power = (k / (k - 1)) ** (k - 1) if k > 1 else 1
        assert sensitivity_bound(weights, k ** (k - 1)) == pytest.approx(norm * power**2)
        assert printed_sensitivity_bound(weights, k, 1e-4, layers=k) == pytest.approx(norm / k**2, rel=1e-6)


@pytest.mark.parametrize("sizes", [(3, 5, 1), (3, 5, 4, 1), (2, 6, 3, 4, 1)])
def test_corrected_bound_holds_for_every_sample(sizes):
    for seed in range(20):
        layers = one_network(he_layers(sizes, relu(), rng=seed))
        points = np.random.default_rng(seed).standard_normal((30, sizes[0]))
        on = sum((argument > 0).sum(axis=1) for argument in forward_pass(layers, points).arguments[1:])
        norms = squared_sensitivity(layers, points)[:, 0]
        bounds = [sensitivity_bound([a.weights for a in layers], float(t) ** (len(sizes) - 3)) for t in on]
        assert (norms <= np.array(bounds) * (1 + 1e-12)).all()
