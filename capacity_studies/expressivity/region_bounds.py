r"""What random networks have on average: Hanin and Rolnick's bound on activation regions, and the kinks on a line.

The sums of a unit z are u + b with a bias b of density rho. Along a curve x(t) the kink of a rectifier, u + b = 0, is
met |u'| rho(-u) times per unit of t, on average over b: the formula of Kac and Rice with all but b held fixed.
Theorem 5 of Hanin and Rolnick (2019) bounds |u'| and rho by constants, for as many units at once as there are inputs.
"""

import itertools

import numpy as np
from scipy import special

from capacity.networks import forward_pass, tangent_pass

__all__ = ["activation_region_bound", "kink_density"]


def activation_region_bound(neurons, dimension, constant=1.0):
    """Bound on the mean number of activation regions per unit volume (Hanin and Rolnick 2019, Theorem 5).

    (T neurons)^n/n! from as many units as inputs on, 2^neurons up to there; the smaller where both apply; inf where
    that leaves the range of a double. n is the number of inputs, the dimension; with T = `constant` = 1 it is the
    number (#neurons)^n/n! to which counts in the whole space are compared.

    Examples
    --------
    >>> activation_region_bound(96, 2), activation_region_bound(3, 64)
    (4608.0, 8.0)
    """
    power = dimension * np.log(constant * neurons) - special.gammaln(dimension + 1)
    with np.errstate(over="ignore"):
        bounds = float(np.exp(power)), float(np.exp2(neurons))
    if neurons == dimension:
        return min(bounds)
    found = bounds[neurons < dimension]
    return float(f"{found:.12g}") if found < 2**20 else found  # whole numbers come out as such


def kink_density(layers, inputs, direction, *, sigma_b):
    """Mean number of kinks per unit of t of networks on the line x + t direction, over the bias of each unit.

    The bias of a unit with an activation above it, drawn from N(0, sigma_b^2), is averaged over while all below it is
    held fixed: the mean of this over networks is the mean number of kinks of the same networks, from which it can be
    computed without finding a single one. Layers are dense, of one network or of many; the inputs x have shape
    (samples, inputs), the density (..., samples).

    Examples
    --------
    >>> from capacity.activations import relu
    >>> from capacity.networks import Layer
    >>> layers = [Layer([[1.0]], [0.3]), Layer([[1.0]], activation=relu())]
    >>> kink_density(layers, [[0.0], [1.0]], [1.0], sigma_b=1.0)  # the normal density
    array([0.39894228, 0.24197072])
    """
    forward = forward_pass(layers, inputs)
    velocities = tangent_pass(forward, np.broadcast_to(direction, forward.states[0].shape))
    density = np.zeros(forward.outputs.shape[:-1])
    for number, (below, above) in enumerate(itertools.pairwise(layers), start=1):
        if above.activation is None:
            continue
        scale = 1.0 if below.residual is None else below.residual
        bias = 0.0 if below.bias is None else scale * below.bias[..., None, :]
        sums, spread = forward.states[number] - bias, scale * sigma_b
        for kink in above.activation.kinks:
            heights = np.exp(-(((kink - sums) / spread) ** 2) / 2) / (spread * np.sqrt(2 * np.pi))
            density += (np.abs(velocities[number]) * heights).sum(axis=-1)
    return density
