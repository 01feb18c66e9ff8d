"""Piecewise-linear activations: one slope on either side of zero (paper 2, Section 2.3, eqs 10-15), and hard tanh."""

import numpy as np
import scipy

from capacity._validation import check_real
from capacity.activations.activation import Activation
from capacity.activations.scalar_functions import SCALAR_FUNCTIONS

__all__ = ["absolute", "hard_tanh", "leaky", "linear", "relu"]


def leaky(slope: float) -> Activation:
    """Slope `slope` in [-1, 1] for z <= 0 and slope 1 for z > 0; nu = (1 + slope)^2/(2 (1 + slope^2)) (eq. 13).

    Examples
    --------
    >>> leaky(0.2)([-1.0, 1.0])
    array([-0.2, 1. ])
    """
    slope = check_real(slope, "slope", minimum=-1, maximum=1, remedy="divide f by its slope on the other side")
    name = {1.0: "linear", 0.0: "ReLU", -1.0: "abs"}.get(slope, f"leaky({slope:g})")
    rectified = SCALAR_FUNCTIONS["leaky_relu"]

    def gain(z):
        return rectified.slope(np.asarray(z, dtype=float), slope)

    def coupling(scale):
        return (1 + slope) ** 2 / (2 * (1 + slope**2))

    return Activation(name, lambda z: rectified.value(z, slope), gain, gain, (slope, 1.0), coupling)


def linear() -> Activation:
    """f(z) = z: nu = 1, no decoupling (eq. 10).

    Examples
    --------
    >>> from capacity.activations import coupling
    >>> linear().gain(np.array([-2.0, 3.0])), coupling(linear())
    (array([1., 1.]), 1.0)
    """
    return leaky(1.0)


def relu() -> Activation:
    """f(z) = max(z, 0): nu = 1/2 (eq. 15).

    Examples
    --------
    >>> from capacity.activations import coupling
    >>> relu().gain(np.array([-2.0, 3.0])), coupling(relu())
    (array([0., 1.]), 0.5)
    """
    return leaky(0.0)


def absolute() -> Activation:
    """f(z) = abs(z): nu = 0 (eq. 15), though its outputs are not independent of each other.

    Examples
    --------
    >>> from capacity.activations import coupling
    >>> absolute().gain(np.array([-2.0, 3.0])), coupling(absolute())
    (array([-1.,  1.]), 0.0)
    """
    return leaky(-1.0)


def hard_tanh() -> Activation:
    """f(z) = z for abs(z) <= 1, and sign(z) beyond: the activation of Theorem 1 of Raghu et al.

    Examples
    --------
    >>> hard_tanh()([-3.0, 0.5, 2.0])
    array([-1. ,  0.5,  1. ])
    """
    function = SCALAR_FUNCTIONS["hard_tanh"]

    def coupling(scale):  # E[1/u; u > a] = E_1(a^2/2)/(2 sqrt(2 pi)), and E[1/u^2; u > a] by parts
        a = 1 / scale
        inside, tail, density = _normal(a)
        mean = inside + a * scipy.special.exp1(a**2 / 2) / np.sqrt(2 * np.pi)
        return mean**2 / (inside + 2 * a * density - a**2 * tail)

    def moments(variance):  # E[z^2; abs(z) < 1] + P(abs(z) > 1), with a = 1/sqrt(variance)
        variance = np.asarray(variance, dtype=float)
        with np.errstate(divide="ignore"):
            a = np.minimum(1 / np.sqrt(variance), 40.0)  # beyond, the tail is 0 in double precision
        inside, tail, density = _normal(a)
        return variance * (inside - 2 * a * density) + tail, inside

    return Activation(
        "hard tanh",
        function.value,
        lambda z: function.slope(np.asarray(z, dtype=float)),
        lambda z: 1 / np.maximum(np.abs(z), 1.0),
        closed_coupling=coupling,
        kinks=function.breaks,
        closed_moments=moments,
    )


def _normal(a):
    """P(abs(u) < a) and P(abs(u) > a) of a standard normal u, and its density at a."""
    return (
        scipy.special.erf(a / np.sqrt(2)),
        scipy.special.erfc(a / np.sqrt(2)),
        np.exp(-(a**2) / 2) / np.sqrt(2 * np.pi),
    )
