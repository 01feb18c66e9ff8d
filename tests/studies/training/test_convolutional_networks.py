"""Layers that vote at each position."""

import numpy as np

from capacity.activations import relu
from capacity.networks import forward_pass
from capacity_studies.training import random_convolutional_layers


def test_layers_of_one_network_keep_the_size_of_states_and_vote_at_each_position():
    rng = np.random.default_rng(0)
    layers = random_convolutional_layers(6, 64, 10, relu(), inputs=4, rng=rng)
    scales = [(1 / (4 * 9)) ** 0.5, *[(2 / (64 * 9)) ** 0.5] * 5, (2 / 64) ** 0.5]
    shapes = [(64, 4, 3, 3), *[(64, 64, 3, 3)] * 5, (10, 64, 1, 1)]
    draws = np.random.default_rng(0)
    for layer, scale, shape in zip(layers, scales, shapes):
        np.testing.assert_allclose(layer.weights, scale * draws.standard_normal(shape), rtol=1e-14)
    states = forward_pass(layers, rng.standard_normal((2, 4, 7, 6))).states
    assert states[-1].shape == (2, 10, 7, 6)
    assert [layer.residual for layer in layers] == [None] * 7
    moved = forward_pass(layers, np.roll(states[0], 3, axis=-1)).outputs
    assert np.allclose(moved, np.roll(states[-1], 3, axis=-1), atol=1e-12)


def test_residual_branches_leave_out_the_first_layer_and_the_vote():
    layers = random_convolutional_layers(3, 2, 5, relu(), residual=0.5, dimensions=1, rng=0)
    assert [layer.residual for layer in layers] == [None, 0.5, 0.5, None]
    assert [layer.activation is None for layer in layers] == [True, False, False, False]
