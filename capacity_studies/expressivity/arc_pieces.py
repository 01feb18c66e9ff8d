r"""Piecewise-linear networks along an arc, exactly: on each piece every unit is a sinusoid.

Where x(t) = x0 cos t + x1 sin t, each weighted sum of the first layer is alpha cos t + beta sin t + gamma. It meets a
kink c at t = theta +- arccos((c - gamma)/r), (r, theta) being the polar coordinates of (alpha, beta); between such t an
activation that is linear between its kinks makes sinusoids again, and so on, layer by layer. The same holds above a
layer whose weights W cos t + W' sin t are swept. Breakpoints come out to rounding, however close they are.
"""

from dataclasses import dataclass

import numpy as np
from scipy import special

__all__ = ["ArcPieces", "sinusoid_pieces", "split_sinusoids", "subdivide_arc"]

_SHORTEST = 1e-12  # radians: a shorter piece is left out; roots are this far apart only where a sinusoid just touches


@dataclass(frozen=True)
class ArcPieces:
    """The linear pieces of a network along an arc."""

    edges: np.ndarray  # (pieces + 1,), from 0 to the angle of the arc; in between are breakpoints of some hidden unit
    patterns: np.ndarray  # (pieces, hidden units), uint8, as `activation_patterns` has them
    outputs: np.ndarray  # (pieces, 3, outputs): alpha, beta and gamma of alpha cos t + beta sin t + gamma
    lengths: np.ndarray  # (layers + 1,), of the images, as of `trajectory_lengths`: sums of parts of ellipses

    @property
    def closed(self):
        """Whether the arc is a whole turn, so that the first piece goes on where the last one ends."""
        return self.edges[-1] == 2 * np.pi

    @property
    def transitions(self):
        """How many kinks each hidden unit passes, shape (hidden units,)."""
        following = np.roll(self.patterns, -1, axis=0).astype(np.int16) - self.patterns
        return np.abs(following if self.closed else following[:-1]).sum(axis=0, dtype=np.int64)


def subdivide_arc(layers, first, second, *, angle=np.pi / 2):
    """The pieces of the arc x0 cos t + x1 sin t, t from 0 to `angle`, on which a piecewise-linear network is linear.

    The layers are those of one network, dense, without residual branches and normalisation, the first without
    activation; `first` and `second` are x0 and x1, and the angle is at most 2 pi. Pieces shorter than 1e-12 are left
    out, which happens where a sinusoid only just reaches a kink. Work and memory are in proportion to pieces times
    units.

    Examples
    --------
    >>> from capacity.activations import relu
    >>> from capacity.networks import Layer
    >>> layers = [Layer([[1.0, 0.0]], [-0.5]), Layer([[1.0]], activation=relu())]
    >>> subdivide_arc(layers, [1.0, 0.0], [0.0, 1.0], angle=2 * np.pi).edges / np.pi
    array([0. , 0.3333..., 1.6666..., 2. ])
    """
    points = np.stack([first, second, np.zeros(len(first))])
    edges, parents, outputs, patterns, lengths = sinusoid_pieces(layers, points, angle)
    states = [states[parent] for states, parent in zip(patterns, parents)]
    joined = np.concatenate(states, axis=1) if states else np.zeros((edges.size - 1, 0), np.uint8)
    return ArcPieces(edges, joined, outputs, lengths)


def sinusoid_pieces(layers, sinusoids, angle, *, measured=True):
    """Take sinusoids through layers: the pieces, the sinusoids of the outputs, and what was met on the way.

    `sinusoids`, shape (3, inputs), has alpha, beta and gamma of what the first layer multiplies by its weights, up to
    an angle. Returned are the edges (pieces + 1,) of the pieces; for each hidden layer, in which of its own pieces each
    piece lies; the sinusoids (pieces, 3, outputs) of the outputs; the patterns of each hidden layer on its own pieces;
    and the lengths of the inputs, of the activities of hidden layers and of the outputs, if they are to be `measured`.
    """
    edges = np.array([0.0, angle])
    patterns, parents, lengths = [], [], []
    measure = (lambda *curve: lengths.append(_length(*curve))) if measured else (lambda *curve: None)
    measure(edges, sinusoids[None])
    sums = _weighted(layers[0], sinusoids[None])
    for layer in layers[1:]:
        kinks = () if layer.activation is None else layer.activation.kinks
        edges, parent, states = split_sinusoids(edges, sums, kinks)
        parents = [*(above[parent] for above in parents), np.arange(edges.size - 1)]
        patterns.append(states)
        activities = sums[parent]
        if layer.activation is not None:
            _apply(layer.activation, activities, states)
        measure(edges, activities)
        sums = _weighted(layer, activities)
    measure(edges, sums)
    return edges, parents, sums, patterns, np.array(lengths)


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
    kinks = np.array(activation.kinks)
    ends = np.concatenate([kinks[:1] - 1, (kinks[:-1] + kinks[1:]) / 2, kinks[-1:] + 1]) if kinks.size else np.zeros(1)
    slopes = activation.derivative(ends)
    shifts = activation(ends) - slopes * ends
    sums *= slopes.take(states)[:, None]
    if shifts.any():
        sums[:, 2] += shifts.take(states)


def _length(edges, sinusoids):
    """Length of the curve whose coordinates are sinusoids on each piece: of parts of ellipses."""
    alpha, beta = sinusoids[:, 0], sinusoids[:, 1]
    a, b, c = (np.einsum("pu,pu->p", x, y) for x, y in ((alpha, alpha), (beta, beta), (alpha, beta)))
    # The squared speed a sin^2 t + b cos^2 t - 2 c sin t cos t is major cos^2 s + minor sin^2 s, s = t - phase.
    radius, phase = np.hypot((b - a) / 2, c), np.arctan2(-c, (b - a) / 2) / 2
    major = (a + b) / 2 + radius
    share = np.divide(2 * radius, major, out=np.zeros_like(major), where=major > 0).clip(max=1)
    ends = special.ellipeinc(edges[1:] - phase, share) - special.ellipeinc(edges[:-1] - phase, share)
    return float(np.sqrt(major) @ ends)
