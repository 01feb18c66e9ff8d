"""Fronts, by their definition."""

import numpy as np
import pytest

from capacity.design import pareto_layers


def peeled(costs):
    layers, left, layer = np.zeros(len(costs), dtype=int), list(range(len(costs))), 0
    while left:
        beaten = {i for i in left for j in left if (costs[j] <= costs[i]).all() and (costs[j] < costs[i]).any()}
        layers[[i for i in left if i not in beaten]] = layer
        left, layer = sorted(beaten), layer + 1
    return layers


def test_each_front_is_what_nothing_beats_among_those_behind_the_fronts_before():
    rng = np.random.default_rng(0)
    for size in (1, 2, 10, 40):
        for costs in (rng.integers(0, 6, (size, 2)).astype(float), rng.standard_normal((size, 2))):
            np.testing.assert_array_equal(pareto_layers(costs), peeled(costs))


def test_other_than_two_costs_are_refused():
    with pytest.raises(ValueError, match="costs: "):
        pareto_layers([[1.0, 2.0, 3.0]])
    with pytest.raises(ValueError, match="costs: "):
        pareto_layers([[1.0, np.nan]])
