r"""How the derivatives by the parameters depend on the input: the tangent sample sensitivity d^2 f/(d theta dx).

The derivative of an output by the weights of a layer is g a^T: g the gradient by the sums of the layer, a the
activities below it. In a piecewise-linear network g does not change within a region, so that the derivative of g a^T by
the input is g times that of a, and biases add nothing. Hence the squared Frobenius norm is a sum over the layers,

    ||Sens||^2 = sum_l ||g_l||^2 ||da_{l-1}/dx||_F^2 .

Definition 3.1, Lemma 3.1 and Proposition 3.2 of Daroczy's slides, part 3.
"""

import numpy as np
from scipy import special

from capacity.networks import forward_pass, output_gradients, tangent_pass

__all__ = [
    "absolute_moment",
    "printed_sensitivity_bound",
    "sensitivity_bound",
    "squared_sensitivity",
    "tangent_sample_sensitivity",
]


def tangent_sample_sensitivity(layers, inputs):
    """Mixed derivatives of each output of a piecewise-linear network by the parameters and the inputs.

    Shape (samples, outputs, parameters, inputs), with the parameters in the order of `parameter_vector`, at inputs
    (samples, inputs) that are not on the border of a region. The network is one, dense and without normalisation.

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
    blocks = []
    for layer, gradients, slopes in zip(layers, *factors):
        block = np.einsum("sku,sji->skuji", gradients, slopes)
        blocks.append(block.reshape(*block.shape[:2], -1, block.shape[-1]))
        if layer.bias is not None:
            blocks.append(np.zeros((*block.shape[:2], layer.outputs, block.shape[-1])))
    return np.concatenate(blocks, axis=2)


def squared_sensitivity(layers, inputs):
    """Squared Frobenius norm of `tangent_sample_sensitivity`, as a sum over layers, without that array.

    Examples
    --------
    >>> from capacity.activations import relu
    >>> from capacity.networks import Layer
    >>> squared_sensitivity([Layer([[2.0]]), Layer([[3.0]], activation=relu())], [[1.0], [-1.0]]).ravel()
    array([13.,  0.])
    """
    return sum(
        np.square(gradients).sum(axis=-1) * np.square(slopes).sum(axis=(-2, -1))[:, None]
        for gradients, slopes in zip(*_factors(layers, inputs))
    )


def absolute_moment(order, mean, deviation):
    """E|T|^k of a normal variable T, sigma^k 2^(k/2) Gamma((k + 1)/2)/sqrt(pi) 1F1(-k/2; 1/2; -mu^2/(2 sigma^2)).

    1F1 is Kummer's function.

    Examples
    --------
    >>> absolute_moment(4, -2.0, 1.0)  # mu^4 + 6 mu^2 sigma^2 + 3 sigma^4
    43.0
    """
    kummer = special.hyp1f1(-order / 2, 0.5, -((mean / deviation) ** 2) / 2)
    return float(deviation**order * 2 ** (order / 2) * special.gamma((order + 1) / 2) / np.sqrt(np.pi) * kummer)


def sensitivity_bound(weights, moment):
    """Bound on the squared norm of the mean tangent sensitivity: Proposition 3.2 of the slides, corrected.

    N d moment^2/(k - 1)^(2 (k - 1)) max_l prod_{i != l} w_i^2 for N weights, d inputs, k hidden layers, w_i the largest
    absolute value in layer i, and 0^0 = 1. The weights are those of all k + 1 layers of a network without biases and
    with one output, from the inputs up; the moment is E T^(k - 1), T being the number of active hidden units:
    `absolute_moment` where T is taken for normal.

    An entry of Sens for a weight of layer l is a sum over the active paths from one input through that weight to the
    output, and each path contributes the product of its other weights. If T units are active, at most
    (T/(k - 1))^(k - 1) paths pass through a given weight (means of k - 1 numbers of units, arithmetic and geometric),
    and the product is at most that of the largest weights of the other layers.

    Examples
    --------
    >>> sensitivity_bound([[[2.0]], [[2.0]], [[2.0]]], moment=2.0)  # a chain of two hidden units, both on
    192.0
    """
    largest, parameters, inputs = _largest(weights)
    k = len(largest) - 1
    others = [np.prod(np.delete(largest, level)) ** 2 for level in range(k + 1)]
    return float(parameters * inputs * moment**2 / float(k - 1) ** (2 * (k - 1)) * max(others))


def printed_sensitivity_bound(weights, mean, deviation, *, layers):
    """The bound as Proposition 3.2 of the slides prints it, Equation (1), with Kummer's function as 1F1.

    N d sigma^(2 (k - 1)) 2^(k - 1)/k^(2 k) Gamma(k/2)^2/pi 1F1(-(k - 1)/2; 1/2; -mu^2/(2 sigma^2))^2 prod_i w_i^2, with
    the mean mu and deviation sigma of the number of active units. The slides do not say whether k, here `layers`, is
    the number of hidden layers, or of layers of weights; the product is over the first k layers of weights.

    Examples
    --------
    >>> round(printed_sensitivity_bound([[[2.0]], [[2.0]], [[2.0]]], 2.0, 1e-3, layers=2), 3)
    12.0
    """
    largest, parameters, inputs = _largest(weights)
    k, moment = layers, absolute_moment(layers - 1, mean, deviation)
    return float(parameters * inputs * moment**2 / float(k) ** (2 * k) * np.prod(largest[:k]) ** 2)


def _factors(layers, inputs):
    """Gradients of the outputs by the sums of each layer, and derivatives of the activities below it by the inputs."""
    forward = forward_pass(layers, inputs)
    inputs = forward.states[0]
    gradients = output_gradients(forward)
    units = np.broadcast_to(np.eye(inputs.shape[1])[:, None, :], (inputs.shape[1], *inputs.shape))
    slopes = []
    for layer, argument, velocity in zip(forward.layers, forward.arguments, tangent_pass(forward, units)):
        moved = velocity if layer.activation is None else layer.activation.derivative(argument) * velocity
        slopes.append(np.moveaxis(moved, 0, -1))
    return gradients, slopes


def _largest(weights):
    """Largest absolute value of the weights of each layer, their number, and the number of inputs."""
    matrices = [np.asarray(matrix) for matrix in weights]
    largest = np.array([np.abs(matrix).max() for matrix in matrices])
    return largest, sum(matrix.size for matrix in matrices), matrices[0].shape[1]
