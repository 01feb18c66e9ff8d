"""Transition matrices: how one pseudo-random layer hands the capacity of its outputs down to its inputs.

An output passes its capacity to its inputs in proportion to the squares of its weights. The matrix D of these shares is
column-stochastic: capacity is handed on, neither made nor lost. Convolutions keep D sparse.
"""

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse

from capacity._validation import as_array, check_integer, check_integers, check_real, check_size
from capacity.layers.weights import as_layer, as_projection, check_varying
from capacity.linalg.covariances import as_covariance
from capacity.linalg.precision import balanced

__all__ = ["check_transition", "convolution_projection", "residual_projection", "transition_matrix"]


def transition_matrix(projection: Any, covariance: ArrayLike | None = None) -> Any:
    """Column-stochastic matrix D of the squares of a layer's weights, each column divided by its sum.

    Parameters
    ----------
    projection : array_like or sparse array, shape (n, m)
        Weights P, one column per output. The columns need not be normalised.
    covariance : array_like, shape (n, n), optional
        Covariance of the inputs; only of a dense matrix. Default: white inputs.

    Returns
    -------
    ndarray or scipy.sparse.csr_array, shape (n, m)

    Notes
    -----
    Paper 2, eq. 25, where D = P o P for columns of norm 1. Footnote 4 divides by the norms of the rows; it has to be
    those of the columns. For coloured inputs the shares are those of Sigma P (derived in the book).

    Examples
    --------
    >>> transition_matrix([[1, 1], [1, 0]])
    array([[0.5, 1. ], [0.5, 0. ]])
    """
    if not sparse.issparse(projection):
        projection = as_projection(projection)
        if covariance is not None:
            sizes = np.abs(projection)
            projection = as_covariance(covariance, "covariance", size=projection.shape[0]) @ projection
            check_varying(np.abs(projection).max(axis=0), (np.abs(covariance) @ sizes).max(axis=0))
        squares = balanced(projection) ** 2
        return squares / np.sum(squares, axis=0)
    if covariance is not None:
        raise ValueError("covariance: expected None with a sparse projection, got one; pass a dense projection")
    squares = as_layer(projection, "projection").tocsc(copy=True)
    largest = abs(squares).max(axis=0).toarray()
    squares.data = np.ldexp(squares.data, -np.repeat(np.frexp(largest)[1], np.diff(squares.indptr))) ** 2
    totals = squares.sum(axis=0)
    if not totals.all():
        raise ValueError(
            f"projection: expected columns different from zero, got zeros in column {int(np.argmin(totals))}; "
            "remove the outputs that have no input"
        )
    squares.data /= np.repeat(totals, np.diff(squares.indptr))
    return squares.tocsr()


def convolution_projection(kernel, size, *, stride=1, padding="periodic", dilation=1):
    """Weights P of a convolutional layer as a sparse matrix, in one or more dimensions.

    Parameters
    ----------
    kernel : array_like, shape (*k) or (outputs, inputs, *k)
        One kernel of the dimension of `size`, or one per pair of channels.
    size : int or tuple of int
        Number of positions of the input along each axis.
    stride : int, optional
        Step between outputs.
    padding : int or "periodic", optional
        Zeros added on both sides; or wrap around, output 0 then being centred on input 0 for an odd kernel.
    dilation : int, optional
        Step between the taps of the kernel.

    Returns
    -------
    scipy.sparse.csc_array, shape (inputs * positions, outputs * positions of the output)
        Entries are ordered by channel, then by position in C order. Output j sees input ``stride j + dilation k -
        padding`` through tap k (a correlation, as in deep-learning libraries).

    Examples
    --------
    >>> convolution_projection([1, 2, 3], 4, padding=1).toarray()
    array([[2., 1., 0., 0.], [3., 2., 1., 0.], [0., 3., 2., 1.], [0., 0., 3., 2.]])
    """
    size = check_integers((size,) if np.isscalar(size) else size, "size")
    kernel = as_array(kernel, "kernel")
    if kernel.ndim == len(size):
        kernel = kernel[None, None]
    if kernel.ndim != len(size) + 2:
        raise ValueError(
            f"kernel: expected an array with {len(size)} or {len(size) + 2} axes for size {size}, got shape "
            f"{kernel.shape}; pass one kernel or an array (outputs, inputs, *k)"
        )
    stride, dilation = check_integer(stride, "stride", minimum=1), check_integer(dilation, "dilation", minimum=1)
    periodic = isinstance(padding, str) and padding == "periodic"
    if not periodic:
        check_integer(padding, "padding", minimum=0, remedy="pass a number of zeros or 'periodic'")
    spans = [dilation * (k - 1) for k in kernel.shape[2:]]
    offsets = [span // 2 if periodic else padding for span in spans]
    counts = [
        -(-n // stride) if periodic else (n + 2 * offset - span - 1) // stride + 1
        for n, offset, span in zip(size, offsets, spans)
    ]
    if min(counts) < 1:
        raise ValueError(
            f"size: expected at least the extent of the kernel, got {size}; pad more or shorten the kernel"
        )
    check_size(kernel.size * math.prod(counts), "size", "weights")
    output = np.arange(np.prod(counts))
    positions = np.unravel_index(output, counts)
    entries, rows, columns = [], [], []
    for tap in np.ndindex(*kernel.shape[2:]):
        at = [stride * p + dilation * k - offset for p, k, offset in zip(positions, tap, offsets)]
        inside = np.all([(a >= 0) & (a < n) for a, n in zip(at, size)], axis=0) | periodic
        source = np.ravel_multi_index([a[inside] for a in at], size, mode="wrap")
        for o, c in zip(*np.nonzero(kernel[(..., *tap)])):
            entries.append(np.full(source.size, kernel[(o, c, *tap)]))
            rows.append(source + c * np.prod(size))
            columns.append(output[inside] + o * output.size)
    if not entries:
        raise ValueError("kernel: expected an entry different from zero, got zeros only; pass a kernel with weights")
    shape = (kernel.shape[1] * int(np.prod(size)), kernel.shape[0] * output.size)
    return sparse.csc_array((np.concatenate(entries), (np.concatenate(rows), np.concatenate(columns))), shape=shape)


def residual_projection(residual, eps):
    """Weights I + sqrt(eps) R of a residual layer; R is square, dense or sparse, and eps > 0.

    Their squares are I + eps R o R away from the diagonal: the shares are I + eps Delta, as paper 2, eq. 29 asks,
    only when the residual weights scale with the square root of eps.
    """
    eps = check_real(eps, "eps", above=0, remedy="pass a positive step")
    residual = as_layer(residual, "residual")
    if residual.shape[0] != residual.shape[1]:
        raise ValueError(
            f"residual: expected a square matrix, got shape {residual.shape}; a residual layer keeps its width"
        )
    identity = sparse.eye_array(residual.shape[0], format="csc") if sparse.issparse(residual) else np.eye(len(residual))
    return identity + np.sqrt(eps) * residual


def check_transition(matrix, name, *, rtol=1e-9):
    """Return `matrix`, dense or sparse, if its entries are nonnegative and its columns sum to 1 up to `rtol`."""
    remedy = "pass transition_matrix(projection)"
    matrix = as_layer(matrix, name, remedy=remedy)
    if 0 in matrix.shape or matrix.min() < 0:
        raise ValueError(f"{name}: expected a matrix of nonnegative numbers, got others or none; {remedy}")
    worst = float(np.abs(matrix.sum(axis=0) - 1).max())
    if worst > rtol:
        raise ValueError(f"{name}: expected columns that sum to 1, got a column off by {worst:.2g}; {remedy}")
    return matrix
