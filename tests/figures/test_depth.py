"""Plots of paper 2, Sections 3 and 4."""

import numpy as np
import pytest
from drawings import drawn_cases

from capacity.figures import depth as deep
from capacity.figures import plot_capacity_network, plot_propagation
from capacity.statistics import MeanCurve, fit_power_law

X = np.array([1.0, 2, 4, 8])
Y, Z = np.array([0.8, 0.4, 0.2, 0.1]), np.array([0.9, 0.5, 0.3, 0.2])
CURVE, BARS = MeanCurve(X, Z, Z / 10), (0.7 * Z, 1.3 * Z)  # three standard errors
STATES = np.array([[0.2, 0.6, 0.2], [0.0, 1, 0]])
MANY = {name: Y * k for k, name in enumerate("abcdefgh", 1)}

CASES = {
    "plot_capacity_network": ([STATES, np.eye(3)], {}, [], "x"),
    "plot_decay": ([X, {"a": Y}, {"a": CURVE}], {"references": {"white": Z}}, [(X, Y), (X, Z)], "", [BARS]),
    "plot_orders": ([X, Y], {"law": fit_power_law(X, Y)}, [(X, Y), (X, fit_power_law(X, Y)(X))], ""),
    "plot_profiles": (
        [X, MANY],
        {"reference": Z, "crosses": Z, "samples": {"s": CURVE}},
        [(X, Y), (X, 8 * Y), (X, Z)],
        "xy",
        [BARS],
    ),
    "plot_propagation": ([STATES, np.array([1.0, 0])], {}, [([2, 0], [0, 1]), ([-2, 0], [0, 1])]),
}


test_each_plot_has_a_case, test_the_data_are_drawn = drawn_cases({deep: CASES})


def test_a_row_is_scaled_to_its_maximum_about_the_middle(ax):
    (image,) = plot_propagation(ax, np.array([[1, 2, 4, 1], [0, 0, 3, 0]]))
    assert image.get_array().tolist() == [[0.25, 0.5, 1, 0.25], [0, 0, 1, 0]]
    assert tuple(image.get_extent()) == (-2.5, 1.5, -0.5, 1.5)  # the third of four sites is that of position 0


def test_reached_nodes_are_shaded_by_capacity_and_connected_as_the_transition_says(ax):
    states, hop = np.array([[0, 0.64, 0.36, 0, 0], [0, 1, 0, 0, 0]]), 0.64 * np.eye(5) + 0.36 * np.eye(5, k=-1)
    edges, nodes = plot_capacity_network(ax, states, hop)
    assert np.array_equal(nodes.get_array(), np.sqrt(states[states > 0]))
    assert nodes.get_offsets().tolist() == [[1, 0], [2, 0], [1, 1]]
    drawn = {str(ends.tolist()): width for ends, width in zip(edges.get_segments(), edges.get_linewidths()) if width}
    assert drawn == pytest.approx({"[[1.0, 0.0], [1.0, 1.0]]": 2.32, "[[2.0, 0.0], [1.0, 1.0]]": 1.84})
