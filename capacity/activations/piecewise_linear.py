"""Piecewise-linear activations: one slope on either side of zero (paper 2, Section 2.3, eqs 10-15)."""

import numpy as np

from capacity._validation import check_real
from capacity.activations.base import Activation

__all__ = [
    "absolute",
    "leaky",
    "linear",
    "relu",
]


def leaky(slope):
    """Slope `slope` in [-1, 1] for z <= 0 and slope 1 for z > 0; nu = (1 + slope)^2/(2 (1 + slope^2)) (eq. 13).

    Parameters
    ----------
    slope : float
        Of the negative half.

    Returns
    -------
    Activation

    Raises
    ------
    TypeError, ValueError
        If the slope is not a number in [-1, 1].

    Examples
    --------
    >>> leaky(0.2)([-1.0, 1.0])
    array([-0.2, 1. ])
    """
    slope = check_real(slope, "slope", minimum=-1, maximum=1, remedy="divide f by its slope on the other side")
    name = {1.0: "linear", 0.0: "ReLU", -1.0: "abs"}.get(slope, f"leaky({slope:g})")

    def gain(z):
        positive = np.asarray(z, dtype=float) > 0
        return positive + slope * ~positive  # the same numbers as np.where gives, in a quarter of its time

    def function(z):
        return np.maximum(z, slope * z)  # no slope is above 1

    return Activation(name, function, gain, gain, (slope, 1.0), lambda scale: (1 + slope) ** 2 / (2 * (1 + slope**2)))


def linear():
    """f(z) = z: nu = 1, no decoupling (eq. 10).

    Returns
    -------
    Activation
    """
    return leaky(1.0)


def relu():
    """f(z) = max(z, 0): nu = 1/2 (eq. 15).

    Returns
    -------
    Activation
    """
    return leaky(0.0)


def absolute():
    """f(z) = abs(z): nu = 0 (eq. 15), though its outputs are not independent of each other.

    Returns
    -------
    Activation
    """
    return leaky(-1.0)
