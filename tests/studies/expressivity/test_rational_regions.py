from fractions import Fraction

import numpy as np
import pytest
from flint import fmpq
from rational_regions import rational_regions
from region_networks import ACTIVATIONS, lines, random_layers, tangents

from capacity.activations import relu
from capacity.networks import Layer, forward_pass
from capacity_studies.expressivity import regions_in_plane, sawtooth


def double(x):
    return float(Fraction(int(x.p), int(x.q)))


@pytest.mark.parametrize("name", ACTIVATIONS)
def test_maps_at_the_corners_are_the_network(name):
    """The definition, at points that are rational numbers: the map and the pattern are those of the forward pass."""
    layers = random_layers((2, 5, 4, 2), ACTIVATIONS[name], 1)
    regions = rational_regions(layers, 2.0)
    for polygon, form, pattern in zip(regions.polygons, regions.maps, regions.patterns):
        centre = [sum(x, fmpq(0)) / len(polygon) for x in zip(*polygon)]
        for u, v in (*polygon, centre):
            point = np.array([[double(u), double(v)]])
            exact = [form[i, 0] * u + form[i, 1] * v + form[i, 2] for i in range(2)]
            forward = forward_pass(layers, point)
            np.testing.assert_allclose([double(x) for x in exact], forward.outputs[0], atol=1e-12)
        found = np.concatenate([np.searchsorted(ACTIVATIONS[name].kinks, z[0]) for z in forward.arguments[1:]])
        np.testing.assert_array_equal(pattern, found)


@pytest.mark.parametrize("seed", range(3))
def test_areas_sum_to_the_box_without_any_error(seed):
    regions = rational_regions(random_layers((2, 6, 5, 1), relu(), seed), 1.5)
    assert sum(regions.areas) == 9
    assert min(regions.areas) > 0


def test_corners_on_a_line_are_found_where_doubles_round():
    """Three lines through (1/3, 1/3), which is no double, but the sums of whole numbers are exact."""
    layers = lines([[3.0, 0.0], [0.0, 3.0], [1.0, -1.0]], [-1.0, -1.0, 0.0])
    assert rational_regions(layers).n_regions == regions_in_plane(layers).n_regions == 6


def test_other_cells_are_not_certified():
    layers = tangents(5)
    exact = rational_regions(layers, 1000.0)
    assert exact.certifies(regions_in_plane(layers, 1000.0))
    assert not exact.certifies(regions_in_plane(layers, 0.5))
    assert not exact.certifies(regions_in_plane(tangents(5, 1), 1000.0))


def test_strips_of_a_sawtooth_are_exact():
    first, *above = sawtooth(4)
    layers = [Layer(first.weights @ [[1.0, 0.0]], first.bias), *above]
    regions = rational_regions(layers, [[0, 0], [1, 0], [1, 1], [0, 1]])
    assert regions.areas == [fmpq(1, 16)] * 16
