"""Figures of the chapter beyond/explorer."""

import numpy as np
from matplotlib import pyplot as plt

from capacity import figures
from capacity.figures import lag_axis
from studies.explorer import Setting

__all__ = ["explorer_figure"]


def explorer_figure(architectures, channel_counts, explorer, sizes, processes):
    """Capacity per input of the four architectures on the first process, for the largest size and 1, 2 and 4
    channels.
    """
    fig, axes = plt.subplots(1, len(architectures), figsize=(6.9, 2.6), sharey=True, squeeze=False)
    few = [c for c in channel_counts if c in (1, 2, 4)]
    for ax, name in zip(axes[0], architectures):
        curves = {c: np.array(explorer[Setting(name, sizes[-1], c, processes[0])]["allocation"]) for c in few}
        lines = figures.plot_allocation(ax, curves)
        lag_axis(ax, len(curves[few[0]]), step=sizes[-1] // 4)
        ax.set(title=name, xlabel="lag (samples)", ylabel="capacity per input" if ax is axes[0, 0] else "")
    fig.legend(handles=lines, loc="outside upper center", ncols=len(few))
    return fig
