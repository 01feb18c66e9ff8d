from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate, stats

from capacity import activations as act
from capacity.activations import coupling, sampled_coupling

CLOSED = [
    act.leaky(0.5),
    act.leaky(-0.5),
    act.relu(),
    act.absolute(),
    act.gelu(),
    act.erf(),
    act.sine(),
    act.sine(5),
    act.cosine_gain(0.3),
    act.cosine_gain(1),
    act.cosine_gain(2),
    act.tanh(),
    act.hard_tanh(),
]


def name(value):
    return getattr(value, "name", None)


@pytest.mark.parametrize("activation", CLOSED, ids=name)
@given(st.floats(0.2, 4))
@settings(max_examples=4)
def test_coupling_is_the_squared_mean_of_the_gain_over_its_mean_square(activation, scale):
    def mean(power):
        density = lambda u: activation.gain(np.array(scale * u)) ** power * stats.norm.pdf(u)  # noqa: E731
        edges = np.unique([-10, -5, -2, *(np.array(activation.kinks or ()) / scale).clip(-10, 10), 0, 2, 5, 10])
        return sum(integrate.quad(density, *ends, epsabs=1e-13, limit=200)[0] for ends in pairwise(edges))

    expected = mean(1) ** 2 / mean(2)
    for method in ("auto", "quadrature"):
        rough = activation.name == "hard tanh"  # its gain has kinks where the second set of nodes has none
        assert coupling(activation, scale=scale, method=method) == pytest.approx(expected, abs=1e-4 if rough else 1e-9)


@pytest.mark.parametrize("samples", [2, 3, 7])
def test_the_error_of_a_sampled_coupling_is_that_of_a_function_of_two_means(samples):
    gains = act.tanh().gain(1.5 * np.random.default_rng(4).standard_normal(samples))
    mean, square = gains.mean(), np.mean(gains**2)
    slope = np.array([2 * mean / square, -((mean / square) ** 2)])
    variance = slope @ np.cov(gains, gains**2) @ slope / samples
    found = sampled_coupling(act.tanh(), samples, scale=1.5, rng=4)
    assert found == pytest.approx((mean**2 / square, np.sqrt(variance)), rel=1e-12)


@pytest.mark.parametrize("activation", [act.sigmoid(), act.softplus()], ids=name)
def test_activations_that_do_not_vanish_at_zero_have_no_coupling(activation):
    for function in (coupling, lambda a: sampled_coupling(a, 100)):
        with pytest.raises(ValueError, match=r"f\(0\)"):
            function(activation)
    with pytest.raises(ValueError, match="infinite at z = 0"):
        activation.gain(np.array([0.0, 1.0]))
    assert np.isfinite(activation.gain(np.array([0.5, 1.0]))).all()


def test_gains_that_the_quadrature_does_not_resolve_and_numbers_out_of_range_are_refused():
    assert coupling(act.tanh(), scale=30) == pytest.approx(
        sampled_coupling(act.tanh(), 400_000, scale=30, rng=0)[0], rel=0.02
    )
    assert coupling(act.tanh(), scale=1e5) == pytest.approx(
        sampled_coupling(act.tanh(), 400_000, scale=1e5, rng=0)[0], rel=0.2
    )
    with pytest.raises(ValueError, match="scale: expected a gain that the quadrature resolves"):
        coupling(act.cosine_gain(1e3), method="quadrature")
    with pytest.raises(ValueError, match="scale: expected a coupling within the range"):
        coupling(act.sine(), scale=1e-200)
    dead = act.Activation("dead", lambda z: 0 * z, lambda z: 0 * z, lambda z: 0 * z)
    for function in (coupling, lambda a: sampled_coupling(a, 100)):
        with pytest.raises(ValueError, match="activation: expected gains with a second moment, got 0"):
            function(dead)
