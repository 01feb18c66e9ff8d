"""An estimate of the allocation of a stack before it is trained, from the number of paths to each lag alone."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from capacity._validation import as_array, as_vector, check_integers

__all__ = ["expected_allocation", "path_counts"]


def path_counts(dilations: Sequence[int], taps: int | Sequence[int]) -> np.ndarray:
    """Number of ways to write each lag as sum_l t_l d_l with t_l = 0, ..., n_l - 1.

    Parameters
    ----------
    dilations : sequence of int
        d_1, ..., d_L.
    taps : int or sequence of int
        n_1, ..., n_L.

    Returns
    -------
    ndarray, shape (n,)
        The most recent lag first; float, since they may be huge.

    Examples
    --------
    >>> path_counts([1, 2, 1, 2], 2)
    array([1., 2., 3., 4., 3., 2., 1.])
    """
    dilations = check_integers(dilations, "dilations")
    taps = check_integers(taps, "taps", length=len(dilations))
    counts = np.ones(1)
    for dilation, n in zip(dilations, taps):
        longer = np.zeros(counts.size + (n - 1) * dilation)
        for tap in range(n):
            longer[tap * dilation :][: counts.size] += counts
        counts = longer
    return counts


def expected_allocation(sizes: ArrayLike, totals: ArrayLike, *, rtol: float = 1e-10) -> np.ndarray:
    """Capacity per lag of random constraints whose entries have given mean squares, for given totals.

    Parameters
    ----------
    sizes : array_like, shape (n,)
        Mean squares m_s of the entries, up to a factor: for a stack with independent weights of mean zero, the number
        of paths to each lag, `path_counts`.
    totals : array_like, shape (...)
        Total capacities, of at most the number of lags with m_s > 0.
    rtol : float, optional
        Relative error of the sum.

    Returns
    -------
    ndarray, shape (..., n)
        m_s t / (1 + m_s t) with t such that they sum to the total: all of a lag at most, none where no path leads.

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
    sizes = as_vector(as_array(sizes, "sizes", minimum=0), "sizes")
    totals = as_array(totals, "totals", minimum=0)
    reached = np.count_nonzero(sizes)
    if not reached or totals.max() > reached:
        raise ValueError(
            f"totals: expected at most {reached}, the lags with a size above 0, got {totals.max():g}; "
            "pass the capacity of a model, at most its number of inputs"
        )
    values, where, counts = np.unique(sizes / sizes.max(), return_inverse=True, return_counts=True)
    with np.errstate(divide="ignore"):
        logs = np.log(values)
    aims = np.clip(totals.ravel(), reached * 1e-12, reached * (1 - 1e-12))
    low, high = np.full(aims.size, -60.0 - np.log(reached)), np.full(aims.size, 60.0 - logs[values > 0][0])
    level = np.zeros(aims.size)  # the logarithm of t, by Newton's method within brackets
    for _ in range(100):
        parts = _logistic(logs + level[:, None])
        excess = parts @ counts - aims
        if np.all(np.abs(excess) <= rtol * aims):
            break
        low, high = np.where(excess < 0, level, low), np.where(excess < 0, high, level)
        step = level - excess / np.maximum((parts * (1 - parts)) @ counts, 1e-300)
        level = np.where((step > low) & (step < high), step, (low + high) / 2)
    parts = np.where((totals.ravel() == reached)[:, None], 1.0, parts) * (values > 0)
    return parts[:, where].reshape(*totals.shape, sizes.size)


def _logistic(logs):
    return 1 / (1 + np.exp(-np.clip(logs, -700, 700)))
