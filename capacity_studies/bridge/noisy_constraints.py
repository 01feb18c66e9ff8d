r"""Capacity at a temperature: constraints that hold up to some noise, and spectra in the place of ranks.

Let the errors x of n coefficients be independent with variance 1, and let the constraints M^T x = 0 be known only up to
independent noise of variance lambda, the *temperature*. They lower the variance of the errors by

    P(lambda) = M (M^T M + lambda)^-1 M^T ,

so that ||P(lambda)^(1/2) S||_F^2 = tr S^T P(lambda) S is a capacity of the span of S, too. With the singular values s_j
of M and its left singular vectors u_j

    P(lambda) = sum_j u_j u_j^T s_j^2/(s_j^2 + lambda) ,    tr P(lambda) = tr G (G + lambda)^-1 ,    G = M^T M .

At lambda = 0 this is the projection on the span of the constraints, and the capacity that of paper 1 (eq. 2); the trace
is the effective dimension of G, which statistics knows as the degrees of freedom of ridge regression.

**Rows and columns.** M = Sigma D, D = dA/dW, has a row for each input: P is a soft capacity. J/sqrt(N), J = X D, has a
row for each of N samples: P is then the hat matrix of ridge regression on the tangent features, its diagonal the
leverage of the samples, and G the Fisher information D^T Sigma D (Gaussian outputs of variance 1, Sigma = X^T X/N). The
two have one trace at lambda = 0. At other temperatures they have if Sigma = I, and then both are read off one matrix
(`shared_matrix`), one from its rows, the other from its columns.
"""

import numpy as np

from capacity._validation import as_array, as_matrix
from capacity.linalg.precision import rank_tolerance
from capacity.linalg.subspaces import as_orthonormal, is_orthonormal, singular_value_decomposition

__all__ = ["effective_dimension", "shared_matrix", "soft_capacity"]


def soft_capacity(constraints, temperature, directions=None, *, rtol=None):
    """Capacity of each input, or along some directions, where constraints hold up to noise.

    Parameters
    ----------
    constraints : array_like, shape (n, q)
        M: one constraint per column. Sigma dA/dW gives the capacity of the inputs, J/sqrt(samples) the leverage of the
        samples.
    temperature : array_like
        lambda >= 0, the variance of the noise; any shape.
    directions : Basis or array_like, shape (n, k), optional
        Orthonormal columns. Default: the n inputs (or samples) themselves.
    rtol : float, optional
        Relative tolerance of the rank at the temperature 0; see `orthonormal_basis`.

    Returns
    -------
    ndarray, shape (*temperature.shape, n or k)
        In [0, 1], falling with the temperature; over an orthonormal basis they sum to the `effective_dimension`.

    Notes
    -----
    At the temperature 0, `ConstraintSpace.along` of paper 1 (eq. 2).

    Examples
    --------
    >>> soft_capacity([[2.0], [1.0]], [0.0, 5.0, 45.0])
    array([[0.8 , 0.2 ],
           [0.4 , 0.1 ],
           [0.08, 0.02]])
    """
    rtol = rank_tolerance(rtol, constraints)
    constraints = as_matrix(constraints, "constraints", remedy="pass (inputs, constraints)")
    temperature = as_array(temperature, "temperature", minimum=0)
    left, values, _ = singular_value_decomposition(constraints)
    if directions is not None:
        left = as_orthonormal(directions, "directions", rows=len(constraints)).T @ left
    return _held(values, temperature, _tolerance(rtol, constraints)) @ np.square(left).T


def effective_dimension(eigenvalues, temperature, *, rtol=None):
    """Effective dimension tr G (G + lambda)^-1: how many directions are held at a temperature.

    Parameters
    ----------
    eigenvalues : array_like, shape (..., n)
        Of G: a Fisher information, or a tangent kernel over the number of samples, which has the same ones but for
        zeros. What rounding made negative counts as zero.
    temperature : array_like
        lambda >= 0; any shape.
    rtol : float, optional
        An eigenvalue counts at the temperature 0 when it exceeds ``rtol`` times the largest. Default: n times the
        machine epsilon.

    Returns
    -------
    ndarray, shape (*temperature.shape, ...)

    Examples
    --------
    >>> effective_dimension([4.0, 1.0, 0.0], [0.0, 1.0, 4.0])
    array([2. , 1.3, 0.7])
    """
    rtol = rank_tolerance(rtol, eigenvalues)
    eigenvalues = as_array(eigenvalues, "eigenvalues", axes=1)
    if (eigenvalues.min(axis=-1) < -1e-8 * np.abs(eigenvalues).max(axis=-1)).any():
        raise ValueError(
            f"eigenvalues: expected those of a positive semi-definite matrix, got {eigenvalues.min():g}; pass those of "
            "a Fisher information or of a tangent kernel"
        )
    temperature = as_array(temperature, "temperature", minimum=0)
    rtol = eigenvalues.shape[-1] * np.finfo(float).eps if rtol is None else rtol
    return _held(np.sqrt(np.maximum(eigenvalues, 0.0)), temperature, np.sqrt(rtol)).sum(axis=-1)


def shared_matrix(inputs, jacobian, temperature=0.0, *, rtol=None):
    """The matrix whose rows hold the capacity of the inputs, and whose columns hold the leverage of the samples.

    Parameters
    ----------
    inputs : array_like, shape (samples, n)
        X, white: X^T X/samples is the identity.
    jacobian : array_like, shape (n, q)
        D = dA/dW, of the coefficients of a linear model by its parameters.
    temperature : float, optional
        lambda >= 0.
    rtol : float, optional
        Relative tolerance of the rank at the temperature 0; see `orthonormal_basis`.

    Returns
    -------
    ndarray, shape (n, samples)
        P(lambda)^(1/2) X^T/sqrt(samples). Squares of a row sum to the soft capacity of the input, those of a column to
        the soft leverage of the sample, all of them to the effective dimension.

    Raises
    ------
    ValueError
        If the inputs are not white: the two sums then belong to different matrices.

    Examples
    --------
    >>> X = [[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]]
    >>> shared_matrix(X, [[2.0], [1.0]])
    array([[ 0.6,  0.2, -0.2, -0.6],
           [ 0.3,  0.1, -0.1, -0.3]])
    """
    rtol = rank_tolerance(rtol, jacobian)
    inputs = as_matrix(inputs, "inputs", remedy="pass (samples, inputs)")
    jacobian = as_matrix(jacobian, "jacobian", rows=inputs.shape[1], remedy="pass (inputs, parameters)")
    temperature = as_array(temperature, "temperature", minimum=0)
    if temperature.ndim:
        raise ValueError(f"temperature: expected one number, got shape {temperature.shape}; take one at a time")
    scaled = inputs / np.sqrt(len(inputs))
    if not is_orthonormal(scaled):
        raise ValueError(
            "inputs: expected white inputs, got others than X^T X/samples = I; pass sqrt(samples) times the left "
            "singular vectors, and change the Jacobian to match"
        )
    left, values, _ = singular_value_decomposition(jacobian)
    held = np.sqrt(_held(values, temperature, _tolerance(rtol, jacobian)))
    return (left * held) @ (left.T @ scaled.T)


def _held(values, temperature, rtol):
    """Share s^2/(s^2 + lambda) that is held along each singular vector; at 0, one where s is above the tolerance."""
    largest = values.max(axis=-1, keepdims=True, initial=0.0)
    kept, power = (values > rtol * largest).astype(float), np.frexp(largest)[1]
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        temperature = np.ldexp(temperature[(..., *[None] * values.ndim)], -2 * power)  # in units of the largest
        squares = np.square(np.ldexp(values, -power))
        return np.where(temperature > 0, squares / (squares + temperature), kept)


def _tolerance(rtol, matrix):
    return max(matrix.shape) * np.finfo(float).eps if rtol is None else rtol
