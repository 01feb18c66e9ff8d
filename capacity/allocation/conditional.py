"""Conditional capacity: what a set of constraints adds to another one, and the share of each layer of a model.

Capacities of overlapping constraint spaces do not add up; conditional capacities do, along any chain (Property 6). A
model's capacity is thus divided among its layers, in a chosen order; *independent* shares hold the other layers
constant, *marginal* shares are what only the layer itself can provide.

Source: paper 1, Sections 3.4 and 5.1.4.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from capacity._typing import Covariance
from capacity._validation import as_list, check_instance
from capacity.allocation.constraints import ConstraintSpace, layer_constraints
from capacity.linalg.subspaces import Basis
from capacity.models.base import LinearModel, check_model

__all__ = ["chain_capacities", "conditional_capacity", "independent_shares", "layer_chain", "marginal_shares"]


def conditional_capacity(
    first: ConstraintSpace, given: ConstraintSpace, subspace: Basis | ArrayLike | None = None
) -> float | np.ndarray:
    """Conditional capacity kappa_{K1}(S | K2) = kappa_{K1+K2}(S) - kappa_{K2}(S) (Definition 2, eq. 9).

    Parameters
    ----------
    first, given : ConstraintSpace
        K1 and K2.
    subspace : Basis or array_like, shape (n, n_S), optional
        Orthonormal basis of S. By default, the capacity of each input is returned.

    Returns
    -------
    float, or ndarray of shape (n,) without a subspace

    Examples
    --------
    >>> from capacity.allocation import constraint_space
    >>> e = np.eye(2)
    >>> conditional_capacity(constraint_space(e, e), constraint_space(e, e[:, :1]))
    array([0., 1.])
    """
    both = _space(first, "first") + _space(given, "given")
    if subspace is None:
        return both.spatial() - given.spatial()
    return both.capacity(subspace) - given.capacity(subspace)


def chain_capacities(spaces: Sequence[ConstraintSpace]) -> np.ndarray:
    """Capacity that each space of a chain adds to those before it (Property 6, eq. 10).

    Parameters
    ----------
    spaces : sequence of ConstraintSpace
        K_1, ..., K_k, in the order of the chain.

    Returns
    -------
    ndarray, shape (k, n)
        Row i holds kappa_{K_i}( . | K_1 + ... + K_{i-1}) per input; the rows sum to the capacity of the sum.

    Examples
    --------
    >>> from capacity.allocation import constraint_space
    >>> spaces = [constraint_space(np.eye(2), [[1.0], [slope]]) for slope in (0.0, 1.0)]
    >>> abs(chain_capacities(spaces).round(9))
    array([[1., 0.],
           [0., 1.]])
    """
    spaces = as_list(spaces, "spaces", "pass the spaces in the order of the chain")
    spaces = [_space(space, f"spaces[{i}]") for i, space in enumerate(spaces)]
    total = spaces[0]
    reached = [total.spatial()]
    for space in spaces[1:]:
        total = total + space
        reached.append(total.spatial())
    return np.diff(reached, axis=0, prepend=0.0)


def layer_chain(
    model: LinearModel,
    parameters: ArrayLike,
    covariance: Covariance,
    *,
    order: Sequence[str] | None = None,
    rtol: float | None = None,
) -> dict[str, np.ndarray]:
    """Conditional capacity of each layer given those before it in a chosen order (Figure 7).

    Parameters
    ----------
    model : LinearModel
        With L layers.
    parameters : array_like, shape (p,)
        Usually those of a fit.
    covariance : array_like, shape (n, n), or operator
        Covariance of the inputs.
    order : sequence of str, optional
        Names among ``model.layers``, each once; the layers' own order by default.
    rtol : float, optional
        Relative tolerance of the ranks.

    Returns
    -------
    dict of str to ndarray, shape (positions,)
        Capacity per position, in the order of the chain; together they sum to the model's capacity.

    Examples
    --------
    >>> from capacity import DilatedConvolution, GaussianProcess
    >>> model = DilatedConvolution.hierarchical(3, channels=1)
    >>> chain = layer_chain(model, model.initial(rng=0), GaussianProcess().covariance(8))
    >>> {name: round(float(added.sum()), 9) for name, added in chain.items()}
    {'layer 1': 2.0, 'layer 2': 1.0, 'layer 3': 1.0}
    """
    constraints = _constraints(model, parameters, covariance, rtol)
    order = as_list(model.layers if order is None else order, "order", "name each layer once")
    if len(order) != len(model.layers) or set(order) != set(model.layers):
        raise ValueError(f"order: expected a permutation of {list(model.layers)}, got {order}; name each layer once")
    reached = [constraints.space(order[:end]).spatial(model.components) for end in range(len(order) + 1)]
    return dict(zip(order, np.diff(reached, axis=0)))


def independent_shares(
    model: LinearModel, parameters: ArrayLike, covariance: Covariance, *, rtol: float | None = None
) -> dict[str, np.ndarray]:
    """Capacity of each layer as if the other layers' parameters were constants (Figure 8, top).

    Arguments are those of `layer_chain`, the result a dict of arrays, shape (positions,).

    Examples
    --------
    >>> from capacity import DilatedConvolution, GaussianProcess
    >>> model = DilatedConvolution.hierarchical(3, channels=1)
    >>> shares = independent_shares(model, model.initial(rng=0), GaussianProcess().covariance(8))
    >>> {name: round(float(share.sum()), 9) for name, share in shares.items()}
    {'layer 1': 2.0, 'layer 2': 2.0, 'layer 3': 2.0}
    """
    constraints = _constraints(model, parameters, covariance, rtol)
    return {name: constraints.space([name]).spatial(model.components) for name in model.layers}


def marginal_shares(
    model: LinearModel, parameters: ArrayLike, covariance: Covariance, *, rtol: float | None = None
) -> dict[str, np.ndarray]:
    """Conditional capacity of each layer given all the others (Figure 8, bottom).

    Arguments are those of `layer_chain`, the result a dict of arrays, shape (positions,).

    Examples
    --------
    >>> from capacity import DilatedConvolution, GaussianProcess
    >>> model = DilatedConvolution.hierarchical(3, channels=1)
    >>> shares = marginal_shares(model, model.initial(rng=0), GaussianProcess().covariance(8))
    >>> {name: round(float(share.sum()), 9) for name, share in shares.items()}
    {'layer 1': 1.0, 'layer 2': 1.0, 'layer 3': 1.0}
    """
    constraints = _constraints(model, parameters, covariance, rtol)
    whole = constraints.space().spatial(model.components)
    others = {name: [other for other in model.layers if other != name] for name in model.layers}
    return {name: whole - constraints.space(rest).spatial(model.components) for name, rest in others.items()}


def _space(value, name):
    return check_instance(value, name, ConstraintSpace, "pass constraint_space(covariance, jacobian)")


def _constraints(model, parameters, covariance, rtol):
    check_model(model, "components", "layers")
    return layer_constraints(model, parameters, covariance, rtol=rtol)
