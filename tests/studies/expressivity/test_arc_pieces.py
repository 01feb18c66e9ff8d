import numpy as np
import pytest

from capacity.activations import absolute, hard_tanh, leaky, linear, relu
from capacity.networks import Layer, forward_pass
from capacity_studies.expressivity import activation_patterns, count_pattern_changes, count_patterns, random_layers
from capacity_studies.expressivity.arc_pieces import sinusoid_pieces

X0, X1 = np.random.default_rng(0).standard_normal((2, 5))


def network(activation, depth=3, width=12, **scales):
    layers = random_layers(5, width, depth, activation, rng=1, **{"sigma_w": 2.5, "sigma_b": 0.3} | scales)
    return [Layer(x.weights[0], x.bias if x.bias is None else x.bias[0], x.activation) for x in layers]


def points_at(t):
    return np.cos(t)[:, None] * X0 + np.sin(t)[:, None] * X1


def pieces_of(layers, first, second, angle):
    return sinusoid_pieces(layers, np.stack([first, second, np.zeros(len(first))]), angle)


@pytest.mark.parametrize("angle", [1.3, 2 * np.pi])
@pytest.mark.parametrize("activation", [relu(), leaky(0.2), absolute(), hard_tanh()], ids=lambda a: a.name)
def test_on_each_piece_the_network_is_one_sinusoid_and_between_two_a_unit_is_at_a_kink(activation, angle):
    layers = network(activation)
    edges, sinusoids = pieces_of(layers, X0, X1, angle)
    assert (edges[0], edges[-1]) == (0, angle)
    inside = (edges[:-1] + np.outer([0.01, 0.5, 0.99], np.diff(edges))).ravel()
    alpha, beta, gamma = np.moveaxis(np.tile(sinusoids, (3, 1, 1)), 1, 0)
    outputs = alpha * np.cos(inside)[:, None] + beta * np.sin(inside)[:, None] + gamma
    np.testing.assert_allclose(forward_pass(layers, points_at(inside)).outputs, outputs, atol=1e-12)
    sums = np.concatenate(forward_pass(layers, points_at(edges[1:-1])).states[1:-1], axis=1)
    distances = np.abs(sums[..., None] - np.array(activation.kinks)).min(axis=(1, 2))
    assert distances.max() < 1e-12
    start, middle, end = activation_patterns(layers, points_at(inside)).reshape(3, edges.size - 1, -1)
    np.testing.assert_array_equal([start, end], [middle, middle])
    assert (middle[1:] != middle[:-1]).any(axis=1).all()


def test_a_fine_sample_finds_the_same_patterns():
    layers = network(hard_tanh())
    edges, _ = pieces_of(layers, X0, X1, 2 * np.pi)
    assert np.diff(edges).min() > 2 * np.pi / 60_000  # so that the sample passes one breakpoint at a time
    times = np.arange(60_000) * 2 * np.pi / 60_000, (edges[1:] + edges[:-1]) / 2
    sampled, exact = (activation_patterns(layers, points_at(t)) for t in times)
    assert count_patterns(sampled) == count_patterns(exact)
    assert count_pattern_changes(sampled, closed=True) == count_pattern_changes(exact, closed=True)


def test_an_open_arc_has_the_breakpoints_of_the_closed_one():
    (whole, _), (first, _) = (pieces_of(network(relu()), X0, X1, angle) for angle in (2 * np.pi, 2.0))
    assert first.size - 1 == np.searchsorted(whole, 2.0)
    np.testing.assert_allclose(first[:-1], whole[: first.size - 1], atol=1e-13)


def test_a_network_without_kinks_is_one_piece_and_a_sum_that_touches_a_kink_makes_none():
    assert pieces_of(network(linear()), X0, X1, np.pi / 2)[0].size == 2
    touching = [Layer([[1.0, 0.0]], [-1.0]), Layer([[1.0]], activation=relu())]
    assert len(pieces_of(touching, [1.0, 0.0], [0.0, 1.0], 2 * np.pi)[1]) == 1
    met = [Layer([[1.0, 0.0]], [-0.5]), Layer([[1.0]], activation=relu())]
    np.testing.assert_allclose(pieces_of(met, [1.0, 0.0], [0.0, 1.0], 2 * np.pi)[0] / np.pi, [0, 1 / 3, 5 / 3, 2])
