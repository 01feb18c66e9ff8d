"""Random convolutional networks, many at once: outputs and the gradient of the central output by the inputs.

All arrays lead with one axis per realisation, so that a Monte Carlo over weights is a batched matrix product. Positions
are periodic; on a ring wider than the receptive field nothing wraps around.
"""

import numpy as np
from tqdm import tqdm

from capacity._validation import as_array, check_integer

__all__ = ["central_gradient", "forward", "random_weights"]


def random_weights(layers, channels, taps=3, *, realisations=1, coherent=False, dimensions=1, rng=None):
    """Weights of stacks of convolutional layers, of the scale of He et al. (2015).

    Parameters
    ----------
    layers, channels, taps : int
        Depth, channels of every layer, and taps of the kernel along each axis (odd).
    realisations : int, optional
    coherent : bool, optional
        Take absolute values: all paths then add up with the same sign.
    dimensions : int, optional
        Number of spatial axes.
    rng : int or numpy.random.Generator, optional

    Returns
    -------
    ndarray, shape (layers, realisations, channels, channels, taps, ...)
        Gaussian of variance 2/(inputs of a unit), outputs before inputs.

    Raises
    ------
    TypeError, ValueError
        If a number is not a positive integer, or `taps` is even.
    """
    layers = check_integer(layers, "layers", minimum=1)
    channels = check_integer(channels, "channels", minimum=1)
    taps = check_integer(taps, "taps", minimum=1)
    realisations = check_integer(realisations, "realisations", minimum=1)
    dimensions = check_integer(dimensions, "dimensions", minimum=1)
    if taps % 2 == 0:
        raise ValueError(f"taps: expected an odd number, got {taps}; a centred kernel needs a middle")
    shape = (layers, realisations, channels, channels, *[taps] * dimensions)
    weights = np.random.default_rng(rng).standard_normal(shape) * np.sqrt(2 / (channels * taps**dimensions))
    return np.abs(weights) if coherent else weights


def forward(weights, inputs, activation, *, progress=False):
    """Arguments of the activations of every layer: a list of arrays (realisations, channels, positions, ...).

    Parameters
    ----------
    weights, inputs, activation
        As in `central_gradient`.
    progress : bool, optional
        Show a progress bar.

    Returns
    -------
    list of ndarray, shape (realisations, channels, positions, ...)

    Raises
    ------
    ValueError
        If the inputs do not match the weights.
    """
    weights, state = _check(weights, inputs)
    arguments = []
    for layer in tqdm(weights, disable=not progress, unit="layer"):
        matrix, shifts = _unrolled(layer)
        arguments.append(_convolve(matrix, shifts, state))
        state = activation(arguments[-1])
    return arguments


def central_gradient(weights, inputs, activation, *, progress=False):
    """Gradient of output channel 0 at the central position by all inputs.

    Parameters
    ----------
    weights : ndarray, shape (layers, realisations, channels, channels, taps, ...)
    inputs : ndarray, shape (realisations, channels, positions, ...)
    activation : Activation
    progress : bool, optional

    Returns
    -------
    ndarray, shape of `inputs`

    Raises
    ------
    ValueError
        If the arrays do not fit each other, or hold numbers that are not finite.
    """
    weights, inputs = _check(weights, inputs)
    arguments = forward(weights, inputs, activation, progress=progress)
    gradient = np.zeros_like(arguments[-1])
    gradient[(slice(None), 0, *[n // 2 for n in gradient.shape[2:]])] = 1.0
    for layer, argument in zip(weights[::-1], arguments[::-1]):
        matrix, shifts = _unrolled(layer)
        gradient = _transposed(matrix, shifts, gradient * activation.derivative(argument))
    return gradient


def _check(weights, inputs):
    weights = as_array(weights, "weights", axes=5, remedy="pass those of random_weights")
    inputs = as_array(inputs, "inputs")
    expected = (weights.shape[1], weights.shape[3])
    if inputs.ndim != weights.ndim - 2 or inputs.shape[:2] != expected:
        raise ValueError(
            f"inputs: expected shape ({expected[0]}, {expected[1]}, positions, ...) with {weights.ndim - 4} spatial "
            f"axes, got {inputs.shape}; give one input per realisation"
        )
    return weights, inputs


def _unrolled(layer):
    """One layer as matrices (realisations, outputs, taps * inputs), and the offset of each tap."""
    taps = layer.shape[3:]
    matrix = np.moveaxis(layer.reshape(*layer.shape[:3], -1), -1, 2).reshape(*layer.shape[:2], -1)
    return matrix, [tuple(k - n // 2 for k, n in zip(tap, taps)) for tap in np.ndindex(*taps)]


def _convolve(matrix, shifts, state):
    axes = tuple(range(2, state.ndim))
    columns = np.concatenate([np.roll(state, [-s for s in shift], axes) for shift in shifts], axis=1)
    result = matrix @ columns.reshape(*columns.shape[:2], -1)
    return result.reshape(*result.shape[:2], *state.shape[2:])


def _transposed(matrix, shifts, gradient):
    axes = tuple(range(2, gradient.ndim))
    columns = matrix.transpose(0, 2, 1) @ gradient.reshape(*gradient.shape[:2], -1)
    parts = np.split(columns.reshape(*columns.shape[:2], *gradient.shape[2:]), len(shifts), axis=1)
    return sum(np.roll(part, shift, axes) for part, shift in zip(parts, shifts))
