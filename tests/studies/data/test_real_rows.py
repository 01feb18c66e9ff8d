"""Real rows: known shapes, and an order in time."""

import numpy as np
import pytest

from capacity_studies.data import dataset_rows


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
