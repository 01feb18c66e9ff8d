import numpy as np
import pytest

from capacity import activations as act

SMOOTH = [act.gelu(), act.tanh(), act.erf(), act.sine(), act.sine(5), act.cosine_gain(), act.sigmoid(), act.softplus()]
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


@pytest.mark.parametrize("activation", [*SMOOTH, act.leaky(0.3), act.absolute(), act.pseudo_random()], ids=name)
def test_gain_times_argument_is_the_activation(activation):
    z = np.random.default_rng(0).standard_normal(1000)
    np.testing.assert_allclose(activation.gain(z) * z, activation(z), rtol=1e-14)


@pytest.mark.parametrize("activation", [*SMOOTH, act.leaky(0.3)], ids=name)
def test_derivative_is_the_limit_of_finite_differences(activation):
    z, h = np.linspace(-3, 3, 60), 1e-5
    expected = (activation(z + h) - activation(z - h)) / (2 * h)
    np.testing.assert_allclose(activation.derivative(z), expected, rtol=1e-7, atol=1e-9)


@pytest.mark.parametrize("scale", [0.3, 1.0, 2.5])
@pytest.mark.parametrize("activation", CLOSED, ids=name)
def test_closed_form_of_the_coupling_agrees_with_quadrature(activation, scale):
    closed = act.coupling(activation, scale=scale, method="closed")
    assert closed == pytest.approx(act.coupling(activation, scale=scale, method="quadrature"), abs=1e-12)


@pytest.mark.parametrize("activation", [*CLOSED[:3], *CLOSED[4:], act.tanh()], ids=name)
def test_coupling_agrees_with_gaussian_samples_within_their_error(activation):
    estimate, error = act.sampled_coupling(activation, 400_000, rng=1)
    assert abs(estimate - act.coupling(activation)) < 4 * error
    assert error < 0.005


def test_known_couplings():
    assert [act.coupling(act.leaky(s)) for s in (1, 0.5, 0.2, 0.1, 0, -0.5, -1)] == pytest.approx(
        [1, 0.9, 9 / 13, 1.21 / 2.02, 0.5, 0.1, 0]
    )
    assert act.coupling(act.cosine_gain(1)) == pytest.approx(1 / np.cosh(1), rel=1e-14)
    assert act.coupling(act.tanh()) == pytest.approx(0.96037, abs=5e-6)
    assert act.coupling(act.erf()) == pytest.approx(0.95282, abs=5e-6)
    assert act.coupling(act.sine(5)) == pytest.approx(0.27240, abs=5e-6)


def test_coupling_is_scale_free_exactly_for_homogeneous_activations():
    assert act.coupling(act.leaky(0.2), scale=7.0, method="quadrature") == pytest.approx(act.coupling(act.leaky(0.2)))
    assert abs(act.coupling(act.tanh(), scale=3.0) - act.coupling(act.tanh())) > 0.05


def test_gain_of_a_piecewise_linear_activation_has_unit_second_moment_after_scaling():
    a, b = act.leaky(0.3).mean_and_half_jump
    assert a**2 + b**2 == pytest.approx(1)
    assert a**2 == pytest.approx(act.coupling(act.leaky(0.3)))
    with pytest.raises(ValueError, match="piecewise-linear"):
        _ = act.tanh().mean_and_half_jump


def test_gain_at_zero_is_the_slope_there():
    for activation in (act.tanh(), act.erf(), act.sine(3), act.gelu()):
        assert activation.gain(np.zeros(1))[0] == pytest.approx(activation.derivative(np.zeros(1))[0])


def test_pseudo_random_gain_is_a_function_without_mean_or_memory():
    activation, z = act.pseudo_random(), np.random.default_rng(2).standard_normal((500, 400))
    gain = activation.gain(z)
    np.testing.assert_array_equal(gain, activation.gain(z.copy()))
    assert set(np.unique(gain)) == {-1.0, 1.0}
    for moment in (gain, gain * activation.gain(np.nextafter(z, np.inf)), gain * activation.gain(-z)):
        assert abs(moment.mean()) < 4 / np.sqrt(z.size)
    assert abs(np.mean(gain * act.pseudo_random(seed=1).gain(z))) < 4 / np.sqrt(z.size)
    with pytest.raises(ValueError, match="nowhere continuous"):
        activation.derivative(z)
    with pytest.raises(ValueError, match="nowhere continuous"):
        act.coupling(activation, method="quadrature")


@pytest.mark.parametrize("activation", [act.sigmoid(), act.softplus()], ids=name)
def test_activations_that_do_not_vanish_at_zero_have_no_coupling(activation):
    for function in (act.coupling, lambda a: act.sampled_coupling(a, 100)):
        with pytest.raises(ValueError, match=r"f\(0\)"):
            function(activation)
    with pytest.raises(ValueError, match="infinite at z = 0"):
        activation.gain(np.array([0.0, 1.0]))
    assert np.isfinite(activation.gain(np.array([0.5, 1.0]))).all()


def test_bad_arguments_are_named():
    with pytest.raises(ValueError, match="slope"):
        act.leaky(2.0)
    with pytest.raises(ValueError, match="scale"):
        act.coupling(act.tanh(), scale=0)
    with pytest.raises(ValueError, match="method"):
        act.coupling(act.tanh(), method="guess")
    with pytest.raises(ValueError, match="no closed form"):
        act.coupling(act.tanh(), method="closed")
