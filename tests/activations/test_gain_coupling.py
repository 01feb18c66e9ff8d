import numpy as np
import pytest

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
]


def name(value):
    return getattr(value, "name", None)


@pytest.mark.parametrize("scale", [0.3, 1.0, 2.5])
@pytest.mark.parametrize("activation", CLOSED, ids=name)
def test_closed_form_of_the_coupling_agrees_with_quadrature(activation, scale):
    closed = coupling(activation, scale=scale, method="closed")
    assert closed == pytest.approx(coupling(activation, scale=scale, method="quadrature"), abs=1e-12)


@pytest.mark.parametrize("activation", [*CLOSED[:3], *CLOSED[4:], act.tanh()], ids=name)
def test_coupling_agrees_with_gaussian_samples_within_their_error(activation):
    estimate, error = sampled_coupling(activation, 400_000, rng=1)
    assert abs(estimate - coupling(activation)) < 4 * error
    assert error < 0.005


def test_known_couplings():
    assert [coupling(act.leaky(s)) for s in (1, 0.5, 0.2, 0.1, 0, -0.5, -1)] == pytest.approx(
        [1, 0.9, 9 / 13, 1.21 / 2.02, 0.5, 0.1, 0]
    )
    assert coupling(act.cosine_gain(1)) == pytest.approx(1 / np.cosh(1), rel=1e-14)
    assert coupling(act.tanh()) == pytest.approx(0.96037, abs=5e-6)
    assert coupling(act.erf()) == pytest.approx(0.95282, abs=5e-6)
    assert coupling(act.sine(5)) == pytest.approx(0.27240, abs=5e-6)


def test_coupling_is_scale_free_exactly_for_homogeneous_activations():
    assert coupling(act.leaky(0.2), scale=7.0, method="quadrature") == pytest.approx(coupling(act.leaky(0.2)))
    assert abs(coupling(act.tanh(), scale=3.0) - coupling(act.tanh())) > 0.05


@pytest.mark.parametrize("activation", [act.sigmoid(), act.softplus()], ids=name)
def test_activations_that_do_not_vanish_at_zero_have_no_coupling(activation):
    for function in (coupling, lambda a: sampled_coupling(a, 100)):
        with pytest.raises(ValueError, match=r"f\(0\)"):
            function(activation)
    with pytest.raises(ValueError, match="infinite at z = 0"):
        activation.gain(np.array([0.0, 1.0]))
    assert np.isfinite(activation.gain(np.array([0.5, 1.0]))).all()


def test_bad_arguments_are_named():
    with pytest.raises(ValueError, match="scale"):
        coupling(act.tanh(), scale=0)
    with pytest.raises(ValueError, match="method"):
        coupling(act.tanh(), method="guess")
    with pytest.raises(ValueError, match="no closed form"):
        coupling(act.tanh(), method="closed")
    with pytest.raises(ValueError, match="nowhere continuous"):
        coupling(act.pseudo_random(), method="quadrature")


@pytest.mark.parametrize("activation", [act.relu(), act.sine(2), act.gelu()], ids=lambda a: a.name)
def test_the_standard_error_is_the_spread_over_seeds(activation):
    estimates, errors = np.transpose([sampled_coupling(activation, 400, rng=seed) for seed in range(400)])
    assert errors.mean() == pytest.approx(estimates.std(ddof=1), rel=0.12)


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
        with pytest.raises(TypeError, match="activation: expected an instance of Activation, got str"):
            function("relu")
