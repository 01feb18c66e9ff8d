"""Linear models with some of their layers held constant, or with other groups of parameters as layers (App. D)."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from capacity._typing import Rng
from capacity._validation import as_vector, check_instance
from capacity.models.base import LinearModel, as_parameters, check_layers, check_model, of_each, slices

__all__ = ["FrozenLayers", "RegroupedLayers"]

_OF_MODELS = ("n_parameters", "components", "layers", "initial", "coefficients", "jacobian")


class _View:
    """What is the same seen from its whole model, but for the parameters that are free."""

    model: Any
    stacks = True
    _free: Any
    whole: Callable[..., np.ndarray]

    @property
    def n_inputs(self) -> int:
        """Number of coefficients."""
        return self.model.n_inputs

    @property
    def components(self) -> int:
        """Number of input components per position."""
        return self.model.components

    @property
    def degree(self) -> int:
        """Bound of the degree of the coefficients as polynomials of the parameters."""
        return self.model.degree

    def initial(self, rng: Rng = None) -> np.ndarray:
        """Random values of the parameters, as the whole model draws them."""
        return self.model.initial(rng)[self._free]

    def coefficients(self, parameters: ArrayLike) -> np.ndarray:
        """Coefficients A, shape (..., n)."""
        return of_each(self.model.coefficients, self.whole(parameters))

    def pullback(self, parameters: ArrayLike, cotangent: ArrayLike) -> np.ndarray:
        """Product (dA/dW)^T y, shape (..., p)."""
        return of_each(self.model.pullback, self.whole(parameters), np.asarray(cotangent))[..., self._free]


@dataclass(frozen=True)
class FrozenLayers(_View):
    """The linear model whose parameters are those of another one, without the frozen layers.

    Parameters
    ----------
    model : LinearModel
        The whole model.
    values : mapping of str to array_like
        The layers to hold, each with its parameters as a flat vector.

    Examples
    --------
    >>> from capacity.models import DilatedConvolution
    >>> product = DilatedConvolution((1, 1), taps=1)  # A = w_1 w_2
    >>> FrozenLayers(product, {"layer 2": [3.0]}).coefficients([2.0])
    array([6.])
    """

    model: Any
    values: Mapping

    def __post_init__(self):
        check_model(self.model, *_OF_MODELS)
        check_instance(self.values, "values", Mapping, "pass names of layers with their parameters")
        layers = self.model.layers
        unknown = set(self.values) - set(layers)
        if unknown or not set(layers) - set(self.values):
            raise ValueError(
                f"values: expected some, not all, of the layers {list(layers)}, got {list(self.values)}; "
                "leave at least one layer free"
            )
        checked = {
            name: as_vector(
                value, f"values[{name!r}]", length=layers[name].stop - layers[name].start, remedy="see model.layers"
            ).copy()
            for name, value in self.values.items()
        }
        object.__setattr__(self, "values", checked)

    @classmethod
    def at_random(cls, model: LinearModel, layers: Sequence[str], rng: Rng = None) -> "FrozenLayers":
        """Freeze some layers at a random draw of their initial distribution."""
        parts, draw = check_model(model, *_OF_MODELS).layers, model.initial(rng)
        return cls(model, {name: draw[parts[name]] for name in check_layers(layers, parts)})

    @property
    def n_parameters(self) -> int:
        """Number of parameters that are left."""
        return self._free.size

    @property
    def layers(self) -> dict[str, slice]:
        """Which slice of the remaining parameters is which remaining layer."""
        whole = self.model.layers.items()
        return slices({name: part.stop - part.start for name, part in whole if name not in self.values})

    def whole(self, parameters: ArrayLike) -> np.ndarray:
        """Parameters of the whole model: the remaining ones and the frozen values."""
        free = as_parameters(self, parameters)
        whole = np.empty((*free.shape[:-1], self.model.n_parameters))
        whole[..., self._free] = free
        for name, value in self.values.items():
            whole[..., self.model.layers[name]] = value
        return whole

    def jacobian(self, parameters: ArrayLike, *, modulus: int | None = None) -> np.ndarray:
        """Jacobian with respect to the remaining parameters, shape (..., n, p).

        Real frozen values have no residue modulo a prime: instead, use ``exact_capacity(model, layers=...)`` of the
        whole model, which draws the constants in the field.
        """
        if modulus is not None:
            raise ValueError(
                f"modulus: expected None for a model with frozen real values, got {modulus}; "
                "use exact_capacity(model, layers=names of the free layers)"
            )
        return of_each(self.model.jacobian, self.whole(parameters))[..., self._free]

    def tangent_factors(self, parameters: ArrayLike) -> dict[str, Any]:
        """Tangent factors of the remaining layers."""
        factors = of_each(self.model.tangent_factors, self.whole(parameters))
        return {name: factors[name] for name in self.layers}

    @property
    def _free(self):
        parts = [np.r_[part] for name, part in self.model.layers.items() if name not in self.values]
        return np.concatenate(parts)


@dataclass(frozen=True)
class RegroupedLayers(_View):
    """A linear model whose parameters are divided in another way than by layer.

    Parameters
    ----------
    model : LinearModel
        The model itself.
    layers : mapping of str to slice
        Groups that cover the parameter vector in order, each parameter once.

    Examples
    --------
    >>> from capacity.models import FullyConnected
    >>> groups = {"old": slice(0, 2), "recent": slice(2, 3)}
    >>> RegroupedLayers(FullyConnected(3), groups).tangent_factors(np.ones(3))["recent"].T
    array([[0., 0., 1.]])
    """

    model: Any
    layers: Mapping

    def __post_init__(self):
        check_model(self.model, *_OF_MODELS)
        check_instance(self.layers, "layers", Mapping, "pass names with slices")
        parts = [check_instance(part, f"layers[{name!r}]", slice, "pass slices") for name, part in self.layers.items()]
        ends = [0, *(part.stop for part in parts)]
        whole = all(part.step in (None, 1) for part in parts)
        if not whole or [part.start for part in parts] != ends[:-1] or ends[-1] != self.model.n_parameters:
            raise ValueError(
                f"layers: expected slices that cover 0 to {self.model.n_parameters} in order, got {parts}; "
                "let each one start where the last one stops"
            )

    _free = slice(None)

    @property
    def n_parameters(self) -> int:
        """Number of parameters."""
        return self.model.n_parameters

    def whole(self, parameters: ArrayLike) -> np.ndarray:
        """The parameters themselves."""
        return as_parameters(self.model, parameters)

    def jacobian(self, parameters: ArrayLike, *, modulus: int | None = None) -> np.ndarray:
        """Jacobian dA/dW, shape (..., n, p)."""
        if modulus is not None:
            return self.model.jacobian(parameters, modulus=modulus)
        return of_each(self.model.jacobian, self.whole(parameters))

    def tangent_factors(self, parameters: ArrayLike) -> dict[str, Any]:
        """Columns of the Jacobian, group by group."""
        jacobian = self.jacobian(parameters)
        return {name: jacobian[..., part] for name, part in self.layers.items()}
