"""Means over a standard normal variable by Gauss-Legendre panels that end where an activation has its features."""

from functools import cache

import numpy as np

__all__ = ["normal_nodes"]

_REACH = 12.0  # standard deviations; the Gaussian mass beyond is 4e-33


_legendre = cache(np.polynomial.legendre.leggauss)


def normal_nodes(breaks, deviation, order):
    """Nodes u and weights, shape (..., nodes), for means of what depends on f(deviation u), u being standard normal.

    The weights sum to 1. Panels of `order` nodes end at the arguments `breaks` of f, between which a polynomial follows
    it closely, and at 0, 4 and 12 standard deviations; the deviations, of any shape, are not negative.
    """
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        inner = np.array(breaks) / np.asarray(deviation)[..., None]
    inner = np.clip(np.where(np.isnan(inner), 0.0, inner), -_REACH, _REACH)
    outer = np.broadcast_to([-_REACH, -4.0, 0.0, 4.0, _REACH], (*inner.shape[:-1], 5))
    edges = np.sort(np.concatenate([inner, outer], axis=-1), axis=-1)[..., None]
    x, w = _legendre(order)
    nodes = edges[..., :-1, :] + np.diff(edges, axis=-2) * (x + 1) / 2
    weights = np.diff(edges, axis=-2) * w * np.exp(-(nodes**2) / 2)
    weights /= weights.sum(axis=(-2, -1), keepdims=True)
    shape = (*inner.shape[:-1], -1)
    return nodes.reshape(shape), weights.reshape(shape)
