"""Running sums against the triangular matrix that they are."""

import numpy as np
import pytest

from capacity_inspection.graphs import capacity_flow, from_layers, make_node, receptive_fields
from capacity_inspection.graphs.operators.boxes import Box, whole_box

RNG = np.random.default_rng(0)
SHAPE = (3, 5)


@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("power", [1, 2])
def test_running_sums_are_products_with_a_triangular_matrix_and_its_transpose_hands_back(axis, reverse, power):
    node = make_node("y", "accumulate", make_node("x", "input", shape=SHAPE), axis=axis, reverse=reverse)
    triangle = np.tri(SHAPE[axis])
    matrix = triangle.T if reverse else triangle
    x, y = RNG.standard_normal((2, 1, *SHAPE))
    box = Box((1, 2), (3, 4))
    (own,) = node.rule.reads(node, box, [SHAPE])
    expected = np.moveaxis(np.tensordot(x, matrix, axes=(axis + 1, 1)), -1, axis + 1)
    found = node.rule.linear_part(node, [x[own.within(whole_box(SHAPE))]], [own], box, [SHAPE], power=power)
    np.testing.assert_allclose(found, expected[box.within(whole_box(SHAPE))], atol=1e-12)
    ((place, back),) = node.rule.transposed_part(node, y[box.within(whole_box(SHAPE))], box, [SHAPE], power=power)
    np.testing.assert_allclose(
        np.vdot(found, y[box.within(whole_box(SHAPE))]), np.vdot(x[place.within(whole_box(SHAPE))], back), atol=1e-12
    )


def test_a_running_sum_looks_back_and_shares_capacity_evenly():
    graph = from_layers((1, 6), [("accumulate", {})])
    assert receptive_fields(graph, at=(0, 3))["input"] == Box((0, 0), (1, 4))
    np.testing.assert_allclose(capacity_flow(graph, at=(0, 3)).inputs["input"], [[0.25] * 4 + [0, 0]])
