"""Products of indices: unions and parts of index sets, against sets of entries."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from capacity_inspection.graphs.operators import regions
from capacity_inspection.graphs.operators.boxes import Box
from capacity_inspection.graphs.operators.regions import box_around, joined, parted, product_of

INDICES = st.sets(st.integers(0, 5), min_size=1).map(lambda found: np.array(sorted(found)))
PRODUCTS = st.lists(st.tuples(INDICES, INDICES), max_size=4)


def entries(products):
    return {entry for product in products for entry in itertools.product(*(axis.tolist() for axis in product))}


@given(PRODUCTS, PRODUCTS)
def test_a_union_holds_the_entries_of_both_and_no_others(first, second):
    together = joined(joined([], first), second)
    assert entries(together) == entries(first) | entries(second)
    assert len(together) <= len(first) + len(second)


@given(st.sets(st.integers(0, 23), min_size=1))
def test_the_parts_of_flat_indices_are_these_indices_in_the_shape(flat):
    places = np.array(sorted(flat))
    parts = parted(places, (2, 3, 4))
    assert entries(parts) == {tuple(map(int, np.unravel_index(k, (2, 3, 4)))) for k in flat}
    assert sum(np.prod([len(axis) for axis in part]) for part in parts) == len(flat)


def test_a_box_is_the_smallest_around_its_own_product():
    box = Box((1, 0), (3, 4))
    assert box_around([product_of(box)]) == box
    assert box_around([]) is None
    assert box_around([product_of(box), product_of(Box((5, 2), (6, 3)))]) == Box((1, 0), (6, 4))


def test_a_field_of_too_many_pieces_is_refused(monkeypatch):
    monkeypatch.setattr(regions, "_MOST", 2)
    with pytest.raises(ValueError, match="graph"):
        joined([], [(np.array([2 * k]), np.array([2 * k])) for k in range(3)])
