"""Gains are f(z) - f(0) over z, whatever the function of the node."""

import numpy as np
import pytest

from capacity_inspection.graphs import FUNCTIONS, make_node
from capacity_inspection.graphs.operators.functions import function_gain, function_slope, function_value

POINTS = np.array([-6.3, -2.9, -1.3, -0.41, 0.29, 0.83, 2.6, 3.2, 6.4])[None]


def node(function):
    arguments = {"prelu": {"slopes": [0.3]}, "leaky_relu": {"slope": 0.2}, "elu": {"slope": 0.7}}.get(function, {})
    source = make_node("z", "input", shape=POINTS.shape)
    return make_node("f", "activation", source, function=function, **arguments)


@pytest.mark.parametrize("function", sorted(set(FUNCTIONS) - {"sqrt", "log", "reciprocal"}))
def test_gain_times_argument_is_the_function_but_for_its_value_at_zero(function):
    f, zero = node(function), function_value(node(function), np.zeros_like(POINTS))
    np.testing.assert_allclose(function_gain(f, POINTS) * POINTS, function_value(f, POINTS) - zero, atol=1e-12)
    near = np.array([[-1e-5, -1e-7]])
    np.testing.assert_allclose(function_gain(f, near), function_slope(f, near / 2), rtol=1e-4)


def test_the_parameter_of_the_node_is_that_of_its_function():
    assert [function_value(node(function), np.array([-1.0]))[0] for function in ("prelu", "leaky_relu")] == [-0.3, -0.2]
    assert function_value(node("elu"), np.array([-1.0]))[0] == pytest.approx(0.7 * np.expm1(-1.0))


def test_a_root_has_a_gain_where_its_argument_is_positive():
    np.testing.assert_allclose(function_gain(node("sqrt"), np.array([1e-12, 4.0])), [1e6, 0.5])


@pytest.mark.parametrize("function", ["sqrt", "log", "reciprocal"])
def test_an_infinite_slope_at_zero_has_no_gain(function):
    with pytest.raises(ValueError, match="node 'f'"):
        function_gain(node(function), POINTS)
