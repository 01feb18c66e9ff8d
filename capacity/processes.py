"""Stationary Gaussian processes: autocovariances, covariance matrices, optimal prediction, sampling.

The prediction task of paper 1 (Section 5 and Appendix B): predict the next sample of a stationary Gaussian process of
unit variance from its last n samples. The covariance of these samples is a symmetric Toeplitz matrix, so that a
product costs an FFT and a system one Levinson recursion; the dense matrix is built only on request.

An autocovariance is a function that maps an array of lags (whole numbers >= 0) to an array of values, 1 at lag 0.
Samples and coefficients are ordered by position: the oldest first, the most recent last.
"""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field

import numpy as np
from scipy import fft, linalg

from capacity.checks import as_covariance, as_vector, check_integer, check_real
from capacity.toeplitz import LARGE, ToeplitzOperator, circulant_root, implied_autocovariance, one_step_predictor

__all__ = [
    "GaussianProcess",
    "autoregressive",
    "empirical",
    "exponential_mixture",
    "fractional_noise",
    "power_law",
    "standard_process",
    "white",
]


def power_law(exponent=0.5):
    """Autocovariance c(tau) = (1 + tau)^(-exponent): long memory where the exponent is below 1.

    Parameters
    ----------
    exponent : float, optional
        Positive.

    Returns
    -------
    callable
        The autocovariance of an array of lags.

    Raises
    ------
    ValueError
        If the exponent is not positive.

    Examples
    --------
    >>> power_law(0.5)(np.array([0, 3]))
    array([1. , 0.5])
    """
    exponent = check_real(exponent, "exponent", above=0, remedy="pass a positive decay exponent")
    return lambda lags: (1.0 + np.asarray(lags)) ** -exponent


def fractional_noise(hurst=0.9):
    """Autocovariance of fractional Gaussian noise, the increments of fractional Brownian motion of Hurst index H.

    c(tau) = (|tau + 1|^{2H} - 2 |tau|^{2H} + |tau - 1|^{2H}) / 2; H = 1/2 is white noise.

    Parameters
    ----------
    hurst : float, optional
        Index H in (0, 1).

    Returns
    -------
    callable
        The autocovariance of an array of lags.

    Raises
    ------
    ValueError
        If the Hurst index is not in (0, 1).
    """
    hurst = check_real(hurst, "hurst", above=0, below=1, remedy="pass a Hurst index in (0, 1)")

    def autocovariance(lags):
        lags = np.abs(np.asarray(lags, dtype=float))
        return ((lags + 1) ** (2 * hurst) - 2 * lags ** (2 * hurst) + np.abs(lags - 1) ** (2 * hurst)) / 2

    return autocovariance


def exponential_mixture(time_scales=(1.0, 4.0, 16.0, 64.0), weights=None):
    """Autocovariance sum_k w_k exp(-tau / T_k), the sum of independent first-order processes.

    Parameters
    ----------
    time_scales : sequence of float
        Positive correlation times T_k, in samples.
    weights : sequence of float, optional
        Positive shares w_k of the variance, normalised to sum 1; equal by default.

    Returns
    -------
    callable
        The autocovariance of an array of lags.

    Raises
    ------
    ValueError
        If a number is not positive, or there is not one weight per time scale.
    """
    scales = as_vector(time_scales, "time_scales", remedy="pass positive time scales")
    shares = np.ones(scales.size) if weights is None else as_vector(weights, "weights", length=scales.size)
    if scales.min() <= 0 or shares.min() <= 0:
        raise ValueError(
            f"time_scales, weights: expected positive numbers, got {scales.tolist()} and {shares.tolist()}; "
            "leave out components that are absent"
        )
    return lambda lags: np.exp(-np.asarray(lags)[..., None] / scales) @ (shares / shares.sum())


def white():
    """Autocovariance of white noise: 1 at lag 0, 0 elsewhere.

    Returns
    -------
    callable
        The autocovariance of an array of lags.
    """
    return lambda lags: (np.asarray(lags) == 0).astype(float)


def autoregressive(coefficients):
    """Autocovariance of the stationary autoregression y_t = sum_k a_k y_{t-k} + noise, scaled to unit variance.

    Parameters
    ----------
    coefficients : array_like, shape (n,)
        One coefficient per input, oldest first (the last one multiplies the most recent sample).

    Returns
    -------
    callable
        The autocovariance of an array of lags.

    Raises
    ------
    ValueError
        If the recursion is not stable, so that no stationary process exists.

    Examples
    --------
    >>> autoregressive([0.5])(np.arange(4))
    array([1.   , 0.5  , 0.25 , 0.125])
    """
    coefficients = as_vector(coefficients, "coefficients")
    modulus = np.abs(np.roots(np.r_[1.0, -coefficients[::-1]])).max(initial=0.0)
    if modulus >= 1:
        raise ValueError(
            f"coefficients: expected a stable recursion, got a characteristic root of modulus {modulus:.6g}; "
            "shrink the coefficients until all roots lie inside the unit circle"
        )

    def autocovariance(lags):
        lags = np.asarray(lags)
        return implied_autocovariance(coefficients, n_lags=int(lags.max(initial=0)))[lags]

    return autocovariance


def empirical(series):
    """Sample autocovariance of a series about its mean, scaled to unit variance (biased, hence positive semidefinite).

    Parameters
    ----------
    series : array_like, shape (t,)
        Equally spaced observations; lags up to t - 1 can be asked for.

    Returns
    -------
    callable
        The autocovariance of an array of lags.

    Raises
    ------
    ValueError
        If the series is constant; later, if a lag beyond the series is asked for.
    """
    series = as_vector(series, "series")
    if np.ptp(series) == 0:
        raise ValueError("series: expected a series that varies, got a constant; its autocovariance is zero")
    centred = series - series.mean()
    spectrum = np.abs(fft.rfft(centred, fft.next_fast_len(2 * series.size))) ** 2
    values = fft.irfft(spectrum, fft.next_fast_len(2 * series.size))[: series.size]

    def autocovariance(lags):
        lags = np.asarray(lags)
        if lags.max(initial=0) >= values.size:
            raise ValueError(
                f"lags: expected lags below the length {values.size} of the series, got {lags.max()}; "
                "use a longer series or a smaller receptive field"
            )
        return values[lags] / values[0]

    return autocovariance


@dataclass(frozen=True)
class GaussianProcess:
    """A stationary Gaussian process of unit variance and the task of predicting its next sample.

    Attributes
    ----------
    autocovariance : callable
        Maps an integer array of lags to the autocovariances there, 1 at lag 0.
    name : str
        What figures and tables call it.

    Notes
    -----
    Source: paper 1, eqs 30-33.
    """

    autocovariance: Callable = field(default_factory=power_law)
    name: str = "power law"

    def __post_init__(self):
        if not callable(self.autocovariance):
            raise TypeError(
                f"autocovariance: expected a function of the lag, got {type(self.autocovariance).__name__}; "
                "pass power_law(), empirical(series) or another function of an array of lags"
            )

    @property
    def components(self):
        """Number of input components per position."""
        return 1

    def autocovariances(self, n):
        """Autocovariances c_0, ..., c_n, shape (n + 1,)."""
        n = check_integer(n, "n", minimum=0)
        values = as_vector(self.autocovariance(np.arange(n + 1)), "autocovariance", length=n + 1)
        if not np.isclose(values[0], 1, rtol=1e-12):
            raise ValueError(f"autocovariance: expected unit variance, got {values[0]} at lag 0; divide by that value")
        return values

    def operator(self, n):
        """Covariance of n successive samples as an operator that stores only its first column."""
        return ToeplitzOperator(self.autocovariances(check_integer(n, "n", minimum=1) - 1))

    def covariance(self, n):
        """Covariance Sigma_n of n successive samples, dense, shape (n, n)  (eq. 30)."""
        return self.operator(n).dense()

    def root(self, n):
        """Factor R with R^T R = Sigma_n: the Cholesky factor for n up to `toeplitz.LARGE`, above one that is not dense.

        Returns
        -------
        ndarray, shape (n, n), or LinearOperator, shape (m, n)
            The second is a `circulant_root`, whose m rows are about 2n. A process without one has its Cholesky factor.
        """
        if n > LARGE:
            half = fft.next_fast_len(n, real=True)  # twice as many rows: even, and fast
            with suppress(ValueError):
                return circulant_root(self.autocovariances(half), n)
        return linalg.cholesky(self.covariance(n), check_finite=False)

    def optimal_coefficients(self, n):
        """Coefficients A* of the best linear prediction from n samples, oldest first, shape (n,)  (eq. 31)."""
        return one_step_predictor(self.autocovariances(n))[0][::-1]

    def residual_variance(self, n):
        """Variance v* that remains after the best linear prediction from n samples  (eq. 31)."""
        return one_step_predictor(self.autocovariances(n))[1]

    def sample(self, n, size=None, *, rng=None):
        """Draw realisations by circulant embedding (Dietrich and Newsam 1997), else by a Cholesky factor.

        Parameters
        ----------
        n : int
            Length of a realisation.
        size : int, optional
            Number of realisations; None gives one, without the leading axis.
        rng : int, Generator or None
            Source of randomness.

        Returns
        -------
        ndarray, shape (n,) or (size, n)

        Raises
        ------
        ValueError
            If the sequence of autocovariances is not positive definite.
        """
        rng = np.random.default_rng(rng)
        count = 1 if size is None else check_integer(size, "size", minimum=0)
        c = self.autocovariances(check_integer(n, "n", minimum=1) - 1)
        circle = np.r_[c, c[-2:0:-1]]
        spectrum = fft.fft(circle).real
        if spectrum.min() >= -1e-12 * spectrum.max():
            noise = rng.standard_normal((2, count, circle.size))
            waves = np.sqrt(np.clip(spectrum, 0, None) / circle.size) * (noise[0] + 1j * noise[1])
            draws = fft.fft(waves, axis=1).real[:, :n]
        else:
            factor = linalg.cholesky(as_covariance(linalg.toeplitz(c), "autocovariance", definite=True))
            draws = rng.standard_normal((count, n)) @ factor
        return draws[0] if size is None else draws


def standard_process(name="power law"):
    """One of the processes that the chapters use, by name, so that a papermill parameter can select it.

    Parameters
    ----------
    name : {'power law', 'fractional noise', 'exponential mixture', 'white', 'autoregressive'}

    Returns
    -------
    GaussianProcess

    Raises
    ------
    ValueError
        If there is no such process; the message lists them.
    """
    known = {
        "power law": power_law,
        "fractional noise": fractional_noise,
        "exponential mixture": exponential_mixture,
        "white": white,
        "autoregressive": lambda: autoregressive([-0.7, 1.5]),
    }
    if name not in known:
        raise ValueError(
            f"name: expected one of {', '.join(map(repr, known))}, got {name!r}; or build a GaussianProcess"
        )
    return GaussianProcess(known[name](), name)
