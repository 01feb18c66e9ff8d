"""Strokes of the figures of layers/3-1-many-layers."""

import numpy as np
from drawings import drawn_cases

from capacity_studies.figures.layers import section_3_1_many_layers
from capacity_studies.figures.layers.section_3_1_many_layers import plot_capacity_map

Y, Z = np.array([0.8, 0.4, 0.2, 0.1]), np.array([0.9, 0.5, 0.3, 0.2])

CASES = {
    "plot_capacity_map": ([np.outer(Y, Z)], {"output": (1, 2)}, [([2], [1])]),
}


test_each_plot_has_a_case, test_the_data_are_drawn = drawn_cases(section_3_1_many_layers, CASES)


def test_a_map_is_scaled_to_its_maximum(ax):
    states = np.array([[0.2, 0.6, 0.2], [0.0, 1, 0]])
    (image,) = plot_capacity_map(ax, 4 * states)
    assert np.array_equal(image.get_array(), np.sqrt(states))
