from itertools import pairwise

import numpy as np
import pytest
from scipy.stats import norm

from capacity.activations import tanh
from capacity_studies.expressivity import (
    Curve,
    arc,
    count_transitions,
    expected_transitions,
    image_curves,
    piece_numbers,
    random_layers,
    segment,
)


def brute(values, kinks, closed):
    """Kinks between each value and the next, one after the other."""
    values = [*values, values[0]] if closed else list(values)
    return sum((a > kink) != (b > kink) for a, b in pairwise(values) for kink in kinks)


@pytest.mark.parametrize("kinks", [(0.0,), (-1.0, 1.0), (-0.5, 0.1, 2.0)])
def test_transitions_are_kinks_passed_between_neighbours(kinks):
    rng = np.random.default_rng(0)
    points = 1.5 * rng.standard_normal((2, 30, 4))
    for closed in (False, True):
        sums = Curve(points, np.zeros_like(points), np.ones(30), closed)
        expected = [[brute(unit, kinks, closed) for unit in network.T] for network in points]
        np.testing.assert_array_equal(count_transitions(sums, kinks), expected)


def test_a_sum_at_a_kink_lies_below_it():
    np.testing.assert_array_equal(piece_numbers(np.array([-2.0, -1.0, 0.0, 1.0, 1.5]), (-1.0, 1.0)), [0, 0, 1, 1, 2])
    np.testing.assert_array_equal(piece_numbers(np.array([[-0.0, 3.0]])), [[0, 1]])


def test_the_law_is_the_length_of_the_curve_of_directions_over_pi():
    """Edelman and Kostlan: chords of gamma/||gamma|| with gamma = (sigma_w z/sqrt(k), sigma_b), in every layer."""
    x0, x1 = np.random.default_rng(1).standard_normal((2, 5))
    layers = random_layers(5, 20, 3, tanh(), sigma_w=1.8, sigma_b=0.4, networks=2, rng=2)
    curves = list(image_curves(layers, arc(x0, x1, 8001, angle=2.5)))[:-1]
    for curve in curves:
        bias = np.full((*curve.points.shape[:-1], 1), 0.4)
        gamma = np.concatenate([1.8 / np.sqrt(20) * curve.points, bias], axis=-1)
        gamma /= np.linalg.norm(gamma, axis=-1, keepdims=True)
        length = np.linalg.norm(np.diff(gamma, axis=-2), axis=-1).sum(axis=-1)
        found = expected_transitions(curve, 20, sigma_w=1.8, sigma_b=0.4)
        np.testing.assert_allclose(found, length / np.pi, rtol=1e-6)


def test_known_numbers_of_transitions():
    """A quarter turn: 1/2. A turn of radius r: 2 signs; kink c: two passages if the amplitude, Rayleigh, exceeds c."""
    x0, x1 = np.zeros((2, 4))
    x0[1], x1[2] = 3.0, 3.0
    assert expected_transitions(arc(x0, x1, 9), 50, sigma_w=4.0) == pytest.approx(0.5)
    circle = arc(x0, x1, 9, angle=2 * np.pi)
    assert expected_transitions(circle, 50, sigma_w=4.0) == pytest.approx(2)
    scale = 4.0 / np.sqrt(50) * 3.0
    for kink in (0.3, -1.0, 2.5):
        found = expected_transitions(circle, 50, sigma_w=4.0, kinks=(kink,))
        assert found == pytest.approx(2 * np.exp(-(kink**2) / (2 * scale**2)))
    both = expected_transitions(circle, 50, sigma_w=4.0, kinks=(-1.0, 1.0))
    assert both == pytest.approx(4 * np.exp(-1 / (2 * scale**2)))


def test_along_a_ray_only_kinks_are_passed():
    """No sign changes where z(t) keeps its direction; w.z(t) reaches c for the w that are c there between the ends."""
    ray = segment([1.0, 0.0], [3.0, 0.0], 4001)
    assert expected_transitions(ray, 1, sigma_w=1.0) == pytest.approx(0, abs=1e-12)
    expected = norm.cdf(-1 / 3) - norm.cdf(-1)
    assert expected_transitions(ray, 1, sigma_w=1.0, kinks=(1.0,)) == pytest.approx(expected, rel=1e-6)
