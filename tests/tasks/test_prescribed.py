import numpy as np
import pytest

from capacity import FullyConnected, GaussianProcess, fit
from capacity.tasks import PrescribedTask

TARGET = np.array([0.5, -1.0, 2.0])


def test_the_prescribed_coefficients_are_the_optimum():
    task = PrescribedTask(GaussianProcess(), TARGET)
    np.testing.assert_array_equal(task.covariance(3), GaussianProcess().covariance(3))
    found = fit(FullyConnected(3), task, rng=0)
    assert found.loss < 1e-25
    np.testing.assert_allclose(found.coefficients, TARGET, rtol=1e-10)


def test_another_number_of_inputs_is_refused():
    with pytest.raises(ValueError, match=r"target: expected shape \(4,\)"):
        PrescribedTask(GaussianProcess(), TARGET).optimal_coefficients(4)
