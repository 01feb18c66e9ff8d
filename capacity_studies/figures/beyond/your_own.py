"""Figures of the chapter beyond/your-own."""

from matplotlib import pyplot as plt

from capacity import figures

__all__ = ["first_look", "frequencies_figure", "inputs_figure", "network_figure"]


def first_look(series, n, first):
    """Left: the series, and the window of the last 32 values, from which a model predicts the next one."""
    fig, axes = plt.subplots(1, 2, figsize=(6.3, 2.4), width_ratios=[2, 3])
    axes[0].plot(series, color=figures.COLORS["target"], linewidth=0.9)
    axes[0].axvspan(len(series) - n, len(series), color=figures.COLORS["model"], alpha=0.2)
    axes[0].set(xlabel="sample", ylabel="value", title="what goes in")
    notes = [(n - 3, "little for the oldest"), (2, "most for the recent")]
    figures.plot_budget(axes[1], first.spatial(), figures.COLORS["capacity"], notes)
    axes[1].set_title("what comes out")
    return fig


def inputs_figure(spaces, n):
    """Capacity per input: of two branches that are added, of a model that shares its weights between scales, and of
    the two branches once more, with the covariance of a table of samples, and with a value further ahead as
    target.
    """
    fig, ax = plt.subplots(figsize=(6.3, 2.7))
    lines = figures.plot_allocation(ax, {name: chosen.spatial() for name, chosen in spaces.items()})
    figures.point_out(ax, "direct taps:\nnearly full", (n - 4, 0.93), (0.88, 0.6))
    ax.annotate("shared: two parameters in all", (0.03, 0.13), xycoords="axes fraction")
    fig.legend(handles=lines, loc="outside upper center", ncols=4)
    return fig


def frequencies_figure(grid, along, spectrum):
    """Capacity of the two models along frequencies."""
    fig, ax = plt.subplots(figsize=(6.3, 2.5))
    lines = figures.plot_frequencies(ax, grid, along, spectrum=spectrum)
    figures.point_out(ax, "the cycle of eleven years", (0.095, 0.8), (0.5, 0.85))
    fig.legend(handles=lines, loc="outside upper center", ncols=3)
    return fig


def network_figure(answers):
    """Capacity of the inputs of a trained ReLU network: by definition, handed down as if it were pseudo-random, and
    as if it were linear.
    """
    fig, ax = plt.subplots(figsize=(6.3, 2.5))
    lines = figures.plot_allocation(ax, answers)
    ax.set_ylim(bottom=0)
    fig.legend(handles=lines, loc="outside upper center", ncols=3)
    return fig
