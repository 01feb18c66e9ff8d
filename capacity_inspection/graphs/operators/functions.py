"""Activations: the value, the slope and the gain of the function that a node applies to each entry.

The gain of f is that of paper 2, eq. 4, of f - f(0): a constant f(0), as of a sigmoid, acts as a bias and hands nothing
down.
"""

import numpy as np

from capacity._validation import check_real
from capacity.activations.gaussian_quadrature import normal_nodes
from capacity.activations.scalar_functions import SCALAR_FUNCTIONS
from capacity_inspection.graphs.operators.rules import Operator, per_channel, required, summed_to

__all__ = ["FUNCTIONS", "Activation", "function_gain", "function_slope", "function_value"]

FUNCTIONS = tuple(SCALAR_FUNCTIONS)


class Activation(Operator):
    """A function of each entry by itself, a random gain of each unit."""

    arrays = ("slopes",)
    options = ("function", "slope")
    gains = "unit"
    by_runs = True

    def complete(self, shapes, arrays, options):
        function = required(options, "function", "activation")
        if function not in FUNCTIONS:
            raise ValueError(f"function: expected one of {', '.join(FUNCTIONS)}, got {function!r}; use one of these")
        found = {"function": function}
        if function == "prelu":
            required(arrays, "slopes", "prelu")
        elif "slopes" in arrays:
            raise ValueError(f"slopes: expected them of a prelu only, got some of {function!r}; use the option slope")
        default = SCALAR_FUNCTIONS[function].parameter
        if default is not None:
            found["slope"] = check_real(options.get("slope", default), "slope")
        elif options.get("slope") is not None:
            raise ValueError(f"slope: expected it of a leaky ReLU or an ELU, got it of {function!r}; remove it")
        return shapes[0], per_channel(arrays, "slopes", shapes[0], "prelu"), found

    def is_linear(self, node):
        return node.options["function"] == "identity"

    def value(self, node, values):
        return function_value(node, values[0])

    def own_gain(self, node, shapes):
        """Coupling and power at Gaussian arguments of variance one."""
        shape = np.shape(node.arrays.get("slopes", 0.0))
        arguments, weights = normal_nodes(SCALAR_FUNCTIONS[node.options["function"]].breaks, 1.0, 60)
        gains = function_gain(node, arguments.reshape(-1, *[1] * len(shape)) * np.ones(shape))
        mean, square = np.tensordot(weights, gains, 1), np.tensordot(weights, gains**2, 1)
        with np.errstate(invalid="ignore"):
            return np.where(square > 0, mean**2 / np.maximum(square, 1e-300), 1.0), square

    def weight_gradients(self, node, array, value):
        return {"slopes": summed_to(array * np.minimum(value, 0.0), node.arrays["slopes"].shape)}

    def vjp(self, node, array, values):
        """Weights of the input, with the slopes at its values."""
        return [array * function_slope(node, values[0])]

    def held(self, node, values, value=None):
        return function_gain(node, values[0], value)

    def held_jvp(self, node, held, signal):
        return signal[0] * held

    def held_vjp(self, node, held, array):
        return [array * held]


def function_value(node, argument):
    """f(z) of an activation node, for arguments of shape (..., *node.shape)."""
    return _row(node).value(argument, *_parameter(node))


def function_slope(node, argument):
    """f'(z) of an activation node, for arguments of shape (..., *node.shape)."""
    return _row(node).slope(argument, *_parameter(node))


def function_gain(node, argument, value=None):
    """eta(z) of an activation node, for arguments of shape (..., *node.shape); of a root, if these are positive.

    Its value there need not be known.
    """
    with np.errstate(divide="ignore"):
        start, finite = function_value(node, np.zeros(())), np.isfinite(function_slope(node, np.zeros(()))).all()
    if not finite:
        if np.isfinite(start) and np.all(argument > 0):
            return (function_value(node, argument) - start) / argument
        raise ValueError(
            f"node {node.name!r}: expected a function with a gain, got {node.options['function']}, whose slope at 0 is "
            "infinite; analyse the part of the graph above it, as graph.above gives it"
        )
    return _row(node).centred_gain(argument, *_parameter(node), value=value)


def _row(node):
    return SCALAR_FUNCTIONS[node.options["function"]]


def _parameter(node):
    if "slopes" in node.arrays:
        return (node.arrays["slopes"],)
    return (node.options["slope"],) if "slope" in node.options else ()
