"""Figures of the chapter beyond/state-space."""

import numpy as np
from matplotlib import pyplot as plt

from capacity import model_constraints
from capacity.models import s4d_lin_poles
from studies import figures

__all__ = ["conditions", "fitted_poles", "half_lags", "memory_figure", "state_space_initialisations"]


def state_space_initialisations(memory, small, n):
    """S4D-Lin with four pairs of poles, as it is initialised."""
    poles, _ = s4d_lin_poles(4, step=2 / memory)
    fig, axes = plt.subplots(1, 2, figsize=(4.6, 2.3), width_ratios=[4, 5])
    figures.plot_disc(axes[0], {"poles": poles})
    curves = {}
    for name, part in (("all", None), ("weights alone", ["weights"])):
        space = model_constraints(small, small.parameters(poles), np.eye(n), layers=part)
        curves[f"{name}: {space.total}"] = space.spatial()
    figures.plot_allocation(axes[1], curves)
    axes[1].set(ylim=(0, 1.05))
    axes[1].legend(loc="upper left", handlelength=1, borderpad=0.1)
    fig.draw_without_rendering()
    fig.set_layout_engine("none")
    return fig


def memory_figure(memories, counts, ranks):
    """Left: how much of the input at each lag the states remember, with eight pairs of poles of each initialisation."""
    fig, axes = plt.subplots(1, 2, figsize=(6.3, 2.7), width_ratios=[3, 2])
    figures.plot_on_log_lags(axes[0], memories)
    axes[0].set(ylabel="memory")
    axes[0].legend(loc="upper left")
    figures.plot_memory_ranks(axes[1], counts, [rank.total for rank in ranks], [rank.numerical for rank in ranks])
    return fig


def half_lags(before, after, n):
    """Lag within which half of the capacity lies, of models with two pairs of poles: at three initialisations
    (empty) and after fits from them (filled).
    """
    fig, ax = plt.subplots(figsize=(6.3, 3.2))
    figures.plot_half_lags(ax, before, after, n)
    figures.legend_above(ax, ncols=3)
    return fig


def fitted_poles(shown, decaying, series):
    """Poles of the best fits with two pairs."""
    fig, axes = plt.subplots(1, 2, figsize=(6.3, 3.4))
    figures.plot_disc(axes[0], {name: shown[name] for name in decaying})
    figures.plot_disc(axes[1], {name: shown[name] for name in series})
    for ax in axes:
        figures.legend_above(ax, ncols=2, columnspacing=1, handletextpad=0.2)
    return fig


def conditions(numbers, by_size, n, horizons, by_horizon):
    """Lag within which half of the capacity lies after a fit."""
    fig, axes = plt.subplots(1, 2, figsize=(6.9, 2.7), sharey=True)
    figures.plot_half_lags_against(
        axes[0], numbers, {k: np.array(v) for k, v in by_size.items()}, n, xlabel="pairs of poles"
    )
    figures.plot_half_lags_against(
        axes[1], horizons, {k: np.array(v) for k, v in by_horizon.items()}, n, xlabel="steps ahead"
    )
    axes[1].set(ylabel="")
    return fig
