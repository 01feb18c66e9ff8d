"""How many past values of a series a linear predictor can use, as values later than those it was fitted to tell."""

from dataclasses import dataclass
from itertools import pairwise
from warnings import warn

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import ArrayLike
from scipy import linalg
from scipy.linalg import blas

from capacity._typing import Rng
from capacity._validation import as_generator, as_vector, check_integer
from capacity.linalg.precision import balanced

__all__ = ["LookBack", "block_bootstrap", "look_back", "season_of", "without_season"]

_PARTS, _BLOCKS = 4, 4  # of the later half: fitted before each part, and its blocks, whose spread gives errors
_RIDGE = 1e-13  # share of the diagonal that is added, so that what repeats itself exactly has a fit
_PERIODS = 32  # peaks of an autocorrelation that may be those of a season
_SEASONAL = 0.05  # least share of what moves within a period that is called a season


@dataclass(frozen=True)
class LookBack:
    """What a linear predictor of the next value gains by looking further back.

    Attributes
    ----------
    samples : int
        Length t of the series.
    left : ndarray, shape (n + 1,)
        Share of the variance that least squares from 0, ..., n past values leaves, on the values that are fitted.
    held_out : ndarray, shape (n + 1,)
        The same on values later than those that are fitted.
    errors : ndarray, shape (n + 1,)
        Standard errors of what `held_out` is more than at the best, in the same unit.

    Notes
    -----
    Each quarter of the later half is predicted by what is fitted to all values before it; errors are those of the mean
    over sixteen blocks of this half, of differences from the best.

    Examples
    --------
    >>> from capacity.tasks import GaussianProcess, autoregressive
    >>> found = look_back(GaussianProcess(autoregressive([0.5, 0.3])).sample(4000, rng=0))
    >>> found.samples, found.shortest, len(found.left) == len(found.held_out) == len(found.errors)
    (4000, 2, True)
    """

    samples: int
    left: np.ndarray
    held_out: np.ndarray
    errors: np.ndarray

    @property
    def expected(self) -> np.ndarray:
        """What `left` becomes on new samples, each coefficient losing 2/t of it (Akaike 1969), shape (n + 1,)."""
        return self.left * np.exp(2 * np.arange(self.left.size) / self.samples)

    @property
    def best(self) -> int:
        """Number of past values that leave least on later values."""
        return int(np.argmin(self.held_out))

    @property
    def shortest(self) -> int:
        """Fewest past values that are within one standard error of the best: what more gain may be chance."""
        worse = self.held_out - self.held_out[self.best]
        return int(np.argmax(worse <= self.errors))


def look_back(
    series: ArrayLike, longest: int | None = None, *, resamples: int | None = None, rng: Rng = None
) -> LookBack:
    """At which look-back a linear predictor of a series stops gaining.

    Parameters
    ----------
    series : array_like, shape (t,)
        Equally spaced values, the oldest first.
    longest : int, optional
        Largest number n of past values; t/16 but at most 256 by default.
    resamples, rng : optional
        Of former versions, which drew resamples; without effect.

    Returns
    -------
    LookBack

    Examples
    --------
    >>> look_back(np.arange(400.0) % 24).shortest  # 24 in a row have a known sum
    23
    """
    if resamples is not None or rng is not None:
        warn("resamples and rng have no effect and go with version 2; leave them out", DeprecationWarning, stacklevel=2)
    series = balanced(as_vector(series, "series"))
    t = series.size
    if t < 32:
        raise ValueError(f"series: expected 32 values or more, got {t}; the past of fewer says too little")
    if not np.ptp(series):
        raise ValueError("series: expected one that varies, got a constant one; pass another")
    longest = min(t // 16, 256) if longest is None else longest
    n = check_integer(longest, "longest", minimum=1, maximum=t // 16, remedy="pass a longer series")
    series = (series - series.mean()) / series.std()
    edges = np.linspace(t // 2, t, _PARTS * _BLOCKS + 1).astype(int)
    fitted, errors = _products(series, n, n, edges[0]), []
    for part in range(_PARTS):
        ends = edges[part * _BLOCKS : (part + 1) * _BLOCKS + 1]
        tested = [_products(series, n, *block) for block in pairwise(ends)]
        weights = _weights(fitted)
        errors += [_missed(series, weights, *block, products) for block, products in zip(pairwise(ends), tested)]
        fitted = fitted + sum(tested)
    values = fitted[0, 0]
    left = np.maximum(fitted[-1, -1] - np.cumsum(np.square(_factor(fitted)[-1, :-1])), 0) / values
    held_out = np.maximum(np.sum(errors, axis=0) / (t - edges[0]), _RIDGE)
    means = np.array(errors) / np.diff(edges)[:, None]
    return LookBack(t, left, held_out, block_errors(means - means[:, [np.argmin(held_out)]]))


def block_errors(means):
    """Standard errors of means over all blocks, from those over each block, a row each."""
    return np.std(means, axis=0, ddof=1) / np.sqrt(len(means))


def _products(series, n, first, last):
    """Sums of products of 1, the n values before, the most recent first, and the value, over a stretch of values."""
    size, window = last - first, series[first - n : last]
    rows = np.empty((n + 1, n + 1))  # of the value and those before
    rows[0] = np.correlate(window, series[first:last])[::-1]
    before, end = series[first - n : first][::-1], series[last - n : last][::-1]
    for lag in range(n):  # all one step earlier: one product enters, one leaves
        rows[lag + 1, lag + 1 :] = rows[lag, lag:-1] + before[lag] * before[lag:] - end[lag] * end[lag:]
    rows = np.triu(rows) + np.triu(rows, 1).T
    sums = np.concatenate([[0], np.cumsum(window)])
    sums = (sums[size:] - sums[:-size])[::-1]
    found = np.block([[np.full((1, 1), float(size)), sums[None]], [sums[:, None], rows]])
    order = [0, *range(2, n + 2), 1]
    return found[np.ix_(order, order)]


def _missed(series, weights, first, last, products):
    """Sums of squared errors over a stretch of values: from its products, or error by error where these are fewer."""
    n = len(weights) - 2
    if last - first > 2 * n:
        return np.einsum("ik,ik->k", weights, products @ weights)
    before = sliding_window_view(series[first - n : last - 1], n)[:, ::-1]
    slopes = blas.dtrmm(1.0, weights[1:-1, 1:], np.asfortranarray(before), side=1)  # upper triangular
    errors = series[first:last, None] + weights[0]
    errors[:, 1:] += slopes
    return np.square(errors).sum(axis=0)


def _factor(products):
    return linalg.cholesky(products + np.diag(_RIDGE * np.diag(products)), lower=True)


def _weights(products):
    """Weights of the error of least squares from 0, ..., n past values, one column for each."""
    factor = _factor(products)
    inverse = linalg.solve_triangular(factor[:-1, :-1], np.eye(len(factor) - 1), lower=True).T
    coefficients = np.cumsum(inverse * factor[-1, :-1], axis=1)
    return np.vstack([-coefficients, np.ones(coefficients.shape[1])])


def coefficients(series: np.ndarray, longest: int) -> np.ndarray:
    """Those of least squares from 0, ..., n past values, a column each: of 1, and of the values, most recent first."""
    return -_weights(_products(series, longest, longest, series.size))[:-1]


def season_of(series: ArrayLike) -> tuple[int, float]:
    """Period of what returns in a series, and the share of its variance within a period that this explains.

    Parameters
    ----------
    series : array_like, shape (t,)

    Returns
    -------
    tuple of (int, float)
        The share is that on the later half, of means by phase in the earlier one; the shortest period of those that
        explain nearly as much as the best. Period 0 where none explains a twentieth, or thrice what chance may: means
        of k periods that have nothing in common explain 1/k at most.

    Examples
    --------
    >>> season_of(np.arange(400.0) % 24)
    (24, 1.0)
    """
    from scipy import signal  # which takes long to import

    series = balanced(as_vector(series, "series"))
    t, found = series.size, {}
    for each in (series, np.diff(series)):
        each = each - each.mean()
        products = signal.fftconvolve(each, each[::-1])[each.size - 1 :][: t // 8 + 1]
        peaks = signal.find_peaks(products)[0]
        for period in peaks[np.argsort(-products[peaks], kind="stable")][:_PERIODS].tolist():
            found[period] = _explained(series, period)
    sure = {period: share for period, share in found.items() if share > max(_SEASONAL, 6 * period / t)}
    if not sure:
        return 0, 0.0
    period = min(period for period, share in sure.items() if share > 0.9 * max(sure.values()))
    return period, round(sure[period], 12)


def _explained(series, period):
    sums = np.concatenate([[0.0], np.cumsum(series)])
    moving = (sums[period:] - sums[:-period]) / period
    within = series[period // 2 :][: moving.size] - moving
    half = within.size // 2 // period * period
    if half < 2 * period:
        return 0.0
    means = within[:half].reshape(-1, period).mean(axis=0)
    later = within[half:]
    return 1 - float(np.var(later - np.resize(means, later.size)) / max(np.var(later), np.finfo(float).tiny))


def without_season(series: ArrayLike, period: int) -> np.ndarray:
    """A series less its means by phase, each beside the mean of its period; they are those of the earlier half.

    Parameters
    ----------
    series : array_like, shape (t,)
    period : int

    Returns
    -------
    ndarray, shape (t,)

    Examples
    --------
    >>> without_season(np.arange(48) % 4, 4).tolist() == [1.5] * 48
    True
    """
    series = as_vector(series, "series")
    most = series.size // 8
    period = check_integer(period, "period", minimum=2, maximum=most, remedy="four periods fit in half of the series")
    half = series.size // 2 // period * period
    means = series[:half].reshape(-1, period).mean(axis=0)
    return series - np.resize(means - means.mean(), series.size)


def block_bootstrap(series: ArrayLike, length: int, *, resamples: int, rng: Rng = None) -> np.ndarray:
    """Resample a stationary series by weighting its blocks, for intervals of what its autocovariances decide.

    The centred series is multiplied by the root of a weight: one number per block of so many steps, drawn from the
    exponential distribution and scaled to the mean 1. The sample autocovariances of the product are those of the series
    in which each block counts as often as its weight says.

    Parameters
    ----------
    series : array_like, shape (t,)
    length : int
        Of a block, several times the largest lag of interest; at least eight have to fit in.
    resamples : int
        How many.
    rng : int, Generator or None
        Source of randomness.

    Returns
    -------
    ndarray, shape (resamples, t)

    Notes
    -----
    It is the block bootstrap (Kuensch 1989) with the weights of the Bayesian bootstrap (Rubin 1981), which leave no
    block out: sample autocovariances stay positive semi-definite, and pairs that straddle two blocks are kept, at a
    weight of pi/4 on average. An autocovariance at a lag is too small by that lag over the length, times 1 - pi/4.

    Examples
    --------
    >>> series = np.sin(np.arange(400.0))
    >>> block_bootstrap(series, 20, resamples=3, rng=0).shape
    (3, 400)
    """
    series = as_vector(series, "series")
    if not np.ptp(series):
        raise ValueError("series: expected one that varies, got a constant one; pass another")
    t, rng = series.size, as_generator(rng)
    length = check_integer(length, "length", minimum=1, maximum=t // 8, remedy="leave eight blocks, or pass more data")
    resamples = check_integer(resamples, "resamples", minimum=1)
    weights = rng.exponential(size=(resamples, -(-t // length) + 1))
    at = (np.arange(t) + rng.integers(length, size=(resamples, 1))) // length  # blocks start anywhere
    drawn = np.take_along_axis(weights, at, axis=1)
    drawn /= drawn.mean(axis=1, keepdims=True)
    means = (drawn * series).mean(axis=1, keepdims=True)
    return np.sqrt(drawn) * (series - means)
