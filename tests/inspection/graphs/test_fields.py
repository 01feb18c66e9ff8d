"""Receptive fields by intervals are those that a NaN finds, and those of the closed forms."""

import numpy as np
import pytest
from small_graphs import (
    dense_chain,
    random_projections,
    residual_series,
)

from capacity_inspection.graphs import (
    Graph,
    make_node,
    moving_fields,
    receptive_fields,
)
from capacity_inspection.graphs.fields import MovingField, boxes_below, output_position
from capacity_inspection.graphs.operators.boxes import whole_box


def test_boxes_of_many_units_contain_those_of_each():
    graph = residual_series()
    whole = boxes_below(graph, "second", whole_box(graph["second"].shape))
    assert whole["input"] == whole_box((1, 12))


def test_the_middle_and_the_last_position_have_names():
    graph = dense_chain(random_projections(3, 2))
    assert output_position(graph, None, "centre") == ("activation 2", (0,))
    assert output_position(residual_series(), "a", "centre") == ("a", (0, 6))
    assert output_position(residual_series(), "a", "last") == ("a", (0, 11))


@pytest.mark.parametrize(
    ("output", "at", "message"),
    [
        ("z", "centre", "name: expected a node of the graph"),
        ("a", "first", "at: expected 'centre', 'last' or an index"),
        ("a", (0,), "at: expected an index into shape"),
        ("a", (2, 0), "at: expected an index into shape"),
        ("a", (0, -1), "expected an integer >= 0"),
        ("a", (0, 1.5), "expected an integer"),
    ],
)
def test_units_that_do_not_exist_are_refused(output, at, message):
    with pytest.raises((TypeError, ValueError), match=message):
        receptive_fields(residual_series(), output, at)


def test_at_the_seam_of_a_concatenation_the_field_does_not_move_on():
    x, y = (make_node(key, "input", shape=(1, 6)) for key in "xy")
    along = Graph((x, y, make_node("both", "concatenate", [x, y], axis=1)))
    assert moving_fields(along, "y")["both"][1] == MovingField(-6, 1, 1)  # the units of x see nothing of y
    halves = [make_node(f"half {k}", "slice", x, begin=(0, 3 * k), end=(1, 3 * k + 3)) for k in range(2)]
    again = Graph((x, *halves, make_node("both", "concatenate", halves, axis=1)))
    assert moving_fields(again)["both"][1] == MovingField(0, 1, 1)


@pytest.mark.parametrize("pads", [(0, 1), (1, 0)])
def test_a_node_beside_of_which_units_see_as_far_on_one_side_changes_nothing(pads):
    def joined(name, *nodes):
        parts = zip(nodes, (0, 5), (5, 8))
        parts = [make_node(f"{name} {a}", "slice", node, begin=(0, a), end=(1, b)) for node, a, b in parts]
        return [*parts, make_node(name, "concatenate", parts, axis=1)]

    x = make_node("x", "input", shape=(1, 8))
    two = make_node("two", "convolution", x, kernel=np.ones((1, 1, 2)), pads=[pads])
    alone = moving_fields(Graph((x, two, *joined("mixed", x, two))))
    beside = moving_fields(Graph((x, two, *joined("plain", x, x), *joined("mixed", x, two))))
    assert alone == {name: beside[name] for name in alone}


def test_channels_that_see_differently_are_told_together_and_not_apart():
    x = make_node("x", "input", shape=(1, 9))
    narrow = make_node("narrow", "convolution", x, kernel=np.ones((2, 1, 3)), pads=1)
    wide = make_node("wide", "convolution", x, kernel=np.ones((2, 1, 5)), pads=2)
    both = make_node("both", "concatenate", [narrow, wide])
    mixed = make_node("mixed", "convolution", both, kernel=np.ones((1, 4, 1)))
    first = make_node("first", "slice", both, end=(2, 9))
    found = moving_fields(Graph((x, narrow, wide, both, mixed, first)))
    assert found["both"][1] == found["mixed"][1] == MovingField(-2, 5, 1)
    assert found["first"][1] == MovingField(-1, 3, 1)


def test_what_is_seen_all_over_is_known_behind_joined_axes_and_beside_what_sees_less():
    x = make_node("x", "input", shape=(4, 6))
    narrow = make_node("narrow", "convolution", x, kernel=np.ones((4, 4, 3)), pads=1)
    groups = make_node("groups", "reshape", narrow, shape=(2, 12))  # as ONNX writes a normalisation of groups
    normalized = make_node("normalized", "normalize", groups, axes=(1,))
    whole = make_node("whole", "reshape", normalized, shape=(4, 6))
    both = make_node("both", "concatenate", [narrow, whole])
    mixed = make_node("mixed", "convolution", both, kernel=np.ones((1, 8, 1)))
    found = moving_fields(Graph((x, narrow, groups, normalized, whole, both, mixed)))
    assert found["groups"][1].note == "what a unit sees depends on its place"
    for name in ("normalized", "whole", "both", "mixed"):
        assert found[name][1] == MovingField(0, 6, 0)


def test_axes_along_which_units_differ_are_not_forgotten_where_branches_meet():
    x = make_node("x", "input", shape=(6, 6))
    turned = make_node("turned", "transpose", x, permutation=(1, 0))
    both = make_node("both", "add", [x, turned])
    rows = make_node("rows", "convolution", both, kernel=np.ones((1, 6, 1)))
    found = moving_fields(Graph((x, turned, both, rows)))
    assert found["both"][1] == found["rows"][1] == MovingField(0, 6, 0)  # of all channels together
