"""Types that the annotations of the package share."""

from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike

__all__ = ["Covariance", "Operator", "Rng"]


class Operator(Protocol):
    """A square matrix that need not be stored: a shape and a product with arrays."""

    shape: Any

    def __matmul__(self, other: np.ndarray, /) -> np.ndarray:
        """Product with an array."""


Covariance = ArrayLike | Operator
Rng = int | np.random.Generator | None  # SPEC 7 of the Scientific Python project
