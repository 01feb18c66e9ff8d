import numpy as np
import pytest

from capacity import GaussianProcess
from capacity.tasks import PrescribedTask

TARGET = np.array([0.5, -1.0, 2.0])


def test_another_number_of_inputs_is_refused():
    with pytest.raises(ValueError, match=r"target: expected shape \(4,\)"):
        PrescribedTask(GaussianProcess(), TARGET).optimal_coefficients(4)
