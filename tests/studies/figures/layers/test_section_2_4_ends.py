"""Strokes of the figures of layers/2-4-ends."""

import numpy as np
from drawings import drawn_cases

from capacity_studies.figures.layers import section_2_4_ends
from capacity_studies.figures.layers.section_2_4_ends import plot_rule_bars

X = np.array([1.0, 10, 100])
Y, Z, ERROR = np.array([0.9, 0.5, 0.1]), np.array([0.8, 0.3, 0.2]), np.array([0.05, 0.04, 0.03])
KINDS, MORE = {"random": Y, "local": Z}, {name: Y * k for k, name in enumerate("abcde", 1)}

CASES = {
    "plot_convergence": ([X, {"a": Y, "b": Z}], {}, [(X, Y), (X, Z), (X, Z[0] * np.sqrt(X[0] / X) / 3)]),
    "plot_ends": ([MORE, (Z, ERROR)], {}, [([1, 2, 3], Y), ([1, 2, 3], 5 * Y), ([1, 2, 3], Z)]),
    "plot_rule_bars": ([{"a": Y, "b": Z}], {}, []),
}


test_each_plot_has_a_case, test_the_data_are_drawn = drawn_cases(section_2_4_ends, CASES)


def test_bars_are_the_capacities_of_each_rule(ax):
    bars = plot_rule_bars(ax, {"a": Y, "b": Z})
    assert [bar.get_height() for bar in bars] == [*Y, *Z]
