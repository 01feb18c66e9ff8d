import numpy as np
import pytest
from scipy import special

from capacity.activations import hard_tanh, relu, tanh
from capacity.networks import DenseNetwork, Layer, forward_pass
from capacity_studies.expressivity import (
    arc,
    image_curves,
    mean_growth,
    random_layers,
    segment,
    sum_curves,
    trajectory_lengths,
)

RNG = np.random.default_rng(0)
X0, X1 = RNG.standard_normal((2, 6))


def networks(activation, depth=3, count=2, **scales):
    return random_layers(6, 10, depth, activation, networks=count, rng=1, **{"sigma_w": 2.0, "sigma_b": 0.4} | scales)


def test_tangents_of_images_are_derivatives_of_their_points():
    """By central differences in t, in every layer of two networks at once."""
    layers, t, step = networks(tanh()), 0.7, 1e-5

    def images(at):
        turned = arc(np.cos(at) * X0 + np.sin(at) * X1, np.cos(at) * X1 - np.sin(at) * X0, 2)
        return [(image.points[..., 0, :], image.tangents[..., 0, :]) for image in image_curves(layers, turned)]

    for (after, _), (before, _), (_, tangent) in zip(images(t + step), images(t - step), images(t)):
        np.testing.assert_allclose(tangent, (after - before) / (2 * step), atol=2e-8 * np.abs(tangent).max())


def test_images_and_sums_are_those_of_the_forward_pass():
    layers, curve = networks(hard_tanh()), arc(X0, X1, 7)
    forward = forward_pass(layers, curve.points)
    images, sums = list(image_curves(layers, curve)), list(sum_curves(layers, curve))
    assert (len(images), len(sums)) == (5, 4)
    for image, activity in zip(images, [*forward.activities, forward.outputs]):
        np.testing.assert_allclose(image.points, np.broadcast_to(activity, image.points.shape), rtol=1e-14)
    for each, state in zip(sums, forward.states[1:]):
        np.testing.assert_allclose(each.points, state, rtol=1e-13, atol=1e-13)
    np.testing.assert_array_equal(images[-1].tangents, sums[-1].tangents)


def test_lengths_of_known_curves():
    a, b = 3.0, 1.2
    ellipse = arc([a, 0.0], [0.0, b], 200, angle=2 * np.pi)
    assert ellipse.length == pytest.approx(4 * a * special.ellipe(1 - b**2 / a**2), rel=1e-12)
    half = arc([a, 0.0], [0.0, b], 2001, angle=np.pi)
    assert half.length == pytest.approx(ellipse.length / 2, rel=1e-6)
    assert (ellipse.closed, half.closed) == (True, False)
    assert arc([2.0, 0.0], [0.0, 2.0], 5).length == pytest.approx(np.pi)
    np.testing.assert_allclose(arc(X0, X1, 9).points[[0, -1]], [X0, X1], atol=1e-15)
    np.testing.assert_allclose(segment(X0, X1, 9).points[[0, 4, -1]], [X0, (X0 + X1) / 2, X1])
    assert segment(X0, X1, 9).length == pytest.approx(np.linalg.norm(X1 - X0))


def test_length_is_the_limit_of_chords():
    layers = networks(tanh(), sigma_w=1.5)
    lengths = trajectory_lengths(layers, arc(X0, X1, 1001))
    for image, length in zip(image_curves(layers, arc(X0, X1, 20_001)), lengths.T):
        chords = np.linalg.norm(np.diff(image.points, axis=-2), axis=-1).sum(axis=-1)
        np.testing.assert_allclose(length, chords, rtol=1e-5)


def test_networks_with_named_parameters_and_dead_ones_have_lengths_too():
    network = DenseNetwork((6, 8, 8, 1), relu())
    lengths = trajectory_lengths(network.with_parameters(network.initial(0)), arc(X0, X1, 50))
    assert lengths.shape == (4,)
    dead = [Layer(np.zeros((3, 6)), -np.ones(3)), Layer(np.ones((1, 3)), activation=relu())]
    np.testing.assert_array_equal(trajectory_lengths(dead, arc(X0, X1, 50))[1:], 0)


@pytest.mark.parametrize("networks", [2, 3, 7])
def test_mean_growth_and_its_error_are_those_of_a_root_of_a_ratio_of_means(networks):
    lengths = np.random.default_rng(networks).uniform(1, 3, (networks, 6)).cumprod(axis=1)
    first, last = lengths[:, 1], lengths[:, 5]  # from the first layer on: four factors
    growth, n = (last.mean() / first.mean()) ** 0.25, networks
    slope = np.array([-growth / 4 / first.mean(), growth / 4 / last.mean()])  # of growth by both means
    expected = growth, np.sqrt(slope @ np.cov(first, last) @ slope / n)
    assert mean_growth(lengths, start=1) == pytest.approx(expected, rel=1e-12)
