"""The augmented input space of one layer: as many copies of the inputs as outputs, each multiplied by its own gain.

A layer f(P^T Y) with gains eta_j = f(z_j)/z_j is linear in the copies (eta_1 Y, ..., eta_m Y), so that linear capacity
analysis applies to them. This module builds that space as it stands, of dimension nm; it is meant for small layers and
as the yardstick of `capacity.layers.input_capacity`, which never forms its covariance. Copy j holds entries jn
to (j+1)n-1.
"""

from dataclasses import dataclass

import numpy as np
import scipy
from numpy.typing import ArrayLike

from capacity._validation import as_matrix, check_integer
from capacity.activations.activation import Activation, check_activation
from capacity.layers.projections import as_projection
from capacity.linalg.covariances import as_covariance
from capacity.linalg.precision import rank_tolerance
from capacity.linalg.subspaces import Basis, orthonormal_basis

__all__ = [
    "LayerCapacity",
    "augmented_capacity",
    "augmented_constraints",
    "augmented_inputs",
    "augmented_projection",
    "repeated_subspace",
]


@dataclass(frozen=True)
class LayerCapacity:
    """Capacity of a layer in the space of its inputs.

    Attributes
    ----------
    copies : ndarray, shape (n, m)
        Capacity of input i in its copy eta_j y_i for output j.
    total : int
        Dimension of the constraint space in the augmented input space.
    gap : float
        Smallest singular value counted over the largest one cut (inf where none was cut).

    Examples
    --------
    >>> found = augmented_capacity(np.eye(4), np.eye(2), [[1.0], [1.0]])
    >>> found.total, found.copies, found.spatial()
    (1, array([[0.5, 0. ],
           [0. , 0.5]]), array([0.5, 0.5]))
    """

    copies: np.ndarray
    total: int
    gap: float

    def spatial(self) -> np.ndarray:
        """Capacity of each input, summed over its copies (paper 2, eq. 23): shape (n,)."""
        return self.copies.sum(axis=1)


def augmented_projection(projection: ArrayLike) -> np.ndarray:
    """Block-diagonal matrix of the columns of P (n, m), shape (n m, m) (paper 2, eq. 6).

    Examples
    --------
    >>> augmented_projection([[1, 3], [2, 4]])
    array([[1., 0.], [2., 0.], [0., 3.], [0., 4.]])
    """
    return scipy.linalg.block_diag(*as_projection(projection).T[:, :, None])


def augmented_inputs(inputs: ArrayLike, projection: ArrayLike, activation: Activation) -> np.ndarray:
    """Augmented inputs (eta_1 Y, ..., eta_m Y) of a batch of inputs (paper 2, eqs 5-6).

    Parameters
    ----------
    inputs : array_like, shape (samples, n)
    projection : array_like, shape (n, m)
        Weights P: output j is f(p_j^T Y), p_j the j-th column.
    activation : Activation

    Returns
    -------
    ndarray, shape (samples, n m)

    Examples
    --------
    >>> from capacity.activations import relu
    >>> augmented_inputs([[1.0, 2.0]], [[1.0, -1.0], [0.0, 0.0]], relu())
    array([[1., 2., 0., 0.]])
    """
    projection = as_projection(projection)
    inputs = as_matrix(inputs, "inputs", columns=projection.shape[0])
    gains = check_activation(activation).gain(inputs @ projection)
    return (gains[:, :, None] * inputs[:, None, :]).reshape(inputs.shape[0], -1)


def augmented_constraints(
    augmented_covariance: ArrayLike, projection: ArrayLike, jacobian: ArrayLike, *, rtol: float | None = None
) -> Basis:
    """Orthonormal basis K~ of the constraint space, spanned by the columns of Sigma~ P~ dA/dW (paper 2, eq. 9).

    Parameters
    ----------
    augmented_covariance : array_like, shape (n m, n m)
    projection : array_like, shape (n, m)
    jacobian : array_like, shape (m, p)
        Jacobian dA/dW of the coefficients of the outputs.
    rtol : float, optional
        Relative tolerance of the rank, as in `orthonormal_basis`.

    Returns
    -------
    Basis
        Of shape (n m, kappa).

    Examples
    --------
    >>> augmented_constraints(np.eye(4), [[0.6, 0.0], [0.8, 1.0]], [[1.0], [0.0]]).vectors.T ** 2
    array([[0.36, 0.64, 0.  , 0.  ]])
    """
    rtol = rank_tolerance(rtol, augmented_covariance, projection, jacobian)
    projection = as_projection(projection)
    n, m = projection.shape
    jacobian = as_matrix(jacobian, "jacobian", rows=m, remedy="pass one row per column of projection")
    augmented_covariance = as_covariance(augmented_covariance, "augmented_covariance", size=n * m)
    return orthonormal_basis(augmented_covariance @ augmented_projection(projection) @ jacobian, rtol=rtol)


def augmented_capacity(
    augmented_covariance: ArrayLike, projection: ArrayLike, jacobian: ArrayLike, *, rtol: float | None = None
) -> LayerCapacity:
    """`LayerCapacity` of each input in each copy (paper 2, eqs 21-23); arguments as in `augmented_constraints`.

    Examples
    --------
    >>> augmented_capacity(np.eye(4), [[0.6, 0.0], [0.8, 1.0]], [[1.0], [0.0]]).copies
    array([[0.36, 0.  ],
           [0.64, 0.  ]])
    """
    basis = augmented_constraints(augmented_covariance, projection, jacobian, rtol=rtol)
    m = np.shape(projection)[1]
    return LayerCapacity(np.sum(basis.vectors**2, axis=1).reshape(m, -1).T, basis.rank, basis.gap)


def repeated_subspace(vectors: ArrayLike, outputs: int) -> np.ndarray:
    """The subspace S of the inputs, with a basis of shape (n, k), in each of m copies (paper 2, eq. 17).

    Block-diagonal, of shape (n m, k m). With an orthonormal basis S, ``norm(K~.T @ S~)**2`` is the capacity allocated
    to S, summed over the copies.

    Examples
    --------
    >>> repeated_subspace([[0.6], [0.8]], 2)
    array([[0.6, 0. ],
           [0.8, 0. ],
           [0. , 0.6],
           [0. , 0.8]])
    """
    vectors = as_matrix(vectors, "vectors")
    return np.kron(np.eye(check_integer(outputs, "outputs", minimum=1)), vectors)
