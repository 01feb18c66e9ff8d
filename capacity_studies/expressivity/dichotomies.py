"""Dichotomies: into which classes a network can divide some inputs while one of its layers is swept round a circle.

The weights of one layer go through W cos t + W' sin t, t from 0 to 2 pi; its bias and all other layers stay. At each t
the signs of the output at the inputs are one dichotomy of them (survey, Section 2.1). A linear readout that is swept
reaches 2 s of the 2^s dichotomies of s inputs in general position: each input changes its sign twice, at opposite t.
"""

import numpy as np

from capacity.networks.passes import Layer, forward_pass
from capacity_studies.expressivity.arc_pieces import sinusoid_pieces, split_sinusoids

__all__ = ["exact_dichotomies", "sampled_dichotomies"]

_BLOCK = 2**22  # numbers that are in memory at once


def sampled_dichotomies(layers, inputs, layer, second, n_points):
    """The different dichotomies met at equally spaced t of a sweep, as rows of bool in lexicographic order.

    The layers are those of one dense network with one output; `layer`, counted from 1 at the inputs, is swept from
    its own weights W by W' = `second`. A row says whether the output is positive at each of the inputs (samples,
    inputs). There may be more dichotomies in between: their number is a lower bound.

    Examples
    --------
    >>> from capacity.networks import Layer
    >>> points = np.random.default_rng(0).standard_normal((6, 3))
    >>> len(sampled_dichotomies([Layer([[1.0, 0.0, 2.0]])], points, 1, [[0.0, 1.0, 1.0]], 10_000))
    12
    """
    activities = forward_pass(layers, inputs).activities[layer - 1]
    swept, above = layers[layer - 1], layers[layer:]
    cosines, sines = activities @ swept.weights.T, activities @ np.transpose(second)
    constant = 0.0 if swept.bias is None else swept.bias
    times = 2 * np.pi / n_points * np.arange(n_points)
    widest = cosines.shape[0] * max(each.outputs for each in layers)
    found = []
    for t in np.array_split(times[:, None, None], -(-n_points * widest // _BLOCK)):
        states = cosines * np.cos(t) + sines * np.sin(t) + constant
        for each in above:
            states = forward_pass([each], states).outputs
        found.append(_different(states[..., 0] > 0))
    return _different(np.concatenate(found))


def exact_dichotomies(layers, inputs, layer, second):
    """All dichotomies that a sweep reaches, if the layers above the swept one are piecewise linear.

    For each input the output is a sinusoid on each of some pieces, see `sinusoid_pieces`, whose zeros are exact. All
    zeros of all inputs cut the circle into arcs with one dichotomy each; those that are met for less than 1e-12 radians
    are left out. Arguments and result as in `sampled_dichotomies`; no residual branches, no normalisation.

    Examples
    --------
    >>> from capacity.networks import Layer
    >>> points = np.random.default_rng(0).standard_normal((6, 3))
    >>> len(exact_dichotomies([Layer([[1.0, 0.0, 2.0]])], points, 1, [[0.0, 1.0, 1.0]]))
    12
    """
    activities, swept = forward_pass(layers, inputs).activities[layer - 1], layers[layer - 1]
    # What is swept, [W, W', b] times the sinusoid of (a cos t, a sin t, 1), is a layer on that.
    constant = np.zeros(swept.outputs) if swept.bias is None else swept.bias
    joint = Layer(np.concatenate([swept.weights, second, constant[:, None]], axis=1))
    above = [joint, *layers[layer:]]
    n = activities.shape[1]
    # Outputs that are odd in the swept weights change their sign after half a turn, which then is all of it.
    odd = not constant.any() and all(each.bias is None and _is_odd(each.activation) for each in above[1:])
    zeros, sinusoids = [], []
    for activity in activities:
        below = np.zeros((3, 2 * n + 1))
        below[0, :n], below[1, n : 2 * n], below[2, -1] = activity, activity, 1.0
        pieces, outputs = sinusoid_pieces(above, below, np.pi if odd else 2 * np.pi)
        new, _, signs = split_sinusoids(pieces, outputs, (0.0,))
        changes = np.flatnonzero(np.diff(signs[:, 0])) + 1
        starts, own = np.concatenate([[0.0], new[changes]]), signs[np.concatenate([[0], changes]), 0]
        if odd:
            starts, own = np.concatenate([starts, starts + np.pi]), np.concatenate([own, 1 - own])
        zeros.append(np.append(starts, 2 * np.pi))
        sinusoids.append(own)
    edges = np.unique(np.concatenate(zeros))
    edges = edges[np.concatenate([[True], np.diff(edges) > 1e-12])]
    middle = (edges[:-1] + edges[1:]) / 2
    signs = [own[np.searchsorted(ends, middle) - 1] for ends, own in zip(zeros, sinusoids)]
    return _different(np.stack(signs, axis=1).astype(bool))


def _is_odd(activation):
    """Whether f(-z) = -f(z): at the kinks, and at two points beyond them, between which f is linear."""
    kinks = () if activation is None else activation.kinks
    points = np.abs([*kinks, 0.0, 1.0])
    points = np.append(points, 2 * points.max())
    return activation is None or np.array_equal(activation(-points), -activation(points))


def _different(signs):
    """The different rows of signs in lexicographic order; packed, they are compared in a fraction of the time."""
    packed = np.packbits(signs, axis=1)
    rows = np.unique(packed.view(np.dtype((np.void, packed.shape[1])))[:, 0])
    packed = rows.view(np.uint8).reshape(len(rows), -1)
    return np.unpackbits(packed, axis=1, count=signs.shape[1]).astype(bool)
