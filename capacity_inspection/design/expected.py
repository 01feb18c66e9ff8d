"""An estimate of the allocation of a stack from the paths to each lag: their number, or their weights once trained."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from capacity._validation import as_array, as_vector, check_integers, check_real

__all__ = ["expected_allocation", "path_counts", "trained_sizes"]


def path_counts(dilations: ArrayLike, taps: int | Sequence[int]) -> np.ndarray:
    """Number of ways to write each lag as sum_l t_l d_l with t_l = 0, ..., n_l - 1.

    Parameters
    ----------
    dilations : array_like of int, shape (..., L)
        d_1, ..., d_L, of one stack or of several.
    taps : int or sequence of int
        n_1, ..., n_L.

    Returns
    -------
    ndarray, shape (..., n)
        The most recent lag first, up to the longest field; float, since they may be huge.

    Examples
    --------
    >>> path_counts([1, 2, 1, 2], 2)
    array([1., 2., 3., 4., 3., 2., 1.])
    """
    stacks, lengths, shape = _stacks(dilations, taps)
    return _paths(stacks, [np.ones((len(stacks), n)) for n in lengths])[0].reshape(*shape, -1)


def trained_sizes(dilations: ArrayLike, taps: int | Sequence[int], coefficients: ArrayLike) -> np.ndarray:
    """Mean squares of a stack's constraints at each lag once it is trained, up to a factor: a guess.

    Parameters
    ----------
    dilations, taps
        As of `path_counts`.
    coefficients : array_like, shape (lags,)
        What the stack is to approximate, the most recent lag first; what lies behind their end counts as zero.

    Returns
    -------
    ndarray, shape (..., n)
        Where a lag is reached, above 0.

    Notes
    -----
    If tap t of layer l has the weight A*_{t d_l} / max |A*|, the response of the stack is A* wherever it is separable,
    such as for an exponential. Derivatives by the entries of a layer are products of the weights of the others: the sum
    of their squares over all paths and layers. With equal coefficients these are the numbers of paths.

    Examples
    --------
    >>> trained_sizes([1, 2], 2, [1.0, 0.5, 0.25, 0.125])
    array([2.    , 1.25  , 1.0625, 0.3125])
    """
    stacks, lengths, shape = _stacks(dilations, taps)
    squares = np.square(as_vector(coefficients, "coefficients"))
    last = int((stacks * (np.array(lengths) - 1)).max(initial=0))
    squares = np.pad(squares, (0, max(last + 1 - squares.size, 0)))
    squares = np.maximum(squares / (squares.max() or 1.0), 1e-8)
    weights = [squares[layer[:, None] * np.arange(n)] for layer, n in zip(stacks.T, lengths)]
    return _paths(stacks, weights)[1].reshape(*shape, -1)


def _stacks(dilations, taps):
    """Dilations as rows, filter lengths, and the shape of what has one entry for each row."""
    dilations = as_array(dilations, "dilations", axes=1, minimum=1, whole=True, remedy="pass one per layer").astype(int)
    taps = check_integers(taps, "taps", length=dilations.shape[-1])
    return dilations.reshape(-1, len(taps)), taps, dilations.shape[:-1]


def _paths(stacks, weights):
    """Sums over paths to each lag: of the products of their weights, and of those that leave out one of the layers."""
    last = sum((part.shape[1] - 1) * layer for part, layer in zip(weights, stacks.T))
    lags = np.arange(1 + int(np.max(last, initial=0)))
    sums = np.zeros((2, len(stacks), lags.size))
    sums[0, :, 0] = 1
    for part, layer in zip(weights, stacks.T):
        before, sums = sums, part[:, :1] * sums
        sums[1] += before[0]
        for tap in range(1, part.shape[1]):
            sources = lags - tap * layer[:, None]
            moved = np.take_along_axis(before, np.maximum(sources, 0)[None], axis=2) * (sources >= 0)
            sums += part[:, tap, None] * moved
            sums[1] += moved[0]
    return sums


def expected_allocation(sizes: ArrayLike, totals: ArrayLike, *, rtol: float = 1e-10) -> np.ndarray:
    """Capacity per lag of random constraints whose entries have given mean squares, for given totals.

    Parameters
    ----------
    sizes : array_like, shape (..., n)
        Mean squares m_s of the entries, up to a factor: for a stack with independent weights of mean zero, the number
        of paths to each lag, `path_counts`.
    totals : array_like, shape (...)
        Total capacities, of at most the number of lags with m_s > 0; axes of both go together as NumPy's rules say.
    rtol : float, optional
        Relative error of the sum, at least 1e-14.

    Returns
    -------
    ndarray, shape (..., n)
        m_s t / (1 + m_s t) with t such that they sum to the total: all of a lag at most, none where no path leads.

    Raises
    ------
    RuntimeError
        If the sum does not come so close to the total.

    Notes
    -----
    Exact in the limit of many inputs where the constraints are independent Gaussian vectors (the deterministic
    equivalent of their resolvent; Couillet and Liao 2022). Those of a stack are products of weights that share factors,
    and the inputs of a process are correlated: an assumption, to be compared with a fit.

    Examples
    --------
    >>> expected_allocation([1, 1, 1, 1], 2)
    array([0.5, 0.5, 0.5, 0.5])
    """
    sizes = as_array(sizes, "sizes", axes=1, minimum=0)
    totals = as_array(totals, "totals", minimum=0)
    rtol = check_real(rtol, "rtol", minimum=1e-14)
    reached = np.count_nonzero(sizes, axis=-1)
    if not reached.all() or (totals > reached).any():
        raise ValueError(
            f"totals: expected at most {reached.min()}, the lags with a size above 0, got {totals.max():g}; "
            "pass the capacity of a model, at most its number of inputs"
        )
    totals, reached = np.broadcast_arrays(totals, reached)
    with np.errstate(divide="ignore"):
        logs = np.log(sizes / sizes.max(axis=-1, keepdims=True))
    aims = np.clip(totals, reached * 1e-280, reached * (1 - 1e-12))[..., None]
    least = np.where(sizes > 0, logs, 0.0).min(axis=-1, keepdims=True)
    low, high = np.log(aims / reached[..., None]), np.broadcast_to(60.0 - least, aims.shape)  # m_s t / (1 + m_s t) < t
    level = np.zeros(aims.shape)  # the logarithm of t, by Newton's method for that of the sum, within brackets
    for _ in range(100):
        parts = _logistic(logs + level)
        sums = parts.sum(axis=-1, keepdims=True)
        excess = sums - aims
        if np.all(np.abs(excess) <= rtol * aims):
            break
        low, high = np.where(excess < 0, level, low), np.where(excess < 0, high, level)
        slope = (parts * (1 - parts)).sum(axis=-1, keepdims=True) / sums
        step = level - np.log(sums / aims) / np.maximum(slope, 1e-300)
        level = np.where((step > low) & (step < high), step, (low + high) / 2)
    else:
        error = np.max(np.abs(excess) / aims)
        raise RuntimeError(
            f"rtol: expected sums within {rtol:g} of the totals after 100 steps, got {error:.1g}; pass a larger rtol"
        )
    parts = np.where((totals == reached)[..., None], 1.0, parts) * (sizes > 0)
    return np.where((totals > 0)[..., None], parts, 0.0)


def _logistic(logs):
    return 1 / (1 + np.exp(-np.clip(logs, -700, 700)))
