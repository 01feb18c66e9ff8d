r"""Piecewise-linear networks along an arc, exactly: on each piece every unit is a sinusoid.

Where x(t) = x0 cos t + x1 sin t, each weighted sum of the first layer is alpha cos t + beta sin t + gamma. It meets a
kink c at t = theta +- arccos((c - gamma)/r), (r, theta) being the polar coordinates of (alpha, beta); between such t an
activation that is linear between its kinks makes sinusoids again, and so on, layer by layer. The same holds above a
layer whose weights W cos t + W' sin t are swept. Breakpoints come out to rounding, however close they are.
"""

import numpy as np

from capacity_studies.expressivity._stages import linear_pieces

__all__ = ["sinusoid_pieces", "split_sinusoids"]

_SHORTEST = 1e-12  # radians: a shorter piece is left out; roots are this far apart only where a sinusoid just touches


def sinusoid_pieces(layers, sinusoids, angle):
    """Take sinusoids through layers: edges (pieces + 1,) of the pieces, and on each the sinusoids of the outputs.

    `sinusoids`, shape (3, inputs), has alpha, beta and gamma of what the first layer multiplies by its weights, up to
    an angle of at most 2 pi; the outputs have the shape (pieces, 3, outputs). The layers are those of one network,
    dense, without residual branches and normalisation, the first without activation. Pieces shorter than 1e-12 are left
    out, which happens where a sinusoid only just reaches a kink.
    """
    edges = np.array([0.0, angle])
    sums = _weighted(layers[0], sinusoids[None])
    for layer in layers[1:]:
        kinks = () if layer.activation is None else layer.activation.kinks
        edges, parent, states = split_sinusoids(edges, sums, kinks)
        activities = sums[parent]
        if layer.activation is not None:
            _apply(layer.activation, activities, states)
        sums = _weighted(layer, activities)
    return edges, sums


def split_sinusoids(edges, sinusoids, kinks):
    """Split pieces, within one turn, where a sinusoid on them meets one of some increasing kinks.

    `sinusoids`, shape (pieces, 3, units), has alpha, beta and gamma of each unit on each piece. Returned are the edges
    of the new pieces, all former ones among them; the number of the former piece in which each lies; and how many kinks
    are below each unit there, shape (new pieces, units).
    """
    alpha, beta, gamma = np.moveaxis(sinusoids, 1, 0)
    middle, half = (edges[:-1] + edges[1:]) / 2, np.diff(edges)[:, None] / 2
    cos, sin = np.cos(middle)[:, None], np.sin(middle)[:, None]
    radius = np.sqrt(alpha * alpha + beta * beta)
    # Taylor from the middle: nowhere on the piece is a unit farther from its value there than this.
    values = alpha * cos + beta * sin + gamma
    reach = np.abs(beta * cos - alpha * sin) * half + radius * (half * half / 2 * (1 + 1e-9))
    states, found = np.zeros(values.shape, np.uint8), []
    near = np.zeros(values.shape, bool)  # where a unit may meet a kink; elsewhere it keeps its state
    for kink in kinks:
        states += values > kink
        close = np.abs(kink - values) <= reach
        near |= close
        piece, unit = np.divmod(np.flatnonzero(close), close.shape[1])
        met = np.abs(kink - gamma[piece, unit]) < radius[piece, unit]
        piece, unit = piece[met], unit[met]
        distance = np.arccos((kink - gamma[piece, unit]) / radius[piece, unit])
        theta = np.arctan2(beta[piece, unit], alpha[piece, unit])
        for root in (theta + distance, theta - distance):
            t = root % (2 * np.pi)
            found.append(t[(t > edges[piece]) & (t < edges[piece + 1])])
    every = np.sort(np.concatenate([edges, *found]))
    new = every[np.concatenate([[True], np.diff(every) > _SHORTEST])]
    new[-1] = edges[-1]
    middle = (new[:-1] + new[1:]) / 2
    parent = np.clip(np.searchsorted(edges, middle) - 1, 0, edges.size - 2)
    states = states[parent]
    part, unit = np.divmod(np.flatnonzero(near[parent]), near.shape[1])
    at, former = middle[part], (parent[part], unit)
    values = np.cos(at) * alpha[former] + np.sin(at) * beta[former] + gamma[former]
    states[part, unit] = np.searchsorted(np.array(kinks, dtype=float), values)  # how many are below
    return new, parent, states


def _weighted(layer, activities):
    """Sinusoids of the weighted sums; one large product takes a fraction of the time of many small ones."""
    sums = (activities.reshape(-1, layer.inputs) @ layer.weights.T).reshape(-1, 3, layer.outputs)
    if layer.bias is not None:
        sums[:, 2] += layer.bias
    return sums


def _apply(activation, sums, states):
    """Turn sums into f of them where each unit is on a known piece of it: slope times the sinusoid, and a constant."""
    _, slopes, shifts = linear_pieces(activation)
    sums *= slopes.take(states)[:, None]
    if shifts.any():
        sums[:, 2] += shifts.take(states)
