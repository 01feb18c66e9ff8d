"""A transposed convolution is the adjoint of the convolution; interpolation is that of SciPy and of Keys."""

import numpy as np
import pytest
from scipy.interpolate import interp1d
from small_graphs import random_inputs, upsampled_image

from capacity_inspection.graphs import (
    capacity_flow,
    dense_input_capacity,
    forward,
    from_layers,
    make_node,
    receptive_fields,
    redrawn_weights,
    squared_gradient,
)
from capacity_inspection.graphs.operators.boxes import whole_box

RNG = np.random.default_rng(0)
CASES = [
    ((6, 5), {"strides": 2, "pads": [(1, 2)], "dilations": 3, "groups": 2}, (6, 2, 4)),
    ((4, 5, 6), {"strides": (2, 1), "pads": ((1, 0), (2, 2)), "dilations": (1, 2)}, (4, 3, 3, 3)),
    ((4, 3, 4, 2), {"strides": (1, 2, 3), "groups": 4, "output_pads": (0, 1, 2)}, (4, 1, 2, 1, 2)),
    ((1, 3), {"strides": 4, "pads": [(0, 9)]}, (1, 1, 3)),
]


@pytest.mark.parametrize(("shape", "options", "sizes"), CASES)
def test_it_is_the_adjoint_of_the_convolution_with_the_same_kernel(shape, options, sizes):
    kernel = RNG.standard_normal(sizes)
    source = make_node("x", "input", shape=shape)
    node = make_node("y", "transposed_convolution", source, kernel=kernel, **options)
    options = {key: value for key, value in options.items() if key != "output_pads"}
    back = make_node("z", "convolution", make_node("y", "input", shape=node.shape), kernel=kernel, **options)
    assert back.shape == shape
    x, y = RNG.standard_normal((1, *shape)), RNG.standard_normal((1, *node.shape))
    for power in (1, 2):
        up = node.rule.linear_part(node, [x], [whole_box(shape)], whole_box(node.shape), [shape], power=power)
        down = back.rule.linear_part(back, [y], [whole_box(node.shape)], whole_box(shape), [node.shape], power=power)
        np.testing.assert_allclose(np.vdot(up, y), np.vdot(x, down), rtol=1e-12)


def test_multiply_adds_are_those_of_the_convolution_that_it_transposes():
    source = make_node("x", "input", shape=(4, 6))
    node = make_node("y", "transposed_convolution", source, kernel=np.ones((4, 3, 5)), strides=2, groups=2)
    # each of 4 x 6 entries goes to 3 channels of its group with 5 taps
    assert node.rule.multiply_adds(node, [(4, 6)]) == 24 * 15


def test_a_redrawn_one_keeps_the_size_of_white_signals():
    kernel = {"kernel": np.zeros((64, 32, 4)), "strides": 2, "groups": 2}
    graph = redrawn_weights(from_layers((64, 400), [("transposed_convolution", kernel)]), rng=0)
    value = forward(graph, RNG.standard_normal((1, 64, 400)))["transposed_convolution 1"]
    assert np.mean(value[..., 4:-4] ** 2) == pytest.approx(1, rel=0.1)


def test_between_entries_it_is_linear_and_beyond_them_constant():
    x, places = RNG.standard_normal((2, 3, 9)), RNG.uniform(-2, 10, 40)
    found = forward(from_layers((3, 9), [("interpolate", {"coordinates": (None, places)})]), x)["interpolate 1"]
    expected = interp1d(np.arange(9), x, bounds_error=False, fill_value=(x[..., 0], x[..., -1]))(places)
    np.testing.assert_allclose(found, expected, atol=1e-12)


def test_whole_coordinates_that_rounding_moved_read_one_entry():
    places = np.array([1 - 1e-13, 2 + 1e-13])
    graph = from_layers((1, 4), [("interpolate", {"coordinates": (None, places)})])
    assert [receptive_fields(graph, at=(0, k))["input"].shape for k in (0, 1)] == [(1, 1), (1, 1)]


def test_gradients_through_everything_are_those_of_finite_differences():
    graph, step = upsampled_image(), 1e-6
    inputs = random_inputs(graph, 2)["input"]
    expected = np.zeros(inputs.shape[1:])
    for place in np.ndindex(*expected.shape):
        moved = np.zeros(inputs.shape)
        moved[(slice(None), *place)] = step
        change = [forward(graph, inputs + sign * moved)["slice 7"][:, 1, 2, 1] for sign in (1, -1)]
        expected[place] = np.mean(((change[0] - change[1]) / (2 * step)) ** 2)
    np.testing.assert_allclose(squared_gradient(graph, inputs, at=(1, 2, 1))["input"], expected, rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("coupling", [0.0, 1.0])
def test_capacity_is_that_of_all_second_moments(coupling):
    """Exact at both ends: one layer that mixes units between activations."""
    kernel = RNG.standard_normal((2, 3, 4))
    layers = [
        ("transposed_convolution", {"kernel": kernel, "strides": 2, "pads": 1}),
        ("activation", {"function": "tanh"}),
        ("interpolate", {"coordinates": (None, np.arange(24) / 2 - 0.25)}),
    ]
    graph = from_layers((2, 6), layers)
    found = capacity_flow(graph, at=(1, 11), coupling=coupling).inputs["input"]
    np.testing.assert_allclose(found, dense_input_capacity(graph, at=(1, 11), coupling=coupling)["input"], atol=1e-14)
