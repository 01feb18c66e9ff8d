"""What the weights of a layer do to the activities below: a matrix, or a convolution on a ring; and the transpose.

Shapes are those of `capacity.networks.passes`.
"""

import math

import numpy as np

__all__ = ["apply_transpose", "apply_weights", "patches"]


def apply_weights(weights, activities, dimensions=0):
    """Weighted sums W a of every sample, shape (..., samples, outputs, *positions).

    Weights have shape (..., outputs, inputs, *taps), activities (..., samples, inputs, *positions).
    """
    if not dimensions:
        # Contiguous, so that BLAS forms the sums of inputs @ P, P the matrix of the papers, in the same order: a
        # pseudo-random activation, which hashes the bits of its argument, would notice any other rounding.
        return _times(activities, np.ascontiguousarray(weights.swapaxes(-1, -2)))
    kernel, positions = _flat(weights, dimensions), activities.shape[-dimensions:]
    sums = kernel @ patches(activities, weights.shape[-dimensions:])
    return sums.reshape(*sums.shape[:-1], *positions)


def apply_transpose(weights, gradients, dimensions=0):
    """Gradients W^T d by the activities, from those by the weighted sums, in the shapes of `apply_weights`."""
    if not dimensions:
        return _times(gradients, weights)
    # A convolution with the kernels turned round, outputs and inputs exchanged: d at position p reached the position
    # k - n // 2 ahead of it, which looks back by as much.
    turned = np.flip(weights, range(-dimensions, 0)).swapaxes(-2 - dimensions, -1 - dimensions)
    columns = _columns(gradients, weights.shape[-dimensions:], turned=True)
    found = _flat(turned, dimensions) @ columns
    return found.reshape(*found.shape[:-1], *gradients.shape[-dimensions:])


def patches(activities, taps):
    """What the kernel sees at each position: the activities (..., inputs, *positions) at its taps, on a ring.

    Shape (..., inputs * taps, positions), in the order of the weights of one output, the inputs before the taps;
    positions in C order.
    """
    return _columns(activities, taps)


def _columns(states, taps, *, turned=False):
    """Patches of a kernel; of one that is turned round, with the middle of an even number of taps on the other side."""
    units, positions = states.shape[: -len(taps)], states.shape[-len(taps) :]
    for axis, (n, size) in enumerate(zip(taps, positions), start=-len(taps)):
        centre = (n - 1) // 2 if turned else n // 2
        states = states.take(np.arange(-centre, size + n - 1 - centre) % size, axis=axis)
    steps = states.strides[-len(taps) :]  # of a tap as of a position; sliding_window_view takes longer than the copy
    windows = np.lib.stride_tricks.as_strided(states, (*units, *taps, *positions), (*states.strides, *steps))
    return windows.reshape(*units[:-1], -1, math.prod(positions))


def _flat(weights, dimensions):
    """Kernels as matrices (..., 1, outputs, inputs * taps), one for all samples."""
    return weights.reshape(*weights.shape[: -1 - dimensions], -1)[..., None, :, :]


def _times(rows, matrix):
    """Product of rows (..., samples, n) with matrices (..., n, m), in which axes that only the rows have count as rows.

    One large product takes a fraction of the time of many small ones with the same matrix.
    """
    more = rows.ndim - matrix.ndim
    if more <= 0 or rows.shape[more:-2] != matrix.shape[:-2]:
        return rows @ matrix
    together = np.moveaxis(rows, range(more), range(-2 - more, -2))
    product = together.reshape(*matrix.shape[:-2], -1, rows.shape[-1]) @ matrix
    return np.moveaxis(product.reshape(*together.shape[:-1], -1), range(-2 - more, -2), range(more))
