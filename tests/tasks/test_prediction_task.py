"""Every class of the room, at drawn parameters, has the moments of its definition."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from prediction_tasks import TASKS, UnitNoise

from capacity import tasks
from capacity.tasks import PredictionTask

HELPERS = {"FeatureMap", "PredictionTask"}
CLASSES = [name for name in tasks.__all__ if isinstance(getattr(tasks, name), type) and name not in HELPERS]


@pytest.mark.parametrize("name", CLASSES)
@given(st.data(), st.integers(1, 4))
@settings(max_examples=25)
def test_a_task_has_the_moments_of_its_definition(name, data, n):
    task, moments = data.draw(TASKS[name])
    n = len(task.target) // task.components if name == "PrescribedTask" else n
    covariance, cross, power = moments(n)
    scale = np.abs(covariance).max()
    assert isinstance(task, PredictionTask)
    found, best = task.covariance(n), task.optimal_coefficients(n)
    np.testing.assert_allclose(found, covariance, rtol=0, atol=1e-11 * scale)
    np.testing.assert_allclose(found, found.T, rtol=1e-14, atol=1e-15 * scale)
    assert np.linalg.eigvalsh(found)[0] > -1e-12 * scale
    np.testing.assert_allclose(covariance @ best, cross, atol=1e-10 * scale * max(1, np.abs(best).max()))
    if power is not None:
        assert task.residual_variance(n) == pytest.approx(power - cross @ best, rel=1e-8, abs=1e-10 * scale)
    if hasattr(task, "root"):
        np.testing.assert_allclose(task.root(n).T @ task.root(n), covariance, atol=1e-11 * scale)
    if hasattr(task, "operator"):
        x = np.random.default_rng(0).standard_normal((n, 2))
        np.testing.assert_allclose(task.operator(n) @ x, covariance @ x, atol=1e-11)
    if hasattr(task, "sample"):  # linear in its noise: unit vectors in place of it give a root
        draws = task.sample(n, max(4 * n - 4, 2), rng=UnitNoise()).reshape(-1, n * task.components)
        own = np.kron(np.ones((n, n)), np.eye(task.components)) * (draws.T @ draws)  # the same noise for all components
        np.testing.assert_allclose(own, covariance, atol=1e-11)


def test_what_lacks_a_member_does_not_keep_the_protocol():
    class Incomplete:
        components = 1

        def covariance(self, n):
            return np.eye(n)

    assert not isinstance(Incomplete(), PredictionTask)
