"""Linear architectures: how a flat vector of parameters W becomes the coefficients A of a linear model.

Each model offers the same few things (the `LinearModel` protocol): its coefficients, their Jacobian dA/dW, the
pullback y -> (dA/dW)^T y, and *tangent factors*: for each layer, a narrow matrix T with T T^T = J J^T, J being the
layer's block of the Jacobian. Capacity and Gauss-Newton steps need the Jacobian only through J J^T, so that
their cost does not grow with the number of channels; no Jacobian is ever formed for them.

Coefficients are ordered by position, the oldest input first; where a position has several components, they stand
together. Source: paper 1, Sections 4.1 and 5.1.1, eqs 11, 12, 19, 20.
"""

from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike

from capacity._typing import Rng

__all__ = ["LinearModel"]


@runtime_checkable
class LinearModel(Protocol):
    """What allocation and fitting ask of a model.

    `capacity.models.FunctionModel` has all of it, made from the function W -> A alone. Of a class of your own,
    `model_constraints` needs `n_inputs` and `tangent_factors`, for which the blocks of the Jacobian will do, `fit`
    everything but `jacobian`, `layers` and `degree`, and `exact_capacity` these three.
    """

    @property
    def n_inputs(self) -> int:
        """Number of coefficients n."""

    @property
    def n_parameters(self) -> int:
        """Number of parameters p."""

    @property
    def components(self) -> int:
        """Number of input components per position; they divide `n_inputs`."""

    @property
    def layers(self) -> dict[str, slice]:
        """Which slice of the parameter vector is which layer."""

    @property
    def degree(self) -> int:
        """Degree of the coefficients as polynomials of the parameters."""

    def initial(self, rng: Rng = None) -> np.ndarray:
        """Random parameters to start a fit from, shape (p,)."""

    def coefficients(self, parameters: ArrayLike) -> np.ndarray:
        """Coefficients A, shape (n,)."""

    def jacobian(self, parameters: ArrayLike, *, modulus: int | None = None) -> np.ndarray:
        """Jacobian dA/dW, shape (n, p); with a prime `modulus`, that of integer parameters modulo the prime."""

    def pullback(self, parameters: ArrayLike, cotangent: ArrayLike) -> np.ndarray:
        """Product (dA/dW)^T y with a vector y of shape (n,), shape (p,)."""

    def tangent_factors(self, parameters: ArrayLike) -> dict[str, np.ndarray]:
        """For each layer, a matrix T of n rows with T T^T = J J^T, J the layer's block of the Jacobian."""
