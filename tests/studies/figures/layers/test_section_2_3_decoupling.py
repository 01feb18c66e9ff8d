"""Strokes of the figures of layers/2-3-decoupling."""

import numpy as np
from drawings import drawn_cases

from capacity_studies.figures.layers import section_2_3_decoupling
from capacity_studies.figures.layers.section_2_3_decoupling import (
    plot_coupled_copies,
    plot_coupling_curves,
    plot_coupling_scale,
    plot_covariance_blocks,
)

X = np.array([1.0, 10, 100])
Y, Z, ERROR = np.array([0.9, 0.5, 0.1]), np.array([0.8, 0.3, 0.2]), np.array([0.05, 0.04, 0.03])
KINDS, MORE = {"random": Y, "local": Z}, {name: Y * k for k, name in enumerate("abcde", 1)}

CASES = {
    "plot_block_errors": ([X, MORE], {"label": "inputs"}, [(X, Y), (X, 5 * Y)]),
    "plot_coupled_copies": (
        [np.eye(2), 2 * np.eye(2), 0.5],
        {"limit": 1},
        [([-1, 1], [-0.5, 0.5]), ([1, 0], [0, 1])],
    ),
    "plot_coupling_curves": ([X, {"a": Y}, (X, Z, ERROR)], {}, [(X, Y), (X, Z)], "y"),
    "plot_coupling_scale": ([{"a": 0.5, "b": 1.0}, {"a": (0.4, 0.1), "b": (0.9, 0.1)}], {}, [([1, 0.5], [1, 0])], "x"),
    "plot_covariance_blocks": ([np.eye(4), 2], {}, [], ""),
    "plot_kink": ([0.5, 1.5], {}, [([-2, 0, 2], [-1, 0, 3])]),
    "plot_scatter_of_copies": ([Y, Z], {}, [(Y, Z)]),
}


test_each_plot_has_a_case, test_the_data_are_drawn = drawn_cases(section_2_3_decoupling, CASES)


def test_copies_are_shown_up_to_the_limit(ax):
    plot_coupled_copies(ax, np.eye(2), np.eye(2), 0.5, limit=1)
    assert (ax.get_xlim(), ax.get_ylim()) == ((-1, 1), (-1, 1))
    assert all(-1 <= tick <= 1 for tick in ax.get_xticks())


def test_blocks_are_drawn_on_one_scale_with_lines_between(ax):
    (image,) = plot_covariance_blocks(ax, 0.3 * np.eye(6), 3)
    assert np.array_equal(image.get_array(), 0.3 * np.eye(6))
    assert image.get_clim() == (-1, 1)
    assert len(ax.get_lines()) == 4


def test_bars_are_two_standard_errors(ax):
    plot_coupling_curves(ax, X, {}, (X, Y, ERROR))
    (bars,) = ax.collections
    assert np.allclose([segment[:, 1] for segment in bars.get_segments()], np.transpose([Y - 2 * ERROR, Y + 2 * ERROR]))


def test_the_minus_of_a_slope_is_no_hyphen(ax):
    exact = {"leaky(-0.5)": 0.1, "pseudo-random": 0.0}
    plot_coupling_scale(ax, exact, dict.fromkeys(exact, (0.1, 0.01)))
    assert [label.get_text() for label in ax.get_yticklabels()] == ["leaky(\N{MINUS SIGN}0.5)", "pseudo-random"]
