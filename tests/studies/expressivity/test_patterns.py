from itertools import pairwise

import numpy as np
import pytest

from capacity.activations import hard_tanh, leaky, relu, tanh
from capacity.networks import forward_pass
from capacity_studies.expressivity import activation_patterns, arc, count_pattern_changes, count_patterns, random_layers


@pytest.mark.parametrize("activation", [relu(), leaky(0.2), hard_tanh()], ids=lambda a: a.name)
def test_patterns_are_the_pieces_on_which_units_are(activation):
    """Below, at and above the kinks, counted unit by unit; as many different ones as a set of tuples holds."""
    layers = random_layers(3, 5, 2, activation, sigma_w=2.0, sigma_b=0.5, networks=2, rng=0)
    points = np.random.default_rng(1).standard_normal((300, 3))
    found = activation_patterns(layers, points)
    assert found.shape == (2, 300, 10)
    sums = np.concatenate(forward_pass(layers, points).states[1:3], axis=-1)
    np.testing.assert_array_equal(found, [[np.digitize(row, activation.kinks) for row in net] for net in sums])
    counted = [len({tuple(row) for row in network.tolist()}) for network in found]
    np.testing.assert_array_equal(count_patterns(found), counted)
    assert count_patterns(found[0]) == counted[0] < 300
    assert count_patterns(found.astype(float)[0]) == counted[0]


def test_all_states_of_many_units_are_told_apart():
    """Patterns of 100 units that differ in one state of one unit each."""
    patterns = np.zeros((201, 100), np.uint8)
    patterns[1 + np.arange(100), np.arange(100)] = 1
    patterns[101 + np.arange(100), np.arange(100)] = 2
    assert count_patterns(patterns) == 201
    assert count_patterns(np.concatenate([patterns, patterns])) == 201
    assert count_patterns(np.array([[0, 255], [0, 254], [255, 0]])) == 3


def test_changes_along_a_curve():
    layers = random_layers(4, 8, 3, hard_tanh(), sigma_w=3.0, sigma_b=0.3, networks=2, rng=3)
    curve = arc(*np.random.default_rng(4).standard_normal((2, 4)), 500)
    patterns = activation_patterns(layers, curve.points)
    expected = [sum(a != b for a, b in pairwise(map(tuple, network))) for network in patterns]
    np.testing.assert_array_equal(count_pattern_changes(patterns), expected)
    last = (patterns[:, 0] != patterns[:, -1]).any(axis=-1)
    np.testing.assert_array_equal(count_pattern_changes(patterns, closed=True), expected + last)
    assert (count_patterns(patterns) <= np.array(expected) + 1).all()
    assert count_pattern_changes(patterns[0]) == expected[0]


def test_other_activations_have_patterns_of_the_kinks_that_are_given():
    layers = random_layers(2, 3, 1, tanh(), sigma_w=1.0, rng=0)
    points = np.array([[1.0, 2.0], [-1.0, 0.5]])
    signs = forward_pass(layers, points).states[1] > 0
    np.testing.assert_array_equal(activation_patterns(layers, points, kinks=(0.0,)), signs)
