"""The closed form of the capacity of any stack, against exact ranks and the closed form of tensor trains."""

import itertools

import numpy as np
import pytest

from capacity.allocation import exact_capacity, tensor_train_capacity
from capacity.models import DilatedConvolution
from capacity_inspection.design import segment_capacity
from capacity_inspection.design.segments import _deep_total, segment_total


def total(model):
    return segment_capacity(model.dilations, model.channels, model.taps, model.components)


@pytest.mark.parametrize(("base", "depth", "stacks"), list(itertools.product([1, 2, 3], [2, 3], [1, 2, 3])))
def test_it_is_the_exact_rank_of_stacks_of_every_shape(base, depth, stacks):
    for taps, channels in itertools.product([2, 3], [1, 2, 3, 5]):
        model = DilatedConvolution([base**i for i in range(depth)] * stacks, channels, taps)
        assert total(model) == exact_capacity(model, rng=0).total


def test_it_is_that_of_tensor_trains_where_lags_have_one_path():
    for depth, channels, taps in itertools.product([1, 3, 6, 9], [1, 2, 4, 9], [2, 3]):
        model = DilatedConvolution.hierarchical(depth, channels, taps)
        assert total(model) == tensor_train_capacity(model.taps, model.channels)


def test_it_bounds_the_exact_rank_from_above_where_they_differ():
    model = DilatedConvolution([1, 3, 9], 3, 4)
    assert (total(model), exact_capacity(model, rng=0).total) == (40, 38)


def test_deep_stacks_are_counted_as_shallow_ones_are():
    rng = np.random.default_rng(0)
    for layers in [*range(1, 12), 70]:
        for most in (1, 3, 40):
            dilations, taps = rng.integers(1, most + 1, layers).tolist(), rng.integers(1, 4, layers).tolist()
            widths = [int(rng.integers(1, 4)), *rng.integers(1, 9, layers - 1).tolist(), 1]
            assert _deep_total(dilations, taps, widths) == segment_total(dilations, taps, widths)


def test_thousands_of_layers_of_one_channel_reach_every_target():
    assert segment_capacity([1] * 10_000) == 10_001


def test_lags_that_no_path_reaches_do_not_count():
    assert segment_capacity([5, 10], channels=8) == 4  # 0, 5, 10 and 15 of sixteen lags
