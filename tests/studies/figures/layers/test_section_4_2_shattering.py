"""Strokes of the figures of layers/4-2-shattering."""

import numpy as np
from drawings import drawn_cases

from capacity_studies.figures.layers import section_4_2_shattering

X = np.array([1.0, 2, 4, 8])
Y, Z = np.array([0.8, 0.4, 0.2, 0.1]), np.array([0.9, 0.5, 0.3, 0.2])

CASES = {
    "plot_gradient_curves": ([X, -2 * Y], {"color": "C0", "title": "one"}, [(X, -2 * Y / 1.6)]),
}


test_each_plot_has_a_case, test_the_data_are_drawn = drawn_cases(section_4_2_shattering, CASES)
