"""Plots of paper 1, Section 6.2 and Appendix D, and of the comparison of processes."""

import numpy as np
import pytest
from drawings import drawn_cases

from capacity.figures import plot_feature_boxes, plot_feature_stack, process_styles, tasks

N = 8
LAGS = np.arange(1, N + 1)
FIRST, SECOND = np.linspace(0.1, 1, N), np.linspace(1, 0.1, N) ** 2
STYLES = process_styles(["a", "b"])
PAIR = {"a": FIRST, "b": SECOND}

CASES = {
    "plot_adaptation": ([FIRST, SECOND, [(0.2, 0.4), (0.6, 0.6)]], {"limits": (0, 2)}, [(FIRST, SECOND)], ""),
    "plot_autocovariances": ([PAIR, STYLES], {}, [(LAGS[:-1], FIRST[1:]), (LAGS[:-1], SECOND[1:])]),
    "plot_difference": ([-FIRST], {"ylabel": "error"}, [(LAGS, FIRST)]),
    "plot_feature_boxes": ([np.column_stack([FIRST, SECOND]), ["a", "b"]], {}, []),
    "plot_feature_stack": ([np.column_stack([FIRST, SECOND]), ["a", "b"]], {}, []),
    "plot_features": ([FIRST, {"a": SECOND}], {}, [(FIRST, SECOND)]),
    "plot_findings": (
        [{"one": {"a": True, "b": False}, "two": {"a": True, "b": True}}],
        {},
        [([0, 0, 1], [0, 1, 1]), (1, 0)],
        "",
    ),
    "plot_fixed_weights": ([FIRST, SECOND, (0, 1)], {}, [(FIRST, SECOND)]),
    "plot_moments": (
        [(FIRST, SECOND), PAIR, {"a": SECOND, "b": FIRST}],
        {"ylabel": "moment"},
        [(FIRST, FIRST), (SECOND, FIRST)],
    ),
    "plot_prediction": ([FIRST, 0.5, 0.7, 0.1], {}, [(LAGS - 1, FIRST), (N, 0.5), (N, 0.7)]),
    "plot_recovery": (
        [PAIR, {"a": True, "b": False}],
        {"threshold": 0.5},
        [(FIRST, 0.25 * np.linspace(-1, 1, N))],
        "",
    ),
    "plot_two_curves": ([FIRST, SECOND], {"ylabel": "value"}, [(LAGS, FIRST), (LAGS, SECOND)]),
}


test_each_plot_has_a_case, test_the_data_are_drawn_and_the_axes_labelled = drawn_cases(tasks, CASES)


def test_a_stack_of_features_ends_at_the_sum(ax):
    areas = plot_feature_stack(ax, np.column_stack([FIRST, SECOND]), ["a", "b"])
    assert areas[-1].get_paths()[0].vertices[:, 1].max() == (FIRST + SECOND).max()


def test_each_box_of_a_feature_is_filled_to_its_capacity(ax):
    filled, boxes, *_ = plot_feature_boxes(ax, np.column_stack([FIRST, SECOND]), ["a", "b"])
    assert [bar.get_height() for bar in filled] == list(FIRST)
    assert {bar.get_height() for bar in boxes} == {1}
    assert [text.get_text() for text in ax.get_yticklabels()] == ["a", "b"]


def test_values_that_lose_the_optimum_are_named_where_they_are(ax):
    tasks.plot_adaptation(ax, FIRST, SECOND, [(0.2, 0.4), (0.6, 0.6)], limits=(0, 2))
    shaded, single = ax.texts
    assert (shaded.get_text(), *shaded.get_position()) == ("lost", pytest.approx(0.3), 1)
    assert (single.get_text(), *single.xy) == ("lost\nonly here", 0.6, 1)


def test_the_sides_of_the_threshold_are_named_in_the_colours_of_the_sets(ax):
    tasks.plot_recovery(ax, PAIR, {"a": True, "b": False}, threshold=0.5, sides=("kept", "lost"))
    assert [(text.get_text().strip(), text.get_position()[0], text.get_ha()) for text in ax.texts] == [
        ("kept", 0.5, "right"),
        ("lost", 0.5, "left"),
    ]


def test_each_process_has_a_colour_and_dashes_of_its_own():
    styles = process_styles("abcd")
    assert [len({style[key] for style in styles.values()}) for key in ("color", "linestyle")] == [4, 4]
