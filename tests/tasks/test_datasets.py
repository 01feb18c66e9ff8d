import sys

import numpy as np
import pytest

from capacity.allocation import model_constraints
from capacity.fitting import fit
from capacity.models import DilatedConvolution
from capacity.tasks import dataset_process, dataset_rows, dataset_series

NAMES = ["sunspots", "co2", "elnino"]


@pytest.mark.parametrize(("name", "length"), [("sunspots", 309), ("co2", 2284), ("elnino", 732)])
def test_series_have_their_known_lengths_and_no_gap(name, length):
    series = dataset_series(name)
    assert series.shape == (length,)
    assert np.isfinite(series).all()


def test_the_sunspot_cycle_lasts_about_eleven_years():
    series = dataset_series("sunspots")
    spectrum = np.abs(np.fft.rfft(series - series.mean())) ** 2
    assert 10 < series.size / np.argmax(spectrum) < 12


@pytest.mark.parametrize(("name", "period"), [("co2", 365.25 / 7), ("elnino", 12)])
def test_trend_and_season_are_gone(name, period):
    series = dataset_series(name)
    t, series = np.arange(series.size), series - series.mean()
    angles = [2 * np.pi * harmonic * t / period for harmonic in (1, 2)]
    season = [wave(angle) for wave in (np.cos, np.sin) for angle in angles]
    trend = [t - t.mean(), (t - t.mean()) ** 2 - np.mean((t - t.mean()) ** 2)]
    shares = [(series @ x) ** 2 / ((series @ series) * (x @ x)) for x in [*season, *trend]]
    assert max(shares[:4]) < 1e-20
    assert max(shares[4:]) < (1e-20 if name == "co2" else 0.05)  # without its season, the temperature has no trend


@pytest.mark.parametrize("name", NAMES)
def test_capacity_can_be_measured_on_each_series(name):
    process, model = dataset_process(name), DilatedConvolution.hierarchical(4, channels=2)
    found = fit(model, process, rng=0, max_iterations=100)
    assert 0 < process.residual_variance(16) < 1
    assert model_constraints(model, found.parameters, process.covariance(16)).total == 12


def test_bad_arguments_are_named(monkeypatch):
    with pytest.raises(ValueError, match="name"):
        dataset_series("weather")
    monkeypatch.setitem(sys.modules, "statsmodels.datasets.sunspots", None)
    with pytest.raises(ImportError, match=r"pip install capacity-allocation\[data\]"):
        dataset_process("sunspots")


@pytest.mark.parametrize(
    ("name", "shape"),
    [
        ("sunspots", (1, 309)),
        ("elnino", (1, 732)),
        ("co2", (1, 2283)),
        ("turnover", (1, 256)),
        ("unemployment", (1, 202)),
        ("membrane", (1, 12000)),
        ("eeg", (4, 800)),
        ("terrain", (22, 402)),
        ("china", (27, 640)),
        ("flower", (27, 640)),
    ],
)
def test_rows_have_their_known_shapes_and_vary(name, shape):
    rows = dataset_rows(name)
    assert rows.shape == shape
    assert np.isfinite(rows).all()
    assert np.ptp(rows, axis=1).min() > 0


def test_rows_run_along_time():
    temperatures = dataset_rows("elnino")[0]
    assert np.corrcoef(temperatures[12:], temperatures[:-12])[0, 1] > 0.7  # months
    channels = dataset_rows("eeg")
    assert np.mean(np.abs(np.diff(channels))) < np.mean(np.abs(np.diff(channels, axis=0)))
    carbon = dataset_rows("co2")[0]
    assert carbon.sum() == pytest.approx(371.5 - 316.1)  # first and last of its weeks, ppm
    assert 0.1 < dataset_rows("turnover").std() < 0.3  # a share, not an index
    with pytest.raises(ValueError, match="name"):
        dataset_rows("weather")
