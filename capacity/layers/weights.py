"""The weights of layers as callers pass them: matrices with one column per output, dense or sparse."""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse

from capacity._validation import as_list, as_matrix
from capacity.linalg.precision import balanced

__all__ = ["as_layer", "as_projection", "as_projections", "check_stacked", "check_varying"]


def as_layer(value: Any, name: str, *, remedy: str = "pass a matrix of finite numbers, dense or sparse") -> Any:
    """Return a matrix of a layer as a float array, or as a sparse array in canonical format if it is sparse."""
    if not sparse.issparse(value):
        return as_matrix(value, name, remedy=remedy)
    if value.ndim != 2 or value.dtype.kind not in "biuf":
        raise ValueError(f"{name}: expected a matrix of real numbers, got {value.ndim} axes of {value.dtype}; {remedy}")
    matrix = sparse.csr_array(value, dtype=float, copy=not getattr(value, "has_canonical_format", False))
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
    if square and array.shape[0] != array.shape[1]:
        raise ValueError(
            f"{name}: expected a square matrix, got shape {array.shape}; a differential layer keeps its width"
        )
    if not array.any(axis=0).all():
        raise ValueError(
            f"{name}: expected columns different from zero, got zeros in column {int(np.argmin(array.any(axis=0)))}; "
            "remove the outputs that have no input"
        )
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
