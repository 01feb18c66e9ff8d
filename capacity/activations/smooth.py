"""Smooth activations, with their coupling in closed form where it is known."""

import numpy as np
import scipy

from capacity._validation import check_choice, check_real
from capacity.activations.activation import Activation
from capacity.activations.scalar_functions import SCALAR_FUNCTIONS, SMOOTH_BREAKS, ScalarFunction

__all__ = ["cosine_gain", "erf", "gelu", "named", "sigmoid", "sine", "softplus", "tanh"]


def named(name: str) -> Activation:
    """A smooth function that networks know by a name, such as "softsign" or "silu"; nu by quadrature.

    Examples
    --------
    >>> named("softsign")([0.0, 1.0])
    array([0. , 0.5])
    """
    row = SCALAR_FUNCTIONS[check_choice(name, "name", _SMOOTH)]
    parameter = () if row.parameter is None else (row.parameter,)
    return _smooth(name, lambda z: row.value(z, *parameter), lambda z: row.slope(z, *parameter))


def gelu() -> Activation:
    """f(z) = z Phi(z), Phi the normal distribution function (Hendrycks and Gimpel 2016): nu = 3/4 at unit scale.

    Examples
    --------
    >>> from capacity.activations import coupling
    >>> gelu()([0.0, 1.0]), coupling(gelu())
    (array([0.        , 0.84134475]), 0.75)
    """
    function = SCALAR_FUNCTIONS["gelu"]

    def closed(scale):  # E[Phi(sz)] = 1/2; E[Phi(sz)^2] is an orthant probability at correlation s^2/(1 + s^2)
        return 0.25 / (0.25 + np.arcsin(scale**2 / (1 + scale**2)) / (2 * np.pi))

    return Activation("GELU", function.value, function.slope, scipy.special.ndtr, None, closed)


def tanh() -> Activation:
    """f(z) = tanh(z); nu by quadrature (.96037 at unit scale).

    Examples
    --------
    >>> from capacity.activations import coupling
    >>> tanh()([0.0, 1.0]), coupling(tanh())
    (array([0.        , 0.76159416]), 0.96037441)
    """
    return named("tanh")


def erf() -> Activation:
    """f(z) = erf(z), the error function.

    Examples
    --------
    >>> erf()([0.0, 0.5])
    array([0.        , 0.52049988])
    """

    def closed(scale):
        # eta(z) = (2/sqrt(pi)) int_0^1 exp(-t^2 z^2) dt; the Gaussian mean is taken under the integral signs, and the
        # double integral over the unit square is the potential of a square plate at height h.
        h = 1 / (np.sqrt(2) * scale)
        mean = 2 / np.sqrt(np.pi) * h * np.arcsinh(1 / h)
        plate = 2 * np.arcsinh(1 / np.sqrt(1 + h**2)) - h * np.arctan(1 / (h * np.sqrt(2 + h**2)))
        return mean**2 / (4 / np.pi * h * plate)

    def moments(variance):  # the first is the arcsine kernel of Williams (1997) at equal arguments
        variance = np.asarray(variance, dtype=float)
        return 2 / np.pi * np.arcsin(2 * variance / (1 + 2 * variance)), 4 / np.pi / np.sqrt(1 + 4 * variance)

    value, slope = SCALAR_FUNCTIONS["erf"][:2]
    return _smooth("erf", value, slope, closed, moments)


def sine(frequency: float = 1.0) -> Activation:
    """f(z) = sin(w z), w > 0 the angular frequency.

    Examples
    --------
    >>> sine(2.0)([0.0, 0.5])
    array([0.        , 0.84147098])
    """
    w = check_real(frequency, "frequency", above=0, remedy="pass w > 0")
    value, slope = SCALAR_FUNCTIONS["sine"][:2]

    def closed(scale):  # sin(wz)/z = int_0^w cos(tz) dt, and E[cos(tz)] = exp(-t^2/2)
        u = w * scale
        mean = np.sqrt(np.pi / 2) * scipy.special.erf(u / np.sqrt(2))
        return mean**2 / (u * np.sqrt(np.pi / 2) * scipy.special.erf(np.sqrt(2) * u) + np.expm1(-2 * u**2) / 2)

    return _smooth("sin(z)" if w == 1 else f"sin({w:g}z)", lambda z: value(w * z), lambda z: w * slope(w * z), closed)


def cosine_gain(frequency: float = 1.0) -> Activation:
    """f(z) = sqrt(2) z cos(w z): a smooth activation whose coupling, nu = sech(w^2), is tuned by w >= 0.

    Examples
    --------
    >>> from capacity.activations import coupling
    >>> coupling(cosine_gain(0.5))
    0.96954363
    """
    w = check_real(frequency, "frequency", minimum=0, remedy="pass w >= 0")
    root = np.sqrt(2)

    def gain(z):
        return root * np.cos(w * np.asarray(z, dtype=float))

    def derivative(z):
        return gain(z) - root * w * z * np.sin(w * z)

    return Activation(
        "z cos(z)" if w == 1 else f"z cos({w:g}z)",
        lambda z: gain(z) * z,
        derivative,
        gain,
        None,
        lambda scale: 1 / np.cosh((w * scale) ** 2),
    )


def sigmoid() -> Activation:
    """f(z) = 1/(1 + exp(-z)): f(0) is not 0, so its gain is infinite at 0 and its coupling undefined.

    Examples
    --------
    >>> sigmoid()([0.0, 1.0])
    array([0.5       , 0.73105858])
    """
    return named("sigmoid")


def softplus() -> Activation:
    """f(z) = log(1 + exp(z)): f(0) is not 0, so its gain is infinite at 0 and its coupling undefined.

    Examples
    --------
    >>> softplus()([0.0, 1.0])
    array([0.69314718, 1.31326169])
    """
    return named("softplus")


_SMOOTH = [  # with a finite slope at 0
    name
    for name, row in SCALAR_FUNCTIONS.items()
    if row.breaks == SMOOTH_BREAKS and name not in ("log", "reciprocal", "sqrt")
]


def _smooth(name, function, derivative, closed=None, moments=None):
    """Activation whose gain is f(z)/z, with the limit f'(0) at z = 0 where f(0) = 0."""
    row = ScalarFunction(function, derivative)

    def gain(z):
        z = np.asarray(z, dtype=float)
        if (start := function(0.0)) == 0:
            return row.centred_gain(z)
        if not z.all():
            raise ValueError(
                f"activation: {name} has f(0) = {start:g}, so eta = f(z)/z is infinite at z = 0; "
                "use an activation with f(0) = 0"
            )
        return function(z) / z

    return Activation(name, function, derivative, gain, None, closed, closed_moments=moments)
