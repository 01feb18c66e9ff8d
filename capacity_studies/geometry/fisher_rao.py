r"""The Fisher-Rao norm of a network, <theta, F theta>, and the identity that makes it a norm of the outputs.

Where activations satisfy f(z) = f'(z) z and no layer has a bias, the outputs are homogeneous in the weights of each
layer, and by Euler's relation their derivative along the parameters is the number of layers times the outputs (Liang,
Poggio, Rakhlin and Stokes 2019, Theorem 3.1). With biases each layer's bias has to count as often as there are layers
up to it.
"""

from dataclasses import replace

import numpy as np

from capacity.networks.parameter_vectors import parameter_vector
from capacity_studies.geometry.fisher import apply_score_factor, dense_pass, output_scores, parameter_tangents

__all__ = ["fisher_rao_from_outputs", "fisher_rao_norm", "weighted_parameters"]


def fisher_rao_norm(layers, inputs, labels=None, *, family="softmax", weighted=False):
    """Squared Fisher-Rao norm: the mean of the squared derivatives of log p(y | x) along the parameters themselves.

    Under the model, with the true Fisher information, or, with labels, the empirical norm; with `weighted`, along
    `weighted_parameters`. Layers, inputs and family are those of `fisher_information`.

    Examples
    --------
    >>> from capacity.networks import Layer
    >>> fisher_rao_norm([Layer([[3.0]])], [[1.0], [2.0]], family="gaussian")  # 9 (1 + 4)/2
    22.5
    """
    forward = dense_pass(layers, inputs)
    direction = weighted_parameters(layers) if weighted else parameter_vector(layers)
    return _mean_square(forward.outputs, parameter_tangents(forward, direction), labels, family)


def fisher_rao_from_outputs(layers, inputs, labels=None, *, family="softmax"):
    """The right-hand side of Liang's identity, (L + 1)^2 E<d loss/d f, f>^2, L being the number of hidden layers.

    It is `fisher_rao_norm` if there are no biases and all activations satisfy f(z) = f'(z) z. Under the model and with
    a softmax, E<g, f>^2 is the variance of the outputs under the predicted probabilities.
    """
    outputs = dense_pass(layers, inputs).outputs
    return _mean_square(outputs, len(layers) * outputs, labels, family)


def weighted_parameters(layers):
    """The parameters, with the bias of the i-th layer, counted from 1, taken i times.

    The derivative of the outputs along this vector is the number of layers times the outputs, for all activations with
    f(z) = f'(z) z.

    Examples
    --------
    >>> from capacity.networks import Layer
    >>> weighted_parameters([Layer([[1.0]], [5.0]), Layer([[1.0]], [5.0])])
    array([ 1.,  5.,  1., 10.])
    """
    return parameter_vector(
        [layer if layer.bias is None else replace(layer, bias=i * layer.bias) for i, layer in enumerate(layers, 1)]
    )


def _mean_square(outputs, velocities, labels, family):
    if labels is None:
        along = apply_score_factor(outputs, velocities, family=family)
        return float(np.sum(along * along) / len(outputs))
    return float(np.mean(np.sum(output_scores(outputs, labels, family=family) * velocities, axis=1) ** 2))
