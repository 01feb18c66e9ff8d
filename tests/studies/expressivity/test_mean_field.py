import numpy as np
import pytest

from capacity.activations import (
    Activation,
    absolute,
    erf,
    gelu,
    hard_tanh,
    leaky,
    pseudo_random,
    relu,
    sigmoid,
    sine,
    softplus,
    tanh,
)
from capacity_studies.expressivity import (
    critical_sigma_w,
    fixed_variance,
    gaussian_moments,
    relative_changes,
    squared_growth,
    variance_map,
)

SATURATING = [hard_tanh(), tanh(), erf()]


def named(value):
    return getattr(value, "name", None)


@pytest.mark.parametrize("activation", [*SATURATING, relu(), leaky(0.3), absolute()], ids=named)
def test_moments_are_those_of_gaussian_samples(activation):
    z = np.random.default_rng(0).standard_normal(200_000)
    for variance in (0.3, 5.0):
        for f, moment in zip((activation, activation.derivative), gaussian_moments(activation, variance)):
            squares = f(np.sqrt(variance) * z) ** 2
            assert abs(squares.mean() - moment) <= 4 * squares.std() / np.sqrt(z.size) + 1e-12


@pytest.mark.parametrize("activation", SATURATING, ids=named)
@pytest.mark.parametrize("scales", [(0.7, 0.3), (1.5, 0.0), (3.0, 1.0)])
def test_the_fixed_point_is_where_the_layers_lead(activation, scales):
    """From below and from above, layer by layer."""
    sigma_w, sigma_b = scales
    q = fixed_variance(activation, sigma_w=sigma_w, sigma_b=sigma_b)
    values = np.array([0.2, 30.0])
    for _ in range(200):
        values = variance_map(activation, values, sigma_w=sigma_w, sigma_b=sigma_b)
    np.testing.assert_allclose(values, q, rtol=1e-7)


@pytest.mark.parametrize("activation", SATURATING, ids=named)
def test_variances_die_out_in_order_without_biases(activation):
    edge = critical_sigma_w(activation)
    assert fixed_variance(activation, sigma_w=0.95 * edge) == 0
    assert fixed_variance(activation, sigma_w=edge) == pytest.approx(0, abs=1e-12)
    assert fixed_variance(activation, sigma_w=1.05 * edge) > 0.01


def test_homogeneous_activations_keep_any_variance_at_their_edge_and_none_beyond():
    assert fixed_variance(relu(), sigma_w=1.2, sigma_b=0.5) == pytest.approx(0.25 / (1 - 0.72))
    for activation in (relu(), leaky(0.3)):
        edge = critical_sigma_w(activation)
        assert fixed_variance(activation, sigma_w=edge, start=7.0) == pytest.approx(7.0)
        assert fixed_variance(activation, sigma_w=0.9 * edge) == 0
        for scales in ({"sigma_w": 1.1 * edge}, {"sigma_w": edge, "sigma_b": 0.1}):
            with pytest.raises(ValueError, match="sigma_w: expected a scale at which variances settle"):
                fixed_variance(activation, **scales)


def test_the_edge_of_chaos_at_known_points():
    assert critical_sigma_w(hard_tanh()) == 1
    assert critical_sigma_w(tanh()) == pytest.approx(1, abs=1e-12)
    assert critical_sigma_w(erf()) == pytest.approx(np.sqrt(np.pi) / 2)
    assert critical_sigma_w(relu()) == pytest.approx(np.sqrt(2))
    assert critical_sigma_w(leaky(0.5)) == pytest.approx(np.sqrt(2 / 1.25))


@pytest.mark.parametrize("activation", [sigmoid(), softplus(), gelu()], ids=named)
def test_no_edge_of_chaos_is_where_variances_move_away_from(activation):
    with pytest.raises(ValueError, match="activation: expected one whose variances settle where chi_1 = 1"):
        critical_sigma_w(activation)


@pytest.mark.parametrize("activation", SATURATING, ids=named)
def test_at_the_edge_of_chaos_a_tangent_neither_grows_nor_shrinks_where_variances_die_out(activation):
    edge = critical_sigma_w(activation)
    assert squared_growth(activation, 0.0, sigma_w=edge) == pytest.approx(1, rel=1e-12)
    assert variance_map(activation, 0.5, sigma_w=edge) < 0.5


def test_what_has_no_mean_or_no_edge_is_refused():
    with pytest.raises(ValueError, match="variance: expected one at which the quadrature resolves"):
        gaussian_moments(sine(1000.0), 1.0)
    with pytest.raises(ValueError, match="activation"):
        gaussian_moments(pseudo_random(), 1.0)
    flat = Activation("flat", lambda z: 0 * z, lambda z: 0 * z, lambda z: 0 * z)
    with pytest.raises(ValueError, match="activation: expected slopes"):
        critical_sigma_w(flat)


def test_relative_changes_stay_where_the_activation_is_linear():
    found = relative_changes(hard_tanh(), 1e-4, 6, sigma_w=0.5)
    assert np.allclose(found, 1, rtol=1e-12)
