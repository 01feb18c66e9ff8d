"""Receptive fields by intervals are those that a NaN finds, and those of the closed forms."""

import numpy as np
import pytest
from small_graphs import dense_chain, random_inputs, random_projections, residual_series, two_inputs, varied_image

from capacity.inspection.graphs import Graph, from_layers, make_node, probe_receptive_field, receptive_fields
from capacity.inspection.graphs.boxes import whole_box
from capacity.inspection.graphs.fields import boxes_below, output_position


@pytest.mark.parametrize(
    ("graph", "output"),
    [
        (varied_image(), "left"),
        (varied_image(), "flat"),
        (varied_image(), "logits"),
        (residual_series(), "second"),
        (residual_series(), "b"),
        (two_inputs(), "top"),
    ],
    ids=["grouped", "joined", "dense", "residual", "dilated", "two inputs"],
)
def test_intervals_are_what_a_nan_finds(graph, output):
    units = list(np.ndindex(*graph[output].shape))
    for at in units[:: max(len(units) // 12, 1)]:
        fields = receptive_fields(graph, output, at)
        boxes = {key: fields[key].box for key in graph.inputs if key in fields}
        assert probe_receptive_field(graph, output, at) == boxes


def test_probes_need_no_particular_inputs():
    graph = varied_image()
    found = probe_receptive_field(graph, "left", inputs=random_inputs(graph, 1))
    assert found == probe_receptive_field(graph, "left")


@pytest.mark.parametrize(("stride", "dilation"), [(1, 1), (2, 1), (1, 3), (2, 2)])
def test_a_stack_of_convolutions_has_the_field_of_the_closed_form(stride, dilation):
    layers = [("convolution", {"kernel": np.ones((1, 1, 3)), "strides": stride, "dilations": dilation})] * 4
    field = receptive_fields(from_layers((1, 200), layers))["input"]
    extent = 1 + sum(2 * dilation * stride**l for l in range(4))
    assert field.extent == field.shape == (1, extent)
    assert field.stride == (0, stride**4)


def test_a_causal_stack_sees_back_by_the_sum_of_its_dilations():
    layers = [("convolution", {"kernel": np.ones((1, 1, 2)), "dilations": d, "pads": [(d, 0)]}) for d in (1, 2, 4, 8)]
    field = receptive_fields(from_layers((1, 40), layers), at="last")["input"]
    assert (field.start, field.stop) == ((0, 24), (1, 40))
    early = receptive_fields(from_layers((1, 40), layers), at=(0, 3))["input"]
    assert (early.start, early.stop, early.extent) == ((0, 0), (1, 4), (1, 16))


def test_a_dense_layer_sees_everything_and_does_not_move():
    field = receptive_fields(varied_image(), "logits")["pool"]
    assert (field.shape, field.stride) == ((4, 5, 4), (0, 0, 0))


def test_a_group_sees_its_own_channels():
    layer = ("convolution", {"kernel": np.ones((4, 2, 1)), "groups": 2})
    assert receptive_fields(from_layers((4, 3), [layer]), at=(2, 1))["input"].start == (2, 1)


def test_nodes_that_an_output_does_not_depend_on_are_left_out():
    assert set(receptive_fields(residual_series(), "first")) == {"input", "a", "activation 2", "convolution 3", "first"}


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
    for function in (receptive_fields, probe_receptive_field):
        with pytest.raises((TypeError, ValueError), match=message):
            function(residual_series(), output, at)


def test_beside_the_seam_of_a_concatenation_the_other_neighbour_tells_the_stride():
    x, y = (make_node(key, "input", shape=(1, 6)) for key in "xy")
    graph = Graph((x, y, make_node("both", "concatenate", [x, y], axis=1)))
    for at, key in ((5, "x"), (6, "y")):
        field = receptive_fields(graph, at=(0, at))[key]
        assert (field.extent, field.stride) == ((1, 1), (0, 1))
