"""Random convolutional networks, many at once, and the gradient of their central output by the inputs.

All arrays lead with one axis per realisation, so that a Monte Carlo over weights is a batched matrix product. On a ring
wider than the receptive field nothing wraps around.
"""

import numpy as np

from capacity._typing import Rng
from capacity._validation import as_generator, check_integer
from capacity.networks.passes import Layer, backward_pass, forward_pass

__all__ = ["central_gradient", "check_taps", "random_weights"]


def random_weights(
    n_layers: int,
    channels: int,
    taps: int = 3,
    *,
    realisations: int = 1,
    coherent: bool = False,
    dimensions: int = 1,
    rng: Rng = None,
) -> np.ndarray:
    """Weights of stacks of convolutional layers, of the scale of He et al. (2015).

    Parameters
    ----------
    n_layers, channels, taps : int
        Depth, channels of every layer, and taps of the kernel along each axis (odd).
    realisations : int, optional
    coherent : bool, optional
        Take absolute values: all paths then add up with the same sign.
    dimensions : int, optional
        Number of spatial axes.
    rng : int or numpy.random.Generator, optional

    Returns
    -------
    ndarray, shape (n_layers, realisations, channels, channels, taps, ...)
        Gaussian of variance 2/(inputs of a unit), outputs before inputs.

    Examples
    --------
    >>> random_weights(3, 8, realisations=10, rng=0).shape
    (3, 10, 8, 8, 3)
    """
    n_layers = check_integer(n_layers, "n_layers", minimum=1)
    channels = check_integer(channels, "channels", minimum=1)
    taps = check_taps(taps)
    realisations = check_integer(realisations, "realisations", minimum=1)
    dimensions = check_integer(dimensions, "dimensions", minimum=1)
    shape = (n_layers, realisations, channels, channels, *[taps] * dimensions)
    weights = as_generator(rng).standard_normal(shape) * np.sqrt(2 / (channels * taps**dimensions))
    return np.abs(weights) if coherent else weights


def central_gradient(weights, inputs, activation):
    """Gradient of output channel 0 at the central position, n // 2, by all inputs, in networks f(W_L f(... f(W_1 x))).

    The weights are those of `random_weights`; inputs have shape (realisations, channels, positions, ...), one sample
    for each realisation.
    """
    activations = [None, *[activation] * (len(weights) - 1)]
    layers = [Layer(layer, activation=f, dimensions=weights.ndim - 4) for layer, f in zip(weights, activations)]
    forward = forward_pass(layers, inputs[:, None])
    centre = (..., 0, *(n // 2 for n in inputs.shape[2:]))
    cotangents = np.zeros_like(forward.outputs)
    cotangents[centre] = activation.derivative(forward.outputs[centre])
    return backward_pass(forward, cotangents).inputs[:, 0]


def check_taps(taps):
    """Return the taps of a kernel along an axis: an odd number, so that it has a middle."""
    taps = check_integer(taps, "taps", minimum=1)
    if taps % 2 == 0:
        raise ValueError(f"taps: expected an odd number, got {taps}; a centred kernel needs a middle")
    return taps
