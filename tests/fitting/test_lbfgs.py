"""L-BFGS-B with the analytic gradient."""

from types import SimpleNamespace

import numpy as np
import pytest
from scipy import optimize

from capacity import DilatedConvolution, GaussianProcess, fit
from capacity.fitting import Objective
from capacity.fitting.lbfgs import lbfgs
from capacity.tasks import Samples

MODEL = DilatedConvolution.hierarchical(4, channels=2)
OBJECTIVE = Objective.of_task(MODEL, GaussianProcess())


def test_a_run_ends_where_the_gradient_vanishes_and_another_minimiser_goes_no_further():
    found = lbfgs(OBJECTIVE, MODEL.initial(6), 3000, 1e-4)  # on a short way, the same whatever the processor
    assert found.converged
    assert np.abs(OBJECTIVE.loss_and_gradient(found.parameters)[1]).max() <= 1e-8
    further = optimize.minimize(OBJECTIVE.loss_and_gradient, found.parameters, jac=True, method="BFGS")
    assert found.loss - further.fun < 1e-10


def test_iterations_are_counted():
    found = lbfgs(OBJECTIVE, MODEL.initial(0), 3, 1e-6)
    assert not found.converged
    assert len(found.losses) == 4


def test_a_step_so_far_that_the_loss_overflows_is_taken_back_in_silence():
    """exp(x) - x is flat far on the left, so that steps grow until the exponential leaves the range of a double."""
    steep = SimpleNamespace(
        loss_and_gradient=lambda x: (float(np.sum(np.exp(x) - x)), np.exp(x) - 1),
        energy=1.0,
        residual=np.exp,
        model=SimpleNamespace(coefficients=np.exp),
    )
    found = lbfgs(steep, np.array([-2e3]), 500, 1e-4)
    assert found.losses[-1] < found.losses[0]


@pytest.mark.parametrize("unit", [2.0**-40, 2.0**60])
def test_the_unit_of_the_samples_does_not_matter(unit):
    series = np.random.default_rng(1).standard_normal(200).cumsum()
    model = DilatedConvolution.hierarchical(3, channels=2)
    here, there = (
        fit(model, Samples.from_series(scale * series, 8), method="l-bfgs-b", max_iterations=40, rng=0)
        for scale in (1.0, unit)
    )
    np.testing.assert_array_equal(there.parameters, here.parameters)
    assert (there.losses == unit**2 * here.losses).all()
    assert there.message == here.message
