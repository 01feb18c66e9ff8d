import numpy as np
import pytest

from capacity.activations import relu
from capacity_studies.expressivity import activation_patterns, he_layers, one_network, plane_through, regions_in_plane


def test_points_keep_their_distances_in_the_plane():
    points = np.random.default_rng(0).standard_normal((3, 7))
    origin, *directions = plane_through(points)
    coordinates = (points - origin) @ np.transpose(directions)
    np.testing.assert_allclose(origin + coordinates @ directions, points, atol=1e-14)
    np.testing.assert_allclose(np.inner(directions, directions), np.eye(2), atol=1e-14)
    assert coordinates[1, 0] > coordinates[0, 0]
    assert coordinates[0, 1] == pytest.approx(coordinates[1, 1])
    assert coordinates[2, 1] > coordinates[0, 1]


def test_regions_of_a_slice_are_those_of_the_network_that_sees_the_plane():
    layers = one_network(he_layers((7, 6, 5, 2), relu(), sigma_b=0.3, rng=0))
    origin, first, second = plane_through(np.random.default_rng(0).standard_normal((3, 7)))
    found = regions_in_plane(layers, 3.0, plane=(origin, first, second))
    inputs = origin + found.centres @ np.stack([first, second])
    assert (activation_patterns(layers, inputs) == found.patterns).all()
