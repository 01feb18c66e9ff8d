"""Every function that a network applies to each entry, once: a row has its value, its slope and what else is known.

At a kink the slope is that of the piece below. `Activation` adds the gain f(z)/z and closed forms to those that the
papers speak of; a graph takes the rows as they are, with the gain of f - f(0).
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import scipy

__all__ = ["SCALAR_FUNCTIONS", "SMOOTH_BREAKS", "ScalarFunction"]

SMOOTH_BREAKS = (-16.0, -4.0, -1.0, 0.0, 1.0, 4.0, 16.0)  # between which a smooth function of unit scale is tame

_SELU = 1.6732632423543772, 1.0507009873554805
_GELU = np.sqrt(2 / np.pi), 0.044715


class ScalarFunction(NamedTuple):
    """A function f(z), or f(z, a) with a parameter a, and its slope in z, on arrays."""

    value: Callable
    slope: Callable
    parameter: float | None = None  # default of a; the slopes of a PReLU have none
    breaks: tuple[float, ...] = SMOOTH_BREAKS  # arguments between which a polynomial follows it closely
    rectifier: bool = False  # about half of the variance passes
    homogeneous: bool = False  # f(cz) = c f(z) for c > 0, so that the gain is the slope

    def centred_gain(self, z, *parameter, value=None):
        """(f(z) - f(0))/z where the slope at 0 is finite: close to 0 the slope half-way, which errs by O(z^2).

        Whoever has f(z) passes it as `value`.
        """
        if self.homogeneous:
            return self.slope(z, *parameter)
        z = np.asarray(z)
        near, value = np.abs(z) < 1e-6, self.value(z, *parameter) if value is None else value
        gain = np.asarray((value - self.value(np.zeros(()), *parameter)) / np.where(near, 1.0, z))
        gain[near] = self.slope(z[near] / 2, *parameter)
        return gain[()]


def _rectified(z, a):  # as np.where gives it, in an eighth of its time
    return z * _rectified_slope(z, a)


def _rectified_slope(z, a):
    positive = np.greater(z, 0)
    if np.ndim(a) == 0 and a == 0:  # two passes less
        return positive.astype(float)
    return positive + a * np.logical_not(positive)


def _exponential(z, a):
    return np.where(z > 0, z, a * np.expm1(np.minimum(z, 0)))  # a NaN stays one


def _exponential_slope(z, a):
    return np.where(z > 0, 1.0, a * np.exp(np.minimum(z, 0)))


def _sigmoid(z):
    return scipy.special.expit(z)


def _softplus(z):
    return np.maximum(z, 0) + np.log1p(np.exp(-np.abs(z)))


def _gelu_tanh(z):
    return np.tanh(_GELU[0] * (z + _GELU[1] * z**3))


def _gelu_tanh_slope(z):
    inner = _gelu_tanh(z)
    return 0.5 * (1 + inner) + 0.5 * z * (1 - inner**2) * _GELU[0] * (1 + 3 * _GELU[1] * z**2)


def _mish_slope(z):
    inner = np.tanh(_softplus(z))
    return inner + z * _sigmoid(z) * (1 - inner**2)


_LEAKY = ScalarFunction(_rectified, _rectified_slope, breaks=(0.0,), rectifier=True, homogeneous=True)
SCALAR_FUNCTIONS = {
    "identity": ScalarFunction(lambda z: z, np.ones_like, homogeneous=True),
    "relu": _LEAKY._replace(value=lambda z: np.maximum(z, 0), slope=lambda z: 1.0 * (z > 0)),
    "leaky_relu": _LEAKY._replace(parameter=0.01),
    "prelu": _LEAKY,
    "relu6": ScalarFunction(
        lambda z: np.clip(z, 0, 6), lambda z: 1.0 * ((z > 0) & (z <= 6)), breaks=(0.0, 6.0), rectifier=True
    ),
    "abs": ScalarFunction(np.abs, lambda z: np.where(z > 0, 1.0, -1.0), breaks=(0.0,), homogeneous=True),
    "sigmoid": ScalarFunction(_sigmoid, lambda z: _sigmoid(z) * _sigmoid(-z)),
    "tanh": ScalarFunction(np.tanh, lambda z: 1 - np.tanh(z) ** 2),
    "erf": ScalarFunction(lambda z: scipy.special.erf(z), lambda z: 2 / np.sqrt(np.pi) * np.exp(-(z**2))),
    "gelu": ScalarFunction(
        lambda z: z * scipy.special.ndtr(z),
        lambda z: scipy.special.ndtr(z) + z * np.exp(-(z**2) / 2) / np.sqrt(2 * np.pi),
        rectifier=True,
    ),
    "gelu_tanh": ScalarFunction(lambda z: 0.5 * z * (1 + _gelu_tanh(z)), _gelu_tanh_slope, rectifier=True),
    "elu": ScalarFunction(_exponential, _exponential_slope, 1.0, rectifier=True),
    "selu": ScalarFunction(
        lambda z: _SELU[1] * _exponential(z, _SELU[0]), lambda z: _SELU[1] * _exponential_slope(z, _SELU[0])
    ),
    "silu": ScalarFunction(lambda z: z * _sigmoid(z), lambda z: _sigmoid(z) * (1 + z * _sigmoid(-z)), rectifier=True),
    "softplus": ScalarFunction(_softplus, _sigmoid),
    "softsign": ScalarFunction(lambda z: z / (1 + np.abs(z)), lambda z: 1 / (1 + np.abs(z)) ** 2),
    "mish": ScalarFunction(lambda z: z * np.tanh(_softplus(z)), _mish_slope, rectifier=True),
    "hard_sigmoid": ScalarFunction(
        lambda z: np.clip(z / 6 + 0.5, 0, 1), lambda z: ((z > -3) & (z <= 3)) / 6, breaks=(-3.0, 3.0)
    ),
    "hard_swish": ScalarFunction(
        lambda z: z * np.clip(z / 6 + 0.5, 0, 1),
        lambda z: np.where(z > 3, 1.0, np.where(z > -3, z / 3 + 0.5, 0.0)),
        breaks=(-3.0, 3.0),
        rectifier=True,
    ),
    "hard_tanh": ScalarFunction(lambda z: np.clip(z, -1, 1), lambda z: 1.0 * ((z > -1) & (z <= 1)), breaks=(-1.0, 1.0)),
    "sine": ScalarFunction(np.sin, np.cos),
    "square": ScalarFunction(np.square, lambda z: 2 * z),
    "exp": ScalarFunction(np.exp, np.exp),
    "sqrt": ScalarFunction(np.sqrt, lambda z: 0.5 / np.sqrt(z)),
    "log": ScalarFunction(np.log, lambda z: 1 / z),
    "reciprocal": ScalarFunction(lambda z: 1 / z, lambda z: -1 / z**2),
}
