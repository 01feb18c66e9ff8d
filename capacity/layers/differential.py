"""Differential layers, which add a non-linear increment to their inputs: Y + sqrt(eps) f(P^T Y).

The earlier version of paper 2 has them in its Section 3.3 and Appendix B, without formulas in the text at hand; what
follows is a reconstruction. Besides the copies eta_j Y, the augmented inputs hold Y itself.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from tqdm import tqdm

from capacity._validation import as_list, as_matrix, check_finite, check_real
from capacity.activations.activation import Activation, check_activation
from capacity.layers.augmented_space import augmented_inputs, augmented_projection
from capacity.layers.projections import as_projection
from capacity.linalg.precision import rank_tolerance
from capacity.linalg.subspaces import rescaled_basis

__all__ = [
    "differential_capacity",
    "differential_inputs",
    "differential_layers",
    "differential_projection",
    "differential_transition",
    "forward_coefficients",
]


def differential_layers(
    inputs: ArrayLike, projection: ArrayLike, activations: Sequence[Activation], eps: float, *, progress: bool = False
) -> np.ndarray:
    """Outputs of a stack of differential layers with the same weights, one layer per activation (earlier eqs 34-35).

    With independent random gains, increments add up as the square root of their number, so that a limit at L = 1/eps
    layers needs the factor sqrt(eps): it is a stochastic differential equation.

    Parameters
    ----------
    inputs : array_like, shape (samples, n)
    projection : array_like, shape (n, n)
    activations : sequence of Activation
    eps : float
        Squared size of the increments.
    progress : bool, optional
        Show a progress bar.

    Returns
    -------
    ndarray, shape (samples, n)

    Examples
    --------
    >>> from capacity.activations import relu
    >>> differential_layers([[1.0, 2.0]], [[1.0, -1.0], [0.0, 0.0]], [relu()] * 2, 0.25)
    array([[2.25, 2.  ]])
    """
    projection, eps = _arguments(projection, eps)
    state = as_matrix(inputs, "inputs", columns=projection.shape[0])
    activations = as_list(activations, "activations", "pass one per layer")
    with np.errstate(over="ignore", invalid="ignore"):
        for activation in tqdm(activations, disable=not progress, unit="layer"):
            state = state + np.sqrt(eps) * check_activation(activation, "activations")(state @ projection)
    return check_finite(state, "activations", "states", "take fewer layers, or a smaller eps")


def differential_projection(projection: ArrayLike, eps: float) -> np.ndarray:
    """Block weights [I; sqrt(eps) diag(p_1, ..., p_n)] on the augmented inputs, shape (n + n^2, n) (earlier eq. 43).

    Examples
    --------
    >>> differential_projection([[0.6, 1.0], [0.8, 0.0]], 0.25)
    array([[1. , 0. ],
           [0. , 1. ],
           [0.3, 0. ],
           [0.4, 0. ],
           [0. , 0.5],
           [0. , 0. ]])
    """
    projection, eps = _arguments(projection, eps)
    return np.vstack([np.eye(projection.shape[0]), np.sqrt(eps) * augmented_projection(projection)])


def differential_inputs(inputs: ArrayLike, projection: ArrayLike, activation: Activation) -> np.ndarray:
    """Augmented inputs (Y, eta_1 Y, ..., eta_n Y), shape (samples, n + n^2), of samples Y (earlier eqs 42-43).

    Examples
    --------
    >>> from capacity.activations import relu
    >>> differential_inputs([[1.0, 2.0]], [[1.0, -1.0], [0.0, 0.0]], relu())
    array([[1., 2., 1., 2., 0., 0.]])
    """
    copies = augmented_inputs(inputs, as_projection(projection, square=True), activation)
    return np.hstack([np.asarray(inputs, dtype=float), copies])


def differential_transition(projection: ArrayLike, eps: float) -> np.ndarray:
    """Column-stochastic transition of a pseudo-random differential layer with white inputs and weights P, shape (n, n).

    Its shares are (delta_ij + eps P_ij^2)/(1 + eps norm(p_j)^2) (earlier eqs 44-45, with the normalisation that they
    need). To first order in eps this is I + eps Delta with Delta_ij = P_ij^2 - delta_ij norm(p_j)^2.

    Examples
    --------
    >>> float(differential_transition(np.sqrt([[0.5, 0.5], [0.5, 0.5]]), 0.1)[0, 0]) == 1.05 / 1.1
    True
    """
    projection, eps = _arguments(projection, eps)
    with np.errstate(over="ignore"):
        shares = np.eye(projection.shape[0]) + eps * projection**2
    check_finite(shares, "projection", "squares", "pass smaller weights")
    return shares / shares.sum(axis=0)


def differential_capacity(
    projection: ArrayLike, jacobian: ArrayLike, eps: float, *, rtol: float | None = None
) -> np.ndarray:
    """Capacity of the inputs of a pseudo-random differential layer with white inputs, shape (n,) (earlier Section 3.3).

    Columns of unequal norm re-weight the Jacobian (n, p) of the outputs by sqrt(1 + eps norm(p_j)^2) before it is
    orthonormalised; with equal norms nothing changes. `rtol` is that of the rank, as in `orthonormal_basis`.

    Examples
    --------
    >>> differential_capacity([[0.6, 1.0], [0.8, 0.0]], [[1.0], [0.0]], 0.1)
    array([0.94181818, 0.05818182])
    """
    rtol = rank_tolerance(rtol, projection, jacobian)
    projection, eps = _arguments(projection, eps)
    jacobian = as_matrix(jacobian, "jacobian", rows=projection.shape[0])
    norms = np.sqrt(1 + eps * np.sum(projection**2, axis=0))
    features = rescaled_basis(jacobian, norms, rtol=rtol).vectors
    return differential_transition(projection, eps) @ np.sum(features**2, axis=1)


def forward_coefficients(left: ArrayLike, centre: ArrayLike, right: ArrayLike) -> dict[str, Any]:
    """Coefficients of the forward equation and of the capacity equation of a nearest-neighbour stencil.

    With p^T Y = left Y_{i-1} + centre Y_i + right Y_{i+1} and independent gains at each site and layer, the deep limit
    of the network is dX = (mu X + b X_x + d X_xx) dB (Taylor expansion in the spacing, set to 1), and that of the
    capacity pi' = -v pi_x + D pi_xx (earlier eqs 36-37 and 46-47), v = right^2 - left^2 and D = (left^2 + right^2)/2 =
    d^2 + b^2/4.

    Examples
    --------
    >>> forward_coefficients(0.5, 0.0, 0.5)
    {'mu': 1.0, 'b': 0.0, 'd': 0.5, 'v': 0.0, 'D': 0.25}
    """
    left, centre, right = (check_real(p, name) for p, name in zip((left, centre, right), ("left", "centre", "right")))
    return {
        "mu": left + centre + right,
        "b": right - left,
        "d": (left + right) / 2,
        "v": right**2 - left**2,
        "D": (left**2 + right**2) / 2,
    }


def _arguments(projection, eps) -> tuple[np.ndarray, float]:
    return as_projection(projection, square=True), check_real(eps, "eps", above=0, remedy="pass a positive step")
