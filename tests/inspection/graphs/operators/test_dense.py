"""Dense layers go in blocks of rows."""

import numpy as np

from capacity_inspection.graphs import make_node
from capacity_inspection.graphs.operators import dense
from capacity_inspection.graphs.operators.boxes import whole_box


def test_large_dense_layers_go_in_blocks_of_rows(monkeypatch):
    kernel = np.random.default_rng(0).standard_normal((7, 5))
    node = make_node("y", "dense", make_node("x", "input", shape=(5,)), kernel=kernel)
    monkeypatch.setattr(dense, "_BLOCK", 10)
    found = node.rule.linear_part(node, [np.eye(5)], [whole_box((5,))], whole_box((7,)), [(5,)])
    np.testing.assert_allclose(found.T, kernel)
    array = np.random.default_rng(1).standard_normal((1, 7))
    np.testing.assert_allclose(node.rule.transposed_part(node, array, whole_box((7,)), [(5,)])[0][1], array @ kernel)
