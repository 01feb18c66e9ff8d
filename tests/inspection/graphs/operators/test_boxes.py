"""Hulls of boxes, and what they cut out of arrays."""

import numpy as np

from capacity_inspection.graphs import Box
from capacity_inspection.graphs.operators.boxes import box_hull, whole_box


def test_the_hull_of_two_boxes_contains_both():
    first, second = Box((0, 3), (2, 5)), Box((1, 0), (4, 4))
    assert box_hull(first, second) == Box((0, 0), (4, 5))
    assert box_hull(None, first) == box_hull(first, None) == first


def test_a_box_cuts_arrays_on_a_larger_one_and_those_that_broadcast():
    array = np.arange(24).reshape(4, 6)
    box = Box((1, 2), (3, 5))
    np.testing.assert_array_equal(array[None][box.within(whole_box((4, 6)))][0], array[1:3, 2:5])
    np.testing.assert_array_equal(box.cut(array[:, :1]), array[1:3, :1])
    assert box.cut(np.array(2.0)) == 2
