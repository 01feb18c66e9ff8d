"""Real series that come with statsmodels, as processes to repeat the analyses on (sensitivity to the data)."""

import importlib

import numpy as np

from capacity._validation import check_choice, needing
from capacity.tasks.autocovariances import empirical
from capacity.tasks.gaussian import GaussianProcess

__all__ = ["dataset_process", "dataset_series"]

_COLUMNS = {"sunspots": "SUNACTIVITY", "co2": "co2", "elnino": None}


def dataset_series(name: str) -> np.ndarray:
    """Load a series of equally spaced observations.

    Parameters
    ----------
    name : {'sunspots', 'co2', 'elnino'}
        Yearly sunspot numbers 1700-2008; weekly atmospheric carbon dioxide at Mauna Loa 1958-2001; monthly sea surface
        temperature of the equatorial Pacific 1950-2010. Trend and season are taken out of the last two: see Notes.

    Returns
    -------
    ndarray, shape (t,)

    Raises
    ------
    ImportError
        If statsmodels is not installed.

    Notes
    -----
    A trend or a season is not stationary. 'co2' has its 59 missing weeks interpolated linearly, then a quadratic trend
    and the mean seasonal cycle (first two harmonics of the year) removed by least squares; 'elnino' has each calendar
    month's mean removed.

    Examples
    --------
    >>> len(dataset_series("sunspots"))
    309
    """
    data = _statsmodels(check_choice(name, "name", _COLUMNS))
    if name == "elnino":
        months = data.set_index("YEAR").to_numpy(dtype=float)
        return (months - months.mean(axis=0)).ravel()
    series = data[_COLUMNS[name]].interpolate().to_numpy(dtype=float)
    return series if name == "sunspots" else _without_trend_and_season(series, period=365.25 / 7)


def dataset_process(name: str) -> GaussianProcess:
    """Gaussian process with the sample autocovariance of a series.

    Parameters
    ----------
    name : {'sunspots', 'co2', 'elnino'}
        As in `dataset_series`, with the same errors.

    Returns
    -------
    GaussianProcess

    Examples
    --------
    >>> dataset_process("sunspots").optimal_coefficients(2)
    array([-0.67669442,  1.37522693])
    """
    return GaussianProcess(empirical(dataset_series(name)), name)


def _statsmodels(name):
    with needing(f"name {name!r}", "data"):
        return importlib.import_module(f"statsmodels.datasets.{name}").load_pandas().data


def _without_trend_and_season(series, period):
    t = np.linspace(-1, 1, series.size)
    angle = 2 * np.pi * np.arange(series.size) / period
    regressors = np.stack(
        [np.ones_like(t), t, t**2, np.cos(angle), np.sin(angle), np.cos(2 * angle), np.sin(2 * angle)], axis=1
    )
    return series - regressors @ np.linalg.lstsq(regressors, series)[0]
