"""Strokes of the figures of companions/expressivity-remaining-depth."""

import matplotlib as mpl
import numpy as np
from drawings import drawn_cases

from capacity_studies.figures.companions import expressivity_remaining_depth
from capacity_studies.figures.companions.expressivity_remaining_depth import plot_stack

LENGTHS = np.array([[1.0, 2, 4], [1, 2, 3], [1, 1.5, 2]])

CASES = {
    "plot_influences": (
        [[3.0, 16.0], LENGTHS[:2], 2 * LENGTHS[:2]],
        {},
        [([1, 2, 3], row) for row in LENGTHS[:2]],
    ),
    "plot_stack": ([["layer 1", "layer 2", "readout"], 1], {}, [], ""),
}


test_each_plot_has_a_case, test_the_data_are_drawn = drawn_cases(expressivity_remaining_depth, CASES)


def test_only_the_chosen_box_is_filled(ax):
    boxes = plot_stack(ax, ["layer 1", "layer 2", "readout"], 1)
    assert [mpl.colors.to_hex(box.get_facecolor()) == "#f2f2f2" for box in boxes] == [True, False, True]
    assert [text.get_text() for text in ax.texts] == ["layer 1", "layer 2", "readout"]
