"""Strokes of the figures of companions/geometry-relu."""

import numpy as np
from drawings import drawn_cases

from capacity.activations import relu
from capacity.networks import Layer
from capacity_studies.expressivity import regions_in_plane
from capacity_studies.figures.companions import geometry_relu
from capacity_studies.figures.companions.geometry_relu import plot_linear_regions, plot_slice

L_SHAPE = [Layer(np.eye(2)), Layer([[-1.0, -1.0]], [1.0], relu()), Layer([[1.0]], activation=relu())]
REGIONS = regions_in_plane(L_SHAPE, 2.0)
X, Y, Z = np.array([1e-4, 1e-2, 1.0]), np.array([0.1, 0.4, 2.0]), np.array([0.2, 0.5, 1.0])

CASES = {
    "plot_linear_regions": ([REGIONS, REGIONS.linear_components()], {}, []),
    "plot_slice": ([REGIONS, [[0.0, 1.0]], ["7"]], {}, [], ""),
    "plot_tangent_changes": ([X, {"a": Y, "b": Z}, {"c": X}], {}, [(X, Y), (X, Z), (X, X)]),
}


test_each_plot_has_a_case, test_the_data_are_drawn = drawn_cases(geometry_relu, CASES)


def test_borders_of_each_layer_and_points_are_drawn(ax):
    first, second, text = plot_slice(ax, REGIONS, [[0.0, 1.0]], ["7"])
    assert len(first.get_segments()) == np.sum(REGIONS.edge_layers == 1)
    assert len(second.get_segments()) == np.sum(REGIONS.edge_layers == 2)
    assert (text.get_text(), text.get_position()) == ("7", (0.0, 1.0))


def test_borders_within_a_linear_region_are_dotted(ax):
    filled, between, within = plot_linear_regions(ax, REGIONS, REGIONS.linear_components())
    assert len(filled.get_paths()) == REGIONS.n_regions == 7
    ends = {tuple(np.sort(np.round(part, 9), axis=0).ravel()) for part in within.get_segments()}
    assert ends == {(0, 1, 0, 2), (1, 0, 2, 0)}  # the two inner borders of the L
    assert len(between.get_segments()) + len(ends) == np.sum(REGIONS.edge_units >= 0)
