"""Fisher information of a dense network that predicts classes or numbers: as a matrix, as products, and its spectrum.

With the log-likelihood log p(y | f) of outputs f = f(x; theta), J the derivative of f by the parameters and
g = d log p / d f its *score*, the Fisher information is the mean over the samples of J^T E[g g^T] J (Martens 2020, "New
insights and perspectives on the natural gradient method", Sections 5 and 6). Which Fisher it is depends on where the
expectation over y comes from:

- the *true* one takes it under the model itself, in closed form: E[g g^T] is diag(p) - p p^T of a softmax, and the
  identity of a Gaussian of variance 1;
- the *sampled* one draws y from the model;
- the *empirical* one takes the observed y. Its mean over y is the true one only where the model is right.

Conventions, here and in the whole room: a mean over the samples, not a sum; 'gaussian' is the loss ||y - f||^2 / 2,
with the factor 1/2; parameters in the order of `parameter_vector`, weights in C order and then the bias. Layers are
those of one dense network, without normalisation and residual branches; a `ForwardPass` through them may stand in their
place, with None as the inputs. Labels are classes, of shape (samples,), with 'softmax', and numbers (samples, outputs)
with 'gaussian'.
"""

import numpy as np
import scipy

from capacity._validation import as_array, as_generator, check_finite, check_instance, check_integer, check_size
from capacity.networks.parameter_gradients import parameter_jacobian, second_moment
from capacity.networks.parameter_vectors import parameter_vector, with_parameter_vector
from capacity.networks.passes import ForwardPass, backward_pass
from capacity_studies.geometry.tangents import pass_of_samples, tangent_kernel

__all__ = [
    "apply_score_factor",
    "empirical_fisher",
    "fisher_information",
    "fisher_spectrum",
    "fisher_vector_product",
    "output_scores",
    "parameter_cotangents",
    "parameter_tangents",
    "sample_scores",
    "sampled_fisher",
]

FAMILIES = ("softmax", "gaussian")


def fisher_information(layers, inputs, *, family="softmax"):
    """The true Fisher information, as a matrix: for small networks, and the definition of all others.

    Parameters
    ----------
    layers : sequence of Layer
    inputs : array_like, shape (samples, inputs)
    family : {'softmax', 'gaussian'}, optional
        Of the labels given the outputs.

    Returns
    -------
    ndarray, shape (parameters, parameters)
        A mean over the samples.

    Examples
    --------
    >>> from capacity.networks import Layer
    >>> fisher_information([Layer([[2.0, 1.0]])], [[1.0, 0.0], [1.0, 2.0]], family="gaussian")
    array([[1., 1.],
           [1., 2.]])
    """
    forward = dense_pass(layers, inputs)
    jacobian = _jacobian(_fitting(forward))
    along = apply_output_fisher(forward.outputs, jacobian, family)
    return np.einsum("skp,skq->pq", jacobian, along, optimize=True) / len(jacobian)


def empirical_fisher(layers, inputs, labels, *, family="softmax"):
    """The empirical Fisher information: the mean of the outer products of the gradients at observed labels.

    Examples
    --------
    >>> from capacity.networks import Layer
    >>> empirical_fisher([Layer(np.zeros((2, 1)))], [[2.0]], [0])
    array([[ 1., -1.],
           [-1.,  1.]])
    """
    forward = _fitting(dense_pass(layers, inputs))
    return second_moment(sample_scores(forward, None, labels, family=family))


def sampled_fisher(layers, inputs, *, family="softmax", draws=1, rng=None):
    """A Monte Carlo estimate of the true Fisher information: the model draws some labels for each sample.

    Examples
    --------
    >>> from capacity.networks import Layer
    >>> sampled_fisher([Layer(np.zeros((2, 1)))], [[2.0]], draws=10, rng=0)
    array([[ 1., -1.],
           [-1.,  1.]])
    """
    forward = _fitting(dense_pass(layers, inputs))
    outputs, jacobian = forward.outputs, _jacobian(forward)
    draws, rng = check_integer(draws, "draws", minimum=1), as_generator(rng)
    estimates = []
    for _ in range(draws):
        if check_family(family) == "softmax":
            labels = np.argmax(outputs + rng.gumbel(size=outputs.shape), axis=1)
        else:
            labels = outputs + rng.standard_normal(outputs.shape)
        scores = output_scores(outputs, labels, family=family)
        estimates.append(second_moment(np.einsum("sk,skp->sp", scores, jacobian)))
    return np.mean(estimates, axis=0)


def _fitting(forward):
    """A pass through a network whose Fisher information fits into memory."""
    size = parameter_vector(forward.layers).size ** 2
    check_size(size, "layers", "a matrix", maximum=2**26, remedy="use fisher_vector_product or fisher_spectrum")
    return forward


def _jacobian(forward):
    """Derivatives of the outputs by the parameters, shape (samples, outputs, parameters)."""
    return parameter_jacobian(forward).reshape(*forward.outputs.shape, -1)


def sample_scores(layers, inputs, labels, *, family="softmax"):
    """Gradients of log p(y | x) by the parameters, one row for each sample: its Fisher scores.

    Examples
    --------
    >>> from capacity.networks import Layer
    >>> sample_scores([Layer(np.zeros((2, 1)))], [[2.0], [4.0]], [0, 1])
    array([[ 1., -1.],
           [-2.,  2.]])
    """
    forward = dense_pass(layers, inputs)
    return np.einsum("sk,skp->sp", output_scores(forward.outputs, labels, family=family), _jacobian(forward))


def output_scores(outputs, labels, *, family="softmax"):
    """Gradients of log p(y | f) by the outputs f, shape (samples, outputs): minus those of the loss.

    They are the label's indicator minus the probabilities, or y - f.

    Examples
    --------
    >>> output_scores([[0.0, np.log(3.0)]], [0])
    array([[ 0.75, -0.75]])
    """
    outputs = as_array(outputs, "outputs", axes=2, remedy="pass (samples, outputs)")
    if check_family(family) == "gaussian":
        labels = as_array(labels, "labels", axes=2, remedy="pass numbers (samples, outputs)")
        if labels.shape != outputs.shape:
            raise ValueError(f"labels: expected shape {outputs.shape}, got {labels.shape}; pass one for each output")
        return labels - outputs
    labels = as_labels(labels, outputs.shape[:-1], outputs.shape[-1])
    return np.eye(outputs.shape[-1])[labels] - probabilities(outputs)


def fisher_vector_product(layers, inputs, vectors, *, family="softmax"):
    """Products of the true Fisher information with vectors of shape (..., parameters), without the matrix.

    One tangent pass in parameter space, a product with the Fisher information of the outputs, and one backward pass:
    about three times the work of a forward pass for each vector, and memory for the parameters themselves. Many
    products at one point share its `ForwardPass`.

    Examples
    --------
    >>> from capacity.networks import Layer
    >>> fisher_vector_product([Layer([[2.0, 1.0]])], [[1.0, 0.0], [1.0, 2.0]], [1.0, 1.0], family="gaussian")
    array([2., 3.])
    """
    forward = dense_pass(layers, inputs)
    velocities = parameter_tangents(forward, vectors)
    along = apply_output_fisher(forward.outputs, velocities[..., None], family)[..., 0]
    return parameter_cotangents(forward, along / len(forward.outputs))


def parameter_tangents(forward, vectors):
    """How fast the outputs move while the parameters move along vectors: products of the Jacobian with them.

    Vectors have shape (..., parameters), velocities (..., samples, outputs).

    Examples
    --------
    >>> from capacity.networks import Layer, forward_pass
    >>> parameter_tangents(forward_pass([Layer([[1.0, 1.0]], [0.0]), Layer([[3.0]])], [[5.0, 7.0]]), [1, 0, 0, 1.0])
    array([[27.]])
    """
    check_dense(forward)
    changes = with_parameter_vector(forward.layers, vectors)
    velocity = None
    for layer, change, argument, activity in zip(forward.layers, changes, forward.arguments, forward.activities):
        moved = activity @ change.weights.swapaxes(-1, -2)
        if change.bias is not None:
            moved = moved + change.bias[..., None, :]
        if velocity is not None:
            below = velocity if layer.activation is None else velocity * layer.activation.derivative(argument)
            moved = moved + below @ layer.weights.T
        velocity = moved
    return check_finite(velocity, "vectors", "velocities")


def parameter_cotangents(forward, cotangents):
    """Gradient of the outputs' scalar product with cotangents, by the parameters: products of J^T with them.

    Cotangents have shape (..., samples, outputs), gradients (..., parameters): they are summed over the samples.

    Examples
    --------
    >>> from capacity.networks import Layer, forward_pass
    >>> parameter_cotangents(forward_pass([Layer([[1.0, 1.0]])], [[5.0, 7.0]]), [[2.0]])
    array([10., 14.])
    """
    check_dense(forward)
    parts = []
    for layer, activity, by in zip(forward.layers, forward.activities, backward_pass(forward, cotangents).sums):
        weights = by.swapaxes(-1, -2) @ activity
        parts.append(weights.reshape(*weights.shape[:-2], -1))
        if layer.bias is not None:
            parts.append(by.sum(axis=-2))
    return np.concatenate(parts, axis=-1)


def fisher_spectrum(layers, inputs, *, family="softmax"):
    """Eigenvalues of the true Fisher information other than zeros that the sizes force, from the side of the samples.

    In decreasing order, shape (samples * outputs,). Where there are fewer parameters, those beyond their number are
    zero, up to rounding.

    Notes
    -----
    F = R^T R / n with R = S J, S being a factor of the Fisher information of the outputs; R R^T / n has the same
    eigenvalues but for zeros, and consists of products S K S^T of the tangent kernel K. No array is as long as the
    parameters squared.

    Examples
    --------
    >>> from capacity.networks import Layer
    >>> fisher_spectrum([Layer(np.zeros((2, 1)))], [[2.0]]).round(9)
    array([2., 0.])
    """
    forward = dense_pass(layers, inputs)
    return scipy.linalg.eigvalsh(sample_side(forward, tangent_kernel(forward), family))[::-1]


def apply_score_factor(outputs, vectors, *, family="softmax", transpose=False):
    r"""Product of S, or S^T, with vectors (..., samples, outputs), S^T S being the Fisher information of the outputs.

    For a softmax S = diag(\sqrt p) (I - 1 p^T), so that S^T S = diag(p) - p p^T exactly.

    Examples
    --------
    >>> apply_score_factor([[0.0, 0.0]], [[1.0, -1.0]]), apply_score_factor([[0.0, 0.0]], [[1.0, 1.0]])
    (array([[ 0.70710678, -0.70710678]]), array([[0., 0.]]))
    """
    outputs = as_array(outputs, "outputs", axes=2, remedy="pass (samples, outputs)")
    vectors = as_array(vectors, "vectors", axes=2, remedy="pass (..., samples, outputs)")
    if vectors.shape[-2:] != outputs.shape:
        raise ValueError(
            f"vectors: expected shape (..., {', '.join(map(str, outputs.shape))}), that of the outputs, got "
            f"{vectors.shape}; pass one number for each output"
        )
    if check_family(family) == "gaussian":
        return vectors
    p = probabilities(outputs)
    if transpose:
        scaled = np.sqrt(p) * vectors
        return scaled - p * scaled.sum(axis=-1, keepdims=True)
    return np.sqrt(p) * (vectors - np.sum(p * vectors, axis=-1, keepdims=True))


def sample_side(forward, kernel, family):
    """The matrix S K S^T / n of the samples that shares its eigenvalues with the Fisher information."""
    samples, outputs = forward.outputs.shape
    half = np.moveaxis(kernel.reshape(samples, outputs, samples * outputs), -1, 0)
    half = apply_score_factor(forward.outputs, half, family=family).reshape(-1, samples * outputs)
    both = apply_score_factor(forward.outputs, half.T.reshape(-1, samples, outputs), family=family)
    return both.reshape(samples * outputs, samples * outputs) / samples


def apply_output_fisher(outputs, vectors, family):
    """E[g g^T] of each sample times vectors of shape (..., samples, outputs, n)."""
    if check_family(family) == "gaussian":
        return vectors
    p = probabilities(outputs)[..., None]
    along = p * vectors
    return along - p * along.sum(axis=-2, keepdims=True)


def probabilities(outputs):
    """Softmax of each row."""
    exponentials = np.exp(outputs - outputs.max(axis=-1, keepdims=True))
    return exponentials / exponentials.sum(axis=-1, keepdims=True)


def check_family(family):
    """Return the family if it is known."""
    if family not in FAMILIES:
        raise ValueError(f"family: expected 'softmax' or 'gaussian', got {family!r}; pass one of them")
    return family


def check_dense(forward):
    """Refuse what is not a pass of rows of samples through one plain dense network."""
    check_instance(forward, "forward", ForwardPass, "pass forward_pass(layers, inputs)")
    if forward.outputs.ndim != 2 or any(x.residual or x.batch_norm or x.dimensions for x in forward.layers):
        raise ValueError(
            f"layers: expected one dense network without residuals and normalisation, and samples as rows, got outputs "
            f"of shape {forward.outputs.shape}; take one network"
        )


def dense_pass(layers, inputs):
    """The forward pass of samples through one dense network, unless it stands in the place of the layers."""
    forward = pass_of_samples(layers, inputs)
    check_dense(forward)
    return forward


def as_labels(labels, shape, classes):
    """Return labels from 0 to classes - 1 as integers, broadcast to a shape."""
    as_wanted = type(labels) is np.ndarray and labels.dtype == int and labels.shape == shape and labels.size
    if as_wanted and labels.min() >= 0 and labels.max() < classes:
        return labels
    labels = as_array(labels, "labels", axes=1, minimum=0, whole=True, remedy="number the classes from 0 on")
    if labels.max() >= classes:
        raise ValueError(
            f"labels: expected numbers below {classes}, one output for each class, got {labels.max():g}; give the last "
            "layer more outputs"
        )
    try:
        return np.broadcast_to(labels.astype(int), shape)
    except ValueError as error:
        shapes = " or ".join(dict.fromkeys(map(str, (shape, shape[-1:]))))
        raise ValueError(f"labels: expected shape {shapes}, got {labels.shape}; pass one for each sample") from error
