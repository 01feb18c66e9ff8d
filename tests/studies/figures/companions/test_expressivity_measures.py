"""Strokes of the figures of companions/expressivity-measures."""

import numpy as np
from drawings import drawn_cases

from capacity.activations import relu
from capacity.networks import Layer
from capacity_studies.expressivity import random_layers, regions_in_plane
from capacity_studies.figures.companions import expressivity_measures
from capacity_studies.figures.companions.expressivity_measures import plot_boundaries, plot_projected_curve

X = np.array([1.0, 2, 4, 8])
Y, Z = np.array([0.8, 0.4, 0.2, 0.1]), np.array([0.9, 0.5, 0.3, 0.2])
BATCH = random_layers(2, 4, 2, relu(), sigma_w=2.0, sigma_b=0.5, rng=0)
REGIONS = regions_in_plane([Layer(a.weights[0], a.bias if a.bias is None else a.bias[0], a.activation) for a in BATCH])

CASES = {
    "plot_boundaries": ([REGIONS], {"shaded": [REGIONS.polygon(0)]}, []),
    "plot_counts_against_length": (
        [{"a": X, "b": Y}, {"a": Y, "b": Z}, {"a": Z}],
        {"ylabel": "changes"},
        [(X, Y), (Y, Z), (X, Z)],
    ),
    "plot_growth_rates": ([X, (Y, Y / 10), {"a": Z, "b": X}], {"label": "units"}, [(X, Y), (X, Z), (X, X)]),
    "plot_lengths": ([{"a": Y, "b": Z}], {}, [(np.arange(4), Y), (np.arange(4), Z)]),
    "plot_projected_curve": ([np.stack([X, Y], axis=1)], {}, [([*X, 1], [*Y, 0.8]), ([1], [0.8])], ""),
    "plot_rates": ([X, {"a": (Y, Z / 10)}, 0.7], {}, [(X, Y), ([0, 1], 0.7)]),
}


test_each_plot_has_a_case, test_the_data_are_drawn = drawn_cases(expressivity_measures, CASES)


def test_boundaries_of_each_layer_are_drawn_up_to_the_one_asked_for(ax):
    (first,) = plot_boundaries(ax, REGIONS, layers=1)
    assert len(first.get_segments()) == np.sum(REGIONS.edge_layers == 1)
    filled, below, newest = plot_boundaries(ax, REGIONS, shaded=[REGIONS.polygon(0)])
    assert np.array_equal(below.get_segments(), first.get_segments())
    assert np.array_equal(newest.get_segments(), REGIONS.vertices[REGIONS.edges[REGIONS.edge_layers == 2]])
    assert np.array_equal(filled.get_paths()[0].vertices[:-1], REGIONS.polygon(0))


def test_an_open_curve_is_not_joined(ax):
    curve, _ = plot_projected_curve(ax, np.stack([X, Y], axis=1), closed=False)
    assert np.array_equal(curve.get_xydata(), np.stack([X, Y], axis=1))
