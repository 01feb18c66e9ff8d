"""Strokes of the figures of layers/appendix-a."""

import numpy as np
from drawings import drawn_cases

from capacity import orthonormal_basis
from capacity_studies.figures.layers import appendix_a

X = np.array([1.0, 10, 100])
Y, Z, ERROR = np.array([0.9, 0.5, 0.1]), np.array([0.8, 0.3, 0.2]), np.array([0.05, 0.04, 0.03])
BASIS = orthonormal_basis(np.diag([4.0, 2, 1]))

CASES = {
    "plot_chord_and_tangent": (
        [X, Y, 2.0, 0.5, 0.25],
        {},
        [(X, Y), (X, 0.5 * X), (X, 1.0 + 0.25 * (X - 2)), ([2.0], [1.0])],
    ),
    "plot_singular_values": ([{"a": BASIS}], {}, [([1, 2, 3], [1, 0.5, 0.25])]),
}


test_each_plot_has_a_case, test_the_data_are_drawn = drawn_cases(appendix_a, CASES)
