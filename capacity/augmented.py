"""The augmented input space of one layer: as many copies of the inputs as outputs, each multiplied by its own gain.

A layer f(P^T Y) with gains eta_j = f(z_j)/z_j is linear in the copies (eta_1 Y, ..., eta_m Y), so that linear capacity
analysis applies to them. This module builds that space as it stands, with its nm x nm covariance; it is meant for small
layers and as the yardstick of `capacity.decoupling`, which never forms the matrix. Copy j holds entries jn to (j+1)n-1.
"""

from dataclasses import dataclass

import numpy as np
from scipy import linalg
from tqdm import tqdm

from capacity.checks import as_covariance, as_matrix, as_projection, check_integer, check_real
from capacity.subspaces import orthonormal_basis

__all__ = [
    "LayerCapacity",
    "SampledCovariance",
    "augmented_capacity",
    "augmented_constraints",
    "augmented_inputs",
    "augmented_projection",
    "coupled_covariance",
    "gaussian_covariance",
    "mean_field_error",
    "output_moments",
    "repeated_subspace",
    "sampled_covariance",
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
    """

    copies: np.ndarray
    total: int
    gap: float

    @property
    def spatial(self):
        """Capacity of each input, summed over its copies (paper 2, eq. 23): shape (n,)."""
        return self.copies.sum(axis=1)


@dataclass(frozen=True)
class SampledCovariance:
    """Second moments of the augmented inputs from samples, entry by entry with their standard error."""

    mean: np.ndarray
    standard_error: np.ndarray
    samples: int


def augmented_projection(projection):
    """Block-diagonal matrix of the columns of P, shape (nm, m) (paper 2, eq. 6).

    Parameters
    ----------
    projection : array_like, shape (n, m)
        Weights P, one column per output.

    Returns
    -------
    ndarray, shape (n m, m)

    Examples
    --------
    >>> augmented_projection([[1, 3], [2, 4]])
    array([[1., 0.], [2., 0.], [0., 3.], [0., 4.]])
    """
    return linalg.block_diag(*as_matrix(projection, "projection").T[:, :, None])


def augmented_inputs(inputs, projection, activation):
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
    """
    projection = as_projection(projection, "projection", distinct=False)
    inputs = as_matrix(inputs, "inputs", columns=projection.shape[0])
    gains = activation.gain(inputs @ projection)
    return (gains[:, :, None] * inputs[:, None, :]).reshape(inputs.shape[0], -1)


def coupled_covariance(covariance, outputs, nu):
    """Covariance with `covariance` in the diagonal blocks and nu times it elsewhere (paper 2, eqs 10, 11 and 14).

    Exact for nu = 1 (linear) and nu = 0 (pseudo-random). In between it leaves out what the gains know of the inputs:
    compare `gaussian_covariance`.

    Parameters
    ----------
    covariance : array_like, shape (n, n)
        Of the inputs.
    outputs : int
        Number m of copies.
    nu : float
        Coupling in [0, 1].

    Returns
    -------
    ndarray, shape (n m, n m)
    """
    covariance = as_covariance(covariance, "covariance")
    nu = check_real(nu, "nu", minimum=0, maximum=1, remedy="pass a coupling in [0, 1]")
    outputs = check_integer(outputs, "outputs", minimum=1)
    return np.kron(nu * np.ones((outputs, outputs)) + (1 - nu) * np.eye(outputs), covariance)


def gaussian_covariance(covariance, projection, activation):
    r"""Exact covariance of the augmented inputs for centred Gaussian inputs and a piecewise-linear activation.

    Parameters
    ----------
    covariance : array_like, shape (n, n)
        Covariance Sigma of the inputs.
    projection : array_like, shape (n, m)
    activation : Activation
        Piecewise linear; its gains are scaled to :math:`E[\eta^2] = 1`.

    Returns
    -------
    ndarray, shape (n m, n m)

    Notes
    -----
    With :math:`\eta = a + b\,\mathrm{sign}(z)`, the cross terms vanish by symmetry, and Price's theorem
    :math:`E[g\,yy^T] = E[g]\,\Sigma + \Sigma\,E[\nabla^2 g]\,\Sigma` for the product g of two signs gives the block

    .. math:: a^2 \Sigma + \tfrac{2 b^2}{\pi} \Big[ \arcsin(\rho)\,\Sigma
              + \frac{u v^T + v u^T - \rho\,(u u^T + v v^T)}{\sqrt{1 - \rho^2}} \Big],

    where :math:`u = \Sigma p_i/s_i`, :math:`v = \Sigma p_j/s_j`, s the standard deviations of the two arguments and
    :math:`\rho` their correlation. Paper 2, eq. 14 has only the first term, :math:`a^2 = \nu`.

    Examples
    --------
    >>> from capacity.activations import absolute
    >>> gaussian_covariance(np.eye(2), np.eye(2), absolute())[:2, 2:]
    array([[0.        , 0.63661977], [0.63661977, 0.        ]])
    """
    covariance = as_covariance(covariance, "covariance")
    images, deviations, correlations = output_moments(covariance, projection)
    n, m = images.shape
    a, b = activation.mean_and_half_jump
    units = images / deviations
    np.fill_diagonal(correlations, 0.0)  # the diagonal blocks are set below
    weights = 2 * b**2 / np.pi / np.sqrt(1 - correlations**2)
    blocks = np.einsum("ij,kl->ikjl", a**2 + 2 * b**2 / np.pi * np.arcsin(correlations), covariance)
    blocks += np.einsum("ij,ki,lj->ikjl", weights, units, units)
    blocks += np.einsum("ij,kj,li->ikjl", weights, units, units)
    blocks -= np.einsum("ij,ki,li->ikjl", weights * correlations, units, units)
    blocks -= np.einsum("ij,kj,lj->ikjl", weights * correlations, units, units)
    blocks[np.arange(m), :, np.arange(m), :] = covariance
    return blocks.reshape(n * m, n * m)


def mean_field_error(projection, activation, covariance=None):
    """How far `coupled_covariance` is from `gaussian_covariance` in the blocks off the diagonal.

    Parameters
    ----------
    projection : array_like, shape (n, m)
        At least two columns.
    activation : Activation
        Piecewise linear.
    covariance : array_like, shape (n, n), optional
        Covariance of the inputs. Default: the identity.

    Returns
    -------
    rms, largest, along : float
        Root mean square and largest size of the entries of the difference of blocks, and the mean over pairs of
        p_i^T (difference of block ij) p_j.

    Examples
    --------
    >>> from capacity.activations import absolute
    >>> [round(error, 4) for error in mean_field_error(np.eye(4)[:, :2], absolute())]
    [0.2251, 0.6366, 0.6366]
    """
    projection = as_projection(projection, "projection")
    n, m = projection.shape
    check_integer(m, "the number of columns of projection", minimum=2, remedy="pass two outputs or more")
    covariance = np.eye(n) if covariance is None else covariance
    error = gaussian_covariance(covariance, projection, activation)
    error -= coupled_covariance(covariance, m, activation.mean_and_half_jump[0] ** 2)
    first, second = np.triu_indices(m, 1)
    blocks = error.reshape(m, n, m, n)[first, :, second, :]
    along = np.einsum("ib,bij,jb->b", projection[:, first], blocks, projection[:, second])
    return float(np.sqrt(np.mean(blocks**2))), float(np.abs(blocks).max()), float(along.mean())


def output_moments(covariance, projection):
    """Moments of the arguments z_j = p_j^T y of a layer's activations.

    Parameters
    ----------
    covariance : array_like, shape (n, n)
        Of the inputs.
    projection : array_like, shape (n, m)
        Weights P, one column per output.

    Returns
    -------
    images : ndarray, shape (n, m)
        Sigma P, the covariances of the inputs with the arguments.
    deviations : ndarray, shape (m,)
        Standard deviations of the arguments.
    correlations : ndarray, shape (m, m)

    Raises
    ------
    ValueError
        If an argument has no variance, or two are proportional to each other (correlation 1 or -1).
    """
    projection = as_projection(projection, "projection")
    images = as_covariance(covariance, "covariance", size=projection.shape[0]) @ projection
    deviations = np.sqrt(np.sum(projection * images, axis=0))
    if not deviations.all():
        raise ValueError(
            f"covariance: expected every output to vary, got variance 0 for output {int(np.argmin(deviations))}; "
            "remove it, or pass a covariance of full rank"
        )
    correlations = projection.T @ images / np.outer(deviations, deviations)
    if np.abs(np.triu(correlations, 1)).max() >= 1 - 1e-10:
        raise ValueError(
            "covariance: expected outputs with correlations inside (-1, 1), got two that are proportional; merge them"
        )
    return images, deviations, correlations


def sampled_covariance(covariance, projection, activation, samples, *, rng=None, batch=4096, progress=False):
    """Covariance of the augmented inputs from Gaussian samples, for any activation, with standard errors.

    The gains are taken as they are: for a ReLU of slopes (0, 1) the result is half of `gaussian_covariance`, whose
    gains have a second moment of 1. Capacities do not depend on that factor.

    Parameters
    ----------
    covariance : array_like, shape (n, n)
        Of the inputs.
    projection : array_like, shape (n, m)
        Weights P, one column per output.
    activation : Activation
        Whose gains are sampled.
    samples : int
        Number of inputs drawn.
    rng : int, Generator or None
        Source of randomness.
    batch : int, optional
        How many samples are held at a time.
    progress : bool, optional
        Show a progress bar.

    Returns
    -------
    SampledCovariance
    """
    projection = as_projection(projection, "projection", distinct=False)
    covariance = as_covariance(covariance, "covariance", size=projection.shape[0])
    samples = check_integer(samples, "samples", minimum=2)
    values, vectors = np.linalg.eigh(covariance)
    root = vectors * np.sqrt(np.clip(values, 0, None)) @ vectors.T  # unlike the vectors, unique
    rng = np.random.default_rng(rng)
    size = projection.size
    first, second = np.zeros((size, size)), np.zeros((size, size))
    with tqdm(total=samples, disable=not progress, unit="sample") as bar:
        for start in range(0, samples, batch):
            count = min(batch, samples - start)
            copies = augmented_inputs(rng.standard_normal((count, root.shape[1])) @ root.T, projection, activation)
            first += copies.T @ copies
            second += (copies**2).T @ copies**2
            bar.update(count)
    mean = first / samples
    spread = np.clip(second / samples - mean**2, 0, None)
    return SampledCovariance(mean, np.sqrt(spread / (samples - 1)), samples)


def augmented_constraints(augmented_covariance, projection, jacobian, *, rtol=None):
    """Orthonormal basis K~ of the constraint space in the augmented input space.

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

    Notes
    -----
    Paper 2, eq. 9: the space is spanned by the columns of Sigma~ P~ dA/dW.
    """
    projection = as_matrix(projection, "projection")
    n, m = projection.shape
    jacobian = as_matrix(jacobian, "jacobian", rows=m, remedy="pass one row per column of projection")
    augmented_covariance = as_matrix(augmented_covariance, "augmented_covariance", rows=n * m, columns=n * m)
    return orthonormal_basis(augmented_covariance @ augmented_projection(projection) @ jacobian, rtol=rtol)


def augmented_capacity(augmented_covariance, projection, jacobian, *, rtol=None):
    """Capacity of each input in each copy.

    Parameters
    ----------
    augmented_covariance, projection, jacobian, rtol
        As in `augmented_constraints`.

    Returns
    -------
    LayerCapacity
    """
    basis = augmented_constraints(augmented_covariance, projection, jacobian, rtol=rtol)
    m = np.shape(projection)[1]
    return LayerCapacity(np.sum(basis.vectors**2, axis=1).reshape(m, -1).T, basis.rank, basis.gap)


def repeated_subspace(vectors, outputs):
    """The subspace S of the inputs in each of the copies: block-diagonal, shape (n m, k m) (paper 2, eq. 17).

    With an orthonormal basis S, ``norm(K~.T @ S~)**2`` is the capacity allocated to S, summed over the copies.

    Parameters
    ----------
    vectors : array_like, shape (n, k)
        Basis of S.
    outputs : int
        Number m of copies.

    Returns
    -------
    ndarray, shape (n m, k m)
    """
    vectors = as_matrix(vectors, "vectors")
    return np.kron(np.eye(check_integer(outputs, "outputs", minimum=1)), vectors)
