from dataclasses import replace

import numpy as np
import pytest

from capacity.activations import hard_tanh, tanh
from capacity.networks import Layer, forward_pass
from capacity_studies.expressivity import layer_influences, random_layers, relative_changes, relative_sensitivity

RNG_SHAPE = (30, 8)


@pytest.fixture
def both():
    return np.random.default_rng(0).standard_normal((2, *RNG_SHAPE))


def test_it_is_the_ratio_of_relative_changes_under_a_small_step(both):
    inputs, directions = both
    layers = random_layers(8, 20, 3, tanh(), sigma_w=2.0, sigma_b=0.5, outputs=3, networks=2, rng=1)
    found = relative_sensitivity(layers, inputs, directions)
    assert found.shape == (2, 4)
    sides = [forward_pass(layers, inputs + step * directions).states for step in (1e-6, -1e-6)]
    states = forward_pass(layers, inputs).states
    size = lambda x: np.sqrt(np.square(x).sum(axis=(-2, -1)))  # noqa: E731
    given = size(directions) / size(inputs)
    wanted = [size(up - down) / 2e-6 / size(x) / given for up, down, x in list(zip(*sides, states))[1:]]
    assert np.allclose(found, np.transpose(wanted), rtol=1e-6)
    assert np.allclose(relative_sensitivity(layers, inputs, 7 * directions), found, rtol=1e-12)


def test_wide_random_networks_follow_the_mean_field():
    inputs, directions = np.random.default_rng(0).standard_normal((2, 20, 800))
    layers = random_layers(800, 800, 5, hard_tanh(), sigma_w=3.0, networks=2, rng=1)
    found = np.sqrt(np.mean(relative_sensitivity(layers, inputs, directions)[:, :5] ** 2, axis=0))
    assert np.allclose(found, relative_changes(hard_tanh(), 9.0, 5, sigma_w=3.0), rtol=0.03)


def test_a_linear_network_keeps_relative_changes_where_all_directions_are_alike(both):
    layers = [Layer(np.linalg.qr(both[0].T @ both[1])[0]), Layer(2 * np.eye(8))]
    assert np.allclose(relative_sensitivity(layers, *both), 1, rtol=1e-12)


def test_an_influence_is_the_relative_change_of_the_outputs_under_a_small_change_of_weights(both):
    layers = random_layers(8, 20, 2, tanh(), sigma_w=2.0, sigma_b=0.5, outputs=3, rng=1)
    found = layer_influences(layers, both[0], rng=7)
    draws, outputs = np.random.default_rng(7), forward_pass(layers, both[0]).outputs
    for level, layer in enumerate(layers):
        change = draws.standard_normal(layer.weights.shape) * np.sqrt(np.mean(layer.weights**2))
        sides = []
        for step in (1e-6, -1e-6):
            changed = replace(layer, weights=layer.weights + step * change)
            sides.append(forward_pass([*layers[:level], changed, *layers[level + 1 :]], both[0]).outputs)
        wanted = np.linalg.norm(sides[0] - sides[1]) / 2e-6 / np.linalg.norm(outputs)
        assert found[0, level] == pytest.approx(wanted, rel=1e-6)
