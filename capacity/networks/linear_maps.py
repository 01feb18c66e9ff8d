"""What the weights of a layer do to the activities below: a matrix, or a convolution on a ring; and the transpose.

Shapes are those of `capacity.networks.passes`.
"""

from functools import lru_cache

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
    columns = columns.reshape(*columns.shape[:-2], -1, np.prod(taps), columns.shape[-1])
    result = np.zeros((*columns.shape[:-2], columns.shape[-1]))
    for tap, sites in enumerate(_neighbours(taps, positions, -1)):
        result += columns[..., tap, :].take(sites, axis=-1)
    return result.reshape(*result.shape[:-1], *positions)


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
    positions = activities.shape[-len(taps) :]
    flat = activities.reshape(*activities.shape[: -len(taps)], -1)
    columns = flat.take(_neighbours(taps, positions, 1), axis=-1)
    return columns.reshape(*columns.shape[:-3], -1, columns.shape[-1])


def _flat(weights, dimensions):
    """Kernels as matrices (..., 1, outputs, inputs * taps), one for all samples."""
    return weights.reshape(*weights.shape[: -1 - dimensions], -1)[..., None, :, :]


@lru_cache(maxsize=64)
def _neighbours(taps, positions, sign):
    """Flat index of the position seen from each position (columns) through each tap (rows); k - n // 2 steps away."""
    shifts = np.indices(taps).reshape(len(taps), -1, 1) - np.array(taps)[:, None, None] // 2
    sites = np.indices(positions).reshape(len(positions), 1, -1)
    found = np.ravel_multi_index(tuple(sites + sign * shifts), positions, mode="wrap")
    found.flags.writeable = False
    return found


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
