import numpy as np
import pytest

from capacity.activations import absolute, hard_tanh, leaky, linear, relu
from capacity.networks import Layer, forward_pass
from capacity_studies.expressivity import (
    Curve,
    activation_patterns,
    arc,
    count_pattern_changes,
    count_patterns,
    count_transitions,
    random_layers,
    subdivide_arc,
    sum_curves,
    trajectory_lengths,
)

X0, X1 = np.random.default_rng(0).standard_normal((2, 5))


def network(activation, depth=3, width=12, **scales):
    layers = random_layers(5, width, depth, activation, rng=1, **{"sigma_w": 2.5, "sigma_b": 0.3} | scales)
    return [Layer(x.weights[0], x.bias if x.bias is None else x.bias[0], x.activation) for x in layers]


def points_at(t):
    return np.cos(t)[:, None] * X0 + np.sin(t)[:, None] * X1


@pytest.mark.parametrize("angle", [1.3, 2 * np.pi])
@pytest.mark.parametrize("activation", [relu(), leaky(0.2), absolute(), hard_tanh()], ids=lambda a: a.name)
def test_on_each_piece_the_network_is_one_sinusoid_and_between_two_a_unit_is_at_a_kink(activation, angle):
    layers = network(activation)
    pieces = subdivide_arc(layers, X0, X1, angle=angle)
    assert (pieces.edges[0], pieces.edges[-1]) == (0, angle)
    inside = (pieces.edges[:-1] + np.outer([0.01, 0.5, 0.99], np.diff(pieces.edges))).ravel()
    forward = forward_pass(layers, points_at(inside))
    alpha, beta, gamma = np.moveaxis(np.tile(pieces.outputs, (3, 1, 1)), 1, 0)
    outputs = alpha * np.cos(inside)[:, None] + beta * np.sin(inside)[:, None] + gamma
    np.testing.assert_allclose(forward.outputs, outputs, atol=1e-12)
    np.testing.assert_array_equal(activation_patterns(layers, points_at(inside)), np.tile(pieces.patterns, (3, 1)))
    sums = np.concatenate(forward_pass(layers, points_at(pieces.edges[1:-1])).states[1:-1], axis=1)
    distances = np.abs(sums[..., None] - np.array(activation.kinks)).min(axis=(1, 2))
    assert distances.max() < 1e-12
    assert (pieces.patterns[1:] != pieces.patterns[:-1]).any(axis=1).all()


def test_a_fine_sample_finds_the_same_transitions_patterns_and_lengths():
    layers, curve = network(hard_tanh()), arc(X0, X1, 60_000, angle=2 * np.pi)
    pieces = subdivide_arc(layers, X0, X1, angle=2 * np.pi)
    assert np.diff(pieces.edges).min() > 2 * np.pi / 60_000  # so that the sample passes one breakpoint at a time
    counted = [count_transitions(sums, (-1.0, 1.0)) for sums in list(sum_curves(layers, curve))[:-1]]
    np.testing.assert_array_equal(pieces.transitions, np.concatenate(counted))
    sampled = activation_patterns(layers, curve.points)
    assert count_patterns(sampled) == count_patterns(pieces.patterns)
    changes = [count_pattern_changes(patterns, closed=True) for patterns in (sampled, pieces.patterns)]
    assert changes[0] == changes[1] == pieces.transitions.sum()
    np.testing.assert_allclose(trajectory_lengths(layers, curve), pieces.lengths, rtol=1e-3)
    assert pieces.closed


@pytest.mark.parametrize("activation", [relu(), hard_tanh()], ids=lambda a: a.name)
def test_lengths_are_integrals_of_speeds_over_the_pieces(activation):
    """By Gauss-Legendre nodes between the breakpoints; the speed of the one output has kinks of its own."""
    layers = network(activation)
    pieces = subdivide_arc(layers, X0, X1, angle=2 * np.pi)
    x, w = np.polynomial.legendre.leggauss(8)
    edges = np.unique([*pieces.edges, *np.linspace(0, 2 * np.pi, 200)])
    half = np.diff(edges)[:, None] / 2
    t = (edges[:-1, None] + half * (x + 1)).ravel()
    curve = Curve(points_at(t), points_at(t + np.pi / 2), (half * w).ravel())
    lengths = trajectory_lengths(layers, curve)
    np.testing.assert_allclose(pieces.lengths[:-1], lengths[:-1], rtol=1e-9)
    assert pieces.lengths[-1] == pytest.approx(lengths[-1], rel=1e-4)


def test_open_arcs_add_up_to_the_closed_one():
    layers = network(relu())
    whole, first = (subdivide_arc(layers, X0, X1, angle=angle) for angle in (2 * np.pi, 2.0))
    second = subdivide_arc(layers, *points_at(np.array([2.0, 2.0 + np.pi / 2])), angle=2 * np.pi - 2.0)
    np.testing.assert_allclose(first.lengths + second.lengths, whole.lengths, rtol=1e-12)
    assert whole.lengths[0] == pytest.approx(arc(X0, X1, 400, angle=2 * np.pi).length, rel=1e-12)
    np.testing.assert_allclose(first.edges[:-1], whole.edges[: first.edges.size - 1], atol=1e-13)
    np.testing.assert_array_equal(first.transitions + second.transitions, whole.transitions)


def test_a_network_without_kinks_is_one_piece_and_a_sum_that_touches_a_kink_makes_none():
    assert subdivide_arc(network(linear()), X0, X1).edges.size == 2
    touching = [Layer([[1.0, 0.0]], [-1.0]), Layer([[1.0]], activation=relu())]
    assert len(subdivide_arc(touching, [1.0, 0.0], [0.0, 1.0], angle=2 * np.pi).outputs) == 1
    assert subdivide_arc([Layer(np.eye(2))], [1.0, 0.0], [0.0, 1.0]).patterns.shape == (1, 0)
