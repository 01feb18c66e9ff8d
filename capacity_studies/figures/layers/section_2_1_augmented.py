"""Figures of the chapter layers/2-1-augmented."""

from matplotlib import pyplot as plt

from capacity import figures

__all__ = ["copies_figure", "figure_1"]


def figure_1(P):
    """Figure 1 of paper 2."""
    fig, axes = plt.subplots(1, 2, figsize=(6.3, 3.2))
    figures.plot_layer(axes[0], P[:3, :2])
    figures.plot_augmented_layer(axes[1], P[:3, :2])
    axes[0].set_title("as it is written")
    axes[1].set_title("with a copy per output")
    return fig


def copies_figure(capacity):
    """Capacity of a ReLU layer with three inputs, four outputs and two learned parameters: one number for each input
    (row) in each copy (column), and their sums over the copies in bold orange, which add up to the number of
    parameters.
    """
    fig, ax = plt.subplots(figsize=(5.2, 2.2))
    figures.plot_copies(ax, capacity.copies)
    return fig
