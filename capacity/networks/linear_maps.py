"""What the weights of a layer do to the activities below: a matrix, or a convolution on a ring; and the transpose.

Shapes are those of `capacity.networks.passes`.
"""

from itertools import product

import numpy as np

__all__ = ["apply_transpose", "apply_weights", "patches"]


def apply_weights(weights, activities, dimensions=0):
    """Weighted sums W a of every sample.

    Parameters
    ----------
    weights : ndarray, shape (..., outputs, inputs, *taps)
    activities : ndarray, shape (..., samples, inputs, *positions)
    dimensions : int, optional
        Number of spatial axes: taps, and positions.

    Returns
    -------
    ndarray, shape (..., samples, outputs, *positions)
    """
    if not dimensions:
        # A copy, not the transposed view: the product is then to the last bit that of inputs @ P with the P of the
        # papers, for which an activation that hashes the bits of its argument asks.
        return _times(activities, np.ascontiguousarray(weights.swapaxes(-1, -2)))
    kernel, positions = _flat(weights, dimensions), activities.shape[-dimensions:]
    sums = kernel @ patches(activities, weights.shape[-dimensions:])
    return sums.reshape(*sums.shape[:-1], *positions)


def apply_transpose(weights, gradients, dimensions=0):
    """Gradients W^T d by the activities, from those by the weighted sums.

    Parameters
    ----------
    weights : ndarray, shape (..., outputs, inputs, *taps)
    gradients : ndarray, shape (..., samples, outputs, *positions)
    dimensions : int, optional
        As in `apply_weights`.

    Returns
    -------
    ndarray, shape (..., samples, inputs, *positions)
    """
    if not dimensions:
        return _times(gradients, weights)
    taps, positions = weights.shape[-dimensions:], gradients.shape[-dimensions:]
    columns = _flat(weights, dimensions).swapaxes(-1, -2) @ gradients.reshape(*gradients.shape[:-dimensions], -1)
    columns = columns.reshape(*columns.shape[:-2], -1, np.prod(taps), *positions)
    result = np.zeros((*columns.shape[: -1 - dimensions], *positions))
    for tap, here, there in _seen(taps, positions):
        result[there] += columns[tap][here]
    return result


def patches(activities, taps):
    """What the kernel sees at each position: the activities at its taps, on a ring.

    Parameters
    ----------
    activities : ndarray, shape (..., inputs, *positions)
    taps : tuple of int
        Taps of the kernel along each spatial axis.

    Returns
    -------
    ndarray, shape (..., inputs * taps, positions)
        In the order of the weights of one output, the inputs before the taps; positions in C order.
    """
    lead, positions = activities.shape[: -len(taps)], activities.shape[-len(taps) :]
    columns = np.empty((*lead, np.prod(taps), *positions))
    for tap, here, there in _seen(taps, positions):
        columns[tap][here] = activities[there]
    return columns.reshape(*lead[:-1], -1, np.prod(positions))


def _flat(weights, dimensions):
    """Kernels as matrices (..., 1, outputs, inputs * taps), one for all samples."""
    return weights.reshape(*weights.shape[: -1 - dimensions], -1)[..., None, :, :]


def _seen(taps, positions):
    """Which positions each tap sees: for the blocks of a ring, the tap, the positions here, and those it sees there."""
    for number, tap in enumerate(np.ndindex(*taps)):
        blocks = []
        for k, n, size in zip(tap, taps, positions):
            ahead = (k - n // 2) % size
            blocks.append([(slice(0, size - ahead), slice(ahead, size)), (slice(size - ahead, size), slice(0, ahead))])
        for block in product(*blocks):
            here, there = zip(*block)
            yield (..., number, *[slice(None)] * len(taps)), (..., *here), (..., *there)


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
