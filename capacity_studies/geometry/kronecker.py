r"""Kronecker-factored approximation of the Fisher information of a layer (Martens and Grosse 2015), and the best one.

The gradient of one sample by the weights of a layer is g a^T, a being what the weights are applied to and g the
gradient by the weighted sums. In C order, outputs first, its vector is the Kronecker product g (x) a, so that the block
of the Fisher information is E[g g^T (x) a a^T]; K-FAC replaces it by E[g g^T] (x) E[a a^T]. (Vectors that run down the
columns of the weights exchange the factors: A (x) G.) A bias is the weight of a further input that is 1, the last.
"""

from warnings import warn

import numpy as np
import scipy

from capacity._validation import as_matrix, check_integer, check_real, check_size
from capacity.linalg.covariances import as_covariance
from capacity.networks.parameter_gradients import output_gradients, sample_gradients, second_moment
from capacity_studies.geometry.fisher import check_family, dense_pass, output_scores, probabilities

__all__ = ["fisher_block", "kronecker_factors", "kronecker_step", "nearest_kronecker"]


def kronecker_factors(layers, inputs, level=None, labels=None, *, layer=None, family="softmax"):
    """The factors G and A of the K-FAC approximation G (x) A of the Fisher information of one layer.

    Parameters
    ----------
    layers : sequence of Layer
    inputs : array_like, shape (samples, inputs)
    level : int, optional
        Deprecated: `layer`, counted from 0.
    labels : array_like, optional
        For the empirical Fisher information. Default: the true one.
    layer : int
        Which one, counted from 1 at the inputs.
    family : {'softmax', 'gaussian'}, optional

    Returns
    -------
    outputs_factor : ndarray, shape (outputs, outputs)
        G, the second moment of the gradients by the weighted sums.
    inputs_factor : ndarray, shape (inputs, inputs)
        A, that of the activities, with a further one for a bias.

    Examples
    --------
    >>> from capacity.networks import Layer
    >>> kronecker_factors([Layer(np.zeros((2, 1)))], [[2.0]], layer=1)
    (array([[ 0.25, -0.25],
           [-0.25,  0.25]]), array([[4.]]))
    """
    activities, gradients = _parts(layers, inputs, _index(level, layer), labels, family)
    return second_moment(gradients.reshape(-1, gradients.shape[-1])) * gradients.shape[1], second_moment(activities)


def fisher_block(layers, inputs, level=None, labels=None, *, layer=None, family="softmax"):
    """The block of the Fisher information that belongs to the weights of one layer, without approximation.

    Weights are in C order. With a bias the inputs are one more, so that each row of weights is followed by its bias.

    Examples
    --------
    >>> from capacity.networks import Layer
    >>> fisher_block([Layer(np.zeros((2, 1)))], [[2.0]], layer=1)
    array([[ 1., -1.],
           [-1.,  1.]])
    """
    activities, gradients = _parts(layers, inputs, _index(level, layer), labels, family)
    size = gradients.shape[-1] * activities.shape[-1]
    check_size(size**2, "layers", "a block", maximum=2**26, remedy="use kronecker_factors")
    below = np.broadcast_to(activities[:, None], (*gradients.shape[:2], activities.shape[-1]))
    return second_moment(sample_gradients(below, gradients).reshape(-1, size)) * gradients.shape[1]


def nearest_kronecker(matrix, outputs):
    """The Kronecker product B (x) C that is nearest to a matrix in the Frobenius norm (Van Loan and Pitsianis 1993).

    B has `outputs` rows; both factors have the same norm, and where the matrix is symmetric and positive semi-definite
    and the best product is unique, so are they.

    Notes
    -----
    Its blocks as rows, vec(block_ij), the matrix becomes one in which a Kronecker product has rank 1: the best is the
    first pair of singular vectors.

    Examples
    --------
    >>> first, second = nearest_kronecker(np.kron([[2.0, 0.0], [0.0, 1.0]], [[3.0]]), 2)
    >>> np.kron(first, second)
    array([[6., 0.],
           [0., 3.]])
    """
    matrix, outputs = as_matrix(matrix, "matrix"), check_integer(outputs, "outputs", minimum=1)
    inputs, rest = divmod(len(matrix), outputs)
    if matrix.shape[0] != matrix.shape[1] or rest:
        raise ValueError(
            f"matrix: expected a square one whose size is a multiple of {outputs}, got {matrix.shape}; pass the block "
            "of a layer and the number of its outputs"
        )
    rows = matrix.reshape(outputs, inputs, outputs, inputs).swapaxes(1, 2).reshape(outputs**2, inputs**2)
    left, values, right = scipy.linalg.svd(rows, full_matrices=False)
    first, second = left[:, 0].reshape(outputs, outputs), right[0].reshape(inputs, inputs)
    sign, root = (-1.0 if np.trace(first) < 0 else 1.0), np.sqrt(values[0])
    return sign * root * first, sign * root * second


def kronecker_step(outputs_factor, inputs_factor, gradient, *, damping=0.0):
    """Solution D of (G + pi sqrt(damping)) D (A + sqrt(damping)/pi) = gradient: a natural gradient by K-FAC.

    The gradient is that by the weights of the layer, with the bias as the last column where there is one. The damping
    is the factored one of Martens and Grosse (2015), Section 6.3: pi^2 is the mean eigenvalue of G over that of A, so
    that both factors are damped in proportion. A factor that is singular up to rounding and not damped is refused.

    Examples
    --------
    >>> kronecker_step(np.diag([2.0, 1.0]), [[4.0]], [[8.0], [8.0]])
    array([[1.],
           [2.]])
    """
    g, a = as_covariance(outputs_factor, "outputs_factor"), as_covariance(inputs_factor, "inputs_factor")
    gradient = as_matrix(gradient, "gradient", rows=len(g), columns=len(a))
    root = np.sqrt(check_real(damping, "damping", minimum=0))
    traces = np.trace(g) / len(g), np.trace(a) / len(a)
    ratio = np.sqrt(traces[0] / traces[1]) if min(traces) > 0 else 1.0
    g, a = _regular(g + ratio * root * np.eye(len(g))), _regular(a + root / ratio * np.eye(len(a)))
    return scipy.linalg.cho_solve(a, scipy.linalg.cho_solve(g, gradient).T).T


def _regular(factor):
    """Cholesky factor of a matrix whose pivots are above what rounding leaves of a zero."""
    triangle, info = scipy.linalg.lapack.dpotrf(factor)
    if info or triangle.diagonal().min() ** 2 <= len(factor) * np.finfo(float).eps * factor.diagonal().max():
        raise ValueError("damping: expected one at which both factors are regular, got a singular one; raise it")
    return triangle, False


def _index(level, layer):
    if level is None:
        return check_integer(layer, "layer", minimum=1, remedy="count layers from 1") - 1
    warn("level is deprecated and goes with version 2; use layer=, counted from 1", DeprecationWarning, stacklevel=3)
    return check_integer(level, "level", minimum=0)


def _parts(layers, inputs, index, labels, family):
    """Activities (samples, inputs) below a layer, and gradients (samples, n, outputs) whose outer products sum to G."""
    forward = dense_pass(layers, inputs)
    depth = len(forward.layers)
    if index >= depth:
        raise ValueError(f"layer: expected an integer from 1 to {depth}, got {index + 1}; count layers from 1")
    activities, by = forward.activities[index], output_gradients(forward)[index]
    if forward.layers[index].bias is not None:
        activities = np.concatenate([activities, np.ones((len(activities), 1))], axis=1)
    if labels is not None:
        scores = output_scores(forward.outputs, labels, family=family)
        return activities, np.einsum("sk,skn->sn", scores, by)[:, None]
    if check_family(family) == "softmax":
        p = probabilities(forward.outputs)[..., None]
        by = np.sqrt(p) * (by - np.sum(p * by, axis=1, keepdims=True))
    return activities, by
