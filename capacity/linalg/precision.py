"""How precise numbers are: scaling that is exact, and the tolerance of a rank that their type asks for."""

from typing import Any

import numpy as np

from capacity._validation import check_real, number_types

__all__ = ["balanced", "rank_tolerance", "rounding_tolerance", "unit_columns"]


def balanced(array: np.ndarray, axis: int | tuple[int, ...] | None = 0) -> np.ndarray:
    """Columns scaled by powers of two, which is exact, so that the largest entry of each is in [1/2, 1), or zero.

    With two axes each matrix is scaled by one, with None the whole array.
    """
    return np.ldexp(array, -np.frexp(np.abs(array).max(axis=axis, initial=0.0, keepdims=True))[1])


def unit_columns(matrix: np.ndarray) -> np.ndarray:
    """Columns divided by their lengths; those of zeros stay."""
    lengths = np.linalg.norm(matrix, axis=0)
    return matrix / np.where(lengths > 0, lengths, 1.0)


def rank_tolerance(rtol: float | None, *arrays: Any) -> float | None:
    """Relative tolerance of a rank in double precision of arrays of any type: `rtol`, else `rounding_tolerance`."""
    if rtol is not None:
        return check_real(rtol, "rtol", minimum=0, below=1, remedy="pass rtol in [0, 1)")
    return rounding_tolerance(*arrays)


def rounding_tolerance(*arrays: Any) -> float | None:
    """The largest size times the machine epsilon of the least precise type; None stands for double precision.

    Digits that an array lacks would be taken for further directions.
    """
    epsilon = max((float(np.finfo(dtype).eps) for dtype in number_types(*arrays) if dtype.kind == "f"), default=0.0)
    if epsilon <= np.finfo(float).eps:
        return None
    return min(max(max(np.shape(array), default=1) for array in arrays) * epsilon, 0.5)
