"""Stencils of hopping rates, the moments of what hops, and the width of uniform layers."""

import numpy as np

SYMMETRIC = np.array([1.0, -2.0, 1.0])
SKEWED = np.array([0.5, -2.0, 1.5])
WIDE = np.array([0.3, 0.5, -2.0, 1.0, 0.2])


def moments(kernel):
    """Sum, mean and variance of a kernel around its middle."""
    sites = np.arange(kernel.size) - kernel.size // 2
    mean = sites @ kernel
    return kernel.sum(), mean, sites**2 @ kernel - mean**2


def uniform_width(taps, n_layers):
    """Width, in sites, of the receptive field of layers with uniform shares."""
    return np.sqrt(n_layers * (taps**2 - 1) / 12)
