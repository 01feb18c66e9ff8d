"""Where the poles of state-space models start: S4D-Lin, S4D-Inv, the ring of the LRU.

Each returns poles and *gains*, what the discretisation or the normalisation multiplies the weights by. Sources: Gu et
al. (2022) for S4D, in continuous time with the rate 1/2 of decay and a step; Orvieto et al. (2023) for the LRU.
"""

import numpy as np

from capacity._typing import Rng
from capacity._validation import as_generator, check_choice, check_finite, check_integer, check_real

__all__ = ["ring_poles", "s4d_inv_poles", "s4d_lin_poles"]


def s4d_lin_poles(pairs: int, *, step: float, method: str = "zero-order hold") -> tuple[np.ndarray, np.ndarray]:
    """Poles of S4D-Lin, evenly spaced frequencies: -1/2 + i pi j in continuous time, j = 0..N-1.

    Parameters
    ----------
    pairs : int
        Number N of pairs. The pole of j = 0 is real.
    step : float
        Time that passes from one input to the next; the memory is about 2 / step inputs.
    method : {'zero-order hold', 'bilinear'}, optional
        How time is made discrete. With a rate A and the step d, the first has the pole exp(d A) and the gain
        (exp(d A) - 1) / A, the second (1 + d A / 2) / (1 - d A / 2) and d / (1 - d A / 2).

    Returns
    -------
    poles, gains : ndarray, shape (N,), complex

    Examples
    --------
    >>> poles, _ = s4d_lin_poles(3, step=0.5)
    >>> np.angle(poles) / np.pi
    array([0. , 0.5, 1. ])
    """
    pairs = check_integer(pairs, "pairs", minimum=1)
    return _discrete(-0.5 + 1j * np.pi * np.arange(pairs), step, method)


def s4d_inv_poles(pairs: int, *, step: float, method: str = "zero-order hold") -> tuple[np.ndarray, np.ndarray]:
    """Poles of S4D-Inv, most frequencies low: -1/2 + i (2N / pi) (2N / (2j + 1) - 1) in continuous time, j = 0..N-1.

    Parameters
    ----------
    pairs, step, method
        As in `s4d_lin_poles`. The largest frequency grows as 4 N^2 / pi: a step that is not much smaller than its
        inverse lets it wrap round.

    Returns
    -------
    poles, gains : ndarray, shape (N,), complex

    Examples
    --------
    >>> poles, gains = s4d_inv_poles(4, step=0.01)
    >>> np.allclose(abs(poles), np.exp(-0.01 / 2))
    True
    """
    pairs = check_integer(pairs, "pairs", minimum=1)
    frequencies = 2 * pairs / np.pi * (2 * pairs / (2 * np.arange(pairs) + 1) - 1)
    return _discrete(-0.5 + 1j * frequencies, step, method)


def ring_poles(
    pairs: int, *, inner: float = 0.0, outer: float = 1.0, largest_angle: float = 2 * np.pi, rng: Rng = None
) -> tuple[np.ndarray, np.ndarray]:
    """Poles of the LRU: uniform in the ring inner < abs(z) < outer, up to an angle.

    Parameters
    ----------
    pairs : int
        Number N of pairs.
    inner, outer : float, optional
        Radii, 0 <= inner < outer <= 1; squares of moduli are uniform between theirs.
    largest_angle : float, optional
        Angles are uniform between 0 and it.
    rng : int, Generator or None
        Source of randomness.

    Returns
    -------
    poles : ndarray, shape (N,), complex
    gains : ndarray, shape (N,)
        sqrt(1 - abs(z)^2), with which each state has the variance of a white input.

    Examples
    --------
    >>> poles, gains = ring_poles(4, inner=0.5, outer=0.9, rng=0)
    >>> bool(np.all((abs(poles) > 0.5) & (abs(poles) < 0.9))), np.allclose(gains**2, 1 - abs(poles) ** 2)
    (True, True)
    """
    pairs = check_integer(pairs, "pairs", minimum=1)
    outer = check_real(outer, "outer", above=0, maximum=1, remedy="pass a radius of at most 1")
    inner = check_real(inner, "inner", minimum=0, below=outer, remedy="pass a radius below the outer one")
    angle = check_real(largest_angle, "largest_angle", above=0, maximum=2 * np.pi, remedy="pass radians")
    shares, turns = 1 - as_generator(rng).random((2, pairs))  # in (0, 1]
    squares = np.clip(outer**2 - (1 - shares) * (outer**2 - inner**2), np.finfo(float).tiny, 1 - np.finfo(float).eps)
    return np.sqrt(squares) * np.exp(1j * angle * turns), np.sqrt(1 - squares)


def _discrete(rates, step, method):
    step = check_real(step, "step", above=0, remedy="pass a positive time per input, such as 2 / n")
    if check_choice(method, "method", ("zero-order hold", "bilinear")) == "bilinear":
        return (1 + step * rates / 2) / (1 - step * rates / 2), step / (1 - step * rates / 2)
    with np.errstate(over="ignore", invalid="ignore"):
        poles, gains = np.exp(step * rates), np.expm1(step * rates) / rates
    return check_finite(poles, "step", "poles", "pass a smaller one"), gains
