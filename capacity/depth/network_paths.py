"""Paths through a deep network: the augmented input space of all its layers, and the weight of each path.

In a deep pseudo-random network each path carries its own product of gains, and so its own copy of an input. These
copies number n_0 n_1 ... n_L: this module spells them out for small networks, where they show why capacity is handed
down layer by layer, and weighs single paths in large ones (paper 2, Sections 3.1 and 4.2).
"""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from capacity._validation import as_list, as_matrix, check_size, check_square
from capacity.activations.activation import Activation, check_activation
from capacity.layers.projections import as_layer, as_projections, check_stacked
from capacity.linalg.subspaces import is_orthonormal

__all__ = ["path_capacity", "path_features", "path_inputs", "path_weights", "straight_path_weights"]


def path_features(projections: Sequence[ArrayLike], features: ArrayLike) -> np.ndarray:
    """Coefficients of the path copies (eq. 6 for all layers), theta[i, j, ..., k, c] = (P_1)_ij ... (P_L)_.k K_kc.

    Parameters
    ----------
    projections : sequence of array_like
        P_1, ..., P_L, P_l of shape (n_{l-1}, n_l).
    features : array_like, shape (n_L, p)
        Orthonormal basis of the Jacobian of the last coefficients.

    Returns
    -------
    ndarray, shape (n_0, n_1, ..., n_L, p)
        Flattened to (paths, p) its columns are orthonormal if the columns of every P_l have norm 1: summing squares
        over i, then over j and so on collapses one layer after the other.

    Examples
    --------
    >>> path_features([[[0.6, 0.0], [0.8, 1.0]]], [[1.0], [0.0]]).squeeze()
    array([[0.6, 0. ],
           [0.8, 0. ]])
    """
    projections = as_projections(projections)
    theta = as_matrix(features, "features", rows=projections[-1].shape[1], remedy="pass one row per last output")
    check_size(math.prod(len(matrix) for matrix in projections) * theta.size, "projections", "paths")
    for projection in reversed(projections):
        theta = projection[(..., *[None] * (theta.ndim - 1))] * theta[None]
    return theta


def path_capacity(projections: Sequence[ArrayLike], features: ArrayLike) -> np.ndarray:
    """Capacity of the network's inputs, shape (n_0,), summed over all paths by brute force.

    It proves paper 2, eq. 28 on small networks. Arguments as in `path_features`; columns need norm 1.

    Examples
    --------
    >>> path_capacity([[[0.6, 0.0], [0.8, 1.0]]], [[1.0], [0.0]])
    array([0.36, 0.64])
    """
    theta = path_features(projections, features)
    if not is_orthonormal(theta.reshape(-1, theta.shape[-1])):
        raise ValueError(
            "projections: expected columns of norm 1 and orthonormal features, got path features that are not "
            "orthonormal; normalise them"
        )
    return np.sum(theta**2, axis=tuple(range(1, theta.ndim)))


def path_inputs(inputs: ArrayLike, projections: Sequence[ArrayLike], activations: Sequence[Activation]) -> np.ndarray:
    """The path copies eta^L_k ... eta^1_j y_i of a batch of inputs (eq. 6 for all layers).

    Parameters
    ----------
    inputs : array_like, shape (samples, n_0)
    projections : sequence of array_like
    activations : sequence of Activation
        One per layer.

    Returns
    -------
    ndarray, shape (samples, n_0, n_1, ..., n_L)
        Summed against `path_features` with the coefficients as `features`, it is the output of the network.

    Examples
    --------
    >>> from capacity.activations import relu
    >>> path_inputs([[1.0, 2.0]], [[[1.0, -1.0], [0.0, 0.0]]], [relu()])
    array([[[1., 0.],
            [2., 0.]]])
    """
    projections = as_projections(projections)
    state = as_matrix(inputs, "inputs", columns=projections[0].shape[0])
    activations = as_list(activations, "activations", "pass one per layer", length=len(projections))
    copies = state
    for projection, activation in zip(projections, activations):
        arguments = state @ projection
        gains = check_activation(activation, "activations").gain(arguments)
        copies = copies[..., None] * gains[(slice(None), *[None] * (copies.ndim - 1))]
        state = gains * arguments
    return copies


def path_weights(transitions: Sequence[Any]) -> np.ndarray:
    """Weights of all paths of a small network, from D_{l+1}, ..., D_L, the lowest layer first: shape (n_l, ..., n_L).

    Paper 2, eq. 35; the second factor printed there as D_{l+1} is D_{l+2}. Summed over all axes but the first and the
    last, they are the product D_{l+1} ... D_L.

    Examples
    --------
    >>> float(path_weights([[[0.5, 0.25], [0.5, 0.75]]] * 2)[0, 1, 1])
    0.1875
    """
    matrices = [as_matrix(matrix, f"transitions[{i}]") for i, matrix in enumerate(_listed(transitions))]
    check_stacked(matrices, "transitions")
    check_size(math.prod([len(matrices[0]), *(matrix.shape[1] for matrix in matrices)]), "transitions", "paths")
    weights, *others = matrices
    for matrix in others:
        weights = weights[..., None] * matrix
    return weights


def straight_path_weights(transitions: Sequence[Any]) -> np.ndarray:
    """Weight of the path that stays on its position, for every position: the products of the diagonals (eq. 36).

    Transitions are square, of shape (n, n) each, of all layers from the lowest up.

    Examples
    --------
    >>> straight_path_weights([[[0.5, 0.25], [0.5, 0.75]]] * 2)
    array([0.25  , 0.5625])
    """
    diagonals: list[np.ndarray] = []
    for i, matrix in enumerate(_listed(transitions)):
        name = f"transitions[{i}]"
        matrix = check_square(as_layer(matrix, name), name, "a straight path needs layers of equal width")
        if diagonals and matrix.shape[0] != diagonals[0].size:
            raise ValueError(
                f"{name}: expected {diagonals[0].size} rows, got {matrix.shape[0]}; all layers are as wide"
            )
        diagonals.append(matrix.diagonal())
    return np.prod(diagonals, axis=0)


def _listed(transitions):
    return as_list(transitions, "transitions", "pass those of all layers, from the lowest up")
