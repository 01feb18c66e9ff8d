r"""Natural gradients of a network, computed on the side of the samples where there are more parameters than these.

The natural gradient is the solution d of (F + damping) d = g (Amari 1998). With F = R^T R, R having a row for each
output of each sample, all that is needed are products with R and R^T and a matrix of the size of the samples.
"""

import numpy as np
from scipy import linalg

from capacity_studies.geometry.fisher import (
    apply_score_factor,
    dense_pass,
    fisher_information,
    parameter_cotangents,
    parameter_tangents,
    sample_side,
)
from capacity_studies.geometry.tangents import tangent_kernel

__all__ = ["natural_gradient"]


def natural_gradient(layers, inputs, gradient, *, damping=0.0, family="softmax", rtol=1e-10):
    """Natural gradient (F + damping)^-1 g of a loss, with the true Fisher information of the samples.

    Without damping it is that by the pseudo-inverse, for which eigenvalues below `rtol` times the largest count as 0.

    With R R^T = U diag(s) U^T, (R^T R + damping)^-1 is (1 - R^T U diag(1/(s + damping)) U^T R)/damping (Woodbury), and
    the pseudo-inverse R^T U diag(1/s^2) U^T R. Where outputs times samples are at least as many as parameters, F itself
    is the smaller matrix and is taken.

    Examples
    --------
    >>> from capacity.networks import Layer
    >>> natural_gradient([Layer([[2.0, 1.0]])], [[1.0, 0.0], [1.0, 2.0]], [1.0, 2.0], family="gaussian")
    array([0., 1.])
    """
    forward = dense_pass(layers, inputs)
    gradient = np.asarray(gradient, dtype=float)
    if gradient.size <= forward.outputs.size:
        values, vectors = linalg.eigh(fisher_information(forward, None, family=family))
        weights = _inverses(values, damping, rtol, power=1)
        return vectors @ (weights * (gradient @ vectors))
    values, vectors = linalg.eigh(sample_side(forward, tangent_kernel(forward), family))
    root = np.sqrt(len(forward.outputs))
    along = apply_score_factor(forward.outputs, parameter_tangents(forward, gradient), family=family) / root
    weights = _inverses(values, damping, rtol, power=1 if damping else 2)
    back = (vectors @ (weights * (along.ravel() @ vectors))).reshape(forward.outputs.shape)
    back = apply_score_factor(forward.outputs, back, family=family, transpose=True) / root
    found = parameter_cotangents(forward, back)
    return (gradient - found) / damping if damping else found


def _inverses(values, damping, rtol, power):
    """1/(s + damping), or without damping 1/s^power of the eigenvalues that count, and 0 for the others."""
    if damping:
        return 1 / (np.maximum(values, 0) + damping)
    kept = values > rtol * max(values[-1], 0.0)
    return np.divide(1.0, values**power, out=np.zeros_like(values), where=kept)
