"""Strokes of the figures of beyond/scaling."""

import numpy as np
from drawings import drawn_cases

from capacity_studies.figures.beyond import scaling
from capacity_studies.figures.beyond.scaling import plot_loss_laws, process_color

N = 8
LAGS = np.arange(1, N + 1)
FIRST, SECOND = np.linspace(0.1, 1, N), np.linspace(1, 0.1, N) ** 2
CHANNELS = np.array([1.0, 2, 4, 8, 16, 32, 64, 128])

CASES = {
    "plot_capacity_growth": ([CHANNELS, {3: FIRST, 4: SECOND}], {}, [(CHANNELS, FIRST), (CHANNELS, SECOND)]),
    "plot_loss_laws": (
        [{"power law": (LAGS, FIRST)}, {"power law": (LAGS, SECOND)}],
        {"xlabel": "x"},
        [(LAGS, FIRST), (LAGS, SECOND)],
    ),
    "plot_slopes": (
        [CHANNELS, {k: FIRST[1:] * k for k in (1, 2, 3)}],
        {},
        [(np.sqrt(2) * CHANNELS[:-1], 3 * FIRST[1:])],
    ),
}


test_each_plot_has_a_case, test_the_data_are_drawn = drawn_cases(scaling, CASES)


def test_a_process_has_the_same_colour_everywhere(ax):
    names = ["power law", "fractional noise", "exponential mixture"]
    assert len({process_color(name) for name in names}) == 3
    lines = plot_loss_laws(ax, *[dict.fromkeys(names, (LAGS, FIRST))] * 2, xlabel="x")
    assert [line.get_color() for line in lines[::2]] == [process_color(name) for name in names]
