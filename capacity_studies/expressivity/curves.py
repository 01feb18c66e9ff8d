"""Curves in a space of inputs, with their tangents, and their images in the layers of a network.

The length of an image is the integral of the norm of its tangent, which the tangent pass of the network gives exactly
at every point (forward-mode differentiation). A sum of chords between sampled points is no measure of it in a deep
chaotic network: neighbouring points end up as far from each other as any two, and the sum stops at that distance times
their number.
"""

from dataclasses import dataclass

import numpy as np

from capacity.networks.linear_maps import apply_weights

__all__ = [
    "Curve",
    "arc",
    "image_curves",
    "layer_curves",
    "mean_growth",
    "segment",
    "sum_curves",
    "trajectory_lengths",
]


@dataclass(frozen=True)
class Curve:
    """Points of a curve z(t), or of one for each of many networks, with the tangents dz/dt there, at increasing t."""

    points: np.ndarray  # (..., points, dimensions)
    tangents: np.ndarray  # (..., points, dimensions)
    steps: np.ndarray  # (points,), the weights of a quadrature over t
    closed: bool = False  # whether the first point follows upon the last

    @property
    def length(self):
        """Arc length, the sum of steps times norms of tangents: a number, or an array (...) with one per network."""
        return np.linalg.norm(self.tangents, axis=-1) @ self.steps


def arc(first, second, n_points, *, angle=np.pi / 2):
    """The circular trajectory x(t) = x0 cos t + x1 sin t for t from 0 to `angle` (Raghu et al., survey, Figs 2-5).

    The points x0 and x1 have shape (..., dimensions). Points are equally spaced in t, both ends among them, unless the
    arc is a whole turn of 2 pi: it is closed then. The quadrature is the trapezoidal rule.

    Examples
    --------
    >>> circle = arc([2.0, 0.0], [0.0, 2.0], 100, angle=2 * np.pi)
    >>> bool(np.isclose(circle.length, 4 * np.pi, rtol=1e-12))
    True
    """
    closed = angle == 2 * np.pi
    times = np.linspace(0, angle, n_points, endpoint=not closed)[:, None]
    cos, sin = np.cos(times), np.sin(times)
    first, second = (np.asarray(point, dtype=float)[..., None, :] for point in (first, second))
    return Curve(first * cos + second * sin, second * cos - first * sin, _steps(angle, n_points, closed), closed)


def segment(first, second, n_points):
    """The line segment x(t) = x0 + t (x1 - x0) for t from 0 to 1, at equally spaced points, both ends among them.

    Examples
    --------
    >>> float(segment([0.0, 0.0], [3.0, 4.0], 7).length)
    5.0
    """
    first, second = (np.asarray(point, dtype=float)[..., None, :] for point in (first, second))
    along = second - first
    points = first + np.linspace(0, 1, n_points)[:, None] * along
    return Curve(points, np.broadcast_to(along, points.shape), _steps(1.0, n_points, False))


def _steps(extent, n_points, closed):
    steps = np.full(n_points, extent / (n_points if closed else n_points - 1))
    if not closed:
        steps[[0, -1]] /= 2
    return steps


def sum_curves(layers, curve):
    """Yield the weighted sums h_l(t) = W_l z_{l-1}(t) + b_l of each layer along a curve, from the inputs up.

    Layers are dense, without normalisation, of one network or of many, with weights of shape (networks, outputs,
    inputs); the curve is in the space of the inputs, shape (points, inputs), or one for each network.
    """
    return (sums for _, sums in layer_curves(layers, curve))


def image_curves(layers, curve):
    """Yield the images z_l(t) of a curve: itself, those in the hidden layers after their activation, and the outputs.

    One more than there are layers. What layer l multiplies by its weights is image l - 1; the last image is W z + b of
    the last layer. Arguments as in `sum_curves`.
    """
    walk = layer_curves(layers, curve)
    _, outputs = next(walk)
    yield curve
    for below, sums in walk:
        yield below
        outputs = sums
    yield outputs


def layer_curves(layers, curve):
    """Yield the activities below each layer along a curve, with the weighted sums that the layer makes of them.

    What `image_curves` and `sum_curves` give, in one walk. The first activities are the inputs, after the activation of
    the first layer if it has one.
    """
    sums = curve
    for layer in layers:
        below = sums if layer.activation is None else _through(layer.activation, sums)
        points, tangents = (apply_weights(layer.weights, part) for part in (below.points, below.tangents))
        if layer.bias is not None:
            points += layer.bias[..., None, :]
        if layer.residual is not None:
            points, tangents = sums.points + layer.residual * points, sums.tangents + layer.residual * tangents
        sums = Curve(points, np.broadcast_to(tangents, points.shape), curve.steps, curve.closed)
        yield below, sums


def trajectory_lengths(layers, curve):
    """Arc lengths of the images of a curve (survey, Theorem 1 and Fig. 2): of itself, hidden layers, and outputs.

    Shape (..., layers + 1), one row for each network: (T/N) sum ||dz/dt||, with tangents by forward-mode
    differentiation. A length is 0 where all units are dead or saturated along the whole curve.

    Examples
    --------
    >>> from capacity.activations import relu
    >>> from capacity.networks import Layer
    >>> circle = arc([1.0, 0.0], [0.0, 1.0], 1000, angle=2 * np.pi)
    >>> trajectory_lengths([Layer(2 * np.eye(2)), Layer([[1.0, 0.0]], activation=relu())], circle).round(4)
    array([6.2832, 7.1416, 4.    ])
    """
    lengths = [image.length for image in image_curves(layers, curve)]
    return np.stack(np.broadcast_arrays(*lengths), axis=-1)


def mean_growth(lengths, *, start=0):
    """By which factor a layer lengthens a curve on average, from layer `start` to the last.

    From lengths of shape (networks, layers + 1), (mean last length/mean length at `start`) to the power 1/(layers -
    start), with its standard error. The error takes networks as independent, and both lengths of one together.

    Examples
    --------
    >>> growth, error = mean_growth([[1.0, 2.0, 4.0], [1.0, 4.0, 16.0]])
    >>> growth**2, error > 0
    (10.0, True)
    """
    lengths = np.asarray(lengths)
    ends = lengths[:, [start, -1]]
    mean, layers = ends.mean(axis=0), lengths.shape[1] - 1 - start
    growth = (mean[1] / mean[0]) ** (1 / layers)
    spread = (ends[:, 1] / mean[1] - ends[:, 0] / mean[0]).std(ddof=1)
    return float(growth), float(growth * spread / layers / np.sqrt(len(ends)))


def _through(activation, sums):
    return Curve(activation(sums.points), activation.derivative(sums.points) * sums.tangents, sums.steps, sums.closed)
