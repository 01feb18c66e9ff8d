"""Fits to samples that are drawn again and again: a model that can be anything is least squares, of known moments."""

import numpy as np
import pytest

from capacity.fitting import fit
from capacity.models import DilatedConvolution
from capacity_inspection.reports import sampling_variance
from capacity_studies.sampling import Linear, refits


def test_uneven_noise_has_the_same_variance_and_goes_with_the_last_input():
    task = Linear(np.zeros(2), np.eye(2), 0.3, uneven=True)
    samples = task.draw(100_000, np.random.default_rng(0))
    assert abs(np.var(samples.outputs) / 0.3 - 1) < 0.05
    small = np.abs(samples.inputs[:, 1]) < 0.1
    assert np.var(samples.outputs[small]) < 0.01 * 0.3


@pytest.mark.parametrize("count", [7, 12])
def test_gaps_are_in_units_of_the_noise_over_twice_the_samples(count):
    target, matrix = np.array([1.0, -1.0, 0.5, 2.0]), np.diag([1.0, 2, 1, 1]) + 0.5
    model, task = DilatedConvolution([1, 2], channels=2), Linear(target, matrix, 0.2)
    best = fit(model, task, rng=0).parameters
    found, rng = refits(model, best, task, count, 2, 5), np.random.default_rng(5)
    optimum = model.coefficients(best)
    for coefficients, errors, units in zip(found.coefficients, found.standard_errors, found.units):
        samples = task.draw(count, rng)
        own, ideal = (np.mean((samples.outputs - samples.inputs @ c) ** 2) for c in (coefficients, optimum))
        new, least = (0.2 + (c - task.target) @ task.matrix @ (c - task.target) for c in (coefficients, optimum))
        assert units == pytest.approx(((new - least) - (own - ideal)) / (2 * 0.2 / count), rel=1e-9)
        again = fit(model, samples, initial=best)
        np.testing.assert_array_equal(coefficients, again.coefficients)
        np.testing.assert_array_equal(errors, sampling_variance(model, again.parameters, samples).coefficients())
