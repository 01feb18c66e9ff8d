"""Means over normal variables: quadrature with panels that end where an activation has its features, and E|y|."""

import numpy as np
from scipy import special

__all__ = ["check_resolved", "folded_mean", "normal_nodes"]

_REACH = 12.0  # standard deviations; the Gaussian mass beyond is 4e-33
_FEATURES = (-16.0, -4.0, -1.0, 0.0, 1.0, 4.0, 16.0)  # arguments of a smooth activation between which it is tame


def normal_nodes(activation, variance, order):
    """Nodes u and weights for means over a standard normal u of what depends on f at sqrt(variance) u.

    Parameters
    ----------
    activation : Activation
    variance : ndarray, shape (...)
        Not negative.
    order : int
        Gauss-Legendre nodes of each panel.

    Returns
    -------
    nodes, weights : ndarray, shape (..., nodes)
        The weights sum to 1. Panels end at the kinks, or at fixed arguments of an
        activation without any, and at 0, 4 and 12 standard deviations.
    """
    features = np.array(_FEATURES if activation.kinks is None else activation.kinks)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        inner = features / np.sqrt(variance)[..., None]
    inner = np.clip(np.where(np.isnan(inner), 0.0, inner), -_REACH, _REACH)
    outer = np.broadcast_to([-_REACH, -4.0, 0.0, 4.0, _REACH], (*inner.shape[:-1], 5))
    edges = np.sort(np.concatenate([inner, outer], axis=-1), axis=-1)[..., None]
    x, w = special.roots_legendre(order)
    nodes = edges[..., :-1, :] + np.diff(edges, axis=-2) * (x + 1) / 2
    weights = np.diff(edges, axis=-2) * w * np.exp(-(nodes**2) / 2)
    weights /= weights.sum(axis=(-2, -1), keepdims=True)
    shape = (*inner.shape[:-1], -1)
    return nodes.reshape(shape), weights.reshape(shape)


def check_resolved(found, check, activation, variance, rtol):
    """Return means over normal variables on which two orders of the quadrature agree.

    Parameters
    ----------
    found, check : ndarray or tuple of ndarray
        The means by each.
    activation : Activation
    variance : ndarray
    rtol : float

    Returns
    -------
    ndarray or tuple of ndarray
        `found`.

    Raises
    ------
    ValueError
        If they do not agree.
    """
    if not np.allclose(found, check, rtol=rtol, atol=0):
        raise ValueError(
            f"variance: expected one at which the quadrature resolves {activation.name}, got {variance.max():g}; pass "
            "a smaller one"
        )
    return found


def folded_mean(mean, spread):
    """E|y| of y ~ N(mean, spread^2).

    Parameters
    ----------
    mean, spread : ndarray
        Of shapes that broadcast; the spread may be 0.

    Returns
    -------
    ndarray
    """
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        ratio = np.where(spread > 0, np.abs(mean) / np.where(spread > 0, spread, 1.0), np.inf)
    return spread * np.sqrt(2 / np.pi) * np.exp(-(ratio**2) / 2) + np.abs(mean) * special.erf(ratio / np.sqrt(2))
