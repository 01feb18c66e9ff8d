"""Autocovariances of stationary processes of unit variance: long and short memory, cycles, recursions, data.

An autocovariance is a function that maps an array of lags (whole numbers) to an array of values, 1 at lag 0 and the
same at a lag and at its negative. The papers do not state theirs; `capacity.tasks.gaussian` says what is done with one.
"""

from collections.abc import Callable
from functools import partial, wraps

import numpy as np
import scipy
from numpy.typing import ArrayLike

from capacity import linalg
from capacity._validation import as_array, as_vector, check_real, check_size
from capacity.linalg.precision import balanced

__all__ = [
    "PROCESSES",
    "autoregressive",
    "empirical",
    "exponential_mixture",
    "fractional_noise",
    "power_law",
    "seasonal",
    "white",
]


class _Autocovariance:
    """A function of the lag that is pickled as the call that made it."""

    def __init__(self, function, maker):
        self.function, self.maker = function, maker
        self.__module__, self.__qualname__ = function.__module__, function.__qualname__

    def __call__(self, lags):
        return self.function(lags)

    def __reduce__(self):
        return self.maker, ()


def _pickled(make):
    @wraps(make)
    def made(*args, **kwargs):
        return _Autocovariance(make(*args, **kwargs), partial(made, *args, **kwargs))

    return made


@_pickled
def power_law(exponent: float = 0.5) -> Callable:
    """Autocovariance c(tau) = (1 + tau)^(-exponent): long memory where the exponent is below 1.

    Examples
    --------
    >>> power_law(0.5)(np.array([0, 3]))
    array([1. , 0.5])
    """
    exponent = check_real(exponent, "exponent", above=0, remedy="pass a positive decay exponent")
    return lambda lags: (1.0 + as_lags(lags)) ** -exponent


@_pickled
def fractional_noise(hurst: float = 0.9) -> Callable:
    """Autocovariance of fractional Gaussian noise, the increments of fractional Brownian motion of index H in (0, 1).

    c(tau) = (|tau + 1|^{2H} - 2 |tau|^{2H} + |tau - 1|^{2H}) / 2; H = 1/2 is white noise
    (Mandelbrot and Van Ness 1968).

    Examples
    --------
    >>> fractional_noise(0.5)(np.arange(3)), fractional_noise(0.75)(np.arange(2))
    (array([1., 0., 0.]), array([1.        , 0.41421356]))
    """
    hurst = check_real(hurst, "hurst", above=0, below=1, remedy="pass a Hurst index in (0, 1)")

    orders = np.arange(2.0, 18, 2)

    def second_difference(lags):
        return ((lags + 1) ** (2 * hurst) - 2 * lags ** (2 * hurst) + np.abs(lags - 1) ** (2 * hurst)) / 2

    def binomial_series(lags):  # at long lags the difference loses digits, as many as the square of the lag has
        return lags ** (2 * hurst) * (lags[..., None] ** -orders @ scipy.special.binom(2 * hurst, orders))

    def autocovariance(lags):
        lags = as_lags(lags).astype(float)
        return np.where(lags > 16, binomial_series(np.maximum(lags, 16)), second_difference(lags))

    return autocovariance


@_pickled
def exponential_mixture(time_scales: ArrayLike = (1.0, 4.0, 16.0, 64.0), weights: ArrayLike | None = None) -> Callable:
    """Autocovariance sum_k w_k exp(-tau / T_k), the sum of independent first-order processes.

    The correlation times T_k > 0 are in samples; the weights are normalised to sum 1, and equal by default.

    Examples
    --------
    >>> exponential_mixture([1 / np.log(2)])(np.arange(3))
    array([1.  , 0.5 , 0.25])
    """
    scales = as_vector(time_scales, "time_scales", above=0, remedy="pass positive time scales").copy()
    remedy = "leave out components that are absent"
    shares = as_vector(
        np.ones(scales.size) if weights is None else weights, "weights", length=scales.size, above=0, remedy=remedy
    )
    shares = shares / shares.sum()
    return lambda lags: np.exp(-as_lags(lags)[..., None] / scales) @ shares


@_pickled
def seasonal(periods: ArrayLike = (24.0, 168.0), memory: float = 3.0, cycles: float = 20.0) -> Callable:
    """Autocovariance of cycles that change slowly, the mean of exp(-tau / T) and, for each period P, of the same around
    each multiple of P: exp(-d / T - tau / (C P)), where d is the distance of tau to the nearest of these.

    The periods P and the correlation time T are in samples, by default hours with a day and a week; C is in periods,
    after which a cycle has lost its memory. On a circle exp(-d / T) is positive definite.

    Examples
    --------
    >>> seasonal([24])(np.array([0, 12, 24])).round(3)
    array([1.   , 0.018, 0.476])
    """
    periods = as_vector(periods, "periods", above=0, remedy="leave out absent cycles").copy()
    memory = check_real(memory, "memory", above=0, remedy="pass a positive correlation time")
    cycles = check_real(cycles, "cycles", above=0, remedy="pass a positive number of periods")

    def autocovariance(lags):
        lags = as_lags(lags).astype(float)
        into = lags[..., None] % periods
        returns = np.exp(-np.minimum(into, periods - into) / memory - lags[..., None] / (cycles * periods))
        return (np.exp(-lags / memory) + returns.sum(axis=-1)) / (1 + periods.size)

    return autocovariance


@_pickled
def white() -> Callable:
    """Autocovariance of white noise: 1 at lag 0, 0 elsewhere.

    Examples
    --------
    >>> white()(np.arange(3))
    array([1., 0., 0.])
    """
    return lambda lags: (as_lags(lags) == 0).astype(float)


@_pickled
def autoregressive(coefficients: ArrayLike = (1.5, -0.7)) -> Callable:
    """Autocovariance of the stationary autoregression y_t = sum_k a_k y_{t-k} + noise, scaled to unit variance.

    Coefficients have shape (n,), a_1 first, which multiplies the most recent sample: unlike those of a model, whose
    inputs are oldest first. A recursion that is not stable is refused.

    Examples
    --------
    >>> autoregressive([0.5])(np.arange(4))
    array([1.   , 0.5  , 0.25 , 0.125])
    """
    coefficients = as_vector(coefficients, "coefficients").copy()
    modulus = np.abs(np.roots(np.r_[1.0, -coefficients])).max(initial=0.0)
    if modulus >= 1:
        raise ValueError(
            f"coefficients: expected a stable recursion, got a characteristic root of modulus {modulus:.6g}; "
            "shrink the coefficients until all roots lie inside the unit circle"
        )

    def autocovariance(lags):
        lags = as_lags(lags)
        return linalg.implied_autocovariance(coefficients[::-1], n_lags=int(lags.max(initial=0)))[lags]

    return autocovariance


@_pickled
def empirical(series: ArrayLike) -> Callable:
    """Sample autocovariance of a series about its mean, scaled to unit variance (biased, hence positive semidefinite).

    The series has shape (t,), equally spaced observations; lags up to t - 1 can be asked for.

    Examples
    --------
    >>> empirical([1.0, -1.0, 1.0, -1.0])(np.arange(3))
    array([ 1.  , -0.75,  0.5 ])
    """
    series = balanced(as_vector(series, "series"))  # a power of two, so that no square leaves the range of a double
    if np.ptp(series) == 0:
        raise ValueError("series: expected a series that varies, got a constant; its autocovariance is zero")
    centred = series - series.mean()
    spectrum = np.abs(scipy.fft.rfft(centred, scipy.fft.next_fast_len(2 * series.size))) ** 2
    values = scipy.fft.irfft(spectrum, scipy.fft.next_fast_len(2 * series.size))[: series.size]

    def autocovariance(lags):
        lags = as_lags(lags)
        if lags.max(initial=0) >= values.size:
            raise ValueError(
                f"lags: expected lags below the length {values.size} of the series, got {lags.max()}; "
                "use a longer series or a smaller receptive field"
            )
        return values[lags] / values[0]

    return autocovariance


def as_lags(value):
    """Return lags of any shape as integers >= 0: an autocovariance is the same at a lag and at its negative."""
    if getattr(value, "size", 1) == 0:
        return np.zeros(value.shape, np.int64)
    lags = np.abs(as_array(value, "lags", whole=True, remedy="count lags in samples"))
    check_size(int(lags.max()), "lags", "series", maximum=2**53)
    return lags.astype(np.int64)


PROCESSES = {
    "power law": power_law,
    "fractional noise": fractional_noise,
    "exponential mixture": exponential_mixture,
    "seasonal": seasonal,
    "white": white,
    "autoregressive": autoregressive,
}
"""The processes that go by a name."""
