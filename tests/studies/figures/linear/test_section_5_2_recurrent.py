"""Strokes of the figures of linear/5-2-recurrent."""

import numpy as np
from drawings import drawn_cases

from capacity_studies.figures.linear import section_5_2_recurrent
from capacity_studies.figures.linear.section_5_2_recurrent import plot_recurrence

N = 8
FIRST, SECOND = np.linspace(0.1, 1, N), np.linspace(1, 0.1, N) ** 2
LAGS = np.arange(1, N + 1)

CASES = {
    "plot_extended_spectrum": ([FIRST, SECOND], {}, [(LAGS, FIRST), (LAGS, SECOND)]),
    "plot_poles": ([{1: FIRST[:1], 2: SECOND[:2]}], {}, [(FIRST[:1], 0), (SECOND[:2], 1)]),
    "plot_recurrence": ([3], {}, [], ""),
}


test_each_plot_has_a_case, test_the_data_are_drawn = drawn_cases(section_5_2_recurrent, CASES)


def test_an_input_of_a_recurrence_takes_one_step_up_one_per_later_input_and_one_out(ax):
    plot_recurrence(ax, 6, back=3)
    arrows = [text.arrow_patch for text in ax.texts if getattr(text, "arrow_patch", None)]
    assert sum(arrow.get_linewidth() == 3 for arrow in arrows) == 1 + 3 + 1
