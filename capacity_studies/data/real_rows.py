"""Real rows to predict, which come with other packages; nothing is fitted to them beforehand."""

import gzip
import importlib

import numpy as np

from capacity_studies.data.photographs import installed_sample, photograph

__all__ = ["dataset_rows"]

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
    "scan": lambda: _scan()[::16],
}


def dataset_rows(name):
    """Rows of equally spaced real values, as they are or as differences: none of the steps is fitted to the data.

    Parameters
    ----------
    name : str
        Of statsmodels: 'sunspots' (yearly), 'elnino' (monthly temperatures), 'co2' (weekly differences, gaps filled
        linearly), 'turnover' (monthly differences of logarithms, electrical equipment), 'unemployment' (quarterly
        differences). Of Matplotlib: 'membrane' (a potential), 'eeg' (four channels), 'terrain' (differences along
        every 16th row of a map of heights), 'scan' (every 16th row of a magnetic resonance image). Of scikit-learn:
        'china', 'flower' (every 16th row of a photograph).

    Returns
    -------
    ndarray, shape (rows, t)
        One row for most of them.

    Examples
    --------
    >>> dataset_rows("eeg").shape, dataset_rows("turnover").shape
    ((4, 800), (1, 256))
    """
    return np.atleast_2d(np.asarray(_ROWS[name](), dtype=float))


def _scan():
    with gzip.open(installed_sample("s1045.ima.gz")) as file:
        return np.frombuffer(file.read(), np.uint16).reshape(256, 256)


def _statsmodels(name):
    return importlib.import_module(f"statsmodels.datasets.{name}").load_pandas().data
