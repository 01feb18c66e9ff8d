"""Stencils of hopping rates, and the moments of what hops."""

import numpy as np

SYMMETRIC = np.array([1.0, -2.0, 1.0])
SKEWED = np.array([0.5, -2.0, 1.5])
WIDE = np.array([0.3, 0.5, -2.0, 1.0, 0.2])


def moments(kernel):
    """Sum, mean and variance of a kernel around its middle."""
    sites = np.arange(kernel.size) - kernel.size // 2
    mean = sites @ kernel
    return kernel.sum(), mean, sites**2 @ kernel - mean**2
