r"""Piecewise-linear networks along an arc, exactly: on each piece every unit is a sinusoid.

Where x(t) = x0 cos t + x1 sin t, each weighted sum of the first layer is alpha cos t + beta sin t + gamma. It meets a
kink c at t = theta +- arccos((c - gamma)/r), (r, theta) being the polar coordinates of (alpha, beta); between such t an
activation that is linear between its kinks makes sinusoids again, and so on, layer by layer. The same holds above a
layer whose weights W cos t + W' sin t are swept. Breakpoints come out to rounding, however close they are.
"""

from dataclasses import dataclass

import numpy as np
from scipy import special

from capacity._validation import as_vector, check_real, check_size
from studies.expressivity._stages import check_layers

__all__ = ["ArcPieces", "check_sinusoidal", "sinusoid_pieces", "split_sinusoids", "subdivide_arc"]

_SHORTEST = 1e-12  # radians: a shorter piece is left out; roots are this far apart only where a sinusoid just touches


@dataclass(frozen=True)
class ArcPieces:
    """The linear pieces of a network along an arc.

    Attributes
    ----------
    edges : ndarray, shape (pieces + 1,)
        From 0 to the angle of the arc, in radians; those in between are breakpoints of some hidden unit.
    patterns : ndarray of uint8, shape (pieces, hidden units)
        As `activation_patterns` has them.
    outputs : ndarray, shape (pieces, 3, outputs)
        alpha, beta and gamma of the outputs alpha cos t + beta sin t + gamma on each piece.
    lengths : ndarray, shape (layers + 1,)
        Lengths of the images, as of `trajectory_lengths`: sums of parts of ellipses, in closed form.
    """

    edges: np.ndarray
    patterns: np.ndarray
    outputs: np.ndarray
    lengths: np.ndarray

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
    """The pieces of the arc x0 cos t + x1 sin t on which a piecewise-linear network is linear in its inputs.

    Parameters
    ----------
    layers : sequence of Layer
        Of one network: dense, piecewise-linear activations, no residual branches, no normalisation.
    first, second : array_like, shape (inputs,)
        The points x0 and x1.
    angle : float, optional
        The arc goes from t = 0 to here, at most 2 pi.

    Returns
    -------
    ArcPieces

    Notes
    -----
    Pieces shorter than 1e-12 are left out, which happens where a sinusoid only just reaches a kink. Work and memory are
    in proportion to pieces times units.

    Examples
    --------
    >>> from capacity.activations import relu
    >>> from capacity.networks import Layer
    >>> layers = [Layer([[1.0, 0.0]], [-0.5]), Layer([[1.0]], activation=relu())]
    >>> subdivide_arc(layers, [1.0, 0.0], [0.0, 1.0], angle=2 * np.pi).edges / np.pi
    array([0. , 0.3333..., 1.6666..., 2. ])
    """
    layers = check_sinusoidal(layers)
    first = as_vector(first, "first", length=layers[0].inputs)
    second = as_vector(second, "second", length=layers[0].inputs)
    angle = check_real(angle, "angle", above=0, maximum=2 * np.pi, remedy="pass radians up to one turn")
    points = np.stack([first, second, np.zeros_like(first)])
    edges, parents, outputs, patterns, lengths = sinusoid_pieces(layers, points, angle)
    states = [states[parent] for states, parent in zip(patterns, parents)]
    joined = np.concatenate(states, axis=1) if states else np.zeros((edges.size - 1, 0), np.uint8)
    return ArcPieces(edges, joined, outputs, lengths)


def check_sinusoidal(layers):
    """Return layers of one dense network with piecewise-linear activations, the first of which has none.

    Parameters
    ----------
    layers : sequence of Layer
        From the inputs up.

    Returns
    -------
    sequence of Layer
    """
    check_layers(layers)
    for number, layer in enumerate(layers):
        if layer.weights.ndim != 2 or layer.dimensions or layer.batch_norm or layer.residual is not None:
            raise ValueError(
                f"layers[{number}]: expected a plain dense layer of one network, got weights of shape "
                f"{layer.weights.shape}; pass one network without normalisation and residual branches"
            )
        if number and layer.inputs != layers[number - 1].outputs:
            raise ValueError(
                f"layers[{number}]: expected {layers[number - 1].outputs} inputs, got {layer.inputs}; list the layers "
                "from the inputs up"
            )
        if number and layer.activation is not None and getattr(layer.activation, "kinks", None) is None:
            raise ValueError(
                f"layers[{number}]: expected a piecewise-linear activation, got {layer.activation.name}; sample the "
                "arc instead, see count_transitions"
            )
    if layers[0].activation is not None:
        raise ValueError(
            f"layers[0]: expected no activation on the inputs, got {layers[0].activation.name}; leave it out"
        )
    return layers


def sinusoid_pieces(layers, sinusoids, angle, *, measured=True):
    """Take sinusoids through layers: the pieces, the sinusoids of the outputs, and what was met on the way.

    Parameters
    ----------
    layers : sequence of Layer
        Checked.
    sinusoids : ndarray, shape (3, inputs)
        alpha, beta and gamma of what the first layer multiplies by its weights.
    angle : float
        The end of the arc.
    measured : bool, optional
        Whether lengths are wanted.

    Returns
    -------
    edges : ndarray, shape (pieces + 1,)
        Between 0 and the angle.
    parents : list of ndarray, shape (pieces,)
        For each hidden layer, in which of its own pieces each piece lies.
    outputs : ndarray, shape (pieces, 3, outputs)
        Sinusoids of the outputs.
    patterns : list of ndarray, shape (pieces of the layer, units)
        Of each hidden layer, on its own pieces.
    lengths : ndarray, shape (layers + 1,)
        Of the inputs, of the activities of hidden layers, and of the outputs; empty if they are not wanted.
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
        size = parent.size * 3 * (layer.inputs + layer.outputs)
        check_size(size, "layers", "pieces", maximum=2**28, remedy="take fewer layers, or sample the curve")
        activities = sums[parent]
        if layer.activation is not None:
            _apply(layer.activation, activities, states)
        measure(edges, activities)
        sums = _weighted(layer, activities)
    measure(edges, sums)
    return edges, parents, sums, patterns, np.array(lengths)


def split_sinusoids(edges, sinusoids, kinks):
    """Split pieces where a sinusoid on them meets a kink.

    Parameters
    ----------
    edges : ndarray, shape (pieces + 1,)
        Increasing, within one turn.
    sinusoids : ndarray, shape (pieces, 3, units)
        alpha, beta and gamma of each unit on each piece.
    kinks : sequence of float
        Increasing.

    Returns
    -------
    edges : ndarray, shape (new pieces + 1,)
        All former ones among them.
    parent : ndarray of int, shape (new pieces,)
        Number of the former piece in which each lies.
    states : ndarray of uint8, shape (new pieces, units)
        How many kinks are below each unit there.
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
