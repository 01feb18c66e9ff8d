"""Strokes of the figures of layers/3-2-deep-limits."""

import numpy as np
from drawings import drawn_cases

from capacity_studies.figures.layers import section_3_2_deep_limits

Y, Z = np.array([0.8, 0.4, 0.2, 0.1]), np.array([0.9, 0.5, 0.3, 0.2])

CASES = {
    "plot_centres": ([{"a": Y - 0.5, "b": Z - 0.5}], {}, []),
}


test_each_plot_has_a_case, test_the_data_are_drawn = drawn_cases(section_3_2_deep_limits, CASES)
