"""Strokes of the figures of linear/appendix-b."""

import numpy as np
from drawings import drawn_cases

from capacity_studies.figures.linear import appendix_b

N = 8
LAGS = np.arange(1, N + 1)
FIRST, SECOND = np.linspace(0.1, 1, N), np.linspace(1, 0.1, N) ** 2

CASES = {
    "plot_difference": ([-FIRST], {"ylabel": "error"}, [(LAGS, FIRST)]),
    "plot_prediction": ([FIRST, 0.5, 0.7, 0.1], {}, [(LAGS - 1, FIRST), (N, 0.5), (N, 0.7)]),
    "plot_two_curves": ([FIRST, SECOND], {"ylabel": "value"}, [(LAGS, FIRST), (LAGS, SECOND)]),
}


test_each_plot_has_a_case, test_the_data_are_drawn = drawn_cases(appendix_b, CASES)
