"""The weights P of layers, one column per output: of convolutions and residual layers, and as callers pass them."""

import math
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import scipy
import scipy.sparse
from numpy.typing import ArrayLike

from capacity._validation import (
    as_array,
    as_list,
    as_matrix,
    check_integer,
    check_integers,
    check_real,
    check_size,
    check_square,
)
from capacity.linalg.precision import balanced

__all__ = [
    "as_layer",
    "as_projection",
    "as_projections",
    "check_columns",
    "check_stacked",
    "check_varying",
    "convolution_projection",
    "residual_projection",
]


def convolution_projection(
    kernel: ArrayLike,
    size: int | tuple[int, ...],
    *,
    stride: int = 1,
    padding: int | str = "periodic",
    dilation: int = 1,
) -> scipy.sparse.csc_array:
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
    remedy = "pass a number of zeros or 'periodic'"
    zeros = 0 if periodic else check_integer(padding, "padding", minimum=0, remedy=remedy)
    spans = [dilation * (k - 1) for k in kernel.shape[2:]]
    offsets = [span // 2 if periodic else zeros for span in spans]
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
    return scipy.sparse.csc_array(
        (np.concatenate(entries), (np.concatenate(rows), np.concatenate(columns))), shape=shape
    )


def residual_projection(residual: Any, eps: float) -> Any:
    """Weights I + sqrt(eps) R of a residual layer; R is square, dense or sparse, and eps > 0.

    Their squares are I + eps R o R away from the diagonal: the shares are I + eps Delta, as paper 2, eq. 29 asks,
    only when the residual weights scale with the square root of eps.

    Examples
    --------
    >>> residual_projection([[0.0, 1.0], [2.0, 0.0]], 0.25)
    array([[1. , 0.5],
           [1. , 1. ]])
    """
    eps = check_real(eps, "eps", above=0, remedy="pass a positive step")
    residual = check_square(as_layer(residual, "residual"), "residual", "a residual layer keeps its width")
    sparse = scipy.sparse.issparse(residual)
    identity = scipy.sparse.eye_array(residual.shape[0], format="csc") if sparse else np.eye(len(residual))
    return identity + np.sqrt(eps) * residual


def as_layer(value: Any, name: str, *, remedy: str = "pass a matrix of finite numbers, dense or sparse") -> Any:
    """Return a matrix of a layer as a float array, or as a sparse array in canonical format if it is sparse."""
    if not scipy.sparse.issparse(value):
        return as_matrix(value, name, remedy=remedy)
    if value.ndim != 2 or value.dtype.kind not in "biuf":
        raise ValueError(f"{name}: expected a matrix of real numbers, got {value.ndim} axes of {value.dtype}; {remedy}")
    matrix = scipy.sparse.csr_array(value, dtype=float, copy=not getattr(value, "has_canonical_format", False))
    matrix.sum_duplicates()
    if not np.isfinite(matrix.data).all():
        raise ValueError(f"{name}: expected finite numbers, got an infinity or a NaN; {remedy}")
    return matrix


def as_projection(
    value: Any, name: str = "projection", *, distinct: bool = False, square: bool = False, atol: float = 1e-10
) -> np.ndarray:
    """Return the weights P of a layer, shape (inputs, outputs), after checking that no column is zero.

    With `distinct` it also refuses two columns in the same or in opposite directions, with 1 - abs(cosine) up to
    `atol`: their gains eta are then functions of the same variable, against the premise of decoupling (paper 2, Section
    2.1 asks only for distinct columns).
    """
    array = as_matrix(value, name)
    if array.shape[1] == 0:
        raise ValueError(f"{name}: expected at least one column, got shape {array.shape}; pass one column per output")
    if square:
        check_square(array, name, "a differential layer keeps its width")
    check_columns(array.any(axis=0), name)
    if distinct:
        units = balanced(array)
        units /= np.linalg.norm(units, axis=0)
        cosines = np.triu(np.abs(units.T @ units), 1)
        if cosines.max() >= 1 - atol:
            i, j = (int(k) for k in np.unravel_index(np.argmax(cosines), cosines.shape))
            raise ValueError(
                f"{name}: expected no two columns in equal or opposite directions, got columns {i} and {j}; "
                "merge them, their gains are not independent"
            )
    return array


def check_columns(present: Any, name: str) -> None:
    """Refuse weights some of whose columns are not present, having zeros only."""
    if not present.all():
        raise ValueError(
            f"{name}: expected columns different from zero, got zeros in column {int(np.argmin(present))}; remove the "
            "outputs that have no input"
        )


def as_projections(projections: Iterable[ArrayLike]) -> list[np.ndarray]:
    """Weights P_1, ..., P_L of several layers, P_l of shape (n_{l-1}, n_l), each of which fits the one below."""
    layers = as_list(projections, "projections", "pass [P_1, ..., P_L]")
    arrays = [as_projection(matrix, f"projections[{i}]") for i, matrix in enumerate(layers)]
    check_stacked(arrays, "projections")
    return arrays


def check_stacked(matrices: Sequence[Any], name: str) -> None:
    """Refuse matrices of layers, listed from the inputs up, that do not fit each other."""
    for i, (lower, upper) in enumerate(pairwise(matrices)):
        if lower.shape[1] != upper.shape[0]:
            raise ValueError(
                f"{name}[{i + 1}]: expected {lower.shape[1]} rows, as many as {name}[{i}] has columns, got "
                f"{upper.shape[0]}; list the layers from the inputs up"
            )


def check_varying(sums: np.ndarray, sizes: np.ndarray) -> None:
    """Refuse a covariance under which an output does not vary.

    `sums` holds for each output its variance or its largest covariance with an input, `sizes` the same sums of the
    absolute values of their terms, of which rounding is a share.
    """
    vanish = sums <= 1e-14 * sizes
    if vanish.any():
        raise ValueError(
            f"covariance: expected every output to vary, got variance 0 for output {int(np.argmax(vanish))}; "
            "remove it, or pass a covariance of full rank"
        )
