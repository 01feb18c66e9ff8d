"""Statistics of curves: power laws and exponentials with their uncertainty, means, autocorrelations and spectra."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy
from numpy.typing import ArrayLike

from capacity._moved import with_former
from capacity._validation import as_array, as_matrix, as_vector, check_integer, check_real
from capacity.linalg.precision import balanced

__all__ = [
    "Exponential",
    "MeanCurve",
    "PowerLaw",
    "autocorrelation",
    "fit_exponential",
    "fit_power_law",
    "mean_interval",
    "power_law_misfit",
    "power_spectrum",
]

__getattr__ = with_former(__name__)


@dataclass(frozen=True)
class PowerLaw:
    """y = prefactor * x ** exponent, with the standard error of the exponent from the residuals: NaN for two points.

    Where several curves were fitted at once, the attributes are arrays with one entry per curve.

    Examples
    --------
    >>> law = fit_power_law([1, 2, 4], [3.0, 12.0, 48.0])
    >>> float(law.exponent), float(law.prefactor), float(law(8))
    (2.0, 3.0, 192.0)
    """

    exponent: np.ndarray | float
    standard_error: np.ndarray | float
    log_prefactor: np.ndarray | float

    @property
    def prefactor(self) -> Any:
        """The curve at 1, which may be far outside the range of a double where the data are far from there."""
        return np.exp(self.log_prefactor)

    def __call__(self, x: ArrayLike) -> np.ndarray:
        """The fitted curve at x."""
        return np.exp(_straight(self.exponent, self.log_prefactor, np.log(x)))


def fit_power_law(x: ArrayLike, y: ArrayLike) -> PowerLaw:
    """Least-squares fit of a straight line to log y against log x.

    Parameters
    ----------
    x : array_like, shape (points,)
        Positive.
    y : array_like, shape (..., points)
        Positive; one curve per leading index.

    Returns
    -------
    PowerLaw

    Notes
    -----
    The standard error takes the residuals as independent. Points of one random walk are not: there, fit each
    realisation and take the spread of the exponents.

    Examples
    --------
    >>> float(fit_power_law([1, 2, 4], [3, 12, 48]).exponent)
    2.0
    """
    x, y = _points(x, y)
    as_vector(x, "x, y", above=0, remedy="leave out points that are not")
    exponent, error, level = _line(np.log(x), np.log(y))
    return PowerLaw(exponent, error, level)


@dataclass(frozen=True)
class Exponential:
    """y = prefactor * exp(rate * x), with the standard error of the rate from the residuals: NaN for two points.

    Where several curves were fitted at once, the attributes are arrays with one entry per curve.

    Examples
    --------
    >>> law = fit_exponential([0, 1, 2], [3.0, 6.0, 12.0])
    >>> float(law.prefactor), float(law.rate / np.log(2)), float(law(3))
    (3.0, 1.0, 24.0)
    """

    rate: np.ndarray | float
    standard_error: np.ndarray | float
    log_prefactor: np.ndarray | float

    @property
    def prefactor(self) -> Any:
        """The curve at 0, which may be far outside the range of a double where the data are far from there."""
        return np.exp(self.log_prefactor)

    def __call__(self, x: ArrayLike) -> np.ndarray:
        """The fitted curve at x."""
        return np.exp(_straight(self.rate, self.log_prefactor, x))


def fit_exponential(x: ArrayLike, y: ArrayLike) -> Exponential:
    """Least-squares fit of a straight line to log y against x.

    Parameters
    ----------
    x : array_like, shape (points,)
    y : array_like, shape (..., points)
        Positive; one curve per leading index.

    Returns
    -------
    Exponential

    Notes
    -----
    The standard error takes the residuals as independent, see `fit_power_law`. Lengths in the layers of one network are
    not: there, fit each network and take the spread of the rates.

    Examples
    --------
    >>> law = fit_exponential([0, 1, 2], [3, 6, 12])
    >>> float(np.exp(law.rate)), float(law.prefactor)
    (2.0, 3.0)
    """
    x, y = _points(x, y)
    rate, error, level = _line(x, np.log(y))
    return Exponential(rate, error, level)


def _points(x, y) -> tuple[np.ndarray, np.ndarray]:
    x, y = as_vector(x, "x"), as_array(y, "y", above=0, remedy="leave out points that are not")
    if np.unique(x).size < 2 or y.shape[-1:] != x.shape:
        raise ValueError(
            f"x, y: expected at least two different x and y of shape (..., points), got shapes {x.shape} and "
            f"{y.shape}; pass one y for each x"
        )
    return x, y


def _straight(slope, level, x):
    return np.multiply.outer(slope, x) + np.multiply.outer(level, np.ones(np.shape(x)))


def _line(x, y):
    """Slope of the least-squares line, its standard error (NaN for two points), and the height at 0."""
    centred = x - x.mean()
    spread = np.sum(centred**2)
    slope = y @ centred / spread
    level = y.mean(axis=-1)
    residuals = y - level[..., None] - slope[..., None] * centred
    freedom = x.size - 2 or np.nan
    error = np.sqrt(np.sum(residuals**2, axis=-1) / freedom / spread)
    return slope, error, level - slope * x.mean()


def power_law_misfit(x: ArrayLike, y: ArrayLike) -> Any:
    """Largest distance of a curve from its best power law, as a share of the range of the curve, on log axes.

    Parameters
    ----------
    x : array_like, shape (points,)
        Positive.
    y : array_like, shape (..., points)
        Positive; one curve per leading index.

    Returns
    -------
    float, or ndarray of one entry per curve
        0 for a power law. The range is the unit, so that flat and steep curves are judged alike.

    Notes
    -----
    The chapters call a curve roughly a power law where the misfit is at most 0.1. At the points 1, 2, 4, 8 and so on
    this tells it from an exponential, whose misfit is then at least 0.128.

    Examples
    --------
    >>> bool(power_law_misfit([1, 2, 4, 8], [1, 4, 16, 64]) < 1e-12)
    True
    >>> round(float(power_law_misfit([1, 2, 4, 8], np.exp([-1, -2, -4, -8]))), 2)
    0.13
    """
    law, y = fit_power_law(x, y), as_array(y, "y")
    logs = np.log(y)
    span = np.ptp(logs, axis=-1)
    if not (span > 0).all():
        raise ValueError("y: expected curves that vary, got a constant one; leave it out")
    line = _straight(law.exponent, law.log_prefactor, np.log(as_vector(x, "x")))
    return np.abs(logs - line).max(axis=-1) / span


@dataclass(frozen=True)
class MeanCurve:
    """A mean curve over realisations with its standard error, both of shape (points,), against `x`.

    Examples
    --------
    >>> curve = mean_curve([0, 1], [[1.0, 2.0], [3.0, 2.0]])
    >>> curve.mean, curve.standard_error
    (array([2., 2.]), array([1., 0.]))
    """

    x: np.ndarray
    mean: np.ndarray
    standard_error: np.ndarray


def mean_interval(values: ArrayLike, *, level: float = 0.95) -> tuple[np.ndarray, np.ndarray]:
    """Mean over realisations, with the confidence interval that Student's t gives for independent, normal ones.

    Parameters
    ----------
    values : array_like, shape (realisations, ...)
        At least two.
    level : float, optional
        How often the interval covers the true mean.

    Returns
    -------
    mean : ndarray, shape (...)
    ends : ndarray, shape (2, ...)
        Lower and upper end of the interval.

    Examples
    --------
    >>> mean, (low, high) = mean_interval([1.0, 2.0, 3.0])
    >>> float(mean), float(low), float(high)
    (2.0, -0.48413771, 4.48413771)
    """
    values = as_array(values, "values", axes=1)
    level = check_real(level, "level", above=0, below=1)
    if len(values) < 2:
        raise ValueError("values: expected two realisations or more, got one; the spread of one is unknown")
    mean, error = values.mean(axis=0), values.std(axis=0, ddof=1) / np.sqrt(len(values))
    half = scipy.special.stdtrit(len(values) - 1, (1 + level) / 2) * error
    return mean, np.stack([mean - half, mean + half])


def autocorrelation(series: ArrayLike, lags: int) -> MeanCurve:
    """Autocorrelation of each row about its mean, averaged over rows.

    Parameters
    ----------
    series : array_like, shape (realisations, points)
    lags : int
        Largest lag.

    Returns
    -------
    MeanCurve
        Against lags 0, ..., `lags`. The estimator divides by the number of points, not of pairs: white noise comes
        out at -(1 - lag / points) / (points - 1) on average, not at 0.

    Examples
    --------
    >>> autocorrelation([[1.0, -1.0, 1.0, -1.0]], 2).mean
    array([ 1.  , -0.75,  0.5 ])
    """
    centred = _rows_that_vary(series)
    points = centred.shape[1]
    lags = check_integer(lags, "lags", minimum=0, maximum=points - 1, remedy="pass fewer lags than there are points")
    transform = np.fft.rfft(centred, 2 * points, axis=1)
    covariances = np.fft.irfft(np.abs(transform) ** 2, axis=1)[:, : lags + 1]
    return mean_curve(np.arange(lags + 1), covariances / covariances[:, :1])


def power_spectrum(series: ArrayLike) -> tuple[MeanCurve, PowerLaw]:
    """Periodogram of each row about its mean, scaled to sum 1 and averaged over rows, and its log-log slope.

    Parameters
    ----------
    series : array_like, shape (realisations, points)
        Equally spaced values.

    Returns
    -------
    spectrum : MeanCurve
        Against frequencies in cycles per sample, without 0.
    law : PowerLaw
        Fit to the mean spectrum. White noise has the exponent 0; brown noise sampled on a finite stretch, whose ends
        do not match, about -1.8 instead of -2: compare with a reference from the same function.

    Examples
    --------
    >>> spectrum, law = power_spectrum([np.cos(2 * np.pi * np.arange(8) / 4)])
    >>> spectrum.x, spectrum.mean.round(9)
    (array([0.125, 0.25 , 0.375, 0.5  ]), array([0., 1., 0., 0.]))
    """
    centred = _rows_that_vary(series)
    if (points := centred.shape[1]) < 4:
        raise ValueError(f"series: expected rows of at least four points, got {points}; pass longer ones")
    power = np.abs(np.fft.rfft(centred, axis=1))[:, 1:] ** 2
    spectrum = mean_curve(np.fft.rfftfreq(points)[1:], power / power.sum(axis=1, keepdims=True))
    return spectrum, fit_power_law(spectrum.x, spectrum.mean)


def _rows_that_vary(series) -> np.ndarray:
    """The series about their means, each scaled by a power of two: no square leaves the range of a double."""
    series = as_matrix(series, "series")
    if not np.ptp(series, axis=1).all():
        raise ValueError("series: expected rows that vary, got a constant one; leave it out")
    scaled = balanced(series.T).T
    return scaled - scaled.mean(axis=1, keepdims=True)


def mean_curve(x, values):
    """Mean over realisations, values of shape (realisations, points), with its standard error (NaN for a single one).

    Parameters
    ----------
    x : array_like, shape (points,)
        Where.
    values : array_like, shape (realisations, points)
        One row per realisation.

    Returns
    -------
    MeanCurve
    """
    values = as_array(values, "values", axes=2, remedy="pass one row per realisation")
    x = as_vector(x, "x", length=values.shape[-1])
    error = values.std(axis=0, ddof=1) / np.sqrt(len(values)) if len(values) > 1 else np.full(x.size, np.nan)
    return MeanCurve(x, values.mean(axis=0), error)
