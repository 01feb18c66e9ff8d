"""Figures of the chapter companions/geometry-generalization."""

import numpy as np
from matplotlib import pyplot as plt

from capacity.networks import forward_pass
from capacity.statistics import mean_interval
from capacity_studies import plots
from capacity_studies.training import cross_entropy

__all__ = [
    "noise_example",
    "norm_measures_figure",
    "norms_width",
    "reparametrisation",
    "sharpness_figure",
    "spheres",
    "valley",
]


def valley(alpha, t1, t2, landscape, squared, s):
    """The squared error of $y = theta_2 max(theta_1 x, 0)$ at the single example $x = 1$, $y = 1$."""
    fig, axes = plt.subplots(1, 2, figsize=(4.6, 2.5))
    plots.plot_valley(axes[0], t1, t2, landscape, (alpha, 1 / alpha))
    along = squared(alpha + s, 1 / alpha), squared(alpha, 1 / alpha + s)
    lines = plots.plot_slices(axes[1], s, *along)
    fig.legend(handles=lines, loc="outside lower center", ncols=2)
    return fig


def noise_example(noise_dimensions, by_name):
    """The linear example of Nagarajan and Kolter with 20 training examples, exactly: share of errors on the training
    set, on new examples, and on the set $S'$, against the dimension of the noise.
    """
    fig, ax = plt.subplots(figsize=(4.6, 2.7))
    lines = plots.plot_means(
        ax,
        noise_dimensions,
        {k: np.array(v) for k, v in by_name.items()},
        {k: np.stack([v, v]) for k, v in by_name.items()},
    )
    ax.set(xscale="log", xlabel="dimensions $D$ of the noise (log scale)", ylabel="share of errors")
    fig.legend(handles=lines, loc="outside upper center", ncols=3)
    return fig


def spheres(sphere_samples, wrong_on):
    """Networks that tell two spheres apart: share of errors on the training points, on new points, and on the set
    $S'$, the training points moved to the other sphere.
    """
    fig, ax = plt.subplots(figsize=(4.6, 2.7))
    lines = plots.plot_means(
        ax,
        np.array(sphere_samples),
        {k: v.mean(axis=1) for k, v in wrong_on.items()},
        {k: mean_interval(v.T)[1] for k, v in wrong_on.items()},
    )
    ax.set(xscale="log", xlabel="training points (log scale)", ylabel="share of errors")
    ax.set_xticks(sphere_samples, map(str, sphere_samples))
    ax.minorticks_off()
    fig.legend(handles=lines, loc="outside upper center", ncols=3)
    return fig


def norm_measures_figure(titles, of, by_size, sizes):
    """The four measures against the size of the training set, for networks that learned true and random labels."""
    axes = plots.small_multiples(["ℓ₂", "ℓ₁-path", "ℓ₂-path", "spectral"])
    for ax, name in zip(axes, titles):
        runs = {f"{kind} labels": of(by_size[kind], name) for kind in by_size}
        lines = plots.plot_means(
            ax,
            np.array(sizes),
            {k: v.mean(axis=1) for k, v in runs.items()},
            {k: mean_interval(v.T)[1] for k, v in runs.items()},
        )
        ax.set(xscale="log", xlabel="training images (log scale)", ylabel=r"$\log_{10}$ of the measure")
        ax.set_xticks(sizes, map(str, sizes))
        ax.minorticks_off()
    plots.label_once(axes, lines)


def norms_width(widths, error, of, by_width, titles):
    """The second property."""
    fig, axes = plt.subplots(1, 2, figsize=(6.3, 2.8))
    plots.plot_means(
        axes[0], np.array(widths), {"test error": error.mean(axis=1)}, {"test error": mean_interval(error.T)[1]}
    )
    relative = {
        label: of(by_width, k) - of(by_width, k)[0].mean()
        for k, label in zip(titles, ["ℓ₂", "ℓ₁-path", "ℓ₂-path", "spectral"])
    }
    lines = plots.plot_means(
        axes[1],
        np.array(widths),
        {k: v.mean(axis=1) for k, v in relative.items()},
        {k: mean_interval(v.T)[1] for k, v in relative.items()},
    )
    for ax, label in zip(axes, ["test error", r"$\log_{10}$, over the narrowest"]):
        ax.set(xscale="log", xlabel="units per hidden layer (log scale)", ylabel=label)
        ax.set_xticks(widths, map(str, widths))
        ax.minorticks_off()
    plots.direct_labels(axes[1], lines, gap=0.1)
    return fig


def sharpness_figure(largest, shaken, worst_case, X, y, nets, scales):
    """One trained network, rescaled: largest eigenvalue of the Hessian, expected sharpness ($sigma = 0.01$),
    sharpness in a box ($a = 10^{-3}$), and the training loss, which is the same at every $alpha$ like the
    function itself.
    """
    fig, ax = plt.subplots(figsize=(4.6, 3.0))
    values = {"largest\neigenvalue": largest, "expected\nsharpness": shaken, "sharpness": worst_case}
    values["loss"] = np.array([cross_entropy(forward_pass(n, X).outputs, y)[0] for n in nets])
    plots.direct_labels(ax, plots.plot_rises(ax, scales, values), gap=0.1)
    return fig


def reparametrisation(g_inverse, theta, double_well, at):
    """The same loss over its parameter (left) and over two others that correspond to it one to one (middle, right)."""
    fig, axes = plt.subplots(1, 3, figsize=(6.3, 2.2), sharey=True)
    for ax, G, title in zip(axes, g_inverse, ["default", "another", "a third"]):
        plots.plot_reparametrised(ax, G(theta), double_well, (G(theta)[at], double_well[at]))
        ax.set_title(title)
    for ax in axes[1:]:
        ax.set_ylabel("")
    return fig
