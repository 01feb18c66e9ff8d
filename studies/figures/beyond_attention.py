"""Figures of the chapter beyond/attention."""

from matplotlib import pyplot as plt

from studies import figures

__all__ = ["positions", "rules", "sharp", "windows"]


def positions(capacities):
    """Capacity of the last token by position, under two ways to normalise; its axes never move."""
    fig, ax = plt.subplots(figsize=(4.6, 2.6), layout="none")
    fig.subplots_adjust(left=0.17, right=0.97, bottom=0.2, top=0.96)
    figures.plot_by_position(ax, capacities)
    ax.legend(loc="upper center", ncols=2, handlelength=2)
    return fig


def rules(panels):
    """Shares of sampled networks (points) beside the exact rule and its two ends, one panel per setting.

    Each panel is a title, the curves by name and the mean of the samples with its standard error.
    """
    fig, axes = plt.subplots(1, len(panels), figsize=(6.3, 2.9), sharey=True)
    for ax, (title, curves, samples) in zip(axes, panels):
        curve = dict(zip(curves, [samples]))
        lines = figures.plot_decay(ax, samples.x, curves, curve, colors=["C3", "C0", "C2"])
        for line, style in zip(lines, ("-", "--", ":")):
            line.set_linestyle(style)
        plt.setp([part for bars in ax.containers for part in (*bars[1], *bars[2])], alpha=0.4, linewidth=0.8)
        ax.set(yscale="log", ylim=(1e-3, 1), xlabel="position of the token", title=title)
    axes[0].set_ylabel("capacity (log scale)")
    axes[-1].legend(loc="upper left", handlelength=1.5, borderpad=0.1)
    return fig


def windows(profiles, depths, reach):
    """Capacity by lag, as a density over the span of the windows, and mean lag over span against depth."""
    fig, axes = plt.subplots(1, 2, figsize=(6.3, 2.7), width_ratios=[3, 2])
    for (name, (lags, density)), color in zip(profiles.items(), ("C3", "C0", "C2")):
        axes[0].plot(lags, density, color=color, label=name)
    axes[0].axvline(0.25, color="black", linestyle=":", linewidth=0.8)
    axes[0].set(xlim=(0, 0.6), ylim=(0, None), xlabel="lag / span", ylabel="capacity (density)")
    axes[0].legend(loc="upper right", handlelength=1.5)
    lines = figures.plot_decay(axes[1], depths, reach, colors=["C3", "C0"])
    lines[1].set_linestyle("--")
    axes[1].axhline(0.25, color="black", linestyle=":", linewidth=0.8)
    axes[1].set(xscale="log", ylim=(0, 0.27), xlabel="layers (log scale)", ylabel="mean lag / span")
    figures.legend_above(axes[1], handlelength=1.5)
    return fig


def sharp(sharpness, distances):
    """Distance of three things from the squared gradients through softmax and all, against the size of the logits."""
    fig, ax = plt.subplots(figsize=(4.6, 2.6))
    lines = figures.plot_decay(ax, sharpness, distances, colors=["C3", "C0", "C2"])
    for line, style in zip(lines, ("o-", "s--", "^:")):
        line.set(marker=style[0], linestyle=style[1:], markersize=4)
    ax.set(xscale="log", ylim=(0, None), xlabel="size of the logits (log scale)", ylabel="distance from gradients")
    figures.legend_above(ax, ncols=3, handlelength=2)
    return fig
