"""Entries that move a unit: those of all its paths, but for paths that cancel, at whatever scale these are."""

from dataclasses import replace

import numpy as np
import pytest
from random_sequences import random_sequences

from capacity_inspection.graphs import Graph, from_layers, make_node, receptive_fields
from capacity_inspection.graphs.cancellation import MovedBoxes

STEPS = 40
SERIES = make_node("x", "input", shape=(1, STEPS))


def moved(graph, name=None, at=(0, STEPS - 1)):
    """How many entries move a unit, and how many are seen by structure."""
    name, found = name or graph.outputs[0], MovedBoxes(graph)
    boxes = receptive_fields(graph, name, at)
    found.passes = max(found.passes, 3)  # whatever may cancel
    return found(name, at, boxes)["x"], boxes["x"]


def scaled(name, node, factor, *, learned=False):
    made = make_node(name, "scale", node, factor=[factor])
    return made if learned else replace(made, sources={})


def late(name, node, k):
    """A sequence k steps later."""
    padded = make_node(f"{name}, padded", "pad", node, pads=[(0, 0), (k, 0)])
    return padded, make_node(name, "slice", padded, end=(1, STEPS))


def difference(node, *more, learned=False, tiny=0.0):
    """A sequence less the same five steps before, perhaps plus a little of it."""
    shifted = late("late", node, 5)
    other = scaled("minus", shifted[1], -1.0, learned=learned)
    parts = [SERIES, *more, *dict.fromkeys([node]), *shifted, other]
    terms = [scaled("own", node, 1.0, learned=learned), other]
    if tiny:
        old = late("old", SERIES, 9)
        terms.append(scaled("tiny", old[1], tiny))
        parts += [*old, terms[-1]]
    nodes = [*parts, terms[0], make_node("y", "add", terms)]
    return Graph(tuple({each.name: each for each in nodes}.values()))


SUM = make_node("sum", "accumulate", SERIES)


@pytest.mark.parametrize(
    ("options", "expected"),
    [({}, 5), ({"learned": True}, STEPS), ({"tiny": 1e-8}, 10)],
    ids=["moving sum", "with factors that are learned", "beside a little of something older"],
)
def test_a_difference_of_sums_is_moved_by_the_steps_between(options, expected):
    found, seen = moved(difference(SUM, **options))
    assert (found.shape[1], found.stop, seen.shape[1]) == (expected, seen.stop, STEPS)


def chain(*layers):
    nodes = [SERIES]
    for operator, arguments in layers:
        nodes.append(make_node(f"{operator} {len(nodes)}", operator, nodes[-1], **arguments))
    return Graph(tuple(nodes))


def convolution(*taps):
    return "convolution", {"kernel": [[list(taps)]], "pads": [(len(taps) - 1, 0)]}


RELU = ("activation", {"function": "relu"})
POOLED = ("max_pool", {"window": 3, "pads": [(2, 0)]})
GRU = (
    "recurrent",
    {"kind": "gru", "hidden": 1, "kernel": np.full((3, 1), 9.0), "recurrent_kernel": np.full((3, 1), 9.0)},
)
HIDDEN = {
    "a rectifier that is off": [convolution(1.0, 1.0, -9.0), RELU] * 6,
    "the largest of a window": [POOLED] * 6,
    "weights that are zero": [convolution(0.0, 0.0, 0.0), ("scale", {"factor": [0.0]})],
    "products of small weights": [convolution(1e-20, 1.0)] * 12,
    "saturation": [("scale", {"factor": [1e9], "shift": [-1e9]}), GRU, convolution(1.0, 1.0)],
    "a step function of what is large": [("scale", {"shift": [-1.7e9]}), ("activation", {"function": "sigmoid"})],
}


@pytest.mark.parametrize("case", HIDDEN)
def test_paths_that_are_hidden_at_some_inputs_or_weights_count(case):
    found, seen = moved(chain(*HIDDEN[case]))
    assert found == seen


def test_what_is_left_of_a_mean_that_was_taken_off_is_nothing():
    layers = ("normalize", {"axes": (1,)}), ("average_pool", {"window": STEPS})
    found, seen = moved(chain(*layers), at=(0, 0))
    assert (found, seen.shape) == (None, (1, STEPS))


def test_weights_that_layers_share_cancel_and_others_do_not():
    kernel = [[[1.0, 2.0, 3.0]]]
    for names, expected in ((("w", "w"), None), (("v", "w"), (1, 3))):
        layers = [
            replace(make_node(f"layer {i}", "convolution", SERIES, kernel=kernel, pads=[(2, 0)]), sources={key: 3})
            for i, key in enumerate(names)
        ]
        minus = scaled("minus", layers[1], -1.0)
        found, _ = moved(Graph((SERIES, *layers, minus, make_node("y", "add", [layers[0], minus]))))
        assert (found and found.shape) == expected


@pytest.mark.parametrize("seed", range(80))
def test_no_path_of_a_sequence_at_random_is_taken_for_cancelled(seed):
    graph = random_sequences(seed)
    boxes, check = receptive_fields(graph, at="last"), MovedBoxes(graph)
    check.passes = 3
    assert check(graph.outputs[0], (0, *(n - 1 for n in graph[graph.outputs[0]].shape[1:])), boxes) == boxes


def test_networks_in_which_nothing_can_cancel_or_that_are_large_are_not_looked_at():
    assert MovedBoxes(difference(SUM)).passes > 1000
    assert MovedBoxes(chain(convolution(1.0, -1.0), RELU)).passes == 0
    constant = replace(make_node("steps", "convolution", SERIES, kernel=[[[-1.0, 1.0]]], pads=[(1, 0)]), sources={})
    assert MovedBoxes(Graph((SERIES, constant))).passes > 0
    normalized = ("normalize", {"axes": (0,)})
    assert MovedBoxes(chain(normalized)).passes > 0
    large = from_layers((2**20, 2), [normalized, normalized])
    assert MovedBoxes(large).passes == 0
    looked = MovedBoxes(chain(normalized))
    looked.passes = 0
    assert looked("normalize 1", (0, 0), {}) is None
