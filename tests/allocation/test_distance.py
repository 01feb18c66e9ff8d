"""The distance of two allocations."""

import numpy as np
import pytest

from capacity.allocation import allocation_distance


def test_distance_of_allocations_in_a_case_worked_by_hand():
    found = allocation_distance([0.0, 1.0, 1.0, 0.0], [0.5, 0.5, 0.5, 0.5])
    assert (found.largest, found.root_mean_square, found.cumulative) == (0.5, 0.5, 0.25)
    assert allocation_distance([1.0, 2.0], [2.0, 4.0]).cumulative == 0


def test_the_three_distances_of_two_short_allocations():
    found = allocation_distance([1.0, 3.0, 0.0], [1.0, 1.0, 2.0])
    assert (found.largest, found.root_mean_square) == pytest.approx((2.0, np.sqrt(8 / 3)))
    assert found.cumulative == pytest.approx(0.5)
