from itertools import product
from math import comb

import numpy as np
import pytest
from region_networks import tangents

from capacity.networks import forward_pass
from capacity_studies.expressivity import arrangement_regions, regions_in_plane, sawtooth


def test_regions_obey_the_recurrence_of_deletion_and_restriction():
    """The definition: a further hyperplane is divided by the others, and each of its parts divides one region."""
    for k, d in product(range(1, 12), range(2, 6)):
        assert arrangement_regions(k, d) == arrangement_regions(k - 1, d) + arrangement_regions(k - 1, d - 1)
        assert arrangement_regions(k, d, central=True) == 2 * arrangement_regions(k - 1, d - 1)
    assert [arrangement_regions(k, 1) for k in range(4)] == [1, 2, 3, 4]
    assert [arrangement_regions(0, d, central=central) for d in (1, 3) for central in (False, True)] == [1] * 4
    assert [arrangement_regions(k, 1, central=True) for k in (1, 5)] == [2, 2]


@pytest.mark.parametrize("k", [3, 6, 12])
def test_bounded_regions_are_those_that_do_not_touch_a_large_box(k):
    regions = regions_in_plane(tangents(k), 1000.0)
    border = np.isin(regions.sides, np.flatnonzero(regions.edge_units < 0))
    inside = np.add.reduceat(border.astype(int), regions.offsets[:-1]) == 0
    assert inside.sum() == comb(k - 1, 2)  # Zaslavsky (1975)


def test_a_sawtooth_is_the_tent_applied_again_and_again():
    t = np.linspace(0, 1, 1001)[:, None]
    expected = t
    for n_layers in range(1, 8):
        expected = 1 - np.abs(2 * expected - 1)
        np.testing.assert_allclose(forward_pass(sawtooth(n_layers), t).outputs, expected, atol=1e-13 * 2**n_layers)
