"""The capacity network: capacity handed down from layer to layer, from the outputs of a deep network to its inputs.

Layer l hands capacity to layer l - 1 through its transition matrix D_l, so that the inputs receive D_1 ... D_L kappa^L.
The matrices are listed from the inputs up, as layers are; capacity runs through them backwards.
"""

from collections import deque
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import scipy
from numpy.typing import ArrayLike
from scipy.sparse.linalg import LinearOperator, aslinearoperator
from tqdm import tqdm

from capacity._validation import as_list, as_matrix, as_vector, check_integer, check_integers
from capacity.layers.projections import as_layer, as_projection, check_stacked, check_varying
from capacity.layers.transition import check_transition, transition_matrix
from capacity.linalg.covariances import as_covariance
from capacity.linalg.precision import rank_tolerance
from capacity.linalg.subspaces import rescaled_basis

__all__ = ["capacity_network", "propagate", "propagate_through_layers", "stack_capacity", "uppermost_capacity"]


def propagate(transitions: Iterable[Any], capacity: ArrayLike, *, progress: bool = False) -> np.ndarray:
    """Capacity of the network's inputs: D_1 ... D_L kappa^L (paper 2, eq. 28), which has the same sum as kappa^L.

    Parameters
    ----------
    transitions : sequence of array_like or sparse array
        D_1, ..., D_L, D_l of shape (n_{l-1}, n_l). A matrix may occur repeatedly; it is checked once.
    capacity : array_like, shape (n_L,)
        Capacity of the outputs of the last layer.
    progress : bool, optional
        Show a progress bar over layers.

    Returns
    -------
    ndarray, shape (n_0,)

    Examples
    --------
    >>> propagate([[[0.5, 0.25], [0.5, 0.75]]] * 2, [1, 0])
    array([0.375, 0.625])
    """
    return deque(_states(transitions, capacity, progress), maxlen=1).pop()


def propagate_through_layers(
    transitions: Iterable[Any], capacity: ArrayLike, *, progress: bool = False
) -> list[np.ndarray]:
    """Capacities [kappa^0, ..., kappa^L] at all layers (paper 2, eq. 27), the last as given; else as `propagate`.

    Examples
    --------
    >>> propagate_through_layers([[[0.5, 0.25], [0.5, 0.75]]] * 2, [1, 0])
    [array([0.375, 0.625]), array([0.5, 0.5]), array([1., 0.])]
    """
    return list(_states(transitions, capacity, progress))[::-1]


def capacity_network(transitions: Sequence[Any]) -> LinearOperator:
    """The product D_1 ... D_L (paper 2, eq. 28) as a linear operator of shape (n_0, n_L); nothing is multiplied out.

    ``operator @ capacity`` propagates capacity to the inputs. ``operator.T @ subset`` gives, for a set of inputs
    (ones on the set), the share that each output of the last layer hands to it.

    Examples
    --------
    >>> down = capacity_network([[[0.5, 0.25], [0.5, 0.75]]] * 2)
    >>> down @ [1.0, 0.0], down.T @ [1.0, 0.0]
    (array([0.375, 0.625]), array([0.375 , 0.3125]))
    """
    factors = [aslinearoperator(matrix) for matrix in _checked(transitions)]

    def product(vector):
        for factor in reversed(factors):
            vector = factor.matvec(vector)
        return vector

    def transposed(vector):
        for factor in factors:
            vector = factor.rmatvec(vector)
        return vector

    return LinearOperator((factors[0].shape[0], factors[-1].shape[1]), product, transposed, dtype=float)


def stack_capacity(
    projections: Iterable[Any], jacobian: ArrayLike, covariance: ArrayLike | None = None, *, rtol: float | None = None
) -> list[np.ndarray]:
    """Capacities at all layers of a pseudo-random network, from its weights and the covariance of its inputs.

    Parameters
    ----------
    projections : sequence of array_like or sparse matrix, shape (n_{l-1}, n_l)
        Weights P_1, ..., P_L, from the inputs up, one column per output; the columns may have any norms.
    jacobian : array_like, shape (n_L, p)
        Jacobian dA/dW of the coefficients on top; the identity where each is a parameter of its own.
    covariance : array_like, shape (n_0, n_0), optional
        Covariance Sigma of the inputs. Default: the identity.
    rtol : float, optional
        Relative tolerance of the rank of the Jacobian, as in `orthonormal_basis`.

    Returns
    -------
    list of ndarray, shape (n_l,)
        kappa^0, ..., kappa^L, from the inputs up; each sums to the total capacity.

    Notes
    -----
    Paper 2, eq. 28, for any covariance and any column norms (derived in the book, Section 3.1): the first layer shares
    by the squares of Sigma P_1; the norms of its columns scale the rows of P_2, and so on up to the Jacobian. A single
    layer has the capacities of `capacity.layers.pseudo_random_capacity`.

    Examples
    --------
    >>> stack_capacity([np.eye(2), [[3, 0], [4, 1]]], [[1.0], [0.0]])[0]
    array([0.36, 0.64])
    """
    projections = as_list(projections, "projections", "pass [P_1, ..., P_L]")
    rtol = rank_tolerance(rtol, *projections, jacobian, covariance)
    layers = [
        as_layer(P, "projections") if scipy.sparse.issparse(P) else as_projection(P, "projections") for P in projections
    ]
    jacobian = as_matrix(jacobian, "jacobian")
    shapes = [layer.shape for layer in (*layers, jacobian)]
    if any(lower[1] != upper[0] for lower, upper in pairwise(shapes)):
        raise ValueError(
            f"projections, jacobian: expected as many rows as the layer below has columns, got shapes {shapes}; list "
            "layers from the inputs up, one column per output (the transpose of weights of shape (outputs, inputs))"
        )
    if covariance is not None:
        covariance = as_covariance(covariance, "covariance", size=shapes[0][0])
        sizes = np.abs(covariance) @ abs(layers[0])
        layers[0] = covariance @ layers[0]
        check_varying(np.abs(layers[0]).max(axis=0), sizes.max(axis=0))
    layers.append(scipy.sparse.eye_array(len(jacobian)))
    for i in range(1, len(layers)):
        layers[i - 1] = layers[i - 1] / abs(layers[i - 1]).max()  # only ratios count
        norm = scipy.sparse.linalg.norm if scipy.sparse.issparse(layers[i - 1]) else np.linalg.norm
        layers[i] = scipy.sparse.diags_array(norm(layers[i - 1], axis=0)) @ layers[i]
    *scaled, norms = layers
    features = rescaled_basis(jacobian, norms.diagonal(), rtol=rtol).vectors
    return propagate_through_layers([transition_matrix(layer) for layer in scaled], np.sum(features**2, axis=1))


def uppermost_capacity(size: int | tuple[int, ...], at: int | str | tuple[int, ...]) -> np.ndarray:
    """One unit of capacity on one entry of the last layer: where a receptive field starts (paper 2, Section 4.1).

    `size` is the number of positions along each axis, `at` one of them or "centre"; of shape (prod(size),).

    Examples
    --------
    >>> uppermost_capacity(5, "centre"), uppermost_capacity((2, 2), (0, 1))
    (array([0., 0., 1., 0., 0.]), array([0., 1., 0., 0.]))
    """
    start = np.zeros(check_integers((size,) if np.isscalar(size) else size, "size"))
    if isinstance(at, str) and at == "centre":
        at = tuple(n // 2 for n in start.shape)
    at = check_integers((at,) if np.isscalar(at) else at, "at", length=start.ndim, minimum=0)
    for k, (position, n) in enumerate(zip(at, start.shape)):
        check_integer(position, f"at[{k}]", maximum=n - 1, remedy="pass a position inside `size`, or 'centre'")
    start[at] = 1.0
    return start.ravel()


def _checked(transitions):
    transitions = as_list(transitions, "transitions", "pass [D_1, ..., D_L]")
    seen = {}
    for i, matrix in enumerate(transitions):
        if id(matrix) not in seen:
            seen[id(matrix)] = check_transition(matrix, f"transitions[{i}]")
    checked = [seen[id(matrix)] for matrix in transitions]
    check_stacked(checked, "transitions")
    return checked


def _states(transitions, capacity, progress):
    transitions = _checked(transitions)
    state = as_vector(capacity, "capacity", length=transitions[-1].shape[1], remedy="pass one number per output")
    yield state
    for matrix in tqdm(transitions[::-1], disable=not progress, unit="layer"):
        state = matrix @ state
        yield state
