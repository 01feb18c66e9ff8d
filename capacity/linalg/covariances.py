"""What a covariance is: symmetric and positive definite, as a matrix or as an operator that only multiplies."""

from typing import Any

import numpy as np
import scipy

from capacity._validation import as_matrix, check_finite, check_size, check_square
from capacity.linalg.toeplitz import ToeplitzOperator, check_definite

__all__ = ["as_covariance", "cholesky_factor", "covariance_product", "definite_covariance"]


def as_covariance(
    value: Any, name: str, *, size: int | None = None, definite: bool = False, rtol: float = 1e-8
) -> np.ndarray:
    """Return `value` as a symmetric float array of shape (size, size), positive semi-definite or, if asked, definite.

    `rtol` is that of the symmetry, and of negative eigenvalues where `definite` is not set.
    """
    array = _as_symmetric(value, name, size, rtol)
    if definite:
        _cholesky(array, name)
        return array
    values = np.linalg.eigvalsh(array)
    if values[0] < -rtol * max(values[-1], 0):
        raise ValueError(
            f"{name}: expected a positive semi-definite matrix, got the eigenvalue {values[0]:g}; pass a covariance"
        )
    return array


def cholesky_factor(value: Any, name: str, *, size: int | None = None) -> np.ndarray:
    """Return the triangular factor R of a covariance matrix C = R^T R, shape (size, size)."""
    return _cholesky(_as_symmetric(value, name, size, 1e-8), name)


def definite_covariance(covariance: Any, n: int) -> Any:
    """Return a covariance of n inputs, proved positive definite, as an array, or a stack, or as the operator it is.

    An operator that is none of Toeplitz is only tested, by its products with a few random vectors.
    """
    if scipy.sparse.issparse(covariance):
        check_size(int(np.prod(covariance.shape)), "covariance", "a sparse matrix", remedy="pass an operator")
        covariance = covariance.toarray()
    if np.ndim(covariance) > 2 and not hasattr(covariance, "matvec"):
        return np.stack([definite_covariance(each, n) for each in covariance])
    if hasattr(covariance, "__array__") or not hasattr(covariance, "shape"):
        return as_covariance(covariance, "covariance", size=n, definite=True)
    if tuple(covariance.shape) != (n, n):
        raise ValueError(f"covariance: expected shape {(n, n)}, got {tuple(covariance.shape)}; pass that of the inputs")
    if isinstance(covariance, ToeplitzOperator):
        check_definite(covariance.column, "covariance")
    else:
        probes = np.random.default_rng(0).standard_normal((n, 8))
        as_covariance(probes.T @ (covariance @ probes), "covariance")
    return covariance


def covariance_product(covariance: Any, columns: np.ndarray) -> np.ndarray:
    """Product with some columns, refused where it overflows."""
    with np.errstate(over="ignore", invalid="ignore"):
        product = covariance @ columns
    remedy = "measure inputs or parameters in larger units"
    return check_finite(product, "covariance", "a product with the Jacobian", remedy)


def _as_symmetric(value, name, size, rtol):
    array = as_matrix(value, name, rows=size, columns=size)
    check_square(array, name, "pass a covariance matrix")
    if np.abs(array - array.T).max() > rtol * np.abs(array).max():
        raise ValueError(f"{name}: expected a symmetric matrix, got one that is not; pass (C + C.T)/2")
    return array


def _cholesky(array, name):
    try:
        return scipy.linalg.cholesky(array, check_finite=False)
    except scipy.linalg.LinAlgError as error:
        raise ValueError(
            f"{name}: expected a positive definite matrix, got one with a negative or zero eigenvalue; "
            "remove redundant inputs or add a small multiple of the identity"
        ) from error
