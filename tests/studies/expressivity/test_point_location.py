import numpy as np
import pytest
from region_networks import random_layers

from capacity.activations import relu
from capacity_studies.expressivity import _point_location, regions_in_plane
from capacity_studies.expressivity._point_location import locate

SQUARES = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0], [2.0, 0.0], [2.0, 1.0]])
CORNERS, OFFSETS = np.array([0, 1, 2, 3, 1, 4, 5, 2]), np.array([0, 4, 8])


def test_a_point_is_in_the_polygon_to_the_left_of_whose_sides_it_is():
    """The definition, for each polygon and each point."""
    regions = regions_in_plane(random_layers((2, 9, 9, 1), relu()), 3.0)
    points = np.random.default_rng(1).uniform(-3.2, 3.2, (500, 2))
    found = np.full(500, -1)
    for i in range(regions.n_regions):
        polygon = regions.polygon(i)
        side = np.roll(polygon, -1, axis=0) - polygon
        away = points[:, None] - polygon
        found[(side[:, 0] * away[..., 1] - side[:, 1] * away[..., 0] > 0).all(axis=1)] = i
    assert (found < 0).any()
    np.testing.assert_array_equal(regions.locate(points), found)


def test_the_border_belongs_to_a_polygon_and_the_outside_to_none():
    points = np.array([[0.5, 0.5], [1.5, 0.5], [1.0, 0.5], [0.0, 0.0], [2.0, 1.0], [2.1, 0.5], [0.5, -0.1], [9.0, 9.0]])
    found = locate(SQUARES, CORNERS, OFFSETS, points)
    assert found.tolist() == [0, 1, 0, 0, 1, -1, -1, -1]


@pytest.mark.parametrize("pairs", [1, 7, 100])
def test_blocks_do_not_matter(monkeypatch, pairs):
    points = np.random.default_rng(2).uniform(-0.5, 2.5, (50, 2))
    expected = locate(SQUARES, CORNERS, OFFSETS, points)
    monkeypatch.setattr(_point_location, "_PAIRS", pairs)
    np.testing.assert_array_equal(locate(SQUARES, CORNERS, OFFSETS, points), expected)
