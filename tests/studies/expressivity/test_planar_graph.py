import numpy as np
import pytest

from capacity_studies.expressivity._planar_graph import one_polygon, split


def faces(graph):
    return [tuple(graph.corners[a:b].tolist()) for a, b in zip(graph.offsets[:-1], graph.offsets[1:])]


def cycle(corners):
    """The same cycle from its smallest corner on."""
    i = corners.index(min(corners))
    return corners[i:] + corners[:i]


def signs(*values):
    return np.array(values, dtype=np.int8)


def check(graph, n_vertices):
    """Each side joins a corner to the next; inner edges have two sides in opposite directions; F - E + V = 1."""
    for face, (a, b) in zip(faces(graph), zip(graph.offsets[:-1], graph.offsets[1:])):
        for corner, following, side in zip(face, face[1:] + face[:1], graph.sides[a:b]):
            assert {corner, following} == set(graph.edges[side].tolist())
    used = np.bincount(graph.sides, minlength=len(graph.edges))
    np.testing.assert_array_equal(used, np.where(graph.lines < 0, 1, 2))
    assert len(graph.offsets) - 1 - len(graph.edges) + n_vertices == 1


def test_a_square_is_cut_across_two_sides():
    graph, ends, parents = split(one_polygon(4), signs(1, -1, -1, 1), 7)
    assert ends.tolist() == [[0, 1], [2, 3]]
    assert sorted(map(cycle, faces(graph))) == [(0, 4, 5, 3), (1, 2, 5, 4)]
    assert parents.tolist() == [0, 0]
    assert sorted(graph.lines.tolist()) == [-1] * 6 + [7]
    check(graph, 6)


@pytest.mark.parametrize("around", [(1, 1, 1, 1), (0, 1, 1, 1), (0, 0, -1, -1), (0, 0, 0, 0)])
def test_what_is_on_one_side_is_not_cut(around):
    graph, ends, parents = split(one_polygon(4), signs(*around), 0)
    assert (faces(graph), len(ends), parents.tolist()) == ([(0, 1, 2, 3)], 0, [0])


def test_random_cuts_keep_a_planar_graph():
    """Lines of random direction through polygons whose vertices have coordinates: sides are joined as they must be."""
    rng = np.random.default_rng(0)
    points = np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])
    graph = one_polygon(4)
    for line in range(12):
        values = points @ rng.standard_normal(2) + 0.3 * rng.standard_normal()
        graph, ends, parents = split(graph, np.sign(values).astype(np.int8), line)
        low, high = values[ends].T
        points = np.concatenate(
            [points, points[ends[:, 0]] + (low / (low - high))[:, None] * np.diff(points[ends], axis=1)[:, 0]]
        )
        check(graph, len(points))
        assert parents.max() < len(graph.offsets) - 1


@pytest.mark.parametrize(
    ("around", "expected"),
    [
        ((1, 0, 1, -1, -1), [(0, 1, 2, 5, 6), (3, 4, 6, 5)]),  # between two corners above
        ((1, 0, 0, -1, -1), [(0, 1, 2, 5), (2, 3, 4, 5)]),  # two on the way down
        ((0, 0, 1, -1, -1), [(1, 2, 5), (0, 1, 5, 3, 4)]),  # two on the way up
        ((0, 1, -1, 0, 0), [(0, 1, 5), (0, 5, 2, 3, 4)]),
    ],
)
def test_corners_within_the_tolerance_of_a_line_leave_two_parts(around, expected):
    graph, ends, _ = split(one_polygon(5), signs(*around), 0)
    assert sorted(map(cycle, faces(graph))) == sorted(expected)
    check(graph, 5 + len(ends))


def test_a_curve_that_is_no_line_is_refused():
    with pytest.raises(ValueError, match="signs: expected a line, which passes the border of a convex polygon twice"):
        split(one_polygon(4), signs(1, -1, 1, -1), 0)
