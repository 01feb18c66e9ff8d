"""The distance of two allocations."""

from capacity.allocation import allocation_distance


def test_distance_of_allocations_in_a_case_worked_by_hand():
    found = allocation_distance([0.0, 1.0, 1.0, 0.0], [0.5, 0.5, 0.5, 0.5])
    assert (found.largest, found.root_mean_square, found.cumulative) == (0.5, 0.5, 0.25)
    assert allocation_distance([1.0, 2.0], [2.0, 4.0]).cumulative == 0
