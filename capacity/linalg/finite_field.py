"""Ranks over a prime field: elimination modulo a prime, by FLINT, without rounding and without a tolerance."""

import numpy as np
from numpy.typing import ArrayLike

from capacity._validation import check_integer

__all__ = ["PRIME", "field_elements", "rank_modulo", "reduced"]

PRIME = 2**31 - 1
"""Mersenne prime; products of two residues fit into 64-bit integers."""


def rank_modulo(matrix: ArrayLike, modulus: int = PRIME) -> int:
    """Rank of an integer matrix over the field of a prime.

    Parameters
    ----------
    matrix : array_like of int, shape (n, p)
        Residues, or integers of any size.
    modulus : int, optional
        A prime below 2^63.

    Returns
    -------
    int

    Examples
    --------
    >>> rank_modulo([[1, 2], [3, 13]], modulus=7)
    1
    """
    from flint import fmpz, nmod_mat  # a tenth of the time in which a mistake elsewhere is to be answered

    modulus = check_integer(modulus, "modulus", minimum=2, maximum=2**63 - 1, remedy="pass a prime, e.g. PRIME")
    if not fmpz(modulus).is_prime():  # elimination over a ring that is no field makes FLINT end the process
        raise ValueError(f"modulus: expected a prime, got {modulus}; pass a prime, e.g. PRIME")
    matrix = np.atleast_2d(matrix)
    if matrix.ndim != 2:
        raise ValueError(f"matrix: expected shape (n, p), got {matrix.shape}; pass a matrix")
    if not all(isinstance(entry, int) for entry in matrix.ravel().tolist()):
        raise TypeError(f"matrix: expected integers, got {matrix.dtype}; exact ranks need exact entries")
    rows, columns = matrix.shape
    return nmod_mat(rows, columns, matrix.ravel().tolist(), modulus).rank()


def field_elements(values, modulus, name):
    """Residues of integers of any type modulo a prime below 2^31, so that a product of two fits into their int64."""
    check_integer(modulus, "modulus", minimum=2, maximum=2**31 - 1, remedy="pass a prime below 2^31")
    integers = np.asarray(values)
    if not np.issubdtype(integers.dtype, np.integer):
        raise TypeError(f"{name}: expected integers with a modulus, got {integers.dtype}; draw them in the field")
    return (integers.astype(object) % modulus).astype(np.int64)  # no integer type is too narrow for the modulus


def reduced(values, modulus):
    """Residues of integers modulo a prime; without one the values themselves."""
    return values if modulus is None else values % modulus
