"""Figures of the chapter companions/geometry-generalization."""

import numpy as np
from matplotlib import pyplot as plt

from capacity.figures import COLORS, PALETTE, direct_labels, label_once, small_multiples
from capacity.networks import forward_pass
from capacity.statistics import mean_interval
from capacity_studies.figures.strokes import plot_means
from capacity_studies.training import cross_entropy

__all__ = [
    "noise_example",
    "norm_measures_figure",
    "norms_width",
    "plot_reparametrised",
    "plot_rises",
    "plot_slices",
    "plot_valley",
    "reparametrisation",
    "sharpness_figure",
    "spheres",
    "valley",
]

_AXES = (PALETTE[0], PALETTE[3])  # of the first and of the second layer's weight


def valley(alpha, t1, t2, landscape, squared, s):
    """The squared error of $y = theta_2 max(theta_1 x, 0)$ at the single example $x = 1$, $y = 1$."""
    fig, axes = plt.subplots(1, 2, figsize=(4.6, 2.5))
    plot_valley(axes[0], t1, t2, landscape, (alpha, 1 / alpha))
    along = squared(alpha + s, 1 / alpha), squared(alpha, 1 / alpha + s)
    lines = plot_slices(axes[1], s, *along)
    fig.legend(handles=lines, loc="outside lower center", ncols=2)
    return fig


def noise_example(noise_dimensions, by_name):
    """The linear example of Nagarajan and Kolter with 20 training examples, exactly: share of errors on the training
    set, on new examples, and on the set $S'$, against the dimension of the noise.
    """
    fig, ax = plt.subplots(figsize=(4.6, 2.7))
    lines = plot_means(ax, noise_dimensions, {k: (v, (v, v)) for k, v in by_name.items()})
    ax.set(xscale="log", xlabel="dimensions $D$ of the noise (log scale)", ylabel="share of errors")
    fig.legend(handles=lines, loc="outside upper center", ncols=3)
    return fig


def spheres(sphere_samples, wrong_on):
    """Networks that tell two spheres apart: share of errors on the training points, on new points, and on the set
    $S'$, the training points moved to the other sphere.
    """
    fig, ax = plt.subplots(figsize=(4.6, 2.7))
    lines = plot_means(ax, sphere_samples, {k: mean_interval(v.T) for k, v in wrong_on.items()})
    ax.set(xscale="log", xlabel="training points (log scale)", ylabel="share of errors")
    ax.set_xticks(sphere_samples, map(str, sphere_samples))
    ax.minorticks_off()
    fig.legend(handles=lines, loc="outside upper center", ncols=3)
    return fig


def norm_measures_figure(titles, of, by_size, sizes):
    """The four measures against the size of the training set, for networks that learned true and random labels."""
    axes = small_multiples(["ℓ₂", "ℓ₁-path", "ℓ₂-path", "spectral"])
    for ax, name in zip(axes, titles):
        runs = {f"{kind} labels": mean_interval(of(by_size[kind], name).T) for kind in by_size}
        lines = plot_means(ax, sizes, runs)
        ax.set(xscale="log", xlabel="training images (log scale)", ylabel=r"$\log_{10}$ of the measure")
        ax.set_xticks(sizes, map(str, sizes))
        ax.minorticks_off()
    label_once(axes, lines)


def norms_width(widths, error, of, by_width, titles):
    """The second property."""
    fig, axes = plt.subplots(1, 2, figsize=(6.3, 2.8))
    plot_means(axes[0], widths, {"test error": mean_interval(error.T)})
    relative = {
        label: mean_interval((of(by_width, k) - of(by_width, k)[0].mean()).T)
        for k, label in zip(titles, ["ℓ₂", "ℓ₁-path", "ℓ₂-path", "spectral"])
    }
    lines = plot_means(axes[1], widths, relative)
    for ax, label in zip(axes, ["test error", r"$\log_{10}$, over the narrowest"]):
        ax.set(xscale="log", xlabel="units per hidden layer (log scale)", ylabel=label)
        ax.set_xticks(widths, map(str, widths))
        ax.minorticks_off()
    direct_labels(axes[1], lines, spacing=0.1)
    return fig


def sharpness_figure(largest, shaken, worst_case, X, y, nets, scales):
    """One trained network, rescaled: largest eigenvalue of the Hessian, expected sharpness ($sigma = 0.01$),
    sharpness in a box ($a = 10^{-3}$), and the training loss, which is the same at every $alpha$ like the
    function itself.
    """
    fig, ax = plt.subplots(figsize=(4.6, 3.0))
    values = {"largest\neigenvalue": largest, "expected\nsharpness": shaken, "sharpness": worst_case}
    values["loss"] = np.array([cross_entropy(forward_pass(n, X).outputs, y)[0] for n in nets])
    direct_labels(ax, plot_rises(ax, scales, values), spacing=0.1)
    return fig


def reparametrisation(g_inverse, theta, double_well, at):
    """The same loss over its parameter (left) and over two others that correspond to it one to one (middle, right)."""
    fig, axes = plt.subplots(1, 3, figsize=(6.3, 2.2), sharey=True)
    for ax, G, title in zip(axes, g_inverse, ["default", "another", "a third"]):
        plot_reparametrised(ax, G(theta), double_well, (G(theta)[at], double_well[at]))
        ax.set_title(title)
    for ax in axes[1:]:
        ax.set_ylabel("")
    return fig


def plot_valley(ax, first, second, losses, point):
    """Draw the loss over two weights as shaded contours, and the point of which the slices are taken.

    Parameters
    ----------
    ax : Axes
    first, second : ndarray, shape (n,), (m,)
        The two weights.
    losses : ndarray, shape (m, n)
    point : tuple of float
        Where the minimum stands.
    """
    levels, shades = [0, 0.02, 0.1, 0.4, 1.5, 5, 1e9], np.linspace(0.35, 0.95, 6)
    contours = ax.contourf(first, second, losses, levels=levels, colors=[str(shade) for shade in shades])
    (a, b), reach = point, 0.9
    ax.plot([a - reach, a + reach], [b, b], color=_AXES[0], linewidth=1.6)
    ax.plot([a, a], [b - reach, b + reach], color=_AXES[1], linewidth=1.6)
    dots = ax.plot([a], [b], "o", color="#ffffff", markeredgecolor="#000000", markersize=6, zorder=4)
    ax.set(xlabel=r"$\theta_1$", ylabel=r"$\theta_2$", xlim=(first[0], first[-1]), ylim=(second[0], second[-1]))
    ax.grid(visible=False)
    return [contours, *dots]


def plot_slices(ax, steps, first, second):
    """Draw the loss along one weight and along the other, about the same point.

    Parameters
    ----------
    ax : Axes
    steps : ndarray, shape (n,)
    first, second : ndarray, shape (n,)
        Loss where the first weight is changed by the step, and where the second is.
    """
    lines = ax.plot(steps, first, color=_AXES[0], label=r"along $\theta_1$")
    lines += ax.plot(steps, second, color=_AXES[1], label=r"along $\theta_2$")
    ax.set(xlabel="step", ylabel="loss", ylim=(-0.05, 2.0), xlim=(steps[0], steps[-1]))
    return lines


def plot_rises(ax, alphas, rises):
    """Draw what depends on the scale alpha, or does not, {label: values}, on logarithmic axes.

    Parameters
    ----------
    ax : Axes
    alphas : ndarray, shape (n,)
    rises : dict of str to ndarray, shape (n,)
    """
    artists = []
    for (label, values), color in zip(rises.items(), PALETTE):
        artists += ax.plot(alphas, values, "o-", color=color, markersize=3, label=label)
    ax.set(xscale="log", yscale="log", xlabel=r"$\alpha$ (log scale)", ylabel="value (log scale)")
    return artists


def plot_reparametrised(ax, parameters, losses, minima):
    """Draw a loss over one parameter, with its minima.

    Parameters
    ----------
    ax : Axes
    parameters, losses : ndarray, shape (n,)
    minima : tuple of ndarray
        Parameters and losses of the minima.
    """
    artists = ax.plot(parameters, losses, color=COLORS["loss"])
    artists += ax.plot(*minima, "o", color=COLORS["reference"], markersize=5)
    ax.set(xlabel="parameter", ylabel="loss", ylim=(min(0.0, np.min(losses)) - 0.05, None))
    return artists
