"""Capacity along frequencies."""

import numpy as np

from capacity.allocation import per_frequency
from capacity.linalg import fourier_basis


def test_means_over_phases_do_not_depend_on_where_the_window_begins():
    vectors, frequencies = fourier_basis(10)
    direction = np.random.default_rng(0).standard_normal(10)
    here, there = (per_frequency((vectors.T @ np.roll(direction, s)) ** 2, frequencies)[1] for s in (0, 3))
    assert np.allclose(here, there)
    assert not np.allclose((vectors.T @ direction) ** 2, (vectors.T @ np.roll(direction, 3)) ** 2)
