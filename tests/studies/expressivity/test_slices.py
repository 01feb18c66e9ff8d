import numpy as np
import pytest

from capacity_studies.expressivity import plane_through


def test_points_keep_their_distances_in_the_plane():
    points = np.random.default_rng(0).standard_normal((3, 7))
    origin, *directions = plane_through(points)
    coordinates = (points - origin) @ np.transpose(directions)
    np.testing.assert_allclose(origin + coordinates @ directions, points, atol=1e-14)
    np.testing.assert_allclose(np.inner(directions, directions), np.eye(2), atol=1e-14)
    assert coordinates[1, 0] > coordinates[0, 0]
    assert coordinates[0, 1] == pytest.approx(coordinates[1, 1])
    assert coordinates[2, 1] > coordinates[0, 1]
