"""Dense networks with Gaussian weights, many at once: as in the survey (Raghu et al., Section 2), or of He et al."""

from dataclasses import replace
from itertools import pairwise

import numpy as np

from capacity.networks.passes import Layer

__all__ = ["he_layers", "one_network", "random_layers"]


def random_layers(inputs, width, depth, activation, *, sigma_w, sigma_b=0.0, outputs=1, networks=1, rng=None):
    """Layers of random dense networks: `depth` hidden layers of one width, and a linear readout.

    Weights are drawn from N(0, sigma_w^2/k) in every layer, k being the width, and biases of hidden layers from N(0,
    sigma_b^2): depth + 1 layers, with weights of shape (networks, outputs, inputs). The survey divides by k in the
    first layer too, whatever the input dimension is, and so does this function: the sums of the first layer have the
    variance sigma_w^2 ||x||^2/k + sigma_b^2.

    Examples
    --------
    >>> from capacity.activations import hard_tanh
    >>> layers = random_layers(2, 100, 3, hard_tanh(), sigma_w=4.0, networks=5, rng=0)
    >>> [layer.weights.shape for layer in layers]
    [(5, 100, 2), (5, 100, 100), (5, 100, 100), (5, 1, 100)]
    """
    rng, sizes, layers = np.random.default_rng(rng), [inputs, *[width] * depth, outputs], []
    for level in range(depth + 1):
        shape = (networks, sizes[level + 1], sizes[level])
        weights = rng.standard_normal(shape) * (sigma_w / np.sqrt(width))
        bias = rng.standard_normal(shape[:2]) * sigma_b if sigma_b and level < depth else None
        layers.append(Layer(weights, bias, activation if level else None))
    return layers


def he_layers(sizes, activation, *, sigma_b=0.0, networks=1, rng=None):
    """Layers of random dense networks of any widths, with weights of variance 2/inputs (He et al. 2015).

    The sizes are those of the inputs, of each hidden layer, and of the outputs. Biases of the hidden layers are drawn
    from N(0, sigma_b^2); the last layer has none, and with 0 there are none.

    Examples
    --------
    >>> from capacity.activations import relu
    >>> [layer.weights.shape for layer in he_layers((64, 32, 10), relu(), networks=5, rng=0)]
    [(5, 32, 64), (5, 10, 32)]
    """
    rng, layers = np.random.default_rng(rng), []
    for level, (inputs, outputs) in enumerate(pairwise(sizes)):
        weights = rng.standard_normal((networks, outputs, inputs)) * np.sqrt(2 / inputs)
        bias = rng.standard_normal((networks, outputs)) * sigma_b if sigma_b and level < len(sizes) - 2 else None
        layers.append(Layer(weights, bias, activation if level else None))
    return layers


def one_network(layers, index=0):
    """The layers of one of many networks, with weights of shape (outputs, inputs).

    Examples
    --------
    >>> from capacity.activations import relu
    >>> [layer.weights.shape for layer in one_network(random_layers(2, 4, 1, relu(), sigma_w=1.0, rng=0))]
    [(4, 2), (1, 4)]
    """
    found = []
    for layer in layers:
        bias = layer.bias if layer.bias is None or layer.bias.ndim == 1 else layer.bias[index]
        found.append(replace(layer, weights=layer.weights[index], bias=bias))
    return found
