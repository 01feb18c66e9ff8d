import numpy as np
import pytest
from rational_regions import rational_regions
from region_networks import ACTIVATIONS, lines, random_layers, tangents
from scipy.spatial import ConvexHull, cKDTree

from capacity.activations import hard_tanh, linear, relu
from capacity.networks import Layer, forward_pass
from capacity_studies.expressivity import arrangement_regions, regions_in_plane, sawtooth

SIZES = (2, 7, 6, 5, 2)


def patterns_at(layers, points):
    """On which piece of its activation each unit is, from the forward pass alone."""
    forward = forward_pass(layers, points)
    found = [
        np.searchsorted(layer.activation.kinks, z)
        for layer, z in zip(layers, forward.arguments)
        if layer.activation is not None
    ]
    return np.concatenate(found, axis=1)


def keys(patterns):
    """A number for each pattern."""
    return patterns.astype(float) @ 3.0 ** np.arange(patterns.shape[1])


def n_patterns(patterns):
    assert 3.0 ** patterns.shape[1] < 2**53
    return np.unique(keys(patterns)).size


@pytest.mark.parametrize("name", ACTIVATIONS)
def test_a_cell_is_where_no_unit_changes_piece_and_its_map_is_that_of_the_network(name):
    """The definition: at random points, the cell has the pattern and the outputs that the forward pass finds there."""
    layers = random_layers(SIZES, ACTIVATIONS[name])
    regions, points = regions_in_plane(layers, 3.0), np.random.default_rng(1).uniform(-3, 3, (3000, 2))
    cells = regions.locate(points)
    np.testing.assert_array_equal(regions.patterns[cells], patterns_at(layers, points))
    outputs = forward_pass(layers, points).outputs
    np.testing.assert_allclose(regions.outputs(points), outputs, atol=1e-13 * np.abs(outputs).max())
    assert n_patterns(regions.patterns) == regions.n_regions, "each cell is an intersection of half-planes"


@pytest.mark.parametrize("sizes", [(2, 32, 32, 1), (2, 12, 12, 12, 1)])
def test_cells_tile_the_polygon(sizes):
    regions = regions_in_plane(random_layers(sizes, relu()), 50.0)
    assert regions.areas.min() > 0
    assert regions.areas.sum() == pytest.approx(1e4, rel=1e-12)
    hulls = [ConvexHull(regions.polygon(i)).volume for i in range(0, regions.n_regions, 20)]
    np.testing.assert_allclose(regions.areas[::20], hulls, rtol=1e-6, atol=1e-12)


def test_the_count_obeys_eulers_formula_with_edges_and_corners_counted_by_their_coordinates():
    """F - E + V = 1: no gap, no overlap. Corners are told apart by their coordinates, edges by their two corners."""
    regions = regions_in_plane(random_layers((2, 12, 12, 12, 1), relu(), 1), 5.0)
    points = regions.vertices[regions.corners]
    assert not cKDTree(regions.vertices).query_pairs(1e-9), "equal vertices would be counted twice"
    vertices, corner = np.unique(points.round(9), axis=0, return_inverse=True)
    stop = regions.offsets[1:] - 1
    following = np.append(corner[1:], 0)
    following[stop] = corner[regions.offsets[:-1]]
    edges = {frozenset(pair) for pair in zip(corner.tolist(), following.tolist())}
    assert regions.n_regions - len(edges) + len(vertices) == 1
    assert (len(edges), len(vertices)) == (len(regions.edges), len(regions.vertices))


@pytest.mark.parametrize(("k", "count"), [(4, 11), (8, 37), (16, 137)])
def test_one_layer_makes_as_many_regions_as_an_arrangement_of_lines(k, count):
    regions = regions_in_plane(tangents(k), 1000.0)
    assert regions.n_regions == count == arrangement_regions(k)
    assert regions_in_plane(lines(np.ones((k, 2)), np.arange(k) - 1.0, linear()), 9.0).n_regions == 1, "no kinks"


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("name", ACTIVATIONS)
def test_counts_are_those_of_rational_arithmetic(name, bias):
    layers = random_layers((2, 6, 5, 4, 1), ACTIVATIONS[name], 2, bias=bias)
    assert rational_regions(layers, 3.0).certifies(regions_in_plane(layers, 3.0))


@pytest.mark.parametrize("seed", range(8))
def test_deep_networks_of_thirds_have_the_cells_of_the_same_networks_of_integers(seed):
    """Many corners lie on lines and many lines are equal; thirds round, three times the weights does not."""
    rng = np.random.default_rng(seed)
    first, second = rng.integers(-2, 3, (6, 3)), rng.integers(-1, 2, (5, 7))
    exact, rounded = (
        [
            Layer(first[:, :2] / unit, first[:, 2] / unit),
            Layer(second[:, :6] / unit, second[:, 6] / unit**2, relu()),
            Layer(np.ones((1, 5)), activation=relu()),
        ]
        for unit in (1, 3)
    )
    regions = regions_in_plane(rounded, 3.0)
    assert regions.contacts > 3
    assert rational_regions(exact, 3.0).certifies(regions)
    assert len(regions.vertices) - len(regions.edges) + regions.n_regions == 1


@pytest.mark.parametrize(
    ("normals", "offsets", "count"),
    [
        ([[1.0, -1.0]], [0.0], 2),  # through two corners of the square
        ([[1.0, 0.0]], [-1.0], 1),  # along an edge
        ([[1.0, 1.0]], [-2.0], 1),  # through one corner only
        ([[1.0, 0.5], [-3.0, -1.5], [0.1, 0.05]], [0.1, -0.3, 0.01], 2),  # the same line, by other numbers
        ([[1.0, 0.0], [1.0, 0.0]], [0.0, 1e-15], 2),  # the same but for rounding
        ([[1.0, 0.0], [1.0, 0.0]], [0.0, 1e-9], 3),  # not the same
        ([[0.0, 0.0]], [0.0], 1),
        ([[0.0, 0.0]], [1.0], 1),
        ([[0.0, 0.0], [1.0, 0.0]], [0.0, 0.0], 2),
        ([[1e-200, 0.0]], [0.0], 2),  # a scale is no reason to vanish
    ],
)
def test_degenerate_lines_make_no_cells_of_width_zero(normals, offsets, count):
    regions = regions_in_plane(lines(normals, offsets))
    assert regions.n_regions == count
    assert regions.areas.sum() == pytest.approx(4)


def test_rounding_makes_slivers_only_without_a_tolerance():
    """0.1 + 0.2 is not 0.3 in doubles: two lines, exactly taken, and one within the tolerance."""
    for gap, exact in ((0.1 + 0.2 - 0.3, 4), (1e-14, 4), (0.0, 3)):
        layers = lines([[1.0, 0.0], [1.0, 0.0], [1.0, 0.0]], [-0.3 - gap, -0.3, 0.5])
        assert rational_regions(layers).n_regions == exact
        assert regions_in_plane(layers).n_regions == 3
    layers = lines([[1.0, 0.0], [1.0, 0.0]], [-0.3 - 1e-14, -0.3])
    assert [regions_in_plane(layers, rtol=rtol).n_regions for rtol in (0.0, 1e-12)] == [3, 2]


def test_units_that_are_dead_or_cancel_cut_nothing():
    """Above a dead unit there is a constant; of two equal units with opposite weights there remains rounding."""
    dead = [Layer([[1.0, 0.3]], [-9.0]), Layer([[2.0]], [0.5], relu()), Layer([[1.0]], activation=relu())]
    assert regions_in_plane(dead).n_regions == 1
    assert regions_in_plane(dead).constants == 0.5
    row, third = np.array([0.3, 0.7]), 1 / 3
    cancelled = [
        Layer([row, 3 * row, 7 * row], [0.1, 0.3, 0.7]),
        Layer([[1.0, third, -2 / 7]], activation=relu()),
        Layer([[1.0]], activation=relu()),
    ]
    assert regions_in_plane(cancelled).n_regions == 2


def test_a_unit_that_nothing_sees_divides_cells_but_no_linear_region():
    """Components are the cells of the network without that unit; elsewhere every step of the slopes parts two."""
    first, second, last = random_layers((2, 6, 5, 1), relu(), 9)
    seen = second.weights * [1, 1, 1, 1, 1, 0]
    blind = regions_in_plane([first, Layer(seen, second.bias, relu()), last], 3.0)
    without = [
        Layer(first.weights[:5], first.bias[:5]),
        Layer(second.weights[:, :5], second.bias, relu()),
        last,
    ]
    expected = regions_in_plane(without, 3.0)
    components = blind.linear_components()
    assert blind.n_regions > expected.n_regions
    cells = expected.locate(blind.centres)
    merged = expected.linear_components()[cells]
    assert components.max() == expected.linear_components().max() == len(set(zip(components, merged))) - 1
    one_layer = regions_in_plane(tangents(7), 1000.0)
    assert sorted(one_layer.linear_components()) == list(range(one_layer.n_regions))


@pytest.mark.parametrize("depth", [1, 3, 5])
def test_sawtooths_in_both_inputs_fold_a_square_into_a_grid(depth):
    """All corners of the cells of one layer are on kinks of the next: 4^L equal squares."""
    stacked = []
    for i, layer in enumerate(sawtooth(depth)):
        bias = None if layer.bias is None else np.tile(layer.bias, 2)
        stacked.append(Layer(np.kron(np.eye(2), layer.weights), bias, layer.activation if i else None))
    regions = regions_in_plane(stacked, [[0, 0], [1, 0], [1, 1], [0, 1]])
    assert regions.n_regions == 4**depth == regions.linear_components().max() + 1
    np.testing.assert_array_equal(regions.areas, 0.25**depth)
    np.testing.assert_array_equal(np.abs(regions.slopes).max(axis=2), 2.0**depth)


def test_each_edge_is_where_its_unit_changes_piece():
    layers = random_layers(SIZES, hard_tanh())
    regions = regions_in_plane(layers, 3.0)
    sides = np.argsort(regions.sides, kind="stable")
    sides = sides[np.isin(regions.sides[sides], np.flatnonzero(regions.edge_units >= 0))]
    cell = np.repeat(np.arange(regions.n_regions), regions.n_corners)[sides].reshape(-1, 2)
    changed = regions.patterns[cell[:, 0]] != regions.patterns[cell[:, 1]]
    np.testing.assert_array_equal(changed.sum(axis=1), 1)
    edges = regions.sides[sides].reshape(-1, 2)[:, 0]
    np.testing.assert_array_equal(changed.argmax(axis=1), regions.edge_units[edges])
    assert np.count_nonzero(regions.edge_units < 0) + edges.size == len(regions.edges)


def test_residual_layers_and_activations_on_the_inputs_are_divided_too():
    rng = np.random.default_rng(4)
    layers = [
        Layer(rng.standard_normal((4, 2)), activation=relu()),
        Layer(rng.standard_normal((4, 4)), rng.standard_normal(4), relu(), residual=0.7),
        Layer(rng.standard_normal((3, 4)), None, hard_tanh()),
    ]
    regions, points = regions_in_plane(layers, 2.0), rng.uniform(-2, 2, (1000, 2))
    np.testing.assert_allclose(regions.outputs(points), forward_pass(layers, points).outputs, atol=1e-12)
    np.testing.assert_array_equal(regions.patterns[regions.locate(points)], patterns_at(layers, points))
    assert rational_regions(layers, 2.0).certifies(regions)


def test_any_convex_polygon_in_a_plane_of_many_inputs_is_divided():
    layers, rng = random_layers((9, 8, 8, 1), relu(), 5), np.random.default_rng(5)
    plane = tuple(rng.standard_normal((3, 9)))
    pentagon = np.stack([np.cos(x := 2 * np.pi * np.arange(5) / 5), np.sin(x)], axis=1)
    regions = regions_in_plane(layers, pentagon, plane=plane)
    assert regions.areas.sum() == pytest.approx(2.5 * np.sin(2 * np.pi / 5), rel=1e-12)
    points = regions.centres
    np.testing.assert_array_equal(regions.locate(points), np.arange(regions.n_regions))
    inputs = plane[0] + points @ np.stack(plane[1:])
    np.testing.assert_allclose(regions.outputs(points), forward_pass(layers, inputs).outputs, atol=1e-12)
    turned = regions_in_plane(layers, pentagon[::-1], plane=plane)
    assert (turned.n_regions, turned.areas.min() > 0) == (regions.n_regions, True)


def test_units_of_length_do_not_matter():
    """Weights and inputs in other units, and a polygon far from the origin, give the same cells."""
    layers = random_layers((2, 10, 10, 1), relu(), 6)
    expected = regions_in_plane(layers, 3.0)
    for scale in (1e-9, 1e9):
        first = Layer(layers[0].weights / scale, layers[0].bias)
        found = regions_in_plane([first, *layers[1:]], 3.0 * scale)
        np.testing.assert_array_equal(found.patterns, expected.patterns)
        np.testing.assert_allclose(found.areas, expected.areas * scale**2, rtol=1e-6)
    shift = np.array([300.0, -200.0])
    moved = [Layer(layers[0].weights, layers[0].bias - layers[0].weights @ shift), *layers[1:]]
    square = shift + 3 * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
    assert regions_in_plane(moved, square).n_regions == expected.n_regions


def test_the_margin_says_how_near_the_nearest_corner_was():
    layers = lines([[1.0, 0.0], [1.0, 0.0]], [0.0, 1e-9])
    assert regions_in_plane(layers).margin == pytest.approx(1e-9, rel=1e-6)
    assert regions_in_plane(layers).contacts == 0
    assert regions_in_plane(layers, rtol=1e-6).contacts == 2


def test_rounding_beyond_the_tolerance_is_not_cut_along(monkeypatch):
    def fail(*_):
        raise ValueError("signs: expected a line")

    monkeypatch.setattr("capacity_studies.expressivity.plane_regions.split", fail)
    with pytest.raises(ValueError, match=r"rtol: expected a tolerance above the rounding errors .*, got 1e-12; pass a"):
        regions_in_plane(lines([[1.0, 0.0]], [0.0]))
