"""Figures of the chapter companions/expressivity-remaining-depth."""

import matplotlib as mpl
import numpy as np
from matplotlib import pyplot as plt

from capacity.figures import layer_colors
from capacity.figures.style import readable
from capacity.statistics import mean_interval
from capacity_studies.figures.strokes import plot_accuracies, plot_means

__all__ = [
    "controls_figure",
    "figure_6",
    "influence_figure",
    "one_layer",
    "plot_influences",
    "plot_stack",
]


def one_layer(chosen, names, times, mean_test, palette, images):
    """One layer of a random network of eight hidden layers is trained (filled on the left), all others stay as they
    were drawn ($sigma_w^2 = 1.5$).
    """
    fig, axes = plt.subplots(1, 2, figsize=(4.6, 2.9), width_ratios=[1, 2.6])
    plot_stack(axes[0], names, chosen - 1)
    plot_accuracies(
        axes[1],
        times,
        {name: (values, None) for name, values in mean_test.items()},
        colors=palette,
        chance=1 / images.classes,
        highlighted=names[chosen - 1],
    )
    axes[1].set(ylabel="test accuracy")
    axes[1].set_title(f"only {names[chosen - 1]}: {mean_test[names[chosen - 1]][-1]:.2f}")
    return fig


def influence_figure(scales, measured_influence, law):
    """Relative change of the outputs when the weights of one layer change a little at random, against that layer;
    the readout counts as layer 9.
    """
    fig, ax = plt.subplots(figsize=(6.3, 2.9))
    plot_influences(ax, scales, measured_influence, law)
    ax.legend(reverse=True)
    return fig


def figure_6(training, variance, testing, times, names, palette, images):
    """Figure 6 of the survey."""
    fig, axes = plt.subplots(1, 2, figsize=(6.3, 3.3), sharey=True)
    for ax, found, title in zip(axes, (training[variance], testing[variance]), ("training images", "test images")):
        lines = plot_accuracies(
            ax,
            times,
            {n: (v.mean(axis=1), None) for n, v in zip(names, found)},
            colors=palette,
            chance=1 / images.classes,
        )
        ax.set_title(title)
    axes[1].set_ylabel("")
    fig.legend(handles=lines, loc="outside lower center", ncols=5)
    return fig


def controls_figure(depth, controls):
    """Test accuracy with one trained layer."""
    fig, axes = plt.subplots(1, 2, figsize=(6.3, 3.1), sharey=True)

    def padded(a):
        return np.pad(a, [(0, 0)] * (a.ndim - 1) + [(depth - a.shape[-1], 0)], constant_values=np.nan)

    for ax, (s2, found) in zip(axes, controls.items()):
        summary = {label: [padded(part) for part in mean_interval(values.T)] for label, values in found.items()}
        plot_means(ax, np.arange(1, depth + 1), summary)
        ax.set(xlabel="position of the trained layer", title=f"$\\sigma_w^2 = {s2:g}$")
    axes[0].set_ylabel("test accuracy")
    fig.legend(*axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=3)
    return fig


def plot_influences(ax, scales, measured, law):
    """Draw the influence of each layer's weights on the outputs, points, and the law, lines.

    Parameters
    ----------
    ax : Axes
    scales : sequence of float
        The variances sigma_w^2 of the networks.
    measured, law : ndarray, shape (scales, layers)
        Relative change of the outputs when the weights of a layer change a little, and what is predicted.
    """
    layers, artists = np.arange(1, np.shape(measured)[1] + 1), []
    for scale, points, line, color in zip(scales, measured, law, layer_colors(len(scales))):
        artists += ax.plot(layers, line, color=color, label=rf"$\sigma_w^2 = {scale:g}$")
        artists += ax.plot(layers, points, "o", color=color, markersize=4)
    ax.set(yscale="log", xlabel="layer whose weights change", ylabel="change of outputs (log scale)")
    return artists


def plot_stack(ax, names, chosen):
    """Draw the layers of a network as a stack of boxes, the inputs below, with the chosen one filled.

    Parameters
    ----------
    ax : Axes
    names : list of str
        From the inputs up.
    chosen : int
        Which one.
    """
    colors, artists = layer_colors(len(names)), []
    for i, name in enumerate(names):
        face = colors[i] if i == chosen else "#f2f2f2"
        box = mpl.patches.FancyBboxPatch(
            (0.05, i + 0.12), 0.9, 0.76, boxstyle="round,pad=0,rounding_size=0.12", facecolor=face, edgecolor="#7f7f7f"
        )
        artists.append(ax.add_patch(box))
        dark = np.dot(mpl.colors.to_rgb(face), [0.2126, 0.7152, 0.0722]) < 0.45
        ax.text(0.5, i + 0.5, name, ha="center", va="center", color="white" if dark else readable("#555555"))
    ax.set(xlim=(0, 1), ylim=(-0.1, len(names) + 0.1), xticks=[], yticks=[])
    ax.grid(visible=False)
    ax.spines[:].set_visible(False)
    return artists
