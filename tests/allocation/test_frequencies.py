"""Capacity along frequencies."""

import numpy as np
import pytest

from capacity.allocation import model_constraints, per_frequency
from capacity.fitting import fit
from capacity.linalg import fourier_basis
from capacity.models import DilatedConvolution
from capacity.tasks import GaussianProcess


def test_means_over_phases_do_not_depend_on_where_the_window_begins():
    vectors, frequencies = fourier_basis(10)
    direction = np.random.default_rng(0).standard_normal(10)
    here, there = (per_frequency((vectors.T @ np.roll(direction, s)) ** 2, frequencies)[1] for s in (0, 3))
    assert np.allclose(here, there)
    assert not np.allclose((vectors.T @ direction) ** 2, (vectors.T @ np.roll(direction, 3)) ** 2)


def test_capacity_along_frequency_sums_to_the_total():
    model, process = DilatedConvolution.hierarchical(6, channels=2), GaussianProcess()
    space = model_constraints(model, fit(model, process, rng=0).parameters, process.covariance(64))
    vectors, frequencies = fourier_basis(64)
    along = space.along(vectors)
    assert along.sum() == pytest.approx(20)
    distinct, mean = per_frequency(along, frequencies)
    assert distinct.size == 33
    assert (mean >= 0).all()
    assert (mean <= 1 + 1e-12).all()
