"""A pointwise activation written as f(z) = eta(z) z (paper 2, Sections 2.2 and 2.3).

A constant gain eta (a linear activation) leaves all outputs of a layer functions of the same inputs; a gain without
memory multiplies each output's copy of the inputs by an independent sign. The coupling measures where an activation
stands between the two.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from capacity._validation import check_callable, check_instance
from capacity.activations.scalar_functions import SMOOTH_BREAKS

__all__ = ["Activation", "check_activation"]

_POINTS = np.array([-3.7, -1.3, -0.41, 0.29, 0.83, 2.6])


@dataclass(frozen=True)
class Activation:
    """An activation f with its derivative and its gain f(z)/z.

    Attributes
    ----------
    name : str
    function, derivative, gain : callable
        Elementwise f(z), f'(z) and eta(z) = f(z)/z on arrays of any shape (paper 2, eq. 4).
    slopes : tuple of float or None
        (alpha, beta): the gain for z <= 0 and for z > 0, where the activation is piecewise linear (eq. 12).
    closed_coupling : callable or None
        The coupling nu as a function of the standard deviation of z, where a closed form is known.
    continuous : bool
        Whether the gain is continuous but for single points, so that a quadrature of it converges.
    kinks : tuple of float or None
        Where the slope jumps, in increasing order, of an activation that is linear in between; None of any other. At a
        kink itself the slope is that of the piece below. Default: from the slopes.
    closed_moments : callable or None
        E[f(z)^2] and E[f'(z)^2] of a centred Gaussian z, as a function of its variance, where closed forms are known.
        Default: from the slopes.

    Examples
    --------
    >>> cube = Activation("cube", lambda z: z**3, lambda z: 3 * z**2, lambda z: z**2)
    >>> cube([2.0]), cube.gain(np.array([2.0]))
    (array([8.]), array([4.]))
    """

    name: str
    function: Callable
    derivative: Callable
    gain: Callable
    slopes: tuple[float, float] | None = None
    closed_coupling: Callable | None = None
    continuous: bool = True
    kinks: tuple[float, ...] | None = None
    closed_moments: Callable | None = None

    def __post_init__(self):
        for name in ("function", "derivative", "gain"):
            check_callable(getattr(self, name), name, "pass a function of an array")
        gains, remedy = self.gain(_POINTS), "pass the function divided by its argument"
        if np.shape(gains) != _POINTS.shape or not np.allclose(gains * _POINTS, self.function(_POINTS), atol=1e-12):
            raise ValueError(f"gain: expected f(z)/z, got {gains} at {_POINTS}; {remedy}")
        if self.slopes is not None and not np.allclose(gains, np.where(_POINTS > 0, *self.slopes[::-1])):
            raise ValueError(f"slopes: expected the gains on either side of 0, got {self.slopes} for {gains}; {remedy}")
        if self.slopes is not None:
            square = (self.slopes[0] ** 2 + self.slopes[1] ** 2) / 2
            object.__setattr__(self, "kinks", () if self.slopes[0] == self.slopes[1] else (0.0,))
            object.__setattr__(self, "closed_moments", lambda variance: (square * variance, square + 0 * variance))
        if self.kinks is not None and not np.all(np.diff(self.kinks) > 0):
            raise ValueError(f"kinks: expected increasing numbers, got {self.kinks}; sort them")

    def __call__(self, z: ArrayLike) -> np.ndarray:
        """f(z), elementwise."""
        return self.function(np.asarray(z, dtype=float))

    @property
    def breaks(self) -> tuple[float, ...]:
        """Arguments between which a polynomial follows the activation closely, for a quadrature."""
        return SMOOTH_BREAKS if self.kinks is None else self.kinks

    @property
    def mean_and_half_jump(self) -> tuple[float, float]:
        """(a, b) with eta = a + b sign(z), scaled to a^2 + b^2 = 1; only for piecewise-linear activations.

        With the paper's normalisation alpha^2 + beta^2 = 2: a = (alpha + beta)/2, b = (beta - alpha)/2 and nu = a^2.
        """
        if self.slopes is None or not any(self.slopes):
            raise ValueError(
                "activation: expected a piecewise-linear one with its kink at 0 and not 0 everywhere, got "
                f"{self.name}; pass leaky(slope), relu() or absolute()"
            )
        alpha, beta = np.array(self.slopes) * np.sqrt(2 / (self.slopes[0] ** 2 + self.slopes[1] ** 2))
        return float(alpha + beta) / 2, float(beta - alpha) / 2


def check_activation(value, name="activation"):
    """Return `value` if it is an activation."""
    return check_instance(value, name, Activation, "pass relu() or another Activation")
