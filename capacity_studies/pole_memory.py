"""Memory of diagonal linear recurrences: how much of a white input the states hold, in all and lag by lag.

The memory capacity of a linear recurrent network is the rank of its controllability matrix (Jaeger 2002; Gonon et al.
2020). Where the transition is diagonal that is a Vandermonde matrix: its numerical rank says little, since its singular
values fall off exponentially, while the rank itself can be read from the poles (for the errors that follow from
ignoring this, Ballarin et al. 2024). The memory of each lag comes from the orthonormal rational functions of the poles
(Takenaka 1925, Malmquist 1926), a cascade of all-pass filters, in which nothing is inverted.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import linalg, signal

from capacity._validation import as_complex_vector
from capacity.linalg.precision import unit_columns

__all__ = ["Memory", "memory_by_lag", "memory_capacity"]


@dataclass(frozen=True)
class Memory:
    """Memory capacity of a diagonal linear recurrence.

    Attributes
    ----------
    total : int
        Rank of the controllability matrix (1, Z 1, Z^2 1, ...): the number of distinct poles.
    numerical : int
        Its rank in double precision, with columns of length one.
    gap : float
        The smallest singular value that was counted over the largest that was not, or over the rounding error where
        none or only zeros were left out.
    """

    total: int
    numerical: int
    gap: float


def memory_capacity(poles: ArrayLike) -> Memory:
    """Memory capacity of the states x_t = Z x_(t-1) + u_t with a diagonal Z.

    Parameters
    ----------
    poles : array_like, shape (m,), complex
        Diagonal of Z, of moduli below 1. Of a pair of conjugates pass both, ``np.r_[poles, poles.conj()]``.

    Returns
    -------
    Memory
        The input u_t itself counts as remembered, with lag 1.

    Examples
    --------
    >>> memory_capacity([0.5, 0.5, 0.9]).total
    2
    """
    nodes = _stable(poles)
    values = linalg.svdvals(unit_columns(np.vander(nodes, nodes.size, increasing=True)))
    floor = values[0] * nodes.size * np.finfo(float).eps
    numerical = int(np.sum(values > floor))
    below = max(values[numerical], floor) if numerical < values.size else floor
    return Memory(np.unique(nodes).size, numerical, float(values[numerical - 1] / below))


def memory_by_lag(poles: ArrayLike, n: int) -> np.ndarray:
    """Share of a white input at each lag that the states hold, the oldest of n inputs first.

    It is the coefficient of determination of the best linear reconstruction of that input from the states, the *memory
    function* of Jaeger (2002); its sum over all lags is the memory capacity. With white inputs it is also, in the limit
    of many inputs, the capacity that a model with these poles allocates to them where only its weights are trained.

    Parameters
    ----------
    poles : array_like, shape (m,), complex
        Poles of moduli below 1, each with an input. Of a pair of conjugates pass both. Equal poles count as a chain
        (a Jordan block), the limit of poles that approach each other.
    n : int
        Number of inputs.

    Returns
    -------
    ndarray, shape (n,)
        Values in [0, 1], the last one that of lag 1.

    Examples
    --------
    One pole z remembers the share (1 - z^2) z^(2k) of the input at lag k + 1.

    >>> memory_by_lag([0.5], 3)
    array([0.046875, 0.1875  , 0.75    ])
    """
    nodes, passed, memory = _stable(poles), np.zeros(n, complex), np.zeros(n)
    passed[0] = 1
    for pole in nodes:
        state = signal.lfilter([1.0], [1.0, -pole], passed)
        memory += (1 - abs(pole) ** 2) * np.abs(state) ** 2
        passed = np.concatenate([[0], state[:-1]]) - np.conj(pole) * state  # all-pass: orthogonal to the state
    return memory[::-1]


def _stable(value: ArrayLike) -> np.ndarray:
    poles = as_complex_vector(value, "poles", remedy="pass one number per state")
    if np.abs(poles).max() >= 1:
        raise ValueError(
            f"poles: expected moduli below 1, got {np.abs(poles).max():.6g}; an unstable state has no finite variance"
        )
    return poles
