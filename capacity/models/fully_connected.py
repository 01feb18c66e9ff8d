"""The linear regression: every coefficient is a parameter (paper 1, eq. 19)."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from capacity._typing import Rng
from capacity._validation import as_generator, check_integer
from capacity.models.base import OfShapes

__all__ = ["FullyConnected"]


@dataclass(frozen=True)
class FullyConnected(OfShapes):
    """One free parameter per input: A = W.

    Parameters
    ----------
    n_inputs : int
        Number n of inputs, and of parameters.

    Examples
    --------
    >>> FullyConnected(3).coefficients([1, 2, 3])
    array([1., 2., 3.])
    """

    n_inputs: int
    degree = 1
    """Coefficients are linear in the parameters."""
    stacks = True

    def __post_init__(self) -> None:
        check_integer(self.n_inputs, "n_inputs", minimum=1)

    @property
    def _shapes(self):
        return {"layer 1": (self.n_inputs,)}

    def initial(self, rng: Rng = None) -> np.ndarray:
        """Independent normal parameters of variance 1/n."""
        return as_generator(rng).standard_normal(self.n_inputs) / np.sqrt(self.n_inputs)

    def jacobian(self, parameters: ArrayLike, *, modulus: int | None = None) -> np.ndarray:
        """Return the identity."""
        identity = np.eye(self.n_inputs, dtype=float if modulus is None else np.int64)
        return np.broadcast_to(identity, (*np.shape(parameters)[:-1], *identity.shape))

    def vjp(self, parameters: np.ndarray) -> tuple[np.ndarray, Callable[[np.ndarray], np.ndarray]]:
        """Return the parameters themselves, and what returns a cotangent itself; numbers are not checked."""
        return parameters, lambda cotangent: cotangent
