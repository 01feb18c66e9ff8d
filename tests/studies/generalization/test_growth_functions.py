from itertools import combinations, product
from math import comb

import numpy as np
import pytest

from capacity_studies.generalization import (
    affine_labelings,
    monomials,
    shattered_size,
    shatters,
    sine_frequencies,
)


@pytest.mark.parametrize(("d", "points"), [(1, 6), (2, 4), (2, 6), (3, 5)])
def test_hyperplanes_reach_as_many_labelings_as_cover_counts(d, points):
    """2 sum_k C(N - 1, k), Cover's count for points in general position."""
    found = affine_labelings(np.random.default_rng(points).standard_normal((points, d)))
    assert len(np.unique(found, axis=0)) == len(found) == 2 * sum(comb(points - 1, k) for k in range(d + 1))
    assert shattered_size(found) == d + 1


def test_points_in_a_line_have_fewer_labelings_than_points_in_general_position():
    assert len(affine_labelings([[0.0, 0.0], [1.0, 1.0], [2.0, 2.0]])) == 6 < 2**3


@pytest.mark.parametrize(("unit", "origin"), [(1.0, 1.7e9), (1e-10, 0.0), (1e200, 1e205)])
def test_labelings_depend_on_no_unit_or_origin(unit, origin):
    assert len(affine_labelings(unit * np.arange(5.0)[:, None] + origin)) == 2 * 5


def test_a_set_is_shattered_exactly_if_all_labelings_occur():
    every = np.array(list(product([0, 1], repeat=3)))
    assert shatters(every)
    assert not shatters(every[:-1])
    assert shattered_size(every) == 3
    assert shattered_size(every[:-1]) == 2  # each pair still has all four
    assert shattered_size([[0, 1, 0]]) == 0
    some = np.random.default_rng(1).integers(2, size=(9, 5))
    sizes = [k for k in range(1, 6) for chosen in combinations(range(5), k) if shatters(some[:, list(chosen)])]
    assert shattered_size(some) == max(sizes, default=0)


def test_polynomials_of_degree_p_shatter_as_many_points_as_there_are_monomials():
    points = np.linspace(-1, 1, 6)[:, None]
    assert [shattered_size(affine_labelings(monomials(points, p))) for p in (1, 2, 3)] == [2, 3, 4]
    assert monomials(np.ones((2, 3)), 2).shape == (2, comb(5, 2) - 1)


def test_the_sine_gives_points_any_labels():
    every = np.array(list(product([0, 1], repeat=7)))
    heights = np.sin(sine_frequencies(every)[:, None] * 10.0 ** -np.arange(1, 8))
    assert np.array_equal(heights > 0, every)
