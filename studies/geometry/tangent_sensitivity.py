r"""How the derivatives by the parameters depend on the input: the tangent sample sensitivity d^2 f/(d theta dx).

The derivative of an output by the weights of a layer is g a^T: g the gradient by the sums of the layer, a the
activities below it. In a piecewise-linear network g does not change within a region, so that the derivative of g a^T by
the input is g times that of a, and biases add nothing. Hence the squared Frobenius norm is a sum over the layers,

    ||Sens||^2 = sum_l ||g_l||^2 ||da_{l-1}/dx||_F^2 .

Definition 3.1, Lemma 3.1 and Proposition 3.2 of Daroczy's slides, part 3.
"""

from itertools import pairwise

import numpy as np
from scipy import special

from capacity._validation import as_array, check_integer, check_real, check_size
from capacity.networks import forward_pass, output_gradients, parameter_vector, tangent_pass

__all__ = [
    "absolute_moment",
    "printed_sensitivity_bound",
    "sensitivity_bound",
    "squared_sensitivity",
    "tangent_sample_sensitivity",
]


def tangent_sample_sensitivity(layers, inputs):
    """Mixed derivatives of each output of a piecewise-linear network by the parameters and the inputs.

    Parameters
    ----------
    layers : sequence of Layer
        Dense, without normalisation, with piecewise-linear activations; of one network.
    inputs : array_like, shape (samples, inputs)
        Not on the border of a region.

    Returns
    -------
    ndarray, shape (samples, outputs, parameters, inputs)
        The parameters in the order of `parameter_vector`.

    Examples
    --------
    >>> from capacity.activations import relu
    >>> from capacity.networks import Layer
    >>> tangent_sample_sensitivity([Layer([[2.0]], [1.0]), Layer([[3.0]], activation=relu())], [[1.0]])[0, 0]  # w, b, v
    array([[3.],
           [0.],
           [2.]])
    """
    factors = _factors(layers, inputs)
    size = factors[0][0][..., 0].size * parameter_vector(layers).size * factors[1][0].shape[-1]
    check_size(size, "layers, inputs", "derivatives", remedy="pass fewer samples, or use squared_sensitivity")
    blocks = []
    for layer, gradients, slopes in zip(layers, *factors):
        block = np.einsum("sku,sji->skuji", gradients, slopes)
        blocks.append(block.reshape(*block.shape[:2], -1, block.shape[-1]))
        if layer.bias is not None:
            blocks.append(np.zeros((*block.shape[:2], layer.outputs, block.shape[-1])))
    return np.concatenate(blocks, axis=2)


def squared_sensitivity(layers, inputs, *, by_layer=False):
    """Squared Frobenius norm of `tangent_sample_sensitivity`, as a sum over layers and without that array.

    Parameters
    ----------
    layers : sequence of Layer
        As for `tangent_sample_sensitivity`.
    inputs : array_like, shape (samples, inputs)
    by_layer : bool, optional
        The part of the weights of each layer. They sum to the whole.

    Returns
    -------
    ndarray, shape (samples, outputs), or (layers, samples, outputs)

    Examples
    --------
    >>> from capacity.activations import relu
    >>> from capacity.networks import Layer
    >>> squared_sensitivity([Layer([[2.0]]), Layer([[3.0]], activation=relu())], [[1.0], [-1.0]]).ravel()
    array([13.,  0.])
    """
    parts = np.stack(
        [
            np.square(gradients).sum(axis=-1) * np.square(slopes).sum(axis=(-2, -1))[:, None]
            for gradients, slopes in zip(*_factors(layers, inputs))
        ]
    )
    return parts if by_layer else parts.sum(axis=0)


def absolute_moment(order, mean, deviation):
    """E|T|^order of a normal variable T.

    Parameters
    ----------
    order : float
        Not negative.
    mean, deviation : float
        Of T; the deviation is positive.

    Returns
    -------
    float
        sigma^k 2^(k/2) Gamma((k + 1)/2)/sqrt(pi) 1F1(-k/2; 1/2; -mu^2/(2 sigma^2)), 1F1 being Kummer's function.

    Examples
    --------
    >>> absolute_moment(4, -2.0, 1.0)  # mu^4 + 6 mu^2 sigma^2 + 3 sigma^4
    43.0
    """
    order = check_real(order, "order", minimum=0)
    mean, deviation = check_real(mean, "mean"), check_real(deviation, "deviation", above=0)
    kummer = special.hyp1f1(-order / 2, 0.5, -((mean / deviation) ** 2) / 2)
    return float(deviation**order * 2 ** (order / 2) * special.gamma((order + 1) / 2) / np.sqrt(np.pi) * kummer)


def sensitivity_bound(weights, moment):
    r"""Bound on the squared norm of the mean tangent sensitivity: Proposition 3.2 of the slides, corrected.

    An entry of Sens for a weight of layer l is a sum over the active paths from one input through that weight to the
    output, and each path contributes the product of its other weights. If T units are active, at most
    (T/(k - 1))^(k - 1) paths pass through a given weight (means of k - 1 numbers of units, arithmetic and geometric),
    and the product is at most that of the largest weights of the other layers.

    Parameters
    ----------
    weights : sequence of array_like, shape (outputs, inputs)
        Of all layers of a network without biases and with one output, from the inputs up: k + 1 for k hidden layers.
    moment : float
        E T^(k - 1), T being the number of active hidden units; `absolute_moment` where T is taken for normal.

    Returns
    -------
    float
        N d moment^2/(k - 1)^(2 (k - 1)) max_l prod_{i != l} w_i^2: N weights, d inputs, w_i the largest absolute value
        in layer i, and 0^0 = 1.

    Examples
    --------
    >>> sensitivity_bound([[[2.0]], [[2.0]], [[2.0]]], moment=2.0)  # a chain of two hidden units, both on
    192.0
    """
    largest, parameters, inputs = _largest(weights)
    k, moment = len(largest) - 1, check_real(moment, "moment", minimum=0)
    others = [np.prod(np.delete(largest, level)) ** 2 for level in range(k + 1)]
    return float(parameters * inputs * moment**2 / float(k - 1) ** (2 * (k - 1)) * max(others))


def printed_sensitivity_bound(weights, mean, deviation, *, layers):
    """The bound as Proposition 3.2 of the slides prints it, Equation (1), with Kummer's function as 1F1.

    Parameters
    ----------
    weights : sequence of array_like, shape (outputs, inputs)
        As for `sensitivity_bound`.
    mean, deviation : float
        Of the number of active units.
    layers : int
        What k stands for, which the slides do not say: the number of hidden layers, or of layers of weights. The
        product is over the first k layers of weights.

    Returns
    -------
    float
        N d sigma^(2 (k - 1)) 2^(k - 1)/k^(2 k) Gamma(k/2)^2/pi 1F1(-(k - 1)/2; 1/2; -mu^2/(2 sigma^2))^2 prod_i w_i^2.

    Examples
    --------
    >>> round(printed_sensitivity_bound([[[2.0]], [[2.0]], [[2.0]]], 2.0, 1e-3, layers=2), 3)
    12.0
    """
    largest, parameters, inputs = _largest(weights)
    k = check_integer(layers, "layers", minimum=1, maximum=len(largest), remedy="count those that there are")
    moment = absolute_moment(k - 1, mean, deviation)
    return float(parameters * inputs * moment**2 / float(k) ** (2 * k) * np.prod(largest[:k]) ** 2)


def _factors(layers, inputs):
    """Gradients of the outputs by the sums of each layer, and derivatives of the activities below it by the inputs."""
    inputs = as_array(inputs, "inputs", axes=2, remedy="pass (samples, inputs)")
    forward = forward_pass(layers, inputs)
    if forward.outputs.ndim != 2:
        raise ValueError(
            f"layers: expected one network and samples as rows, got outputs of shape {forward.outputs.shape}; take one"
        )
    for number, layer in enumerate(forward.layers):
        if layer.activation is not None and getattr(layer.activation, "kinks", None) is None:
            raise ValueError(
                f"layers[{number}]: expected a piecewise-linear activation, got {layer.activation.name}; differentiate "
                "parameter_jacobian for others"
            )
    gradients = output_gradients(forward)
    units = np.broadcast_to(np.eye(inputs.shape[1])[:, None, :], (inputs.shape[1], *inputs.shape))
    slopes = []
    for layer, argument, velocity in zip(forward.layers, forward.arguments, tangent_pass(forward, units)):
        moved = velocity if layer.activation is None else layer.activation.derivative(argument) * velocity
        slopes.append(np.moveaxis(moved, 0, -1))
    return gradients, slopes


def _largest(weights):
    """Largest absolute value of the weights of each layer, their number, and the number of inputs."""
    matrices = [as_array(matrix, f"weights[{level}]") for level, matrix in enumerate(weights)]
    shapes = [matrix.shape for matrix in matrices]
    if len(shapes) < 2 or {len(shape) for shape in shapes} != {2} or any(a[0] != b[1] for a, b in pairwise(shapes)):
        raise ValueError(
            "weights: expected matrices of two layers or more, each with as many columns as the one below has rows, "
            f"got shapes {shapes}; pass layer.weights"
        )
    largest = np.array([np.abs(matrix).max() for matrix in matrices])
    return largest, sum(matrix.size for matrix in matrices), matrices[0].shape[1]
