import numpy as np
import pytest
from scipy import special, stats

from capacity.activations import erf, hard_tanh, leaky, linear, relu, tanh
from capacity_studies.expressivity import (
    arc,
    expected_growth,
    expected_length,
    growth_lower_bound,
    growth_upper_bound,
    printed_growth_bound,
    random_layers,
    sum_moments,
    trajectory_lengths,
)


def named(value):
    return getattr(value, "name", None)


@pytest.mark.parametrize("activation", [hard_tanh(), tanh(), erf(), relu(), leaky(0.3)], ids=named)
def test_growth_is_the_mean_over_random_layers(activation):
    """||f'(Wz + b) * W dz|| over drawn W and b, whose standard error is below half a percent."""
    rng, width, sigma_w, sigma_b = np.random.default_rng(0), 12, 2.5, 0.6
    z, dz = rng.standard_normal((2, 5))
    dz += z
    draws = 20_000
    weights = rng.standard_normal((draws, width, 5)) * sigma_w / np.sqrt(width)
    sums = weights @ z + sigma_b * rng.standard_normal((draws, width))
    norms = np.linalg.norm(activation.derivative(sums) * (weights @ dz), axis=1)
    curve = type(arc(z, dz, 2))(z[None], dz[None], [1.0])
    variance, correlation = sum_moments(curve, width, sigma_w=sigma_w, sigma_b=sigma_b)
    assert correlation > 0.3
    exact = expected_growth(activation, width, variance, sigma_w=sigma_w, correlation=correlation)[0]
    error = norms.std() / np.sqrt(draws)
    assert error < 0.005 * norms.mean()
    assert abs(norms.mean() - exact * np.linalg.norm(dz)) < 4 * error
    assert sums.var() == pytest.approx(variance[0], rel=0.02)
    assert np.corrcoef(sums.ravel(), (weights @ dz).ravel())[0, 1] == pytest.approx(correlation[0], abs=0.01)
    assert expected_length(curve, activation, width, sigma_w=sigma_w, sigma_b=sigma_b) == pytest.approx(
        exact * np.linalg.norm(dz)
    )


@pytest.mark.parametrize("width", [1, 2, 7, 60, 3000])
def test_the_binomial_sum_is_the_quadrature(width):
    variance = np.array([1e-3, 0.4, 3.0, 200.0])
    for activation in (hard_tanh(), relu(), linear()):
        low = growth_lower_bound(activation, width, variance, sigma_w=1.5)
        np.testing.assert_allclose(low, expected_growth(activation, width, variance, sigma_w=1.5), rtol=1e-7)


def test_the_binomial_sum_is_that_of_its_definition():
    """E[chi_N] by the means of scipy's chi distribution, N ~ Bin(k, erf(1/sqrt(2 q)))."""
    k, q = 10, 0.925
    p = special.erf(1 / np.sqrt(2 * q))
    mean = sum(stats.binom.pmf(n, k, p) * stats.chi.mean(n) for n in range(1, k + 1))
    found = growth_lower_bound(hard_tanh(), k, q, sigma_w=2.0, correlation=0.6)
    assert found == pytest.approx(2 / np.sqrt(k) * mean * 0.8)


def test_known_values():
    assert printed_growth_bound(100, sigma_w=4.0) == pytest.approx(1.9611613513818404, rel=1e-15)
    assert printed_growth_bound(512, sigma_w=2.0) == pytest.approx(1.411, abs=5e-4)
    assert printed_growth_bound(50, sigma_w=3.0, sigma_b=4.0) == pytest.approx(3 * np.sqrt(50) / np.sqrt(25 + 250))
    assert printed_growth_bound(3, sigma_w=2.0, form="ReLU") == pytest.approx(np.sqrt(3))
    circle = arc([1.5, 0.0], [0.0, 1.5], 9, angle=2 * np.pi)
    length = expected_length(circle, hard_tanh(), 10, sigma_w=np.sqrt(3), sigma_b=0.5)
    assert length / circle.length == pytest.approx(1.3909536518560253, rel=1e-9)
    assert growth_upper_bound(1, sigma_w=2.0) == pytest.approx(2 * np.sqrt(2 / np.pi))
    for k in (1, 2, 100_001, 10**12):  # mean norms of normal vectors of k and k + 1 entries have the product k
        product = growth_upper_bound(k, sigma_w=1.0) * growth_upper_bound(k + 1, sigma_w=1.0)
        assert product == pytest.approx(np.sqrt(k / (k + 1)), rel=1e-14)


@pytest.mark.parametrize("activation", [hard_tanh(), tanh(), leaky(0.3)], ids=named)
def test_the_exact_growth_lies_between_the_bounds(activation):
    variance, correlation = np.array([0.1, 1.0, 20.0])[:, None], np.array([-0.95, -0.5, 0.0, 0.8])
    for width in (1, 5, 80):
        exact = expected_growth(activation, width, variance, sigma_w=1.2, correlation=correlation)
        low = growth_lower_bound(activation, width, variance, sigma_w=1.2, correlation=correlation)
        assert (low <= exact * (1 + 1e-9)).all()
        assert (exact <= growth_upper_bound(width, sigma_w=1.2) * (1 + 1e-9)).all()
        np.testing.assert_allclose(low[:, 2], exact[:, 2], rtol=1e-7)
        tight = (low > 0.999 * exact)[:, [0, 1, 3]]
        assert tight.all() if activation.slopes is not None else not tight.any()


def test_a_linear_layer_reaches_the_upper_bound_in_every_direction():
    growth = expected_growth(linear(), 7, 2.0, sigma_w=1.3, correlation=[0.0, 0.5, 0.99])
    np.testing.assert_allclose(growth, growth_upper_bound(7, sigma_w=1.3), rtol=1e-7)


def test_the_mean_length_one_layer_up_is_that_over_random_layers():
    """Of a curve for each of two networks, in a hard tanh layer that the curve partly saturates."""
    rng = np.random.default_rng(4)
    curves = arc(*(rng.standard_normal((2, 2, 3)) * [[[1.0]], [[4.0]]]), 30)
    exact = expected_length(curves, hard_tanh(), 8, sigma_w=2.0, sigma_b=0.3)
    for number in range(2):
        own = type(curves)(curves.points[number], curves.tangents[number], curves.steps)
        layers = random_layers(3, 8, 1, hard_tanh(), sigma_w=2.0, sigma_b=0.3, networks=5000, rng=5)
        lengths = trajectory_lengths(layers, own)[:, 1]
        error = lengths.std() / np.sqrt(5000)
        assert error < 0.006 * exact[number]
        assert abs(lengths.mean() - exact[number]) < 4 * error


def test_a_curve_that_stands_still_has_no_length_and_no_correlation():
    curve = type(arc([1.0], [0.0], 2))(np.zeros((3, 2)), np.zeros((3, 2)), np.ones(3))
    assert expected_length(curve, tanh(), 5, sigma_w=1.0) == 0
    np.testing.assert_array_equal(sum_moments(curve, 5, sigma_w=1.0), np.zeros((2, 3)))
    assert growth_lower_bound(hard_tanh(), 5, 0.0, sigma_w=1.0) == pytest.approx(growth_upper_bound(5, sigma_w=1.0))
    assert growth_lower_bound(relu(), 5, 0.0, sigma_w=1.0) == growth_lower_bound(relu(), 5, 1.0, sigma_w=1.0)
