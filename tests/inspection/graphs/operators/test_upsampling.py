"""Weights, gradients and capacity through transposed convolutions and interpolation."""

import numpy as np
import pytest

from capacity_inspection.graphs import (
    capacity_flow,
    dense_input_capacity,
    forward,
    from_layers,
    receptive_fields,
    redrawn_weights,
)

RNG = np.random.default_rng(0)


def test_a_redrawn_one_keeps_the_size_of_white_signals():
    kernel = {"kernel": np.zeros((64, 32, 4)), "strides": 2, "groups": 2}
    graph = redrawn_weights(from_layers((64, 400), [("transposed_convolution", kernel)]), rng=0)
    value = forward(graph, RNG.standard_normal((1, 64, 400)))["transposed_convolution 1"]
    assert np.mean(value[..., 4:-4] ** 2) == pytest.approx(1, rel=0.1)


def test_whole_coordinates_that_rounding_moved_read_one_entry():
    places = np.array([1 - 1e-13, 2 + 1e-13])
    graph = from_layers((1, 4), [("interpolate", {"coordinates": (None, places)})])
    assert [receptive_fields(graph, at=(0, k))["input"].shape for k in (0, 1)] == [(1, 1), (1, 1)]


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
