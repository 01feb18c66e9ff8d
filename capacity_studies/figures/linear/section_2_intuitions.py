"""Figures of the chapter linear/2-intuitions."""

from itertools import cycle

import numpy as np

from capacity._validation import common_length
from capacity.figures import COLORS, direct_labels, tints
from capacity.figures.style import readable

__all__ = [
    "plot_synthetic",
]


def plot_synthetic(ax, allocations):
    """Draw fictitious allocations {name: capacity per position}, each named beside its last point or peak (Figure 1).

    Above 1, where no input can be, the axes are shaded.
    """
    n, markers, lines, beside = common_length(allocations, "allocations"), ["o", "s", "^"], [], {}
    top, points = 1.4, {"textcoords": "offset points", "annotation_clip": False}
    ax.axhspan(1, top, color="#eeeeee", zorder=0)
    ax.text(1, 0.97 * top, "more than full: impossible", va="top", color=readable(COLORS["error"]))
    for (name, values), color, marker in zip(allocations.items(), tints("capacity", len(allocations)), cycle(markers)):
        lines += ax.plot(np.arange(1, n + 1), values, marker=marker, color=color)
        peak, color = np.argmax(values), readable(color)
        if values[-1] > values[peak] - 1e-6:
            beside[name.replace(": ", ":\n")] = lines[-1]
        else:
            ax.annotate(name, (peak + 1, values[peak]), (0, 6), ha="center", color=color, in_layout=False, **points)
    ax.set(xlabel="position of the input (oldest to most recent)", ylabel="capacity per input", ylim=(0, top))
    ax.set_xticks(np.arange(1, n + 1, 1 + n // (20 if n < 100 else 10)))
    direct_labels(ax, list(beside.values()), list(beside), spacing=0.19)
    return lines
