"""Figures of the chapter beyond/state-space."""

from matplotlib import pyplot as plt

from capacity_studies import plots

__all__ = ["conditions", "fitted_poles", "half_lags", "memory_figure", "state_space_initialisations"]


def state_space_initialisations(poles, spaces):
    """Poles of a model as it is initialised, and what its constraint spaces, by name, allocate to each lag."""
    fig, axes = plt.subplots(1, 2, figsize=(4.6, 2.3), width_ratios=[4, 5])
    plots.plot_disc(axes[0], {"poles": poles})
    plots.plot_allocation(axes[1], {f"{name}: {space.total}": space.spatial() for name, space in spaces.items()})
    axes[1].set(ylim=(0, 1.05))
    axes[1].legend(loc="upper left", handlelength=1, borderpad=0.1)
    fig.draw_without_rendering()
    fig.set_layout_engine("none")
    return fig


def memory_figure(remembered, counts, ranks):
    """How much of each lag the states remember, by initialisation; and the sum over all lags, by pairs of poles."""
    fig, axes = plt.subplots(1, 2, figsize=(6.3, 2.7), width_ratios=[3, 2])
    plots.plot_on_log_lags(axes[0], remembered, colors=dict(zip(remembered, plots.tints("model", len(remembered)))))
    axes[0].set(ylabel="memory")
    axes[0].legend(loc="upper left")
    plots.plot_memory_ranks(axes[1], counts, [rank.total for rank in ranks], [rank.numerical for rank in ranks])
    return fig


def half_lags(before, after, n):
    """Lag within which half of the capacity lies, of models with two pairs of poles: at three initialisations
    (empty) and after fits from them (filled).
    """
    fig, ax = plt.subplots(figsize=(6.3, 3.2))
    plots.plot_half_lags(ax, before, after, n)
    for label, fill in (("before", "none"), ("after a fit", "full")):
        ax.plot([], [], "o", color=plots.COLORS["reference"], markersize=5, fillstyle=fill, label=label)
    plots.legend_above(ax, ncols=5)
    return fig


def fitted_poles(decaying, measured):
    """Poles of the best fits with two pairs, of decaying processes and of measured series."""
    fig, axes = plt.subplots(1, 2, figsize=(6.3, 3.4))
    plots.plot_disc(axes[0], decaying)
    plots.plot_disc(axes[1], measured)
    for ax in axes:
        plots.legend_above(ax, ncols=2, columnspacing=1, handletextpad=0.2)
    return fig


def conditions(numbers, by_size, horizons, by_horizon, n):
    """Lag, of n, within which half of the capacity lies after a fit, by number of pairs and by steps ahead."""
    fig, axes = plt.subplots(1, 2, figsize=(6.9, 2.7), sharey=True)
    plots.plot_half_lags_against(axes[0], numbers, by_size, n, xlabel="pairs of poles")
    plots.plot_half_lags_against(axes[1], horizons, by_horizon, n, xlabel="steps ahead")
    axes[1].set(ylabel="")
    return fig
