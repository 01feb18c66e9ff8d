"""The smallest box or past that holds a share: by brute force over all of them."""

import numpy as np
import pytest

from capacity_inspection.graphs import holding_lags, holding_side


@pytest.mark.parametrize("share", [0.3, 0.5, 0.9, 0.99, 1.0])
def test_the_side_is_the_smallest_of_all_centred_boxes(share):
    field = np.random.default_rng(0).random((7, 9)) ** 4
    held = {k: field[max(3 - k, 0) : 4 + k, 4 - k : 5 + k].sum() for k in range(5)}
    assert holding_side(field, share) == 2 * min(k for k in held if held[k] >= share * field.sum() * (1 - 1e-12)) + 1


@pytest.mark.parametrize("share", [0.3, 0.5, 0.9, 0.99, 1.0])
def test_the_lags_are_the_fewest_recent_ones(share):
    field = np.random.default_rng(1).random(30) ** 3
    held = [field[30 - n :].sum() for n in range(31)]
    assert holding_lags(field, share) == min(n for n in range(1, 31) if held[n] >= share * field.sum() * (1 - 1e-12))


def test_rounding_does_not_add_a_lag():
    assert holding_lags(np.full(10, 0.1), 0.5) == 5
    assert holding_side(np.full((3, 3), 1 / 9), 1.0) == 3


def test_an_even_field_has_even_boxes_and_a_centre_can_be_given():
    assert holding_side([0, 1, 1, 0], 1.0) == 2
    assert holding_side([0, 1, 1, 0], 1.0, centre=(1,)) == 3
    assert holding_side(np.ones((4, 3)), 1.0) == 4


def test_only_proportions_matter():
    assert holding_lags([1e308] * 5, 0.5) == holding_lags([1.0] * 5, 0.5) == 3
