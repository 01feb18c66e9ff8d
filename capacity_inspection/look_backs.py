"""How many past values of a series the best linear predictor can use, as far as the series tells."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from capacity._typing import Rng
from capacity._validation import as_generator, as_vector, check_integer
from capacity.linalg.precision import balanced
from capacity.linalg.toeplitz import durbin
from capacity.tasks.autocovariances import empirical

__all__ = ["LookBack", "block_bootstrap", "look_back"]


@dataclass(frozen=True)
class LookBack:
    """What the best linear predictor of the next value gains by looking further back.

    Attributes
    ----------
    samples : int
        Length t of the series.
    left : ndarray, shape (n + 1,)
        Share of the variance that the best linear prediction from 0, ..., n past values leaves.
    errors : ndarray, shape (n + 1,)
        Standard errors of the logarithms of `left` relative to that of `best`, by block bootstrap.

    Notes
    -----
    Coefficients that are fitted lose 2 k/t of the noise on new samples, k being their number (Akaike 1969).

    Examples
    --------
    >>> from capacity.tasks import GaussianProcess, autoregressive
    >>> found = look_back(GaussianProcess(autoregressive([0.5, 0.3])).sample(4000, rng=0), rng=0)
    >>> found.samples, found.shortest, len(found.left) == len(found.errors)
    (4000, 2, True)
    """

    samples: int
    left: np.ndarray
    errors: np.ndarray

    @property
    def expected(self) -> np.ndarray:
        """Share of the variance that is expected to be left on new samples, shape (n + 1,)."""
        return self.left * np.exp(2 * np.arange(self.left.size) / self.samples)

    @property
    def best(self) -> int:
        """Number of past values with the least expectation."""
        return int(np.argmin(self.expected))

    @property
    def shortest(self) -> int:
        """Fewest past values that are within one standard error of the best: what more gain may be chance."""
        behind = np.log(self.expected / self.expected[self.best])
        return int(np.argmax(behind <= self.errors))


def look_back(series: ArrayLike, longest: int | None = None, *, resamples: int = 200, rng: Rng = None) -> LookBack:
    """At which look-back the best linear predictor of a series stops gaining.

    Parameters
    ----------
    series : array_like, shape (t,)
        Equally spaced values, the oldest first.
    longest : int, optional
        Largest number n of past values; t/16 but at most 256 by default.
    resamples : int, optional
        Of the block bootstrap.
    rng : int, Generator or None
        Source of randomness.

    Returns
    -------
    LookBack

    Examples
    --------
    >>> from capacity.tasks import GaussianProcess, autoregressive
    >>> series = GaussianProcess(autoregressive([0.5, 0.3])).sample(4000, rng=0)
    >>> look_back(series, rng=0).shortest
    2
    """
    series = balanced(as_vector(series, "series"))
    t, rng = series.size, as_generator(rng)
    if t < 32:
        raise ValueError(f"series: expected 32 values or more, got {t}; the past of fewer says too little")
    longest = min(t // 16, 256) if longest is None else longest
    n = check_integer(longest, "longest", minimum=1, maximum=t // 16, remedy="pass a longer series")
    drawn = block_bootstrap(series, min(4 * n, t // 8), resamples=resamples, rng=rng)
    left = _left(series, n)
    spread = np.log([_left(each, n) for each in drawn])
    best = int(np.argmin(np.log(left) + 2 * np.arange(n + 1) / t))
    return LookBack(t, left, np.std(spread - spread[:, [best]], axis=0))


def _left(series, n):
    return durbin(empirical(series)(np.arange(n + 1)))[1]


def block_bootstrap(series, length, *, resamples, rng=None):
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
