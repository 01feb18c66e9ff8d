"""Rows that are predicted from their past, the last part of each held out."""

import numpy as np
import pytest

from capacity.tasks import GaussianProcess
from capacity_studies.data import RowPrediction


@pytest.fixture
def rows():
    return GaussianProcess().sample(60, 3, rng=0) + 2.0


def predicted(rows, coefficients, cut):
    """Errors of a prediction, window by window: those of targets before the cut, and those from there on."""
    m, mean = len(coefficients), rows[:, :cut].mean()
    errors = {
        (row, t): rows[row, t] - mean - coefficients @ (rows[row, t - m : t] - mean)
        for row in range(len(rows))
        for t in range(m, rows.shape[1])
    }
    return [[e for (_, t), e in errors.items() if (t < cut) == early] for early in (True, False)]


@pytest.mark.parametrize(("options", "cut"), [({}, 40), ({"share": 0.5}, 30)])
def test_losses_are_those_of_predicting_window_by_window(rows, options, cut):
    task, a = RowPrediction.from_rows(rows, 4, **options), np.array([0.1, -0.2, 0.3, 0.5])
    before, after = predicted(rows, a, cut)
    mean = rows[:, :cut].mean()
    assert task.training_loss(a) == pytest.approx(np.mean(np.square(before)) / np.mean((rows[:, 4:cut] - mean) ** 2))
    assert task.held_out_loss(a) == pytest.approx(np.mean(np.square(after)) / np.mean((rows[:, cut:] - mean) ** 2))


def test_recent_inputs_are_the_last_ones(rows):
    task, a = RowPrediction.from_rows(rows, 4), np.array([0.4, 0.5])
    assert task.held_out_loss(a) == task.held_out_loss([0, 0, *a])
    np.testing.assert_array_equal(task.covariance(2), task.covariance(4)[2:, 2:])
    np.testing.assert_allclose(task.held_out_loss([a, 2 * a]), [task.held_out_loss(a), task.held_out_loss(2 * a)])
