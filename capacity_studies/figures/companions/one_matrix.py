"""Figures of the chapter companions/one-matrix."""

from matplotlib import pyplot as plt

from capacity.figures import PALETTE
from capacity_studies.figures.strokes import plot_shared_matrix, plot_shares

__all__ = ["tied"]


def tied(M):
    """The matrix of the example: three inputs, four samples, two parameters."""
    fig, axes = plt.subplots(2, 2, figsize=(4.6, 3.0), width_ratios=[2, 1], height_ratios=[1.6, 1])
    plot_shared_matrix(axes[0, 0], M)
    plot_shares(axes[0, 1], (M**2).sum(axis=1), horizontal=True)
    plot_shares(axes[1, 0], (M**2).sum(axis=0), color=PALETTE[0])
    axes[0, 0].set(xlabel="", xticks=[], yticks=[1, 2, 3])
    axes[0, 1].set(xlabel="capacity", yticks=[], xlim=(0, 1.05))
    axes[1, 0].set(xlabel="sample", ylabel="leverage", xticks=[1, 2, 3, 4])
    axes[1, 1].axis("off")
    return fig
