"""What an activation node applies to each entry: the value, the slope and the gain of its function.

The gain of f is eta(z) = (f(z) - f(0))/z (paper 2, eq. 4); a constant f(0), as of a sigmoid, acts as a bias and hands
nothing down. The gain at 0 is the slope there.
"""

import numpy as np

from capacity.activations.scalar_functions import SCALAR_FUNCTIONS

__all__ = ["FUNCTIONS", "function_gain", "function_slope", "function_value"]

FUNCTIONS = tuple(SCALAR_FUNCTIONS)
_WITHOUT_GAIN = ("sqrt", "log")


def function_value(node, argument):
    """f(z) of an activation node, for arguments of shape (..., *node.shape)."""
    return _row(node).value(argument, *_parameter(node))


def function_slope(node, argument):
    """f'(z) of an activation node, for arguments of shape (..., *node.shape)."""
    return _row(node).slope(argument, *_parameter(node))


def function_gain(node, argument):
    """eta(z) of an activation node, for arguments of shape (..., *node.shape), if its slope at 0 is finite."""
    name = node.options["function"]
    if name in _WITHOUT_GAIN:
        raise ValueError(
            f"node {node.name!r}: expected a function with a gain, got {name}, whose slope at 0 is infinite; analyse "
            "the part of the graph above it, as graph.above gives it"
        )
    if _row(node).homogeneous:
        return function_slope(node, argument)
    near = np.abs(argument) < 1e-6
    apart = np.where(near, 1.0, argument)
    gain = (function_value(node, apart) - function_value(node, np.zeros_like(argument))) / apart
    return np.where(near, function_slope(node, np.where(near, argument / 2, 0.0)), gain)  # the mean slope on the way


def _row(node):
    return SCALAR_FUNCTIONS[node.options["function"]]


def _parameter(node):
    if "slopes" in node.arrays:
        return (node.arrays["slopes"],)
    return (node.options["slope"],) if "slope" in node.options else ()
