import sys

import numpy as np
import pytest

from capacity.tasks import dataset_process, dataset_series


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


def test_what_is_to_be_installed_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "statsmodels.datasets.sunspots", None)
    with pytest.raises(ImportError, match=r"pip install capacity-allocation\[data\]"):
        dataset_process("sunspots")
