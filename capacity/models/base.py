"""Linear architectures: how a flat vector of parameters W becomes the coefficients A of a linear model.

Each model offers the same few things (the `LinearModel` protocol): its coefficients, their Jacobian dA/dW, the
pullback y -> (dA/dW)^T y, and *tangent factors*: for each layer, a narrow matrix T with T T^T = J J^T, J being the
layer's block of the Jacobian. Capacity and Gauss-Newton steps need the Jacobian only through J J^T, so that
their cost does not grow with the number of channels; no Jacobian is ever formed for them.

Coefficients are ordered by position, the oldest input first; where a position has several components, they stand
together. Source: paper 1, Sections 4.1 and 5.1.1, eqs 11, 12, 19, 20.
"""

import math
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from itertools import accumulate, pairwise
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike

from capacity._typing import Rng
from capacity._validation import as_array, as_vector, check_instance, check_members
from capacity.linalg.finite_field import field_elements

__all__ = [
    "LinearModel",
    "OfShapes",
    "Separated",
    "as_cotangent",
    "as_parameters",
    "check_layers",
    "check_model",
    "of_each",
    "slices",
]


@runtime_checkable
class LinearModel(Protocol):
    """What allocation and fitting ask of a model.

    `capacity.models.FunctionModel` has all of it, made from the function W -> A alone. Of a class of your own,
    `model_constraints` needs `n_inputs` and `tangent_factors`, for which the blocks of the Jacobian will do, `fit`
    everything but `jacobian`, `layers` and `degree`, and `exact_capacity` these three. What else a model may have is
    used where it is there: reports show `field(layer)`, the inputs that a layer sees, and the `shapes` of its layers;
    `separated` is for variable projection, `minimal()` and `generic_columns` for exact ranks, and `tangent_span` for
    many inputs. A model with `stacks` takes many parameter vectors at once, along leading axes that its results have
    too; others are asked one by one. `vjp(parameters)` is for fits by gradients: the coefficients and their pullback
    from one forward pass, without a check of what an optimiser made.

    Examples
    --------
    >>> from capacity import FunctionModel
    >>> model = FunctionModel(lambda w: np.array([3, 4]) * w, {"w": (1,)})
    >>> isinstance(model, LinearModel), model.n_inputs, model.coefficients([2.0])
    (True, 2, array([6., 8.]))
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


class OfShapes:
    """What follows from the `_shapes` of the parameters of each layer, by its name, from a `jacobian` and a `vjp`."""

    components = 1
    """Number of input components per position."""
    _shapes: Any
    jacobian: Any
    vjp: Any

    @cached_property
    def layers(self) -> dict[str, slice]:
        """Which slice of the parameter vector is which layer."""
        return slices({name: math.prod(shape) for name, shape in self._shapes.items()})

    @cached_property
    def n_parameters(self) -> int:
        """Number of parameters p."""
        return sum(map(math.prod, self._shapes.values()))

    def coefficients(self, parameters: ArrayLike) -> np.ndarray:
        """Coefficients A, oldest first, shape (..., n)."""
        return self.vjp(self._check(parameters))[0]

    def pullback(self, parameters: ArrayLike, cotangent: ArrayLike) -> np.ndarray:
        """Product (dA/dW)^T y, shape (..., p)."""
        return self.vjp(self._check(parameters))[1](as_cotangent(self, cotangent))

    def tangent_factors(self, parameters: ArrayLike) -> dict[str, np.ndarray]:
        """Columns of the Jacobian, layer by layer."""
        jacobian = self.jacobian(parameters)
        return {name: jacobian[..., part] for name, part in self.layers.items()}

    def _check(self, parameters):
        return as_parameters(self, parameters)

    def _given(self, parameters, modulus):
        """Parameters that are checked; with a modulus the residues of integers."""
        if modulus is None:
            return self._check(parameters)
        residues = field_elements(parameters, modulus, "parameters")
        self._check(residues)
        return residues

    @cached_property
    def _parts(self):
        return tuple(zip(self.layers.values(), self._shapes.values()))

    def _split(self, parameters):
        """Views of a flat vector as the parameters of each layer, shapes (..., *shape); numbers are not checked."""
        return [parameters[..., part].reshape((*parameters.shape[:-1], *shape)) for part, shape in self._parts]


class Separated(Protocol):
    """Coefficients as functions of a few unknowns, the poles, times weights: what variable projection asks for.

    A model that has one, as `separated`, is fitted by it. A *point* is a vector of what the poles depend on.
    """

    restarts: int
    """Runs that find the optimum as a rule."""
    evaluations: int
    """As many for each run."""
    cutoff: float
    """Smallest singular value of the functions, relative to the largest, whose weights are told."""

    @property
    def bounds(self) -> tuple[Any, Any]:
        """Lowest and highest points."""

    def start(self, rng: np.random.Generator) -> np.ndarray:
        """A random point."""

    def point(self, parameters: np.ndarray) -> np.ndarray:
        """Point of some parameters of the model, within the bounds."""

    def columns(self, point: np.ndarray) -> tuple[np.ndarray, Callable]:
        """The functions, shape (n, q), and how their sum with some weights moves with the point, times a root."""

    def parameters(self, point: np.ndarray, best: Callable, rounding_error: float) -> np.ndarray:
        """Parameters of the model at a point; `best(functions)` gives the best weights of functions, and their loss."""


def check_model(model: Any, *members: str) -> Any:
    """Return a model that has what is needed of it: its size, and some more."""
    return check_members(
        model, "model", ("n_inputs", *members), "make one of its function: FunctionModel(function, shapes)"
    )


def as_parameters(model: Any, parameters: ArrayLike, name: str = "parameters", *, single: bool = False) -> np.ndarray:
    """Return as many finite parameters as a model has, or, if not single, a stack of such vectors."""
    remedy = "pass a vector as long as model.n_parameters, e.g. model.initial(rng)"
    if single:
        return as_vector(parameters, name, length=model.n_parameters, remedy=remedy)
    return _as_vectors(parameters, name, model.n_parameters, remedy)


def as_cotangent(model: Any, cotangent: ArrayLike) -> np.ndarray:
    """Return as many finite numbers as a model has coefficients, or a stack of such vectors."""
    return _as_vectors(cotangent, "cotangent", model.n_inputs, "pass one number per coefficient")


def _as_vectors(values, name, length, remedy):
    if np.ndim(values) < 2:
        return as_vector(values, name, length=length, remedy=remedy)
    return as_array(values, name, last=length, remedy=remedy)


def of_each(method: Callable, parameters: np.ndarray, *others: np.ndarray) -> Any:
    """Call a method of a model for a stack of parameters: at once where the model `stacks`, else one by one."""
    if parameters.ndim < 2 or getattr(type(getattr(method, "__self__", None)), "stacks", False):
        return method(parameters, *others)
    found = [of_each(method, *each) for each in zip(parameters, *others)]
    if isinstance(found[0], Mapping):
        return {name: np.stack([one[name] for one in found]) for name in found[0]}
    return np.stack(found)


def slices(sizes: Mapping[str, int]) -> dict[str, slice]:
    """Which slice of a vector is which of some parts, of given sizes, that follow each other."""
    return {name: slice(*ends) for name, ends in zip(sizes, pairwise(accumulate(sizes.values(), initial=0)))}


def check_layers(layers: Iterable[str] | None, known: Iterable[str]) -> list[str]:
    """Return names of layers, all that are known by default."""
    names = list(known if layers is None else check_instance(layers, "layers", Iterable, "pass a list of names"))
    if unknown := [name for name in names if name not in known]:
        raise ValueError(f"layers: expected names among {list(known)}, got {unknown}; see model.layers")
    return names
