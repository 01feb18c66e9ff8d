"""Slopes are derivatives, gains are f(z) - f(0) over z, and what the package knows of activations agrees."""

import numpy as np
import pytest

from capacity import activations
from capacity.graphs import FUNCTIONS, make_node
from capacity.graphs.functions import function_gain, function_slope, function_value

POINTS = np.array([-6.3, -2.9, -1.3, -0.41, 0.29, 0.83, 2.6, 3.2, 6.4])[None]


def node(function):
    arguments = {"prelu": {"slopes": [0.3]}, "leaky_relu": {"slope": 0.2}, "elu": {"slope": 0.7}}.get(function, {})
    source = make_node("z", "input", shape=POINTS.shape)
    return make_node("f", "activation", source, function=function, **arguments)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_slopes_are_derivatives(function):
    points = np.abs(POINTS) if function in ("sqrt", "log") else POINTS
    difference = function_value(node(function), points + 1e-6) - function_value(node(function), points - 1e-6)
    np.testing.assert_allclose(function_slope(node(function), points), difference / 2e-6, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("function", sorted(set(FUNCTIONS) - {"sqrt", "log"}))
def test_gain_times_argument_is_the_function_but_for_its_value_at_zero(function):
    f, zero = node(function), function_value(node(function), np.zeros_like(POINTS))
    np.testing.assert_allclose(function_gain(f, POINTS) * POINTS, function_value(f, POINTS) - zero, atol=1e-12)
    near = np.array([[-1e-5, -1e-7]])
    np.testing.assert_allclose(function_gain(f, near), function_slope(f, near / 2), rtol=1e-4)


@pytest.mark.parametrize(
    ("function", "known"),
    [
        ("relu", activations.relu()),
        ("leaky_relu", activations.leaky(0.2)),
        ("abs", activations.absolute()),
        ("hard_tanh", activations.hard_tanh()),
        ("gelu", activations.gelu()),
        ("tanh", activations.tanh()),
        ("erf", activations.erf()),
        ("sine", activations.sine()),
        ("sigmoid", activations.sigmoid()),
        ("softplus", activations.softplus()),
    ],
)
def test_functions_are_those_of_the_room_of_activations(function, known):
    points = np.concatenate([POINTS, [np.zeros(9)]], axis=1)
    np.testing.assert_allclose(function_value(node(function), points), known(points), rtol=1e-13)
    np.testing.assert_allclose(function_slope(node(function), points), known.derivative(points), rtol=1e-12)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_a_nan_stays_a_nan(function):
    assert np.isnan(function_value(node(function), np.full((1, 9), np.nan))).all()


@pytest.mark.parametrize("function", ["sqrt", "log"])
def test_an_infinite_slope_at_zero_has_no_gain(function):
    with pytest.raises(ValueError, match=f"expected a function with a gain, got {function}"):
        function_gain(node(function), POINTS)
