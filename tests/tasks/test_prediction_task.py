"""Every task of the room keeps the protocol of a prediction task, by what its members return."""

import numpy as np
import pytest

from capacity import tasks
from capacity.tasks import (
    FeatureProcess,
    GaussianProcess,
    IndependentProcesses,
    PredictionTask,
    PrescribedTask,
    Samples,
    hermite_features,
    similar_power_laws,
)

SERIES = np.random.default_rng(0).standard_normal((200, 2)).cumsum(axis=0)
TASKS = [
    GaussianProcess(),
    similar_power_laws(3),
    FeatureProcess(GaussianProcess(), hermite_features(2)),
    Samples.from_series(SERIES, 6),
    PrescribedTask(GaussianProcess(), np.arange(4.0)),
]
HELPERS = {"FeatureMap", "LookBack", "PredictionTask"}


def kind(task):
    return type(task).__name__


def test_every_class_of_the_room_is_among_those_that_are_tested():
    classes = {name for name in tasks.__all__ if isinstance(getattr(tasks, name), type)}
    assert classes - HELPERS <= {kind(task) for task in TASKS}
    assert IndependentProcesses.__name__ in classes


@pytest.mark.parametrize("task", TASKS, ids=kind)
def test_a_task_keeps_the_protocol(task):
    assert isinstance(task, PredictionTask)
    n = 4
    size = n * task.components
    covariance, target = task.covariance(n), task.optimal_coefficients(n)
    assert (covariance.shape, target.shape) == ((size, size), (size,))
    np.testing.assert_allclose(covariance, covariance.T, atol=1e-12)
    assert np.linalg.eigvalsh(covariance)[0] > 0
    if hasattr(task, "root"):
        root = task.root(n)
        np.testing.assert_allclose(root.T @ root, covariance, atol=1e-12)


@pytest.mark.parametrize("task", [t for t in TASKS if hasattr(t, "residual_variance")], ids=kind)
def test_more_positions_predict_no_worse(task):
    errors = [task.residual_variance(n) for n in (1, 2, 4)]
    assert errors[0] >= errors[1] >= errors[2] > 0


def test_what_lacks_a_member_does_not_keep_the_protocol():
    class Incomplete:
        components = 1

        def covariance(self, n):
            return np.eye(n)

    assert not isinstance(Incomplete(), PredictionTask)
