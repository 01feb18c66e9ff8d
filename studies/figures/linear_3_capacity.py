"""Figures of the chapter linear/3-capacity."""

from matplotlib import pyplot as plt

from capacity.figures import plot_chain, plot_error_shares, plot_free_and_constrained, plot_projection

__all__ = ["axes_figure", "chain_figure", "error_shares", "projection"]


def projection(degrees, towards, line):
    """Left: a direction at the angle theta to the normal of a constraint; the solutions form the whole line
    orthogonal to the normal.
    """
    fig, ax = plt.subplots(figsize=(4.6, 2.1))
    plot_projection(ax, towards(degrees), line.vectors[:, 0])
    return fig


def axes_figure(space, n):
    """Capacity per input of five random constraints on twelve inputs."""
    fig, ax = plt.subplots(figsize=(6.3, 2.2))
    plot_free_and_constrained(ax, space.spatial())
    for middle, word in ((space.spatial()[-1] / 2, "constrained"), (0.8, "free")):
        ax.text(n + 0.55, middle, word, va="center")
    ax.set_xlim(0.3, n + 2.8)
    return fig


def error_shares(freedoms, shares, largest):
    """Share of the squared error that 22 random subspaces of dimensions 1 to 11 carry, against their free dimension;
    each has three points.
    """
    fig, ax = plt.subplots(figsize=(6.3, 2.8))
    plot_error_shares(ax, freedoms, shares, largest)
    fig.legend(loc="outside upper center", ncols=3)
    return fig


def chain_figure(forward, backward):
    """The same four constraint spaces, of 2, 3, 1 and 4 constraints, added in two orders."""
    fig, axes = plt.subplots(1, 2, figsize=(6.3, 2.4), sharey=True)
    names = [f"space {i}" for i in range(1, 5)]
    plot_chain(axes[0], forward, names)
    plot_chain(axes[1], backward, names[::-1])
    axes[0].set_title("from 1 to 4")
    axes[1].set_title("from 4 to 1")
    fig.legend(*axes[0].get_legend_handles_labels(), loc="outside upper center", ncols=4)
    return fig
