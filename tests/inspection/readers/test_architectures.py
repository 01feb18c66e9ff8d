"""Architectures by name are the models and graphs that they describe."""

import inspect
import itertools
import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpydoc.docscrape import FunctionDoc

from capacity.models import DiagonalRecurrence, DilatedConvolution
from capacity_inspection.graphs import receptive_fields, time_reach
from capacity_inspection.models import DiagonalStateSpace
from capacity_inspection.readers import cnn, recurrent, ssm, tcn


@given(data=st.data())
def test_a_stack_has_its_taps_at_its_dilations_and_sees_all_its_inputs_and_no_later_step(data):
    few = st.integers(1, 3)
    dilations, stacks, components = data.draw(st.lists(few, min_size=1, max_size=2)), data.draw(st.integers(1, 2)), 2
    depth = len(dilations) * stacks
    channels, taps = (data.draw(st.lists(few, min_size=n, max_size=n)) for n in (depth - 1, depth))
    activation, residual = data.draw(st.sampled_from([None, "tanh"])), data.draw(st.booleans())
    options = {"stacks": stacks, "channels": channels, "taps": taps, "components": components}
    linear, made = tcn(dilations, **options), tcn(dilations, **options, activation=activation, residual=residual)
    assert linear == DilatedConvolution(dilations * stacks, channels, taps, components)
    if activation is None and not residual:
        assert made == linear
        return
    positions = 1 + sum(d * (k - 1) for d, k in zip(dilations * stacks, taps))
    ends = [components, *channels, channels[-1] if residual and channels else 1]
    pairs = list(itertools.pairwise(ends))
    count = sum(a * b * k for (a, b), k in zip(pairs, taps))
    if residual:  # a skip of one tap where channels differ, and one to read out
        count += sum(a * b for a, b in pairs if a != b) + ends[-1]
    assert made.n_parameters == count
    assert made["input"].shape == (components, positions)
    assert made[made.outputs[0]].shape == (1, positions)
    assert receptive_fields(made, at="last")["input"].shape == (components, positions)
    reach = time_reach(made)
    assert positions == 1 or (reach.past, reach.future, reach.causal) == (positions - 1, 0, True)


@given(data=st.data())
def test_a_network_on_a_grid_gets_smaller_by_its_strides_only(data):
    few = st.integers(1, 3)
    size = data.draw(st.lists(st.integers(1, 7), min_size=1, max_size=2))
    channels = data.draw(st.lists(few, min_size=1, max_size=3))
    kernel, strides = (data.draw(st.lists(few, min_size=len(channels), max_size=len(channels))) for _ in range(2))
    options = {"components": 2, "residual": data.draw(st.booleans()), "classes": data.draw(st.sampled_from([None, 4]))}
    graph, width, count, positions = cnn(size, channels=channels, kernel=kernel, strides=strides, **options), 2, 0, size
    for i, (outputs, k, stride) in enumerate(zip(channels, kernel, strides), start=1):
        positions = [-(-n // stride) for n in positions]
        assert graph[f"layer {i}"].shape == (outputs, *positions)
        count += outputs * width * k ** len(size)
        if options["residual"] and (outputs != width or stride > 1):
            count += outputs * width
        width = outputs
    if options["classes"]:
        count += 4 * width
        assert graph[graph.outputs[0]].shape == (4,)
    assert graph.n_parameters == count


def test_a_recurrence_is_a_stable_one():
    assert recurrent(32, channels=4) == DiagonalRecurrence(32, 4, bound=1.0)


def test_a_state_space_has_a_pair_of_poles_for_two_states():
    assert ssm(32, states=8) == DiagonalStateSpace(32, 4)


@pytest.mark.parametrize(
    ("make", "name"),
    [
        (lambda: recurrent(10_000, channels=100_000), "channels"),
        (lambda: ssm(10, states=10**8), "states"),
        (lambda: tcn([1, 2, 4], channels=10**6, activation="relu"), "channels"),
        (lambda: tcn([1, 10**9], activation="relu"), "dilations"),
        (lambda: cnn((10**5, 10**5), channels=1), "size"),
    ],
)
def test_what_would_fill_the_memory_is_refused_before_it_is_made(make, name):
    tracemalloc.start()
    try:
        with pytest.raises(ValueError, match=rf"^{name}: expected .* of at most \d+ numbers, got \d+; take "):
            make()
        assert tracemalloc.get_traced_memory()[1] < 2**24
    finally:
        tracemalloc.stop()


def test_weights_keep_the_variance():
    wide = cnn((1,), channels=[400, 400], components=400, kernel=1)
    assert [np.var(node.arrays["kernel"]) * 400 for node in wide.layers] == pytest.approx([2, 2], rel=0.02)
    linear = cnn((1,), channels=[400], components=400, kernel=1, activation=None)
    assert np.var(linear.layers[0].arrays["kernel"]) * 400 == pytest.approx(1, rel=0.02)


def test_a_seed_gives_the_same_weights_again():
    one, same, other = (cnn((4,), channels=[2], rng=seed).layers[0].arrays["kernel"] for seed in (1, 1, 2))
    assert np.array_equal(one, same)
    assert not np.array_equal(one, other)


def test_one_number_of_channels_makes_a_network_of_one_layer():
    assert cnn((8,), channels=2).layers[-1].shape == cnn((8,), channels=[2]).layers[-1].shape == (2, 8)


@pytest.mark.parametrize("build", [tcn, cnn])
def test_what_may_be_one_number_for_each_layer_is_annotated_so(build):
    documented = {
        name for part in FunctionDoc(build)["Parameters"] if "sequence" in part.type for name in part.name.split(", ")
    }
    annotated = {
        name for name, part in inspect.signature(build).parameters.items() if "Sequence" in str(part.annotation)
    }
    assert annotated == documented
