"""How many regions: arrangements of hyperplanes, which one layer makes, and the sawtooth, which depth makes.

A layer of k units divides the space of its inputs by k hyperplanes. In general position, every d of them meet in one
point and no d + 1 do; Zaslavsky's theorem (1975) then counts sum_i C(k, i), i = 0, ..., d, regions. Composition of
layers multiplies instead: a layer that folds the interval n times multiplies the pieces of what is above by n.
"""

from math import comb

import numpy as np

from capacity.activations import relu
from capacity.networks import Layer

__all__ = ["arrangement_regions", "sawtooth"]


def arrangement_regions(hyperplanes, dimension=2, *, central=False):
    """Number of regions into which hyperplanes in general position divide a space (Zaslavsky 1975).

    For k of them in d dimensions, sum_i C(k, i), i = 0, ..., d; if all pass through the origin, as those of a layer
    without biases, 2 sum_i C(k - 1, i), i = 0, ..., d - 1 (Cover 1965), or 1 if there are none.

    Examples
    --------
    >>> [arrangement_regions(k) for k in (4, 8, 16)]  # 1 + k + k (k - 1)/2
    [11, 37, 137]
    >>> arrangement_regions(4, central=True)
    8
    """
    k, d = hyperplanes, dimension
    if central and k:
        return 2 * sum(comb(k - 1, i) for i in range(min(d, k)))
    return 1 if central else sum(comb(k, i) for i in range(min(d, k) + 1))


def sawtooth(n_layers):
    """A network of two ReLUs per layer that has 2^L linear pieces on [0, 1]: the L-fold composition of a tent.

    The tent is h(x) = 2 relu(x) - 4 relu(x - 1/2), which rises from 0 to 1 and falls back to 0 (Telgarsky 2015). All
    weights and biases are small multiples of 1/2, without rounding.

    Examples
    --------
    >>> from capacity.networks import forward_pass
    >>> forward_pass(sawtooth(2), [[0.0], [0.25], [0.5], [0.75], [1.0]]).outputs.ravel()
    array([0., 1., 0., 1., 0.])
    """
    bias, fall = np.array([0.0, -0.5]), np.array([[2.0, -4.0]])
    inner = [Layer(np.ones((2, 1)) @ fall, bias, relu()) for _ in range(n_layers - 1)]
    return [Layer(np.ones((2, 1)), bias), *inner, Layer(fall, activation=relu())]
