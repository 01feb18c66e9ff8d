import numpy as np
import pytest
from scipy import stats

from capacity import activations as act
from capacity.activations.smooth import _SMOOTH

SMOOTH = [act.gelu(), act.erf(), act.sine(), act.sine(5), act.cosine_gain(), *map(act.named, _SMOOTH)]


def name(value):
    return getattr(value, "name", None)


NAMED = [
    (act.linear(), lambda z: z),
    (act.relu(), lambda z: np.maximum(z, 0)),
    (act.absolute(), np.abs),
    (act.leaky(0.2), lambda z: np.maximum(z, 0.2 * z)),
    (act.tanh(), lambda z: (np.exp(2 * z) - 1) / (np.exp(2 * z) + 1)),
    (act.gelu(), lambda z: z * stats.norm.cdf(z)),
    (act.erf(), lambda z: 2 * stats.norm.cdf(np.sqrt(2) * z) - 1),
    (act.sigmoid(), lambda z: 1 / (1 + np.exp(-z))),
    (act.softplus(), lambda z: np.log(1 + np.exp(z))),
    (act.sine(2), lambda z: np.sin(2 * z)),
    (act.hard_tanh(), lambda z: np.clip(z, -1, 1)),
    (act.cosine_gain(2), lambda z: np.sqrt(2) * z * np.cos(2 * z)),
]


@pytest.mark.parametrize(("activation", "formula"), NAMED, ids=name)
def test_an_activation_is_the_function_of_its_name(activation, formula):
    z = np.linspace(-3, 3, 61)
    np.testing.assert_allclose(activation(z), formula(z), rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize(
    "activation", [*SMOOTH, act.leaky(0.3), act.hard_tanh(), act.absolute(), act.pseudo_random()], ids=name
)
def test_gain_times_argument_is_the_activation(activation):
    z = np.random.default_rng(0).standard_normal(1000)
    np.testing.assert_allclose(activation.gain(z) * z, activation(z), rtol=1e-14)


@pytest.mark.parametrize("activation", [*SMOOTH, act.leaky(0.3), act.hard_tanh()], ids=name)
def test_derivative_is_the_limit_of_finite_differences(activation):
    z, h = np.linspace(-3, 3, 60), 1e-5
    expected = (activation(z + h) - activation(z - h)) / (2 * h)
    np.testing.assert_allclose(activation.derivative(z), expected, rtol=1e-7, atol=1e-9)


def test_gain_at_zero_is_the_slope_there():
    for activation in (act.tanh(), act.erf(), act.sine(3), act.gelu()):
        assert activation.gain(np.zeros(1))[0] == pytest.approx(activation.derivative(np.zeros(1))[0])
