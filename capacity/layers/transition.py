"""Transition matrices: how one pseudo-random layer hands the capacity of its outputs down to its inputs.

An output passes its capacity to its inputs in proportion to the squares of its weights. The matrix D of these shares is
column-stochastic: capacity is handed on, neither made nor lost. Convolutions keep D sparse.
"""

from typing import Any

import numpy as np
import scipy
from numpy.typing import ArrayLike

from capacity.layers.projections import as_layer, as_projection, check_columns, check_varying
from capacity.linalg.covariances import as_covariance
from capacity.linalg.precision import balanced

__all__ = ["check_transition", "transition_matrix"]


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
    if not scipy.sparse.issparse(projection):
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
    check_columns(totals > 0, "projection")
    squares.data /= np.repeat(totals, np.diff(squares.indptr))
    return squares.tocsr()


def check_transition(matrix: Any, name: str, *, rtol: float = 1e-9) -> Any:
    """Return `matrix`, dense or sparse, if its entries are nonnegative and its columns sum to 1 up to `rtol`.

    Examples
    --------
    >>> check_transition([[0.5, 0.25], [0.5, 0.75]], "transition")
    array([[0.5 , 0.25],
           [0.5 , 0.75]])
    """
    remedy = "pass transition_matrix(projection)"
    matrix = as_layer(matrix, name, remedy=remedy)
    if 0 in matrix.shape or matrix.min() < 0:
        raise ValueError(f"{name}: expected a matrix of nonnegative numbers, got others or none; {remedy}")
    worst = float(np.abs(matrix.sum(axis=0) - 1).max())
    if worst > rtol:
        raise ValueError(f"{name}: expected columns that sum to 1, got a column off by {worst:.2g}; {remedy}")
    return matrix
