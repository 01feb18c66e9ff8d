"""Sequences at random: fields are what a NaN finds, and past, future and latency the largest of all outputs.

RANDOM_NETWORKS says how many networks are tried.
"""

import os

import numpy as np
import pytest
from probed_fields import probed_fields
from random_sequences import random_sequences

from capacity_inspection.graphs import moving_fields, receptive_fields, time_reach

SEEDS = range(4 * int(os.environ.get("RANDOM_NETWORKS", "24")))


def seen_by_all(graph, name):
    """What each unit of a node sees of the input."""
    (source,) = graph.inputs
    return {at: receptive_fields(graph, name, at).get(source) for at in np.ndindex(*graph[name].shape)}


@pytest.mark.parametrize("seed", SEEDS)
def test_what_a_unit_of_a_sequence_sees_is_what_a_nan_finds(seed):
    graph = random_sequences(seed)
    (output,) = graph.outputs
    fields = list(probed_fields(graph, output).items())
    for at, boxes in fields[:: max(len(fields) // 6, 1)]:
        assert receptive_fields(graph, output, at) == boxes


@pytest.mark.parametrize("seed", SEEDS)
def test_past_and_future_of_a_sequence_at_random_are_the_largest_of_all_outputs(seed):
    graph = random_sequences(seed)
    found = time_reach(graph)
    if found is None:
        return
    seen = {at: box for at, box in seen_by_all(graph, found.node).items() if box is not None}
    steps = {at: found.start + found.stride * at[found.axis] for at in seen}
    own = [(steps[at], box.start[1], box.stop[1]) for at, box in seen.items()]
    ends = [(first - start, stop - first - found.stride, stop - 1 - first) for first, start, stop in own]
    largest = [max(0, *each) for each in zip(*ends)] or [0, 0, 0]
    assert [found.past, found.future, found.latency] == largest
    assert found.causal == (found.future == 0)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_moving_field_of_a_sequence_at_random_holds_what_all_channels_see(seed):
    graph = random_sequences(seed)
    for name, fields in moving_fields(graph).items():
        field, seen = fields[1], {at: box for at, box in seen_by_all(graph, name).items() if box is not None}
        if field.note or not seen:
            continue
        for own in range(2):  # the axis that follows the steps is one of the two
            starts = [box.start[1] - field.start - field.stride * at[own] for at, box in seen.items()]
            stops = [field.start + field.stride * at[own] + field.extent - box.stop[1] for at, box in seen.items()]
            if min(starts) >= 0 and min(stops) >= 0:
                break
        else:
            raise AssertionError(f"{name}: {field} holds less than its units see")
