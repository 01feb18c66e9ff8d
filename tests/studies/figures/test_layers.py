"""Strokes of the figures of chapters/layers."""

import numpy as np
from drawings import drawn_cases

from capacity import orthonormal_basis
from capacity_studies.figures.layers import (
    appendix_a,
    in_between,
    section_2_1_augmented,
    section_2_3_decoupling,
    section_2_4_ends,
    section_3_1_many_layers,
    section_3_2_deep_limits,
    section_4_1_receptive_field,
    section_4_2_shattering,
)
from capacity_studies.figures.layers.section_2_1_augmented import plot_copies, plot_layer
from capacity_studies.figures.layers.section_2_4_ends import plot_rule_bars
from capacity_studies.figures.layers.section_3_1_many_layers import plot_capacity_map
from capacity_studies.figures.layers.section_4_1_receptive_field import plot_seen_and_held

X = np.array([1.0, 10, 100])
Y = np.array([0.9, 0.5, 0.1])
Z = np.array([0.8, 0.3, 0.2])
ERROR = np.array([0.05, 0.04, 0.03])
BASIS = orthonormal_basis(np.diag([4.0, 2, 1]))
KINDS = {"random": Y, "local": Z}
MORE = {name: Y * k for k, name in enumerate("abcde", 1)}
P = np.array([[0.5, -0.5], [0.7, 0.1], [0.0, 0.8]])
STATES = np.array([[0.2, 0.6, 0.2], [0.0, 1, 0]])
MANY = {name: Y * k for k, name in enumerate("abcdefgh", 1)}

CASES = {
    appendix_a: {
        "plot_chord_and_tangent": (
            [X, Y, 2.0, 0.5, 0.25],
            {},
            [(X, Y), (X, 0.5 * X), (X, 1.0 + 0.25 * (X - 2)), ([2.0], [1.0])],
        ),
        "plot_singular_values": ([{"a": BASIS}], {}, [([1, 2, 3], [1, 0.5, 0.25])]),
    },
    in_between: {
        "plot_interpolation": ([X, KINDS, KINDS], {"scale": 2}, [(2 * X, Y), (2 * X, Z), (2 * Z, -0.08 - 0.07)], "y"),
        "plot_positions": ([X, KINDS, {"random": Z, "local": Y}], {}, [(X, Y), (X, Z)]),
        "plot_rules": ([MORE], {}, [([1, 2, 3], k * Y) for k in range(1, 6)]),
        "plot_way": ([{"random": 0.9, "local": 0.4}], {}, [([0.9], [1]), ([0.4], [0])], "x"),
    },
    section_2_1_augmented: {
        "plot_copies": ([np.outer(Y, Z)], {}, []),
        "plot_augmented_layer": ([P], {}, [], ""),
        "plot_layer": ([P], {}, [], ""),
    },
    section_2_3_decoupling: {
        "plot_block_errors": ([X, MORE], {"label": "inputs"}, [(X, Y), (X, 5 * Y)]),
        "plot_coupled_copies": (
            [np.eye(2), 2 * np.eye(2), 0.5],
            {},
            [([-4, 4], [-2, 2]), ([1, 0], [0, 1])],
        ),
        "plot_coupling_curves": (
            [X, {"a": Y}, (X, Z, ERROR)],
            {},
            [(X, Y), (X, Z)],
            "y",
            [(Z - 2 * ERROR, Z + 2 * ERROR)],
        ),
        "plot_coupling_scale": (
            [{"a": 0.5, "b": 1.0}, {"a": (0.4, 0.1), "b": (0.9, 0.1)}],
            {},
            [([1, 0.5], [1, 0])],
            "x",
            [([0.7, 0.2], [1.1, 0.6])],
        ),
        "plot_covariance_blocks": ([np.eye(4), 2], {}, [], ""),
        "plot_kink": ([0.5, 1.5], {}, [([-2, 0, 2], [-1, 0, 3])]),
        "plot_scatter_of_copies": ([Y, Z], {}, [(Y, Z)]),
    },
    section_2_4_ends: {
        "plot_convergence": ([X, {"a": Y, "b": Z}], {}, [(X, Y), (X, Z), (X, Z[0] * np.sqrt(X[0] / X) / 3)]),
        "plot_ends": (
            [MORE, (Z, ERROR)],
            {},
            [([1, 2, 3], Y), ([1, 2, 3], 5 * Y), ([1, 2, 3], Z)],
            "xy",
            [(Z - ERROR, Z + ERROR)],
        ),
        "plot_rule_bars": ([{"a": Y, "b": Z}], {}, []),
    },
    section_3_1_many_layers: {
        "plot_capacity_map": ([np.outer(Y, Z)], {"output": (1, 2)}, [([2], [1])]),
    },
    section_3_2_deep_limits: {
        "plot_centres": ([{"a": Y - 0.5, "b": Z - 0.5}], {}, []),
    },
    section_4_1_receptive_field: {
        "plot_growth": ([X, MANY], {"bands": {"a": (Y, Z)}, "guide": Z}, [(X, Y), (X, 8 * Y), (X, Z)]),
        "plot_seen_and_held": (
            [STATES, np.array([1.0, 0]), np.array([0.5, 0]), ("all", "most")],
            {},
            [([-0.5, 0], [0, 1]), ([0.5, 0], [0, 1])],
        ),
    },
    section_4_2_shattering: {
        "plot_gradient_curves": ([X, -2 * Y], {"color": "C0", "title": "one"}, [(X, -2 * Y / 1.8)]),
    },
}

test_each_plot_has_a_case, test_the_data_are_drawn = drawn_cases(CASES)


def test_a_layer_has_one_edge_per_weight_and_negative_ones_are_dashed(ax):
    plot_layer(ax, P)
    edges = ax.get_lines()
    assert len(edges) == P.size + P.shape[1]
    assert sum(edge.get_linestyle() == "--" for edge in edges) == 1


def test_copies_are_drawn_with_their_sums(ax):
    copies = np.array([[0.25, 0.5], [0.1, 0.0]])
    image, *texts = plot_copies(ax, copies)
    assert np.array_equal(image.get_array(), copies)
    assert [text.get_text() for text in texts] == ["0.25", "0.50", "0.10", "0.00", "0.75", "0.10", "sum"]


def test_bars_are_the_capacities_of_each_rule(ax):
    bars = plot_rule_bars(ax, {"a": Y, "b": Z})
    assert [bar.get_height() for bar in bars] == [*Y, *Z]


def test_a_map_is_scaled_to_its_maximum(ax):
    states = np.array([[0.2, 0.6, 0.2], [0.0, 1, 0]])
    (image,) = plot_capacity_map(ax, 4 * states)
    assert np.array_equal(image.get_array(), np.sqrt(states))


def test_what_is_held_is_drawn_within_what_is_seen_on_the_same_axes_at_any_depth(ax):
    limits = []
    for layers in (2, 4):
        ax.clear()
        at = np.arange(layers, -1, -1.0)
        seen, image, *_ = plot_seen_and_held(ax, np.eye(9)[: layers + 1], at, at / 2, ("all", "most"), most=4)
        limits.append((ax.get_xlim(), ax.get_ylim()))
        assert np.array_equal(np.unique(seen.get_paths()[0].vertices[:, 0]), np.arange(-layers, layers + 1))
        assert np.array_equal(image.get_array().filled(0), np.eye(9)[: layers + 1])
        assert {text.get_text() for text in ax.texts} == {"", "all", "most", "one output"}
        assert not any(text.get_in_layout() for text in ax.texts)
    assert limits[0] == limits[1]
