"""What a running sum reads, and how it shares."""

import numpy as np

from capacity_inspection.graphs import Box, capacity_flow, from_layers, receptive_fields


def test_a_running_sum_looks_back_and_shares_capacity_evenly():
    graph = from_layers((1, 6), [("accumulate", {})])
    assert receptive_fields(graph, at=(0, 3))["input"] == Box((0, 0), (1, 4))
    np.testing.assert_allclose(capacity_flow(graph, at=(0, 3)).inputs["input"], [[0.25] * 4 + [0, 0]])
