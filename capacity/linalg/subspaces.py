"""Subspaces of R^n: orthonormal bases, numerical rank, sums, complements and principal angles.

A capacity is a rank, so each cut between "genuine" and "noise" matters. Bases come from the singular values of the
matrix itself, never from the eigenvalues of its Gram matrix, whose condition number is the square; and each result
tells how wide the gap was at which it was cut.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy
from numpy.typing import ArrayLike

from capacity._validation import as_matrix, check_finite
from capacity.linalg.precision import balanced, rank_tolerance, rounding_tolerance, unit_columns

__all__ = [
    "Basis",
    "as_orthonormal",
    "complement",
    "is_orthonormal",
    "jacobian_basis",
    "left_singular",
    "orthonormal_basis",
    "principal_angles",
    "singular_value_decomposition",
    "subspace_sum",
]


@dataclass(frozen=True)
class Basis:
    """An orthonormal basis of the span of a matrix, and how surely its dimension is known; or a stack of such.

    Attributes
    ----------
    vectors : ndarray, shape (..., n, rank)
        Orthonormal columns, ordered by decreasing singular value. In a stack with zeros after the last one of each.
    singular_values : ndarray, shape (..., min(n, p))
        All the singular values of the matrix, in decreasing order.
    threshold : float, or ndarray, shape (...)
        Singular values above it were counted.

    Examples
    --------
    >>> basis = orthonormal_basis([[1.0, 2.0], [1.0, 2.0]])
    >>> basis.rank, abs(basis.vectors)
    (1, array([[0.70710678],
           [0.70710678]]))
    """

    vectors: np.ndarray
    singular_values: np.ndarray
    threshold: Any

    @property
    def rank(self) -> Any:
        """Number of singular values above the threshold: the dimension of the span; of a stack an array."""
        if self.vectors.ndim == 2:
            return self.vectors.shape[1]
        return np.count_nonzero(self.singular_values > self.threshold[..., None], axis=-1)

    @property
    def gap(self) -> Any:
        """Smallest singular value kept over the largest one cut: inf where none was cut, nan where none was kept."""
        ends = [(0, 0)] * (self.vectors.ndim - 2) + [(1, 1)]
        values, rank = np.pad(self.singular_values, ends), np.expand_dims(self.rank, -1)
        kept, cut = (np.take_along_axis(values, rank + i, axis=-1)[..., 0] for i in (0, 1))
        with np.errstate(divide="ignore", invalid="ignore"):
            gap = np.where(self.rank == 0, np.nan, kept / cut)
        return gap if gap.ndim else float(gap)


def orthonormal_basis(matrix: ArrayLike, *, rtol: float | None = None) -> Basis:
    """Orthonormal basis of the span of the columns of a matrix, by its singular value decomposition.

    Parameters
    ----------
    matrix : array_like, shape (n, p)
        The spanning columns; p may be smaller or larger than n.
    rtol : float, optional
        A singular value counts when it exceeds ``rtol`` times the largest. Default: ``max(n, p)`` times the machine
        epsilon, the rounding error to expect: that of a double, or of the type of `matrix` where it has fewer digits.

    Returns
    -------
    Basis

    Notes
    -----
    Paper 1, Section 4.3 takes the eigenvectors of the Gram matrix instead; the span is the same, but the smallest
    genuine eigenvalue is the square of the smallest genuine singular value and drowns in rounding errors earlier.

    Examples
    --------
    >>> basis = orthonormal_basis([[1, 2], [2, 4], [0, 0]])
    >>> basis.rank
    1
    """
    rtol = rank_tolerance(rtol, matrix)
    return span(as_matrix(matrix, "matrix"), rtol)


def span(columns: np.ndarray, rtol: float | None = None) -> Basis:
    """`orthonormal_basis` of columns, or of a stack of such, that are known to be finite.

    `rtol` is what `rank_tolerance` returns.
    """
    rtol = max(columns.shape[-2:]) * np.finfo(float).eps if rtol is None else rtol
    left, values = left_singular(columns) if columns.shape[-1] else (columns, np.zeros((*columns.shape[:-2], 0)))
    threshold = rtol * values.max(axis=-1, initial=0.0)
    ranks = np.count_nonzero(values > threshold[..., None], axis=-1)
    largest = int(np.max(ranks))
    kept = np.arange(largest) < np.expand_dims(ranks, (-1, -2))
    return Basis(np.where(kept, left[..., :largest], 0.0), values, threshold if threshold.ndim else float(threshold))


def rescaled_basis(matrix: np.ndarray, scales: np.ndarray, *, rtol: float | None = None) -> Basis:
    """Basis of the span of a matrix whose rows are multiplied by positive numbers, which cannot change its rank.

    Rank, singular values and threshold are those of `matrix`; only the vectors are of the rescaled span. Rows in
    decreasing order and columns that are pivoted keep Householder's errors relative to each row (Cox and Higham 1998);
    those of a singular value decomposition are relative to the largest.
    """
    basis = orthonormal_basis(matrix, rtol=rtol)
    rows = scales[:, None] * basis.vectors
    order = np.argsort(-np.abs(rows).max(axis=1, initial=0.0))
    vectors = np.empty_like(rows)
    vectors[order] = scipy.linalg.qr(rows[order], mode="economic", pivoting=True, check_finite=False)[0]
    return Basis(vectors, basis.singular_values, basis.threshold)


def left_singular(matrix):
    """Left singular vectors and singular values of a finite matrix, in decreasing order.

    A wide matrix is first reduced to the triangular factor of its transpose, which has the same ones.
    """
    if matrix.shape[-1] > matrix.shape[-2]:
        matrix = np.linalg.qr(matrix.swapaxes(-1, -2), mode="r").swapaxes(-1, -2)
    return singular_value_decomposition(matrix)[:2]


def singular_value_decomposition(matrix):
    """Thin singular value decomposition U, s, V^T of a finite matrix, by divide and conquer, else by QR iteration.

    Divide and conquer is the faster one, but LAPACK's may fail to converge where many singular values are zero, as
    those of a Jacobian are (seen with OpenBLAS 0.3.31). With an infinity LAPACK may not come back. In a stack the
    matrices are taken one by one where one of them fails.
    """
    try:
        found = np.linalg.svd(matrix, full_matrices=False)
    except np.linalg.LinAlgError:
        if matrix.ndim > 2:
            return tuple(map(np.stack, zip(*map(singular_value_decomposition, matrix))))
        found = scipy.linalg.svd(matrix, full_matrices=False, check_finite=False, lapack_driver="gesvd")
    check_finite(found[1], "matrix", "singular values")
    return found


def subspace_sum(*bases: Basis | ArrayLike, rtol: float = 1e-8) -> Basis:
    """Orthonormal basis of the sum of subspaces, each given by an orthonormal basis.

    Parameters
    ----------
    *bases : Basis or array_like, shape (n, k)
        Orthonormal bases of subspaces of the same space.
    rtol : float, optional
        Relative tolerance of the rank. Two directions at a small angle theta give stacked bases whose singular values
        are in the ratio tan(theta / 2), so that directions count as one below an angle of 2 `rtol` radians.

    Returns
    -------
    Basis

    Examples
    --------
    >>> e = np.eye(3)
    >>> subspace_sum(e[:, :2], e[:, 1:]).rank
    3
    """
    if not bases:
        raise ValueError("bases: expected at least one, got none; pass the bases to be added")
    first = as_orthonormal(bases[0], "bases[0]")
    others = [as_orthonormal(basis, f"bases[{i}]", rows=len(first)) for i, basis in enumerate(bases[1:], 1)]
    return orthonormal_basis(np.hstack([first, *others]), rtol=rtol)


def complement(basis: Basis | ArrayLike) -> np.ndarray:
    """Orthonormal basis of the orthogonal complement.

    Parameters
    ----------
    basis : Basis or array_like, shape (n, k)
        Orthonormal columns.

    Returns
    -------
    ndarray, shape (n, n - k)

    Examples
    --------
    >>> complement(np.eye(3)[:, :2]).shape
    (3, 1)
    """
    vectors = as_orthonormal(basis, "basis")
    if vectors.shape[1] == 0:
        return np.eye(vectors.shape[0])
    return scipy.linalg.qr(vectors)[0][:, vectors.shape[1] :]


def principal_angles(first: Basis | ArrayLike, second: Basis | ArrayLike) -> np.ndarray:
    """Principal angles between two subspaces, in radians, in increasing order.

    Parameters
    ----------
    first, second : Basis or array_like, shapes (n, j) and (n, k)
        Bases of the two subspaces (orthonormal or not).

    Returns
    -------
    ndarray, shape (min(j, k),)
        With the dimensions j and k of the two spans.

    Notes
    -----
    Cosines are the singular values of U^T V, sines those of V - U U^T V (Bjorck and Golub 1973). Their arc tangent is
    accurate for all angles; `scipy.linalg.subspace_angles` (1.17) takes some small angles from their cosines and is
    then wrong by the square root of the machine epsilon.

    Examples
    --------
    >>> principal_angles([[1.0], [0.0]], [[1.0], [1.0]])
    array([0.785398...])
    """
    rtols = [rounding_tolerance(_vectors(basis)) for basis in (first, second)]
    first = as_matrix(_vectors(first), "first")
    second = as_matrix(_vectors(second), "second", rows=first.shape[0], remedy="pass subspaces of one space")
    bases = [span(columns, rtol).vectors for columns, rtol in zip((first, second), rtols)]
    larger, smaller = sorted(bases, key=np.size)[::-1]
    cosines = larger.T @ smaller
    sines = scipy.linalg.svdvals(smaller - larger @ cosines)[::-1]
    return np.arctan2(sines, scipy.linalg.svdvals(cosines))


def is_orthonormal(vectors: ArrayLike, *, atol: float = 1e-8) -> bool:
    """Whether the columns are orthonormal: no entry of V^T V - I above `atol` in absolute value.

    Parameters
    ----------
    vectors : array_like, shape (n, k)
        The columns.
    atol : float, optional
        Largest deviation allowed.

    Returns
    -------
    bool

    Examples
    --------
    >>> is_orthonormal([[0.6], [0.8]]), is_orthonormal([[1.0], [1.0]])
    (True, False)
    """
    vectors = as_matrix(vectors, "vectors")
    return bool(np.abs(vectors.T @ vectors - np.eye(vectors.shape[1])).max(initial=0.0) <= atol)


def _vectors(basis):
    return basis.vectors if isinstance(basis, Basis) else basis


def as_orthonormal(basis, name, *, rows=None):
    """The vectors of a basis, or of a matrix of orthonormal columns."""
    vectors = as_matrix(_vectors(basis), name, rows=rows, remedy="pass vectors of the same space")
    if not is_orthonormal(vectors):
        remedy = f"pass orthonormal_basis({name}).vectors"
        raise ValueError(f"{name}: expected orthonormal columns, got V^T V different from the identity; {remedy}")
    return vectors


def jacobian_basis(jacobian: ArrayLike, *, rtol: float | None = None) -> Basis:
    """Basis of the span of a Jacobian, its columns first scaled to norm 1, so that no layer counts for its scale.

    Parameters
    ----------
    jacobian : array_like, shape (rows, parameters)
    rtol : float, optional
        Relative tolerance of the rank. Default: 1e-9, or the rounding error of a type less precise than double.

    Returns
    -------
    Basis
        Its `rank` is the total capacity; look at its `gap` before trusting it.

    Examples
    --------
    >>> jacobian_basis([[1.0, 1e-17], [1.0, 0.0]]).rank, orthonormal_basis([[1.0, 1e-17], [1.0, 0.0]]).rank
    (2, 1)
    """
    rtol = rank_tolerance(rtol, jacobian)
    jacobian = balanced(as_matrix(jacobian, "jacobian"))
    return orthonormal_basis(unit_columns(jacobian), rtol=1e-9 if rtol is None else rtol)
