r"""Capacity of the inputs of one layer, from the linear to the pseudo-random end and in between.

The constraint space lives in the augmented input space (`capacity.layers.augmented_space`), of dimension nm. Where its
covariance has structure the matrix is never formed: with :math:`\tilde\Sigma = B \otimes \Sigma` an SVD of size
(m + n) x p is enough, and for piecewise-linear activations of Gaussian inputs the p spanning columns have a closed
form.
"""

import numpy as np
from numpy.typing import ArrayLike

from capacity._typing import Rng
from capacity._validation import as_array, as_generator, as_matrix, check_choice, check_integer, check_real
from capacity.activations.activation import Activation, check_activation
from capacity.layers.augmented_covariance import output_moments
from capacity.layers.augmented_space import LayerCapacity
from capacity.layers.projections import as_projection
from capacity.layers.transition import transition_matrix
from capacity.linalg.covariances import as_covariance
from capacity.linalg.precision import balanced, rank_tolerance
from capacity.linalg.subspaces import orthonormal_basis, rescaled_basis

__all__ = [
    "coupled_capacity",
    "coupling_crossover",
    "gaussian_capacity",
    "interpolation_problem",
    "linear_capacity",
    "pseudo_random_capacity",
]


def linear_capacity(
    projection: ArrayLike, jacobian: ArrayLike, covariance: ArrayLike | None = None, *, rtol: float | None = None
) -> LayerCapacity:
    """Capacity of the inputs of a linear layer: that of the model A^T P^T Y, linear in Y (paper 2, eqs 16-18).

    Parameters
    ----------
    projection : array_like, shape (n, m)
        Weights P of the layer.
    jacobian : array_like, shape (m, p)
        Jacobian dA/dW of the coefficients of the outputs.
    covariance : array_like, shape (n, n), optional
        Covariance Sigma of the inputs. Default: the identity.
    rtol : float, optional
        Relative tolerance of the rank, as in `orthonormal_basis`.

    Returns
    -------
    LayerCapacity
        Each of the m copies holds the same share 1/m of an input's capacity: the factor 1/sqrt(m) of eq. 16 is right
        when K is orthonormalised.

    Examples
    --------
    >>> linear_capacity([[0.6, 1.0], [0.8, 0.0]], [[1.0], [1.0]]).spatial()
    array([0.8, 0.2])
    """
    projection, jacobian, covariance, rtol = _arguments(projection, jacobian, covariance, rtol, distinct=False)
    basis = orthonormal_basis(covariance @ projection @ jacobian, rtol=rtol)
    spatial = np.sum(basis.vectors**2, axis=1)
    m = projection.shape[1]
    return LayerCapacity(np.repeat(spatial[:, None] / m, m, axis=1), basis.rank, basis.gap)


def pseudo_random_capacity(
    projection: ArrayLike, jacobian: ArrayLike, covariance: ArrayLike | None = None, *, rtol: float | None = None
) -> LayerCapacity:
    """Capacity of the inputs of a layer whose gains are independent of each other and of the inputs.

    Parameters
    ----------
    projection, jacobian, covariance, rtol
        As in `linear_capacity`; no two columns of `projection` may be parallel.

    Returns
    -------
    LayerCapacity

    Notes
    -----
    Paper 2, eqs 21-25, for any covariance and any column norms (derived in the book): kappa = D kappa', with D the
    column-normalised squares of Sigma P and kappa' the squared row norms of orth(diag(norm(Sigma p_j)) dA/dW). With
    white inputs and columns of norm 1, kappa' is the capacity kappa^phi of the outputs, and this is eq. 25.

    Examples
    --------
    >>> pseudo_random_capacity(np.eye(2), [[1.0], [2.0]]).spatial()
    array([0.2, 0.8])
    """
    projection, jacobian, covariance, rtol = _arguments(projection, jacobian, covariance, rtol)
    shares = transition_matrix(projection, covariance)
    norms = np.linalg.norm(covariance @ projection, axis=0)
    features = rescaled_basis(jacobian, norms, rtol=rtol)
    return LayerCapacity(shares * np.sum(features.vectors**2, axis=1), features.rank, features.gap)


def coupled_capacity(
    projection: ArrayLike,
    jacobian: ArrayLike,
    nu: float,
    covariance: ArrayLike | None = None,
    *,
    whitened: bool = False,
    rtol: float | None = None,
) -> LayerCapacity:
    r"""Capacity of the inputs of a layer with the covariance of paper 2, eq. 14, for any coupling nu.

    Parameters
    ----------
    projection, jacobian, covariance, rtol
        As in `linear_capacity`. For nu < 1 no two columns of `projection` may be parallel.
    nu : float
        Coupling in [0, 1]: 1 gives `linear_capacity`, 0 `pseudo_random_capacity`.
    whitened : bool, optional
        Take the square root of the augmented covariance instead of the covariance in the constraint space.

    Returns
    -------
    LayerCapacity

    Notes
    -----
    Derived in the book. With Q the columns of :math:`\Sigma P` divided by their norms, K an orthonormal basis of dA/dW
    multiplied by these norms and :math:`c = 2\nu(1 - \nu) + \nu^2 m`, the Gram matrix of the spanning columns is
    :math:`F^T F` with

    .. math:: F = \begin{bmatrix} (1-\nu)\,K \\ \sqrt{c}\,Q K \end{bmatrix} = U S V^T,
              \qquad R = K V S^{-1},

    and :math:`\kappa_i = (1-\nu)^2 \sum_j Q_{ij}^2 \|R_j\|^2 + c\,\|(QR)_i\|^2`. Whitening replaces the coefficients
    :math:`(1-\nu)^2` and c by :math:`1 - \nu` and :math:`\nu`, and Q by :math:`\Sigma^{1/2} P`.

    Examples
    --------
    >>> projection, jacobian = [[0.6, 1.0], [0.8, 0.0]], [[1.0], [1.0]]
    >>> [coupled_capacity(projection, jacobian, nu).spatial() for nu in (0.0, 0.5, 1.0)]
    [array([0.68, 0.32]), array([0.78378378, 0.21621622]), array([0.8, 0.2])]
    """
    nu = check_real(nu, "nu", minimum=0, maximum=1, remedy="pass a coupling in [0, 1]")
    projection, jacobian, covariance, rtol = _arguments(projection, jacobian, covariance, rtol, distinct=nu < 1)
    m = projection.shape[1]
    if nu < 1:
        transition_matrix(projection, covariance)  # refuses outputs that do not vary
    if whitened:
        values, vectors = np.linalg.eigh(covariance)
        covariance = vectors * np.sqrt(np.clip(values, 0, None)) @ vectors.T
        own = np.sqrt(1 - nu)  # B^(1/2) = own I + shared 1 1^T, for B = (1 - nu) I + nu 1 1^T
        shared = (np.sqrt(1 - nu + m * nu) - own) / m
    else:
        own, shared = 1 - nu, nu
    common = 2 * own * shared + m * shared**2
    images = covariance @ projection
    norms = np.linalg.norm(images, axis=0) if nu < 1 else np.ones(m)
    images /= norms
    features = rescaled_basis(jacobian, norms, rtol=rtol).vectors
    stacked = np.vstack([own * features, np.sqrt(common) * images @ features])
    right = orthonormal_basis(stacked.T, rtol=rtol)
    weights = features @ (right.vectors / right.singular_values[: right.rank])
    mixed = images @ weights
    copies = own**2 * images**2 * np.sum(weights**2, axis=1) + 2 * own * shared * images * (mixed @ weights.T)
    copies += shared**2 * np.sum(mixed**2, axis=1)[:, None]
    return LayerCapacity(copies, right.rank, right.gap)


def gaussian_capacity(
    projection: ArrayLike,
    jacobian: ArrayLike,
    activation: Activation,
    covariance: ArrayLike | None = None,
    *,
    rtol: float | None = None,
) -> LayerCapacity:
    r"""Exact capacity of the inputs of a layer with Gaussian inputs and a piecewise-linear activation.

    Parameters
    ----------
    projection, jacobian, covariance, rtol
        As in `linear_capacity`; no two outputs may be proportional to each other.
    activation : Activation
        Piecewise linear.

    Returns
    -------
    LayerCapacity

    Notes
    -----
    The columns of Sigma~ P~ dA/dW follow from the blocks of `gaussian_covariance` without forming them (derived in the
    book). With s and :math:`\rho` the standard deviations and correlations of the arguments, Q the columns of
    :math:`\Sigma P` divided by s, and k a column of an orthonormal basis of dA/dW multiplied by s, copy i holds
    column i of

    .. math:: Q\,\mathrm{diag}(k)\,\Theta + \tfrac{2 b^2}{\pi}\, Q\,\mathrm{diag}(S k),

    with :math:`\Theta_{ij} = a^2 + \tfrac{2 b^2}{\pi} \arcsin \rho_{ij}`, :math:`S_{ij} = \sqrt{1 - \rho_{ij}^2}` and
    :math:`\Theta_{ii} = 1, S_{ii} = 0`.

    Examples
    --------
    >>> from capacity.activations import absolute, relu
    >>> projection, jacobian = [[0.6, 1.0], [0.8, 0.0]], [[1.0], [1.0]]
    >>> [gaussian_capacity(projection, jacobian, f).spatial() for f in (absolute(), relu())]
    [array([0.75448149, 0.24551851]), array([0.78841816, 0.21158184])]
    """
    projection, jacobian, covariance, rtol = _arguments(projection, jacobian, covariance, rtol)
    images, deviations, correlations = output_moments(covariance, projection)
    n, m = images.shape
    a, b = check_activation(activation).mean_and_half_jump
    np.fill_diagonal(correlations, 1.0)
    gains = a**2 + 2 * b**2 / np.pi * np.arcsin(correlations)
    sines = np.sqrt(1 - correlations**2)
    features = rescaled_basis(jacobian, deviations, rtol=rtol).vectors
    images /= deviations
    columns = (images[:, None, :] * features.T).reshape(-1, m) @ gains  # (n p, m)
    columns = columns.reshape(n, -1, m)
    columns += 2 * b**2 / np.pi * images[:, None, :] * (sines @ features).T
    basis = orthonormal_basis(columns.transpose(2, 0, 1).reshape(n * m, -1), rtol=rtol)
    return LayerCapacity(np.sum(basis.vectors**2, axis=1).reshape(m, n).T, basis.rank, basis.gap)


def coupling_crossover(outputs: int, gain: ArrayLike = 1.0, *, whitened: bool = False) -> float | np.ndarray:
    r"""Coupling at which a direction of the features turns from the pseudo-random to the linear rule.

    The two parts of F in `coupled_capacity` weigh the same where :math:`(1-\nu)^2 = g c`: at
    :math:`1/(1 + g + \sqrt{g (g + m)})`, or :math:`1/(1 + g)` with whitening. A wide layer thus follows the linear rule
    from :math:`\nu \approx 1/\sqrt{g m}` on, not from 1/2: its copies have :math:`\nu` of their variance in common, and
    there are m of them.

    Parameters
    ----------
    outputs : int
        Number m of outputs.
    gain : float or array_like, optional
        Squared singular value g of Q K, in units of the squared norms of the columns of Q: about 1 for features spread
        over all outputs, and small where many features look at the same few inputs.
    whitened : bool, optional

    Returns
    -------
    float or ndarray

    Examples
    --------
    >>> float(coupling_crossover(63)), float(coupling_crossover(63, whitened=True))
    (0.1, 0.5)
    """
    m = check_integer(outputs, "outputs", minimum=1)
    gain = as_array(gain, "gain", minimum=0, remedy="pass squared singular values")
    return 1 / (1 + gain) if whitened else 1 / (1 + gain + np.sqrt(gain * (gain + m)))


def interpolation_problem(
    features: str = "random", *, inputs: int = 64, outputs: int = 256, parameters: int = 16, rng: Rng = None
) -> tuple[np.ndarray, np.ndarray]:
    """A layer with local random weights and three kinds of learned outputs, on which to watch nu go from 0 to 1.

    Parameters
    ----------
    features : {"random", "smooth", "local"}, optional
        Jacobian: Gaussian; the lowest cosine modes across the outputs; or `parameters` neighbouring outputs.
    inputs, outputs, parameters : int, optional
        n, m and p.
    rng : int or numpy.random.Generator, optional

    Returns
    -------
    projection : ndarray, shape (n, m)
        Columns of norm 1: Gaussian weights in a Gaussian window of standard deviation 2 centred at j n/m.
    jacobian : ndarray, shape (m, p)

    Examples
    --------
    >>> projection, jacobian = interpolation_problem(inputs=8, outputs=16, parameters=4, rng=0)
    >>> coupled_capacity(projection, jacobian, 0.5).total
    4
    """
    check_choice(features, "features", ("random", "smooth", "local"))
    n, m = check_integer(inputs, "inputs", minimum=1), check_integer(outputs, "outputs", minimum=1)
    p = check_integer(parameters, "parameters", minimum=1, maximum=m)
    rng = as_generator(rng)
    window = np.exp(-((np.arange(n)[:, None] - np.arange(m) * n / m) ** 2) / 8)
    projection = window * rng.standard_normal((n, m))
    projection /= np.linalg.norm(projection, axis=0)
    if features == "random":
        return projection, rng.standard_normal((m, p))
    if features == "smooth":
        return projection, np.cos(np.pi * np.outer(np.arange(m) + 0.5, np.arange(p)) / m)
    return projection, np.eye(m)[:, (m - p) // 2 : (m - p) // 2 + p]


def _arguments(
    projection, jacobian, covariance, rtol, *, distinct=True
) -> tuple[np.ndarray, np.ndarray, np.ndarray, float | None]:
    rtol = rank_tolerance(rtol, projection, jacobian, covariance)
    projection = as_projection(projection, distinct=distinct)
    n, m = projection.shape
    jacobian = as_matrix(jacobian, "jacobian", rows=m, remedy="pass one row per column of projection")
    if not jacobian.any():
        raise ValueError("jacobian: expected an entry different from zero, got zeros only; pass the learned directions")
    covariance = np.eye(n) if covariance is None else as_covariance(covariance, "covariance", size=n)
    weights, learned, sigma = (balanced(array, axis=None) for array in (projection, jacobian, covariance))
    return weights, learned, sigma, rtol  # of the arrays only ratios count
