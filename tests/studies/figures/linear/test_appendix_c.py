"""Strokes of the figures of linear/appendix-c."""

from drawings import drawn_cases

from capacity import DilatedConvolution
from capacity_studies.figures.linear import appendix_c
from capacity_studies.figures.linear.appendix_c import plot_dilations

CASES = {
    "plot_dilations": ([DilatedConvolution([1, 2, 1, 2], 1)], {}, [], ""),
}


test_each_plot_has_a_case, test_the_data_are_drawn = drawn_cases(appendix_c, CASES)


def test_bars_are_as_wide_as_the_dilations_and_equal_ones_have_one_colour(ax):
    bars = plot_dilations(ax, DilatedConvolution([1, 4, 1], 2))[:3]
    assert [bar.get_width() for bar in bars] == [1, 4, 1]
    assert bars[0].get_y() < bars[1].get_y()
    assert bars[0].get_facecolor() == bars[2].get_facecolor() != bars[1].get_facecolor()
    assert [text.get_text().strip() for text in ax.texts] == ["1", "4", "1"]
