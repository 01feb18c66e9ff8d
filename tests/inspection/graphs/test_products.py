"""Dense layers go in blocks of rows; a recurrent layer sees the past, the future or both."""

import numpy as np

from capacity.inspection.graphs import Box, make_node, products
from capacity.inspection.graphs.boxes import whole_box


def test_large_dense_layers_go_in_blocks_of_rows(monkeypatch):
    kernel = np.random.default_rng(0).standard_normal((7, 5))
    node = make_node("y", "dense", make_node("x", "input", shape=(5,)), kernel=kernel)
    monkeypatch.setattr(products, "_BLOCK", 10)
    found = node.rule.linear_part(node, [np.eye(5)], [whole_box((5,))], whole_box((7,)), [(5,)])
    np.testing.assert_allclose(found.T, kernel)
    array = np.random.default_rng(1).standard_normal((1, 7))
    np.testing.assert_allclose(node.rule.transposed_part(node, array, whole_box((7,)), [(5,)])[0][1], array @ kernel)


def test_a_recurrent_layer_sees_the_past_the_future_or_both():
    source = make_node("x", "input", shape=(2, 9))
    seen = {}
    for direction in ("forward", "reverse", "bidirectional"):
        node = make_node("y", "recurrent", source, kernel=np.ones((4, 2)), hidden=4, direction=direction)
        seen[direction] = node.rule.reads(node, Box((0, 3), (1, 5)), [(2, 9)])[0]
    assert seen == {
        "forward": Box((0, 0), (2, 5)),
        "reverse": Box((0, 3), (2, 9)),
        "bidirectional": Box((0, 0), (2, 9)),
    }
