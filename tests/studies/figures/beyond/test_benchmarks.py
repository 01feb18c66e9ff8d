"""Strokes of the figures of beyond/benchmarks."""

import numpy as np
from drawings import drawn_cases

from capacity_studies.figures.beyond import benchmarks

N = 8
FIRST, SECOND = np.linspace(0.1, 1, N), np.linspace(1, 0.1, N) ** 2
CHANNELS = np.array([1.0, 2, 4, 8, 16, 32, 64, 128])

CASES = {
    "plot_limits": (
        [{"a": (FIRST, SECOND)}],
        {},
        [(FIRST, SECOND)],
    ),
    "plot_times": (
        [CHANNELS, {"a": FIRST, "b": SECOND}],
        {"xlabel": "size"},
        [(CHANNELS, FIRST), (CHANNELS, SECOND)],
    ),
}


test_each_plot_has_a_case, test_the_data_are_drawn = drawn_cases(benchmarks, CASES)
