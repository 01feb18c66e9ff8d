"""One pass backwards has the weights of all paths."""

import numpy as np
from small_graphs import dense_chain, random_projections, two_inputs

from capacity_inspection.graphs.backward import input_weights


def test_weights_of_a_chain_are_products_of_matrices_and_gains():
    first, second = random_projections(5, 4, 3)
    gains = {"activation 2": np.array([1.0, -0.5, 0.0, 2.0]), "activation 4": np.array([1.0, 3.0, 1.0])}
    found = input_weights(
        dense_chain([first, second]), "activation 4", (1,), lambda node, array: [array * gains[node.name]]
    )
    np.testing.assert_allclose(found["input"][0], first @ (gains["activation 2"] * second[:, 1]) * 3)


def test_each_input_has_its_own_weights():
    graph = two_inputs()
    found = input_weights(graph, "total", (2, 0), None)
    np.testing.assert_array_equal(found["series"][0, 0], graph["left"].arrays["kernel"][2, 0])
    np.testing.assert_array_equal(found["constant"][0], graph["right"].arrays["kernel"][2])
