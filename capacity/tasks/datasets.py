"""Real series that come with statsmodels, as processes to repeat the analyses on (sensitivity to the data).

With those of other packages they are rows to predict and to test predictions on; nothing is fitted to them beforehand.
"""

import importlib

import numpy as np

from capacity.tasks.autocovariances import empirical
from capacity.tasks.gaussian import GaussianProcess
from capacity.tasks.photographs import installed_sample, photograph

__all__ = ["dataset_process", "dataset_rows", "dataset_series"]

_COLUMNS = {"sunspots": "SUNACTIVITY", "co2": "co2", "elnino": None}
_ROWS = {
    "sunspots": lambda: _statsmodels("sunspots")["SUNACTIVITY"],
    "elnino": lambda: np.ravel(_statsmodels("elnino").set_index("YEAR")),
    "co2": lambda: np.diff(_statsmodels("co2")["co2"].interpolate()),
    "turnover": lambda: np.diff(np.log(_statsmodels("elec_equip").iloc[:, 0])),
    "unemployment": lambda: np.diff(_statsmodels("macrodata")["unemp"]),
    "membrane": lambda: np.fromfile(installed_sample("membrane.dat"), np.float32),
    "eeg": lambda: np.fromfile(installed_sample("eeg.dat")).reshape(800, 4).T,
    "terrain": lambda: np.diff(np.load(installed_sample("jacksboro_fault_dem.npz"))["elevation"][::16].astype(float)),
    "china": lambda: photograph("china")[::16],
    "flower": lambda: photograph("flower")[::16],
}


def dataset_series(name):
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
    """
    if name not in _COLUMNS:
        raise ValueError(f"name: expected one of {', '.join(map(repr, _COLUMNS))}, got {name!r}; or use empirical()")
    data = _statsmodels(name)
    if name == "elnino":
        months = data.set_index("YEAR").to_numpy(dtype=float)
        return (months - months.mean(axis=0)).ravel()
    series = data[_COLUMNS[name]].interpolate().to_numpy(dtype=float)
    return series if name == "sunspots" else _without_trend_and_season(series, period=365.25 / 7)


def dataset_rows(name):
    """Rows of equally spaced real values, as they are or as differences: none of the steps is fitted to the data.

    Parameters
    ----------
    name : str
        Of statsmodels: 'sunspots' (yearly), 'elnino' (monthly temperatures), 'co2' (weekly differences, gaps filled
        linearly), 'turnover' (monthly differences of logarithms, electrical equipment), 'unemployment' (quarterly
        differences). Of Matplotlib: 'membrane' (a potential), 'eeg' (four channels), 'terrain' (differences along
        every 16th row of a map of heights). Of scikit-learn: 'china', 'flower' (every 16th row of a photograph).

    Returns
    -------
    ndarray, shape (rows, t)
        One row for most of them.

    Raises
    ------
    ImportError
        If the package that it comes with is not installed.

    Examples
    --------
    >>> dataset_rows("eeg").shape, dataset_rows("turnover").shape
    ((4, 800), (1, 256))
    """
    if name not in list(_ROWS):
        raise ValueError(f"name: expected one of {', '.join(map(repr, _ROWS))}, got {name!r}; or pass rows of yours")
    return np.atleast_2d(np.asarray(_ROWS[name](), dtype=float))


def dataset_process(name):
    """Gaussian process with the sample autocovariance of a series.

    Parameters
    ----------
    name : {'sunspots', 'co2', 'elnino'}
        As in `dataset_series`, with the same errors.

    Returns
    -------
    GaussianProcess
    """
    return GaussianProcess(empirical(dataset_series(name)), name)


def _statsmodels(name):
    try:
        return importlib.import_module(f"statsmodels.datasets.{name}").load_pandas().data
    except ModuleNotFoundError as error:
        raise ImportError(
            f"name: expected statsmodels to be installed for {name!r}, it is not; "
            "run `pip install capacity-allocation[data]`"
        ) from error


def _without_trend_and_season(series, period):
    t = np.linspace(-1, 1, series.size)
    angle = 2 * np.pi * np.arange(series.size) / period
    regressors = np.stack(
        [np.ones_like(t), t, t**2, np.cos(angle), np.sin(angle), np.cos(2 * angle), np.sin(2 * angle)], axis=1
    )
    return series - regressors @ np.linalg.lstsq(regressors, series)[0]
