"""The linear regression: every coefficient is a parameter (paper 1, eq. 19)."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from capacity._typing import Rng
from capacity._validation import as_generator, check_integer
from capacity.models.base import as_cotangent, as_parameters

__all__ = [
    "FullyConnected",
]


@dataclass(frozen=True)
class FullyConnected:
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
    stacks = True

    def __post_init__(self) -> None:
        check_integer(self.n_inputs, "n_inputs", minimum=1)

    @property
    def components(self) -> int:
        """Number of input components per position."""
        return 1

    @property
    def n_parameters(self) -> int:
        """Number of parameters, n."""
        return self.n_inputs

    @property
    def layers(self) -> dict[str, slice]:
        """The single layer."""
        return {"layer 1": slice(0, self.n_inputs)}

    @property
    def degree(self) -> int:
        """Coefficients are linear in the parameters."""
        return 1

    def initial(self, rng: Rng = None) -> np.ndarray:
        """Independent normal parameters of variance 1/n."""
        return as_generator(rng).standard_normal(self.n_inputs) / np.sqrt(self.n_inputs)

    def coefficients(self, parameters: ArrayLike) -> np.ndarray:
        """Return the parameters themselves."""
        return as_parameters(self, parameters)

    def jacobian(self, parameters: ArrayLike, *, modulus: int | None = None) -> np.ndarray:
        """Return the identity."""
        identity = np.eye(self.n_inputs, dtype=float if modulus is None else np.int64)
        return np.broadcast_to(identity, (*np.shape(parameters)[:-1], *identity.shape))

    def pullback(self, parameters: ArrayLike, cotangent: ArrayLike) -> np.ndarray:
        """Return the cotangent itself."""
        return as_cotangent(self, cotangent)

    def tangent_factors(self, parameters: ArrayLike) -> dict[str, np.ndarray]:
        """Return the identity."""
        return {"layer 1": self.jacobian(parameters)}
