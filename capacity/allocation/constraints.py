"""Capacity allocation of a trained linear model: the constraints that its optimality imposes, and where they lie.

At a local optimum the error X = A - A* satisfies K~^T X = 0 with K~ = Sigma dA/dW, one linear constraint per effective
parameter (eq. 16). The span of K~ is the *constraint space*; its dimension is the total capacity, and a subspace with
orthonormal basis S receives the share ||K^T S||_F^2 of it, K being any orthonormal basis of the constraint space
(eqs 2, 17, 18).

Source: paper 1, Sections 3 and 4.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from capacity._typing import Covariance
from capacity._validation import as_matrices, check_divisor, check_instance, check_real
from capacity.linalg.covariances import covariance_product, definite_covariance
from capacity.linalg.precision import balanced, rank_tolerance
from capacity.linalg.subspaces import Basis, as_orthonormal, span, subspace_sum
from capacity.linalg.toeplitz import LARGE
from capacity.models.base import LinearModel, check_layers, check_model, of_each

__all__ = [
    "ConstraintSpace",
    "LayerConstraints",
    "constraint_space",
    "expected_squared_error",
    "layer_constraints",
    "model_constraints",
]


@dataclass(frozen=True)
class ConstraintSpace:
    """A space of linear constraints on R^n, and the capacity that it allocates; or a stack, along leading axes.

    Attributes
    ----------
    basis : Basis
        Orthonormal basis K of the constraints, with the singular values of the matrix that it came from.

    Examples
    --------
    >>> space = constraint_space(np.eye(3), [[1.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
    >>> space.total, space.spatial(), space.capacity([[1.0], [0.0], [0.0]])
    (2, array([0.5, 0.5, 1. ]), 0.5)
    """

    basis: Basis

    @property
    def vectors(self) -> np.ndarray:
        """Orthonormal constraints K, shape (n, kappa)."""
        return self.basis.vectors

    @property
    def total(self) -> Any:
        """Total capacity kappa, the number of independent constraints (Section 3.1)."""
        return self.basis.rank

    @property
    def degrees_of_freedom(self) -> Any:
        """Dimension n - kappa of the errors that satisfy the constraints (Section 3.1)."""
        return self.vectors.shape[-2] - self.total

    def capacity(self, subspace: Basis | ArrayLike) -> Any:
        """Capacity kappa(S) = ||K^T S||_F^2 of a subspace given by an orthonormal basis (Definition 1, eq. 2)."""
        found = self._along(subspace, "subspace").sum(axis=-1)
        return found if found.ndim else float(found)

    def along(self, vectors: Basis | ArrayLike) -> np.ndarray:
        """Capacities, shape (k,), of the subspaces along k orthonormal vectors, shape (n, k) (Property 3).

        Values in [0, 1]; along a whole basis, such as the eigenvectors of the covariance, they sum to the total.
        """
        return self._along(vectors, "vectors")

    def _along(self, vectors: Basis | ArrayLike, name: str) -> np.ndarray:
        vectors = as_orthonormal(vectors, name, rows=self.vectors.shape[-2])
        return np.square(self.vectors.swapaxes(-1, -2) @ vectors).sum(axis=-2)

    def spatial(self, components: int = 1) -> np.ndarray:
        """Capacity per position, the oldest first: along the natural basis, summed over components (Section 6.1)."""
        *lead, n, _ = self.vectors.shape
        components = check_divisor(components, "components", n, "pass model.components")
        return np.square(self.vectors).sum(axis=-1).reshape(*lead, -1, components).sum(axis=-1)

    def __add__(self, other: object) -> "ConstraintSpace":
        """Sum of two constraint spaces: all the constraints of both, cut at the default angle of `subspace_sum`."""
        if not isinstance(other, ConstraintSpace):
            return NotImplemented
        return ConstraintSpace(subspace_sum(self.basis, other.basis))


def constraint_space(covariance: Covariance, jacobian: ArrayLike, *, rtol: float | None = None) -> ConstraintSpace:
    """Constraint space spanned by the columns of Sigma dA/dW (eqs 16, 17).

    Parameters
    ----------
    covariance : array_like, shape (n, n), or operator
        Covariance Sigma of the inputs; anything with a shape and a product ``@``, e.g. a ToeplitzOperator.
    jacobian : array_like, shape (..., n, q)
        Jacobian dA/dW, or any matrix T with T T^T equal to its Gram matrix, such as tangent factors.
    rtol : float, optional
        Relative tolerance of the rank; see `orthonormal_basis`.

    Returns
    -------
    ConstraintSpace

    Raises
    ------
    ValueError
        If the covariance is not positive definite; one that is known by its products only is tested by those with a few
        random vectors.

    Examples
    --------
    >>> space = constraint_space(np.eye(2), [[1.0], [1.0]])
    >>> space.total, space.spatial()
    (1, array([0.5, 0.5]))
    """
    rtol = rank_tolerance(rtol, jacobian)  # the rank is that of the Jacobian, however few digits a regular Sigma has
    jacobian = as_matrices(jacobian, "jacobian")
    covariance = definite_covariance(covariance, jacobian.shape[-2])
    return ConstraintSpace(span(covariance_product(covariance, jacobian), rtol))


def model_constraints(
    model: LinearModel,
    parameters: ArrayLike,
    covariance: Covariance,
    *,
    layers: Iterable[str] | None = None,
    rtol: float | None = None,
) -> ConstraintSpace:
    """Constraint space of a model at given parameters, or of some layers with the others held constant (eqs 16, 17).

    Parameters
    ----------
    model : LinearModel
        Gives the tangent factors.
    parameters : array_like, shape (..., p)
        Usually those of a fit.
    covariance : array_like, shape (n, n), or operator
        Covariance of the inputs, or one for each parameter vector.
    layers : iterable of str, optional
        Names among ``model.layers``; all by default.
    rtol : float, optional
        Relative tolerance of the rank.

    Returns
    -------
    ConstraintSpace

    Notes
    -----
    Constraints depend on the target A* only through the parameters at which they are taken. A target that a smaller
    model reaches exactly (white noise, an autoregression of few lags) is fitted at singular points of a larger one:
    the total capacity there is below the generic one of `exact_capacity`, and another start may end at another value.

    A model of more than `capacity.linalg.LARGE` inputs that has a `tangent_span` is taken by it. The space is the
    same, but the singular values are then those of another matrix with this span, of fewer and better conditioned
    columns. Pass ``process.operator(n)`` as the covariance, so that no matrix of n^2 entries is needed.

    Examples
    --------
    >>> from capacity import DilatedConvolution, GaussianProcess, fit
    >>> model, process = DilatedConvolution.hierarchical(3, channels=1), GaussianProcess()
    >>> space = model_constraints(model, fit(model, process, rng=0).parameters, process.covariance(8))
    >>> space.total, round(float(space.spatial().sum()), 9), int(space.spatial().argmax())
    (4, 4.0, 7)
    """
    check_model(model, "tangent_factors")
    parameters = np.asarray(parameters)
    if layers is None and model.n_inputs > LARGE and hasattr(model, "tangent_span") and parameters.ndim == 1:
        return constraint_space(covariance, model.tangent_span(parameters), rtol=rtol)
    return layer_constraints(model, parameters, covariance, layers=layers, rtol=rtol).space()


@dataclass(frozen=True)
class LayerConstraints:
    """Constraints of the layers of a model at given parameters, before any of them is orthonormalised.

    Attributes
    ----------
    n_inputs : int
        Number of inputs n.
    columns : dict of str to ndarray, shape (..., n, q_l)
        Columns that span the constraints of each layer: Sigma times its tangent factor, in units in which the factors
        are of equal size.
    rtol : float or None
        Relative tolerance of ranks, as in `orthonormal_basis`.

    Examples
    --------
    >>> from capacity import DilatedConvolution, GaussianProcess
    >>> model = DilatedConvolution.hierarchical(3, channels=1)
    >>> constraints = layer_constraints(model, model.initial(rng=0), GaussianProcess().covariance(8))
    >>> [constraints.space([name]).total for name in constraints.columns], constraints.space().total
    ([2, 2, 2], 4)
    """

    n_inputs: int
    columns: dict[str, np.ndarray]
    rtol: float | None

    def space(self, layers: Iterable[str] | None = None) -> ConstraintSpace:
        """Constraint space of some of the layers, all by default; the others count as constants."""
        columns = [self.columns[name] for name in check_layers(layers, self.columns)]
        return ConstraintSpace(span(np.concatenate(columns or [np.zeros((self.n_inputs, 0))], axis=-1), self.rtol))


def layer_constraints(
    model: LinearModel,
    parameters: ArrayLike,
    covariance: Covariance,
    *,
    layers: Iterable[str] | None = None,
    rtol: float | None = None,
) -> LayerConstraints:
    """Columns that span the constraints of each layer of a model (eqs 16, 17): for many subsets of the same layers.

    Parameters
    ----------
    model, parameters, covariance, layers, rtol
        As in `model_constraints`.

    Returns
    -------
    LayerConstraints

    Examples
    --------
    >>> from capacity import DilatedConvolution, GaussianProcess
    >>> model = DilatedConvolution.hierarchical(3, channels=1)
    >>> constraints = layer_constraints(model, model.initial(rng=0), GaussianProcess().covariance(8))
    >>> constraints.space(list(model.layers)[:2]).total
    3
    """
    check_model(model, "tangent_factors")
    factors = of_each(model.tangent_factors, np.asarray(parameters))
    names = check_layers(layers, factors)
    rtol = rank_tolerance(rtol, *factors.values())
    covariance = definite_covariance(covariance, model.n_inputs)
    checked = {name: as_matrices(factors[name], "tangent_factors", rows=model.n_inputs) for name in names}
    columns = {name: covariance_product(covariance, factor) for name, factor in _of_equal_size(checked, rtol).items()}
    return LayerConstraints(model.n_inputs, columns, rtol)


def _of_equal_size(factors, rtol):
    """The factors in units of their own, since weight can move between layers; zero where they are rounding errors."""
    both = {"axis": (-2, -1), "initial": 0.0, "keepdims": True}
    sizes = {name: np.abs(factor).max(**both) for name, factor in factors.items()}
    rounding = {name: max(f.shape[-2:]) * np.finfo(float).eps if rtol is None else rtol for name, f in factors.items()}
    largest = np.max(list(sizes.values()), axis=0, initial=0.0)
    return {name: balanced(f, (-2, -1)) * (sizes[name] > rounding[name] * largest) for name, f in factors.items()}


def expected_squared_error(space: ConstraintSpace, subspace: Basis | ArrayLike, squared_error: float = 1.0) -> float:
    """Mean squared error along a subspace when the error is isotropic within the unconstrained directions (eq. 6).

    Parameters
    ----------
    space : ConstraintSpace
        Constraints K.
    subspace : Basis or array_like, shape (n, n_S)
        Orthonormal basis of S.
    squared_error : float, optional
        Mean squared error epsilon over the whole space.

    Returns
    -------
    float
        epsilon (n_S - kappa_S) / (n - kappa). With kappa = n - 1 it is exact for each error (eq. 7).

    Raises
    ------
    ValueError
        If the capacity is full, so that there is no error to share out.

    Examples
    --------
    >>> space = constraint_space(np.eye(3), [[1.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
    >>> [expected_squared_error(space, np.eye(3)[:, [i]]) for i in range(3)]
    [0.5, 0.5, 0.0]
    """
    check_instance(space, "space", ConstraintSpace, "pass constraint_space(covariance, jacobian)")
    if space.degrees_of_freedom == 0:
        raise ValueError("space: expected at least one degree of freedom, got full capacity; the error is then zero")
    squared_error = check_real(squared_error, "squared_error", minimum=0)
    capacity = space.capacity(subspace)
    size = subspace.rank if isinstance(subspace, Basis) else np.shape(subspace)[1]
    return squared_error * (size - capacity) / space.degrees_of_freedom
