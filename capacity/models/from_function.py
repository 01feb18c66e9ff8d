"""Linear models given by a function: any architecture that can be written as NumPy operations on its parameters.

Nobody writes a Jacobian here. A step into the complex numbers gives the derivatives to the last digit, since nothing is
subtracted; a step to a multiple of a prime gives them exactly modulo the prime, and with them the exact rank.

Sources: Squire and Trapp (1998) for the complex step; the step modulo a prime is its analogue, W + p e_j in place of
W + i h e_j, with p^2 = 0 in place of h^2 = 0.
"""

import math
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from capacity._typing import Rng
from capacity._validation import as_generator, as_vector, check_callable, check_divisor, check_integers
from capacity.linalg.finite_field import PRIME
from capacity.models.base import OfShapes, as_cotangent, as_parameters, of_each

__all__ = ["FunctionModel"]

_STEP = 2.0**-300  # its square is zero beside any number
_HIGHEST_DEGREE = 100


@dataclass(frozen=True)
class FunctionModel(OfShapes):
    """A linear architecture, given by the function that maps its parameters to its coefficients.

    Each product with the Jacobian costs as many calls of the function as there are parameters, which suits models of
    up to some hundreds. Larger ones should offer the members of `LinearModel` themselves.

    Parameters
    ----------
    function : callable
        Takes one array per layer, in the order of `shapes`, and returns the coefficients A, shape (n,), the oldest
        input first. It may add, multiply, convolve, index, reshape and stack, but not round or take absolute values;
        where it has a kink or a jump, as `np.maximum` has, its derivative there is refused.
        Arrays that it makes itself need the type of its arguments: ``np.zeros(n, dtype=w.dtype)``.
    shapes : mapping of str to int or tuple of int
        Of the parameters of each layer, or each branch.
    components : int, optional
        Input components per position.

    Raises
    ------
    ValueError
        If the function cannot be evaluated at random parameters, does not return a vector, or cannot be differentiated.

    Examples
    --------
    Two branches that are added, one of them through a product of two weights:

    >>> model = FunctionModel(lambda a, b: np.concatenate([a[:1] * a[1:], b]), {"old": 2, "recent": 3})
    >>> model.jacobian([2, 5, 1, 1, 1])[:, :2].T
    array([[5., 0., 0., 0.],
           [2., 0., 0., 0.]])
    >>> from capacity.allocation import exact_capacity
    >>> exact_capacity(model).total, model.n_parameters
    (4, 5)
    """

    function: Callable
    shapes: Mapping
    components: int = 1

    def __post_init__(self) -> None:
        check_callable(self.function, "function", "pass a callable that takes the parameters of each layer")
        given: Any = self.shapes
        if not isinstance(given, Mapping) or not given:
            raise TypeError(f"shapes: expected names with shapes, got {self.shapes!r}; pass e.g. {{'layer 1': (4, 2)}}")
        shapes = {
            name: check_integers(shape, f"shapes[{name!r}]", length=None if np.ndim(shape) else 1)
            for name, shape in self.shapes.items()
        }
        object.__setattr__(self, "shapes", shapes)
        remedy = "let the function return all components of all positions"
        check_divisor(self.components, "components", self.n_inputs, remedy)
        if not self._checked_derivative(self.initial(1)).all():
            self._check_variation()

    @property
    def _shapes(self):
        return self.shapes

    @cached_property
    def n_inputs(self) -> int:
        """Number of coefficients n."""
        return self.coefficients(self.initial(0)).size

    @cached_property
    def degree(self) -> int:
        """Degree of the coefficients as polynomials of the parameters, on a random line modulo a prime.

        It is too small with a probability of at most the degree over the prime.

        Raises
        ------
        ValueError
            If the function is not a polynomial with integer coefficients, or its degree is 100 or more.
        """
        start, direction = np.random.default_rng(0).integers(0, PRIME, (2, self.n_parameters))
        differences: list[np.ndarray] = []  # of orders 0, 1, ... that end at the last point
        for degree in range(-1, _HIGHEST_DEGREE):
            point = start.astype(object) + (degree + 1) * direction.astype(object)
            last = self._integers(point) % PRIME
            for order, earlier in enumerate(differences):
                differences[order], last = last, (last - earlier) % PRIME
            if not last.any():
                return max(degree, 0)
            differences.append(last)
        raise ValueError(
            f"function: expected a polynomial of a degree below {_HIGHEST_DEGREE}, got none; "
            "its exact capacity cannot be computed, only that at given parameters"
        )

    def initial(self, rng: Rng = None) -> np.ndarray:
        """Independent normal parameters, of variance 1 / (entries along the last axis), shape (p,)."""
        rng = as_generator(rng)
        return np.concatenate([rng.standard_normal(math.prod(s)) / np.sqrt((1, *s)[-1]) for s in self.shapes.values()])

    def coefficients(self, parameters: ArrayLike) -> np.ndarray:
        """Coefficients A, shape (..., n)."""
        return of_each(self._coefficients, as_parameters(self, parameters))

    def jacobian(self, parameters: ArrayLike, *, modulus: int | None = None) -> np.ndarray:
        """Jacobian dA/dW, shape (..., n, p); with a prime `modulus`, that of integer parameters modulo the prime.

        With a modulus the function has to be a polynomial with integer coefficients.
        """
        if modulus is None:
            return of_each(self._jacobian, as_parameters(self, parameters))
        residues = self._given(parameters, modulus).astype(object)
        value = self._integers(residues)
        moved = [self._integers(residues + modulus * unit) for unit in np.eye(residues.size, dtype=object)]
        return np.stack([(new - value) // modulus % modulus for new in moved], axis=1).astype(np.int64)

    def pullback(self, parameters: ArrayLike, cotangent: ArrayLike) -> np.ndarray:
        """Product (dA/dW)^T y, shape (..., p)."""
        return (as_cotangent(self, cotangent)[..., None, :] @ self.jacobian(parameters))[..., 0, :]

    def _coefficients(self, parameters):
        return as_vector(self._call(parameters), "function", remedy="return one number per input")

    def _jacobian(self, parameters):
        self._checked_derivative(parameters)
        return np.stack([self._derivative(parameters, unit) for unit in np.eye(parameters.size)], axis=1)

    def _call(self, parameters):
        return np.asarray(self.function(*(part.copy() for part in self._split(parameters))))  # it may work in place

    def _derivative(self, parameters, direction):
        """Derivative along a direction: A(W + i h d) = A(W) + i h A'(W) d up to h^2, which is zero beside it."""
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error", np.exceptions.ComplexWarning)
                values = self._call(parameters + 1j * _STEP * direction)
        except (TypeError, np.exceptions.ComplexWarning) as error:
            raise TypeError(
                f"function: expected to work with complex parameters, got: {error}; "
                "make its arrays with the type of the parameters, such as np.zeros(n, dtype=w.dtype)"
            ) from error
        return values.imag / _STEP

    def _integers(self, parameters):
        try:
            values = self._call(parameters)
        except TypeError as error:  # of an operation that integers of any size do not have
            raise TypeError(f"function: expected a polynomial, got: {error}; use sums and products only") from error
        if not all(isinstance(value, Integral) for value in values.flat) or values.dtype != object:
            raise TypeError(
                f"function: expected integers from integer parameters, got {values.dtype} such as {values.flat[0]!r}; "
                "use integer constants, such as np.eye(n, dtype=int), and arrays of the parameters' type"
            )
        return values

    def _checked_derivative(self, point, rtol=1e-5):
        """Derivative along a random direction, which is that by central differences but for abs, real or conj.

        Their error goes down with the square of the step where the function is smooth. At a kink it stays, at a jump it
        goes up.
        """
        direction = self.initial(2) * np.where(point != 0, np.abs(point), 1.0)  # parameters have units of their own
        found = self._derivative(point, direction)

        def central(step):
            ahead, behind = (self.coefficients(point + sign * step * direction) for sign in (1, -1))
            return (ahead - behind) / (2 * step), 1e3 * np.finfo(float).eps * np.abs(ahead).max() / step

        differences, noise = central(1e-5)
        errors = np.abs(found - differences)
        wrong = errors > rtol * np.maximum(np.abs(differences), np.abs(found)) + noise
        if wrong.any():
            wrong &= errors > np.abs(found - central(1e-4)[0]) / 10
        if wrong.any() or not np.isfinite(found).all():
            at = int(np.argmax(errors))
            raise ValueError(
                f"function: expected a smooth function, whose derivative by a complex step is that by differences, got "
                f"{found[at]:.6g} and {differences[at]:.6g} for coefficient {at}; do without abs, real and conj, and "
                "stay away from kinks"
            )
        return found

    def _check_variation(self, points=4):
        """Refuse coefficients whose derivative is zero although they vary: those of a function that rounds."""
        draws = [self.initial(seed) for seed in range(points)]
        values = np.array([self.coefficients(draw) for draw in draws])
        flat = ~np.any([self._derivative(draw, self.initial(points)) for draw in draws], axis=0)
        if (flat & (np.ptp(values, axis=0) > 0)).any():
            raise ValueError(
                "function: expected a smooth function, got a coefficient that varies and has the derivative 0; do "
                "without rounding"
            )
