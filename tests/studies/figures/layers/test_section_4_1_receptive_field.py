"""Strokes of the figures of layers/4-1-receptive-field."""

import numpy as np
from drawings import drawn_cases

from capacity_studies.figures.layers import section_4_1_receptive_field
from capacity_studies.figures.layers.section_4_1_receptive_field import plot_seen_and_held

X = np.array([1.0, 2, 4, 8])
Y, Z = np.array([0.8, 0.4, 0.2, 0.1]), np.array([0.9, 0.5, 0.3, 0.2])
STATES = np.array([[0.2, 0.6, 0.2], [0.0, 1, 0]])
MANY = {name: Y * k for k, name in enumerate("abcdefgh", 1)}

CASES = {
    "plot_growth": ([X, MANY], {"bands": {"a": (Y, Z)}, "guide": Z}, [(X, Y), (X, 8 * Y), (X, Z)]),
    "plot_seen_and_held": (
        [STATES, np.array([1.0, 0]), np.array([0.5, 0]), ("all", "most")],
        {},
        [([-0.5, 0], [0, 1]), ([0.5, 0], [0, 1])],
    ),
}


test_each_plot_has_a_case, test_the_data_are_drawn = drawn_cases(section_4_1_receptive_field, CASES)


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
