"""The capacity network: capacity handed down from layer to layer, from the outputs of a deep network to its inputs.

Layer l hands capacity to layer l - 1 through its transition matrix D_l, so that the inputs receive D_1 ... D_L kappa^L.
The matrices are listed from the inputs up, as layers are; capacity runs through them backwards.
"""

from collections import deque
from itertools import pairwise

import numpy as np
from scipy.sparse.linalg import LinearOperator, aslinearoperator
from tqdm import tqdm

from capacity.checks import as_vector
from capacity.transition import check_transition

__all__ = ["capacity_network", "propagate", "propagate_through_layers", "uppermost_capacity"]


def propagate(transitions, capacity, *, progress=False):
    """Capacity of the network's inputs: D_1 ... D_L kappa^L (paper 2, eq. 28).

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
        Same sum as `capacity`.

    Raises
    ------
    ValueError
        If sizes do not match, or a matrix is not column-stochastic.

    Examples
    --------
    >>> propagate([[[0.5, 0.25], [0.5, 0.75]]] * 2, [1, 0])
    array([0.375, 0.625])
    """
    return deque(_states(transitions, capacity, progress), maxlen=1).pop()


def propagate_through_layers(transitions, capacity, *, progress=False):
    """Capacities at all layers (paper 2, eq. 27): a list [kappa^0, ..., kappa^L], kappa^L the given `capacity`.

    Parameters
    ----------
    transitions : sequence of array_like or sparse matrix, shape (n_{l-1}, n_l)
        D_1, ..., D_L, from the lowest layer up.
    capacity : array_like, shape (n_L,)
        Of the outputs of the last layer.
    progress : bool, optional
        Show a progress bar.

    Returns
    -------
    list of ndarray, shape (n_l,)
        From the inputs up.

    Raises
    ------
    ValueError
        As `propagate`.
    """
    return list(_states(transitions, capacity, progress))[::-1]


def capacity_network(transitions):
    """The product D_1 ... D_L (paper 2, eq. 28) as a linear operator; nothing is multiplied out.

    Parameters
    ----------
    transitions : sequence of array_like or sparse matrix, shape (n_{l-1}, n_l)
        D_1, ..., D_L, from the lowest layer up.

    Returns
    -------
    scipy.sparse.linalg.LinearOperator, shape (n_0, n_L)
        ``operator @ capacity`` propagates capacity to the inputs. ``operator.T @ subset`` gives, for a set of inputs
        (ones on the set), the share that each output of the last layer hands to it.

    Raises
    ------
    ValueError
        As `propagate`.
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


def uppermost_capacity(size, at):
    """One unit of capacity on one entry of the last layer: where a receptive field starts (paper 2, Section 4.1).

    Parameters
    ----------
    size : int or tuple of int
        Positions along each axis.
    at : int or tuple of int or "centre"

    Returns
    -------
    ndarray, shape (prod(size),)
    """
    start = np.zeros(size)
    start[tuple(n // 2 for n in start.shape) if isinstance(at, str) and at == "centre" else at] = 1.0
    return start.ravel()


def _checked(transitions):
    transitions = list(transitions)
    if not transitions:
        raise ValueError("transitions: expected at least one layer, got none; pass [D_1, ..., D_L]")
    seen = {}
    for i, matrix in enumerate(transitions):
        if id(matrix) not in seen:
            seen[id(matrix)] = check_transition(matrix, f"transitions[{i}]")
    checked = [seen[id(matrix)] for matrix in transitions]
    for i, (lower, upper) in enumerate(pairwise(checked)):
        if lower.shape[1] != upper.shape[0]:
            raise ValueError(
                f"transitions[{i + 1}]: expected {lower.shape[1]} rows, as many as transitions[{i}] has columns, got "
                f"{upper.shape[0]}; list the layers from the inputs up"
            )
    return checked


def _states(transitions, capacity, progress):
    transitions = _checked(transitions)
    state = as_vector(capacity, "capacity", length=transitions[-1].shape[1], remedy="pass one number per output")
    yield state
    for matrix in tqdm(transitions[::-1], disable=not progress, unit="layer"):
        state = matrix @ state
        yield state
