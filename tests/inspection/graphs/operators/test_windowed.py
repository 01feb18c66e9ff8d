"""Convolutions and pools are their definitions."""

import numpy as np
import pytest

from capacity.layers import convolution_projection
from capacity_inspection.graphs import Graph, forward, make_node
from capacity_inspection.graphs.operators.boxes import whole_box


def convolution_by_loops(x, kernel, strides, dilations, pads, groups):
    """The definition: one output at a time."""
    padded = np.pad(x, [(0, 0), *pads])
    taps = kernel.shape[2:]
    counts = [(n - d * (k - 1) - 1) // s + 1 for n, k, s, d in zip(padded.shape[1:], taps, strides, dilations)]
    out = np.zeros((kernel.shape[0], *counts))
    for o in range(kernel.shape[0]):
        first = o // (kernel.shape[0] // groups) * kernel.shape[1]
        for place in np.ndindex(*counts):
            for c in range(kernel.shape[1]):
                for tap in np.ndindex(*taps):
                    at = tuple(s * p + d * t for p, t, s, d in zip(place, tap, strides, dilations))
                    out[(o, *place)] += kernel[(o, c, *tap)] * padded[(first + c, *at)]
    return out


@pytest.mark.parametrize("groups", [1, 2, 4])
def test_a_convolution_is_its_definition(groups):
    rng = np.random.default_rng(groups)
    x, kernel = rng.standard_normal((4, 8, 7)), rng.standard_normal((8, 4 // groups, 3, 2))
    options = {"strides": (2, 1), "dilations": (1, 3), "pads": ((1, 2), (0, 1)), "groups": groups}
    source = make_node("x", "input", shape=x.shape)
    node = make_node("y", "convolution", source, kernel=kernel, **options)
    found = node.rule.linear_part(node, [x[None]], [whole_box(x.shape)], whole_box(node.shape), [x.shape])[0]
    np.testing.assert_allclose(found, convolution_by_loops(x, kernel, **options), atol=1e-12)


def test_a_convolution_is_the_sparse_matrix_of_the_room_of_layers():
    kernel = np.random.default_rng(0).standard_normal((3, 2, 3, 3))
    matrix = convolution_projection(kernel, (7, 6), stride=2, padding=2, dilation=2).toarray()
    node = make_node(
        "y", "convolution", make_node("x", "input", shape=(2, 7, 6)), kernel=kernel, strides=2, dilations=2, pads=2
    )
    units = np.eye(84).reshape(84, 2, 7, 6)
    found = node.rule.linear_part(node, [units], [whole_box((2, 7, 6))], whole_box(node.shape), [(2, 7, 6)])
    np.testing.assert_allclose(found.reshape(84, -1), matrix, atol=1e-14)


@pytest.mark.parametrize(("count_pads", "corner"), [(True, 0.25), (False, 1.0)])
def test_an_average_pool_counts_its_pads_or_does_not(count_pads, corner):
    source = make_node("x", "input", shape=(1, 4, 4))
    node = make_node("y", "average_pool", source, window=2, strides=2, pads=1, count_pads=count_pads)
    ones = np.ones((1, 1, 4, 4))
    found = node.rule.linear_part(node, [ones], [whole_box((1, 4, 4))], whole_box(node.shape), [(1, 4, 4)])[0, 0]
    assert found[0, 0] == corner
    assert found[1, 1] == 1


def test_each_window_of_a_pool_has_one_winner_that_holds_its_maximum():
    source = make_node("x", "input", shape=(2, 7))
    node = make_node("y", "max_pool", source, window=3, strides=2, pads=1)
    x = np.random.default_rng(0).integers(0, 3, (2, 2, 7)).astype(float)  # with ties
    maxima = forward(Graph((source, node)), x)["y"]
    for at in np.ndindex(*maxima.shape):
        array = np.zeros(maxima.shape)
        array[at] = 1
        (handed,) = node.rule.handed_back(node, array, [x], held=True)
        assert handed.sum() == 1
        assert x[handed == 1] == maxima[at]
