"""A pool chooses one entry of each window."""

import numpy as np

from capacity_inspection.graphs import Graph, forward, make_node


def test_each_window_of_a_pool_has_one_winner_that_holds_its_maximum():
    source = make_node("x", "input", shape=(2, 7))
    node = make_node("y", "max_pool", source, window=3, strides=2, pads=1)
    x = np.random.default_rng(0).integers(0, 3, (2, 2, 7)).astype(float)  # with ties
    maxima = forward(Graph((source, node)), x)["y"]
    for at in np.ndindex(*maxima.shape):
        array = np.zeros(maxima.shape)
        array[at] = 1
        (handed,) = node.rule.held_vjp(node, node.rule.held(node, [x], maxima), array)
        assert handed.sum() == 1
        assert x[handed == 1] == maxima[at]
