"""Curves in a space of inputs, with their tangents, and their images in the layers of a network.

The length of an image is the integral of the norm of its tangent, which the tangent pass of the network gives exactly
at every point (forward-mode differentiation). A sum of chords between sampled points is no measure of it in a deep
chaotic network: neighbouring points end up as far from each other as any two, and the sum stops at that distance times
their number.
"""

from dataclasses import dataclass

import numpy as np

from capacity._validation import as_array, as_vector, check_finite, check_instance, check_integer, check_real
from capacity.networks.linear_maps import apply_weights
from capacity.networks.passes import forward_pass
from studies.expressivity._stages import check_layers

__all__ = [
    "Curve",
    "arc",
    "image_curves",
    "layer_curves",
    "length_ratios",
    "mean_growth",
    "segment",
    "sum_curves",
    "trajectory_lengths",
]


@dataclass(frozen=True)
class Curve:
    """Points of a curve z(t), or of one for each of many networks, with the tangents there.

    Attributes
    ----------
    points, tangents : ndarray, shape (..., points, dimensions)
        z(t) and dz/dt at increasing t.
    steps : ndarray, shape (points,)
        The weights of a quadrature over t.
    closed : bool
        Whether the first point follows upon the last.
    """

    points: np.ndarray
    tangents: np.ndarray
    steps: np.ndarray
    closed: bool = False

    def __post_init__(self):
        points = as_array(self.points, "points", axes=2, remedy="pass (..., points, dimensions)")
        tangents, steps = as_array(self.tangents, "tangents"), as_vector(self.steps, "steps")
        if tangents.shape != points.shape:
            raise ValueError(
                f"tangents: expected shape {points.shape}, that of the points, got {tangents.shape}; pass one each"
            )
        if steps.shape != points.shape[-2:-1] or not (steps > 0).all():
            raise ValueError(
                f"steps: expected {points.shape[-2]} positive numbers, one for each point, got shape {steps.shape} and "
                f"the least {steps.min():g}; pass the weights of a quadrature"
            )
        for name, value in (("points", points), ("tangents", tangents), ("steps", steps)):
            object.__setattr__(self, name, value)

    @property
    def length(self):
        """Arc length, the sum of steps times norms of tangents: a number, or an array (...) with one per network."""
        return np.linalg.norm(self.tangents, axis=-1) @ self.steps


def arc(first, second, n_points, *, angle=np.pi / 2):
    """The arc x(t) = x0 cos t + x1 sin t for t from 0 to `angle`.

    Parameters
    ----------
    first, second : array_like, shape (..., dimensions)
        The points x0 and x1.
    n_points : int
        Equally spaced in t. Both ends are among them, unless the arc is a whole turn and so has none.
    angle : float, optional
        Up to 2 pi, in radians. The default ends at x1.

    Returns
    -------
    Curve
        Closed if it is a whole turn. The quadrature is the trapezoidal rule, which on a whole turn means equal steps.

    Notes
    -----
    The circular trajectory of Raghu et al. (survey, Figs 2-5).

    Examples
    --------
    >>> circle = arc([2.0, 0.0], [0.0, 2.0], 100, angle=2 * np.pi)
    >>> bool(np.isclose(circle.length, 4 * np.pi, rtol=1e-12))
    True
    """
    first, second = _two_points(first, second)
    n_points = check_integer(n_points, "n_points", minimum=2)
    angle = check_real(angle, "angle", above=0, maximum=2 * np.pi, remedy="pass radians up to one turn")
    closed = angle == 2 * np.pi
    times = np.linspace(0, angle, n_points, endpoint=not closed)[:, None]
    cos, sin = np.cos(times), np.sin(times)
    first, second = first[..., None, :], second[..., None, :]
    return Curve(first * cos + second * sin, second * cos - first * sin, _steps(angle, n_points, closed), closed)


def segment(first, second, n_points):
    """The line segment x(t) = x0 + t (x1 - x0) for t from 0 to 1.

    Parameters
    ----------
    first, second : array_like, shape (..., dimensions)
        The points x0 and x1.
    n_points : int
        Equally spaced, both ends among them.

    Returns
    -------
    Curve

    Examples
    --------
    >>> float(segment([0.0, 0.0], [3.0, 4.0], 7).length)
    5.0
    """
    first, second = _two_points(first, second)
    n_points = check_integer(n_points, "n_points", minimum=2)
    along = (second - first)[..., None, :]
    points = first[..., None, :] + np.linspace(0, 1, n_points)[:, None] * along
    return Curve(points, np.broadcast_to(along, points.shape), _steps(1.0, n_points, False))


def _two_points(first, second):
    first, second = as_array(first, "first", axes=1), as_array(second, "second", axes=1)
    if first.shape != second.shape:
        raise ValueError(f"second: expected shape {first.shape}, that of first, got {second.shape}; pass two points")
    return first, second


def _steps(extent, n_points, closed):
    steps = np.full(n_points, extent / (n_points if closed else n_points - 1))
    if not closed:
        steps[[0, -1]] /= 2
    return steps


def sum_curves(layers, curve):
    """The weighted sums h_l(t) = W_l z_{l-1}(t) + b_l of each layer along a curve, from the inputs up.

    Parameters
    ----------
    layers : sequence of Layer
        Dense, without normalisation; of one network or of many, with weights of shape (networks, outputs, inputs).
    curve : Curve
        In the space of the inputs, shape (points, inputs), or one for each network, (networks, points, inputs).

    Returns
    -------
    iterator of Curve
        One for each layer, computed when it is asked for, so that one layer at a time is in memory.
    """
    return (sums for _, sums in layer_curves(layers, curve))


def image_curves(layers, curve):
    """The images z_l(t) of a curve: itself, those in the hidden layers after their activation, and the outputs.

    Parameters
    ----------
    layers, curve
        As in `sum_curves`.

    Returns
    -------
    iterator of Curve
        One more than there are layers. What layer l multiplies by its weights is image l - 1; the last image is W z + b
        of the last layer.
    """
    return _images(layer_curves(layers, curve), curve)


def layer_curves(layers, curve):
    """Activities below each layer along a curve, with the weighted sums that the layer makes of them.

    Parameters
    ----------
    layers, curve
        As in `sum_curves`.

    Returns
    -------
    iterator of (Curve, Curve)
        What `image_curves` and `sum_curves` give, in one walk. The first activities are the inputs, after the
        activation of the first layer if it has one.
    """
    return _walk(_check(layers, curve), curve)


def trajectory_lengths(layers, curve):
    """Arc lengths of the images of a curve (survey, Theorem 1 and Fig. 2): of itself, hidden layers, and outputs.

    Parameters
    ----------
    layers, curve
        As in `sum_curves`.

    Returns
    -------
    ndarray, shape (..., layers + 1)
        One row for each network. A length is 0 where all units are dead or saturated along the whole curve.

    Notes
    -----
    The lengths are (T/N) sum ||dz/dt||, with tangents by forward-mode differentiation.

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


def length_ratios(lengths):
    """By how much each layer lengthens a curve: ratios of neighbouring lengths (survey, Fig. 2 c and d).

    Parameters
    ----------
    lengths : array_like, shape (..., layers + 1)
        As from `trajectory_lengths`, or the first of them.

    Returns
    -------
    ndarray, shape (..., layers)

    Examples
    --------
    >>> length_ratios([1.0, 2.0, 3.0])
    array([2. , 1.5])
    """
    lengths = as_array(lengths, "lengths", axes=1, minimum=0, remedy="pass those of trajectory_lengths")
    if lengths.shape[-1] < 2 or not lengths.all():
        wrong = f"one of 0 at {np.argwhere(lengths == 0)[0].tolist()}" if lengths.shape[-1] > 1 else "a single one"
        raise ValueError(
            f"lengths: expected two or more positive numbers, got {wrong}; leave out networks that are dead or "
            "saturated along the whole curve"
        )
    return check_finite(lengths[..., 1:] / lengths[..., :-1], "lengths", "ratios")


def mean_growth(lengths, *, start=0):
    """By which factor a layer lengthens a curve on average: of mean lengths over networks, from one layer to the last.

    Parameters
    ----------
    lengths : array_like, shape (networks, layers + 1)
        As from `trajectory_lengths`, or the first of them.
    start : int, optional
        The layer from which growth is counted, where that of the first layers differs.

    Returns
    -------
    growth, standard_error : float
        (mean last length/mean length at `start`) to the power 1/(layers - start). The error takes networks as
        independent, and both lengths of one together.

    Examples
    --------
    >>> growth, error = mean_growth([[1.0, 2.0, 4.0], [1.0, 4.0, 16.0]])
    >>> growth**2, error > 0
    (10.0, True)
    """
    lengths = as_array(lengths, "lengths", axes=2, minimum=0, remedy="pass those of trajectory_lengths")
    if lengths.ndim != 2 or len(lengths) < 2 or lengths.shape[1] < 2:
        raise ValueError(
            f"lengths: expected two networks or more with two lengths or more, got shape {lengths.shape}; pass those "
            "of trajectory_lengths"
        )
    start = check_integer(start, "start", minimum=0, maximum=lengths.shape[1] - 2, remedy="count from 0, the input")
    ends = lengths[:, [start, -1]]
    mean, layers = ends.mean(axis=0), lengths.shape[1] - 1 - start
    if not mean.all():
        raise ValueError(
            f"lengths: expected means above 0, got {mean}; leave out networks that are dead or saturated along the "
            "whole curve"
        )
    growth = (mean[1] / mean[0]) ** (1 / layers)
    spread = (ends[:, 1] / mean[1] - ends[:, 0] / mean[0]).std(ddof=1)
    return float(growth), float(growth * spread / layers / np.sqrt(len(ends)))


def _check(layers, curve):
    check_instance(curve, "curve", Curve, "pass arc(first, second, n_points)")
    check_layers(layers)
    if any(layer.dimensions or layer.batch_norm for layer in layers):
        raise ValueError(
            "layers: expected dense layers without normalisation, got others; a batch along a curve has no meaning"
        )
    forward_pass(layers, curve.points[..., :1, :])  # whether they fit each other
    return layers


def _walk(layers, curve):
    sums = curve
    for layer in layers:
        below = sums if layer.activation is None else _through(layer.activation, sums)
        points, tangents = (apply_weights(layer.weights, part) for part in (below.points, below.tangents))
        if layer.bias is not None:
            points += layer.bias[..., None, :]
        if layer.residual is not None:
            points, tangents = sums.points + layer.residual * points, sums.tangents + layer.residual * tangents
        points, tangents = check_finite(points, "curve", "weighted sums"), check_finite(tangents, "curve", "tangents")
        sums = Curve(points, np.broadcast_to(tangents, points.shape), curve.steps, curve.closed)
        yield below, sums


def _through(activation, sums):
    tangents = check_finite(activation.derivative(sums.points) * sums.tangents, "layers", "tangents")
    return Curve(activation(sums.points), tangents, sums.steps, sums.closed)


def _images(walk, curve):
    _, outputs = next(walk)
    yield curve
    for below, sums in walk:
        yield below
        outputs = sums
    yield outputs
