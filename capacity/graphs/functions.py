"""Functions that activations of a graph apply to each entry, with their slopes and their gains.

The gain of f is eta(z) = (f(z) - f(0))/z (paper 2, eq. 4); a constant f(0), as of a sigmoid, acts as a bias and hands
nothing down. At a kink the slope is that of the piece below, and the gain at 0 is the slope there.
"""

import numpy as np
from scipy import special

__all__ = ["DEFAULT_SLOPES", "FUNCTIONS", "function_gain", "function_slope", "function_value"]

DEFAULT_SLOPES = {"leaky_relu": 0.01, "elu": 1.0}
_SELU = 1.6732632423543772, 1.0507009873554805
_GELU = np.sqrt(2 / np.pi), 0.044715


def _gelu_tanh_slope(z, _):
    inner = np.tanh(_GELU[0] * (z + _GELU[1] * z**3))
    return 0.5 * (1 + inner) + 0.5 * z * (1 - inner**2) * _GELU[0] * (1 + 3 * _GELU[1] * z**2)


def _mish_slope(z, _):
    inner = np.tanh(_softplus(z))
    return inner + z * special.expit(z) * (1 - inner**2)


def _softplus(z):
    return np.maximum(z, 0) + np.log1p(np.exp(-np.abs(z)))


def _below(z):  # a NaN stays one
    return np.minimum(z, 0)


_FUNCTIONS = {  # value and slope; the second argument is the slope or the slopes that belong to a function
    "identity": (lambda z, _: z, lambda z, _: np.ones_like(z)),
    "relu": (lambda z, _: np.maximum(z, 0), lambda z, _: 1.0 * (z > 0)),
    "leaky_relu": (lambda z, a: np.where(z > 0, z, a * z), lambda z, a: np.where(z > 0, 1.0, a)),
    "prelu": (lambda z, a: np.where(z > 0, z, a * z), lambda z, a: np.where(z > 0, 1.0, a)),
    "relu6": (lambda z, _: np.clip(z, 0, 6), lambda z, _: 1.0 * ((z > 0) & (z <= 6))),
    "abs": (lambda z, _: np.abs(z), lambda z, _: np.where(z > 0, 1.0, -1.0)),
    "sigmoid": (lambda z, _: special.expit(z), lambda z, _: special.expit(z) * special.expit(-z)),
    "tanh": (lambda z, _: np.tanh(z), lambda z, _: 1 - np.tanh(z) ** 2),
    "erf": (lambda z, _: special.erf(z), lambda z, _: 2 / np.sqrt(np.pi) * np.exp(-(z**2))),
    "gelu": (
        lambda z, _: z * special.ndtr(z),
        lambda z, _: special.ndtr(z) + z * np.exp(-(z**2) / 2) / np.sqrt(2 * np.pi),
    ),
    "gelu_tanh": (lambda z, _: 0.5 * z * (1 + np.tanh(_GELU[0] * (z + _GELU[1] * z**3))), _gelu_tanh_slope),
    "elu": (
        lambda z, a: np.where(z > 0, z, a * np.expm1(_below(z))),
        lambda z, a: np.where(z > 0, 1.0, a * np.exp(_below(z))),
    ),
    "selu": (
        lambda z, _: _SELU[1] * np.where(z > 0, z, _SELU[0] * np.expm1(_below(z))),
        lambda z, _: _SELU[1] * np.where(z > 0, 1.0, _SELU[0] * np.exp(_below(z))),
    ),
    "silu": (
        lambda z, _: z * special.expit(z),
        lambda z, _: special.expit(z) * (1 + z * special.expit(-z)),
    ),
    "softplus": (lambda z, _: _softplus(z), lambda z, _: special.expit(z)),
    "softsign": (lambda z, _: z / (1 + np.abs(z)), lambda z, _: 1 / (1 + np.abs(z)) ** 2),
    "mish": (lambda z, _: z * np.tanh(_softplus(z)), _mish_slope),
    "hard_sigmoid": (lambda z, _: np.clip(z / 6 + 0.5, 0, 1), lambda z, _: ((z > -3) & (z <= 3)) / 6),
    "hard_swish": (
        lambda z, _: z * np.clip(z / 6 + 0.5, 0, 1),
        lambda z, _: np.where(z > 3, 1.0, np.where(z > -3, z / 3 + 0.5, 0.0)),
    ),
    "hard_tanh": (lambda z, _: np.clip(z, -1, 1), lambda z, _: 1.0 * ((z > -1) & (z <= 1))),
    "sine": (lambda z, _: np.sin(z), lambda z, _: np.cos(z)),
    "square": (lambda z, _: z**2, lambda z, _: 2 * z),
    "exp": (lambda z, _: np.exp(z), lambda z, _: np.exp(z)),
    "sqrt": (lambda z, _: np.sqrt(z), lambda z, _: 0.5 / np.sqrt(z)),
    "log": (lambda z, _: np.log(z), lambda z, _: 1 / z),
}
FUNCTIONS = tuple(_FUNCTIONS)
_WITHOUT_GAIN = ("sqrt", "log")


def function_value(node, argument):
    """f(z) of an activation node.

    Parameters
    ----------
    node : Node
    argument : ndarray, shape (..., *node.shape)

    Returns
    -------
    ndarray of the shape of `argument`
    """
    return _FUNCTIONS[node.options["function"]][0](argument, _parameter(node))


def function_slope(node, argument):
    """f'(z) of an activation node.

    Parameters
    ----------
    node : Node
    argument : ndarray, shape (..., *node.shape)

    Returns
    -------
    ndarray of the shape of `argument`
    """
    return _FUNCTIONS[node.options["function"]][1](argument, _parameter(node))


def function_gain(node, argument):
    """eta(z) = (f(z) - f(0))/z of an activation node.

    Parameters
    ----------
    node : Node
    argument : ndarray, shape (..., *node.shape)

    Returns
    -------
    ndarray of the shape of `argument`

    Raises
    ------
    ValueError
        If the function has no finite slope at 0.
    """
    name = node.options["function"]
    if name in _WITHOUT_GAIN:
        raise ValueError(
            f"node {node.name!r}: expected a function with a gain, got {name}, whose slope at 0 is infinite; analyse "
            "the part of the graph above it, as graph.above gives it"
        )
    if name in ("relu", "leaky_relu", "prelu", "identity"):
        return function_slope(node, argument)
    near = np.abs(argument) < 1e-6
    apart = np.where(near, 1.0, argument)
    gain = (function_value(node, apart) - function_value(node, np.zeros_like(argument))) / apart
    return np.where(near, function_slope(node, np.where(near, argument / 2, 0.0)), gain)  # the mean slope on the way


def _parameter(node):
    return node.arrays["slopes"] if "slopes" in node.arrays else node.options.get("slope")
