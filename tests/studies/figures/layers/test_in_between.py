"""Strokes of the figures of layers/in-between."""

import numpy as np
from drawings import drawn_cases

from capacity_studies.figures.layers import in_between

X = np.array([1.0, 10, 100])
Y, Z, ERROR = np.array([0.9, 0.5, 0.1]), np.array([0.8, 0.3, 0.2]), np.array([0.05, 0.04, 0.03])
KINDS, MORE = {"random": Y, "local": Z}, {name: Y * k for k, name in enumerate("abcde", 1)}

CASES = {
    "plot_interpolation": ([X, KINDS, KINDS], {"scale": 2}, [(2 * X, Y), (2 * X, Z), (2 * Z, -0.08 - 0.07)], "y"),
    "plot_positions": ([X, KINDS, {"random": Z, "local": Y}], {}, [(X, Y), (X, Z)]),
    "plot_rules": ([MORE], {}, [([1, 2, 3], k * Y) for k in range(1, 6)]),
    "plot_way": ([{"random": 0.9, "local": 0.4}], {}, [([0.9], [1]), ([0.4], [0])], "x"),
}


test_each_plot_has_a_case, test_the_data_are_drawn = drawn_cases(in_between, CASES)
