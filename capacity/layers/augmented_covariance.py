"""The covariance of the augmented inputs of one layer: at a given coupling, for Gaussian inputs, and from samples.

Its block (j, k) is E[eta_j eta_k Y Y^T], with the gains eta_j = f(z_j)/z_j of the outputs z = P^T Y (paper 2, Section
2.2); `capacity.layers.augmented_space` says what it is for.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from tqdm import tqdm

from capacity._typing import Rng
from capacity._validation import as_generator, check_finite, check_integer, check_real, check_size
from capacity.activations.activation import Activation, check_activation
from capacity.layers.augmented_space import augmented_inputs
from capacity.layers.projections import as_projection, check_varying
from capacity.linalg.covariances import as_covariance

__all__ = [
    "SampledCovariance",
    "coupled_covariance",
    "gaussian_covariance",
    "mean_field_error",
    "output_moments",
    "sampled_covariance",
]


@dataclass(frozen=True)
class SampledCovariance:
    """Second moments of the augmented inputs from samples.

    Attributes
    ----------
    mean, standard_error : ndarray, shape (n m, n m)
        Entry by entry.
    samples : int
        Number of inputs drawn.

    Examples
    --------
    >>> from capacity.activations import relu
    >>> found = sampled_covariance([[1.0]], [[1.0]], relu(), 10_000, rng=0)
    >>> bool(abs(found.mean[0, 0] - 0.5) < 4 * found.standard_error[0, 0]), found.samples
    (True, 10000)
    """

    mean: np.ndarray
    standard_error: np.ndarray
    samples: int


def coupled_covariance(covariance: ArrayLike, outputs: int, nu: float) -> np.ndarray:
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

    Examples
    --------
    >>> coupled_covariance([[1.0, 0.5], [0.5, 1.0]], 2, 0.5)
    array([[1.  , 0.5 , 0.5 , 0.25],
           [0.5 , 1.  , 0.25, 0.5 ],
           [0.5 , 0.25, 1.  , 0.5 ],
           [0.25, 0.5 , 0.5 , 1.  ]])
    """
    covariance = as_covariance(covariance, "covariance")
    nu = check_real(nu, "nu", minimum=0, maximum=1, remedy="pass a coupling in [0, 1]")
    outputs = check_integer(outputs, "outputs", minimum=1)
    check_size(covariance.size * outputs**2, "covariance, outputs", "entries", remedy="use coupled_capacity")
    return np.kron(nu * np.ones((outputs, outputs)) + (1 - nu) * np.eye(outputs), covariance)


def gaussian_covariance(covariance: ArrayLike, projection: ArrayLike, activation: Activation) -> np.ndarray:
    r"""Exact covariance of the augmented inputs for centred Gaussian inputs and a piecewise-linear activation.

    Parameters
    ----------
    covariance : array_like, shape (n, n)
    projection : array_like, shape (n, m)
        No two outputs may be proportional to each other.
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
    projection = as_projection(projection, distinct=True)
    covariance = as_covariance(covariance, "covariance", size=projection.shape[0])
    return _gaussian_covariance(covariance, projection, check_activation(activation))


def mean_field_error(
    projection: ArrayLike, activation: Activation, covariance: ArrayLike | None = None
) -> tuple[float, float, float]:
    """How far `coupled_covariance` is from `gaussian_covariance` in the blocks off the diagonal.

    Parameters
    ----------
    projection : array_like, shape (n, m)
        At least two columns.
    activation : Activation
        Piecewise linear.
    covariance : array_like, shape (n, n), optional
        Default: the identity.

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
    projection = as_projection(projection, distinct=True)
    n, m = projection.shape
    if m < 2:
        raise ValueError(f"projection: expected two columns or more, got {m}; pass two outputs or more")
    covariance = np.eye(n) if covariance is None else as_covariance(covariance, "covariance", size=n)
    error = _gaussian_covariance(covariance, projection, check_activation(activation))
    first, second = np.triu_indices(m, 1)
    blocks = error.reshape(m, n, m, n)[first, :, second, :] - activation.mean_and_half_jump[0] ** 2 * covariance
    along = np.einsum("ib,bij,jb->b", projection[:, first], blocks, projection[:, second])
    return float(np.sqrt(np.mean(blocks**2))), float(np.abs(blocks).max()), float(along.mean())


def sampled_covariance(
    covariance: ArrayLike,
    projection: ArrayLike,
    activation: Activation,
    samples: int,
    *,
    rng: Rng = None,
    batch: int = 4096,
    progress: bool = False,
) -> SampledCovariance:
    """Covariance of the augmented inputs (paper 2, eq. 8) from Gaussian samples, with standard errors.

    Any activation will do. The gains are taken as they are: for a ReLU of slopes (0, 1) the result is half of
    `gaussian_covariance`, whose gains have a second moment of 1. Capacities do not depend on that factor.

    Parameters
    ----------
    covariance : array_like, shape (n, n)
    projection : array_like, shape (n, m)
    activation : Activation
    samples : int
        Number of inputs drawn.
    rng : int, Generator or None
    batch : int, optional
        How many samples are held at a time.
    progress : bool, optional
        Show a progress bar.

    Returns
    -------
    SampledCovariance

    Examples
    --------
    >>> from capacity.activations import relu
    >>> found = sampled_covariance(np.eye(2), np.eye(2), relu(), 10_000, rng=0)
    >>> exact = gaussian_covariance(np.eye(2), np.eye(2), relu()) / 2
    >>> bool(np.all(abs(found.mean - exact) < 5 * found.standard_error + 1e-9))
    True
    """
    projection = as_projection(projection)
    covariance = as_covariance(covariance, "covariance", size=projection.shape[0])
    samples, batch = check_integer(samples, "samples", minimum=2), check_integer(batch, "batch", minimum=1)
    values, vectors = np.linalg.eigh(covariance)
    root = vectors * np.sqrt(np.clip(values, 0, None)) @ vectors.T  # unlike the vectors, unique
    rng = as_generator(rng)
    size = projection.size
    first, second = np.zeros((size, size)), np.zeros((size, size))
    with tqdm(total=samples, disable=not progress, unit="sample") as bar:
        for start in range(0, samples, batch):
            count = min(batch, samples - start)
            copies = augmented_inputs(rng.standard_normal((count, root.shape[1])) @ root.T, projection, activation)
            first += copies.T @ copies
            second += (copies**2).T @ copies**2
            bar.update(count)
    check_finite(second, "covariance", "fourth moments")
    mean = first / samples
    spread = np.clip(second / samples - mean**2, 0, None)
    return SampledCovariance(mean, np.sqrt(spread / (samples - 1)), samples)


def output_moments(covariance, projection):
    """Moments of the arguments z_j = p_j^T y of a layer's activations, of arrays that are checked.

    Images Sigma P of shape (n, m), standard deviations (m,) and correlations (m, m) of the arguments, none of which
    may be without variance or proportional to another.
    """
    images = covariance @ projection
    variances = check_finite(np.sum(projection * images, axis=0), "projection", "variances of the outputs")
    check_varying(variances, np.sum(np.abs(projection) * (np.abs(covariance) @ np.abs(projection)), axis=0))
    deviations = np.sqrt(variances)
    correlations = projection.T @ images / np.outer(deviations, deviations)
    if np.abs(np.triu(correlations, 1)).max() >= 1 - 1e-10:
        raise ValueError(
            "covariance: expected outputs with correlations inside (-1, 1), got two that are proportional; merge them"
        )
    return images, deviations, correlations


def _gaussian_covariance(covariance, projection, activation):
    a, b = activation.mean_and_half_jump
    images, deviations, correlations = output_moments(covariance, projection)
    n, m = images.shape
    check_size((n * m) ** 2, "covariance, projection", "entries", remedy="use gaussian_capacity")
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
