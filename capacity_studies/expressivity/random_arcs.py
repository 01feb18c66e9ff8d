"""Quarter circles between random vectors, sent through random networks (Raghu et al., survey, Figs 2 and 3).

Both ends of a curve are standard normal in as many dimensions as a layer has units, so that the sums of the first layer
have the variance sigma_w^2 + sigma_b^2 on average; every network has a curve of its own.
"""

from dataclasses import dataclass

import numpy as np

from capacity_studies.expressivity.curves import arc, layer_curves, trajectory_lengths
from capacity_studies.expressivity.random_dense import random_layers
from capacity_studies.expressivity.transitions import count_transitions, expected_transitions

__all__ = ["ArcTransitions", "random_arc_lengths", "random_arc_transitions"]


@dataclass(frozen=True)
class ArcTransitions:
    """Lengths and transitions along quarter circles in the layers of random networks."""

    lengths: np.ndarray  # (networks, layers), of the image in each hidden layer
    counted: np.ndarray  # (networks, layers), transitions in this layer, per unit
    expected: np.ndarray  # (networks, layers), their mean over the weights of the layer, given the layers below


def random_arc_lengths(width, depth, activation, *, sigma_w, sigma_b=0.0, networks=20, n_points=200, rng=None):
    """Lengths (networks, depth + 1) of the images of quarter circles in random networks, relative to that of the input.

    There are as many inputs as units; each network, drawn as by `random_layers`, has a curve of its own. 0 from a layer
    on that is saturated or dead along the whole curve.

    Examples
    --------
    >>> from capacity.activations import linear
    >>> random_arc_lengths(200, 2, linear(), sigma_w=3.0, networks=50, rng=0).mean(axis=0).round()
    array([1., 3., 9.])
    """
    layers, curve = _drawn(width, depth, activation, sigma_w, sigma_b, networks, n_points, rng)
    lengths = trajectory_lengths(layers, curve)[:, :-1]
    return lengths / lengths[:, :1]


def random_arc_transitions(
    width, depth, activation, *, sigma_w, sigma_b=0.0, kinks=(0.0,), networks=20, n_points=4000, rng=None
):
    """Transitions along quarter circles in each layer of random networks, beside lengths and the exact law.

    As in `random_arc_lengths`; there have to be many more points, at which sums are compared, than there are
    transitions of a unit.

    Examples
    --------
    >>> from capacity.activations import hard_tanh
    >>> found = random_arc_transitions(50, 1, hard_tanh(), sigma_w=1.0, networks=200, n_points=100, rng=0)
    >>> [f"{rate.mean():.1f}" for rate in (found.counted, found.expected)]  # half a change in a quarter turn
    ['0.5', '0.5']
    """
    layers, curve = _drawn(width, depth, activation, sigma_w, sigma_b, networks, n_points, rng)
    walk, found = layer_curves(layers, curve), []
    below, sums = next(walk)
    for above, following in walk:
        law = expected_transitions(below, width, sigma_w=sigma_w, sigma_b=sigma_b, kinks=kinks)
        found.append([above.length, count_transitions(sums, kinks).mean(axis=-1), law])
        below = above
        sums = following
    return ArcTransitions(*np.moveaxis(np.array(found), 0, -1))


def _drawn(width, depth, activation, sigma_w, sigma_b, networks, n_points, rng):
    rng = np.random.default_rng(rng)
    options = {"sigma_w": sigma_w, "sigma_b": sigma_b, "networks": networks, "rng": rng}
    layers = random_layers(width, width, depth, activation, **options)
    return layers, arc(*rng.standard_normal((2, networks, width)), n_points)
