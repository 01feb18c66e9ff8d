"""Strokes of the figures of linear/6-2-feature-maps."""

import numpy as np
from drawings import drawn_cases

from capacity_studies.figures.linear import section_6_2_feature_maps
from capacity_studies.figures.linear.section_6_2_feature_maps import plot_feature_boxes, plot_feature_stack

N = 8
FIRST, SECOND = np.linspace(0.1, 1, N), np.linspace(1, 0.1, N) ** 2
PAIR = {"a": FIRST, "b": SECOND}

CASES = {
    "plot_feature_boxes": ([np.column_stack([FIRST, SECOND]), ["a", "b"]], {}, []),
    "plot_feature_stack": ([np.column_stack([FIRST, SECOND]), ["a", "b"]], {}, []),
    "plot_features": ([FIRST, {"a": SECOND}], {}, [(FIRST, SECOND)]),
    "plot_moments": (
        [(FIRST, SECOND), PAIR, {"a": SECOND, "b": FIRST}],
        {"ylabel": "moment"},
        [(FIRST, FIRST), (SECOND, FIRST)],
    ),
}


test_each_plot_has_a_case, test_the_data_are_drawn = drawn_cases(section_6_2_feature_maps, CASES)


def test_a_stack_of_features_ends_at_the_sum(ax):
    areas = plot_feature_stack(ax, np.column_stack([FIRST, SECOND]), ["a", "b"])
    assert areas[-1].get_paths()[0].vertices[:, 1].max() == (FIRST + SECOND).max()


def test_each_box_of_a_feature_is_filled_to_its_capacity(ax):
    filled, boxes, *_ = plot_feature_boxes(ax, np.column_stack([FIRST, SECOND]), ["a", "b"])
    assert [bar.get_height() for bar in filled] == list(FIRST)
    assert {bar.get_height() for bar in boxes} == {1}
    assert [text.get_text() for text in ax.get_yticklabels()] == ["a", "b"]
