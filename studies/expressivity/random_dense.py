"""Dense networks with Gaussian weights, many at once: as in the survey (Raghu et al., Section 2), or of He et al."""

from dataclasses import replace
from itertools import pairwise

import numpy as np

from capacity._validation import as_generator, check_instance, check_integer, check_integers, check_real, check_size
from capacity.activations.base import check_activation
from capacity.networks.passes import Layer

__all__ = ["he_layers", "one_network", "random_layers"]


def random_layers(inputs, width, depth, activation, *, sigma_w, sigma_b=0.0, outputs=1, networks=1, rng=None):
    """Layers of random dense networks: `depth` hidden layers of one width, and a linear readout.

    Parameters
    ----------
    inputs : int
        Input dimension m.
    width, depth : int
        Units k of each hidden layer, and number of hidden layers: k and n of the survey.
    activation : Activation
        Of the hidden layers.
    sigma_w, sigma_b : float
        Weights are drawn from N(0, sigma_w^2/k) in every layer, biases from N(0, sigma_b^2).
    outputs : int, optional
        Units of the readout, which has weights of the same variance and no bias.
    networks : int, optional
        How many are drawn.
    rng : int or numpy.random.Generator, optional

    Returns
    -------
    list of Layer
        depth + 1 layers, with weights of shape (networks, outputs, inputs): for `forward_pass` and all of this room.

    Notes
    -----
    The survey divides by k in the first layer too, whatever the input dimension is, and so does this function: the sums
    of the first layer have the variance sigma_w^2 ||x||^2/k + sigma_b^2.

    Examples
    --------
    >>> from capacity.activations import hard_tanh
    >>> layers = random_layers(2, 100, 3, hard_tanh(), sigma_w=4.0, networks=5, rng=0)
    >>> [layer.weights.shape for layer in layers]
    [(5, 100, 2), (5, 100, 100), (5, 100, 100), (5, 1, 100)]
    """
    inputs, width = check_integer(inputs, "inputs", minimum=1), check_integer(width, "width", minimum=1)
    depth, outputs = check_integer(depth, "depth", minimum=1), check_integer(outputs, "outputs", minimum=1)
    networks = check_integer(networks, "networks", minimum=1)
    sigma_w = check_real(sigma_w, "sigma_w", above=0)
    sigma_b = check_real(sigma_b, "sigma_b", minimum=0)
    check_activation(activation)
    rng, sizes = as_generator(rng), [inputs, *[width] * depth, outputs]
    count = networks * width * (inputs + (depth - 1) * width + outputs)
    check_size(count, "width, depth, networks", "weights", maximum=2**28, remedy="draw fewer networks")
    layers = []
    for level in range(depth + 1):
        shape = (networks, sizes[level + 1], sizes[level])
        weights = rng.standard_normal(shape) * (sigma_w / np.sqrt(width))
        bias = rng.standard_normal(shape[:2]) * sigma_b if sigma_b and level < depth else None
        layers.append(Layer(weights, bias, activation if level else None))
    return layers


def he_layers(sizes, activation, *, sigma_b=0.0, networks=1, rng=None):
    """Layers of random dense networks of any widths, with weights of variance 2/inputs (He et al. 2015).

    Parameters
    ----------
    sizes : sequence of int
        Inputs, units of each hidden layer, and outputs.
    activation : Activation
        Of the hidden layers.
    sigma_b : float, optional
        Biases of the hidden layers are drawn from N(0, sigma_b^2). The last layer has none; with 0 there are none.
    networks : int, optional
        How many are drawn.
    rng : int or numpy.random.Generator, optional

    Returns
    -------
    list of Layer
        With weights of shape (networks, outputs, inputs).

    Examples
    --------
    >>> from capacity.activations import relu
    >>> [layer.weights.shape for layer in he_layers((64, 32, 10), relu(), networks=5, rng=0)]
    [(5, 32, 64), (5, 10, 32)]
    """
    sizes = check_integers(sizes, "sizes", minimum=1)
    if len(sizes) < 2:
        raise ValueError(f"sizes: expected inputs, hidden layers and outputs, got {sizes}; pass e.g. (64, 32, 10)")
    networks, sigma_b = check_integer(networks, "networks", minimum=1), check_real(sigma_b, "sigma_b", minimum=0)
    check_activation(activation)
    rng, layers = as_generator(rng), []
    for level, (inputs, outputs) in enumerate(pairwise(sizes)):
        weights = rng.standard_normal((networks, outputs, inputs)) * np.sqrt(2 / inputs)
        bias = rng.standard_normal((networks, outputs)) * sigma_b if sigma_b and level < len(sizes) - 2 else None
        layers.append(Layer(weights, bias, activation if level else None))
    return layers


def one_network(layers, index=0):
    """The layers of one of many networks.

    Parameters
    ----------
    layers : sequence of Layer
        With weights of shape (networks, outputs, inputs), as from `random_layers`.
    index : int, optional
        Which one.

    Returns
    -------
    list of Layer
        With weights of shape (outputs, inputs).

    Examples
    --------
    >>> from capacity.activations import relu
    >>> [layer.weights.shape for layer in one_network(random_layers(2, 4, 1, relu(), sigma_w=1.0, rng=0))]
    [(4, 2), (1, 4)]
    """
    found = []
    for number, layer in enumerate(layers):
        check_instance(layer, f"layers[{number}]", Layer, "pass those of random_layers")
        if layer.weights.ndim - layer.dimensions != 3:
            raise ValueError(
                f"layers[{number}]: expected weights of many networks, got shape {layer.weights.shape}; pass those of "
                "random_layers"
            )
        i = check_integer(index, "index", minimum=0, maximum=len(layer.weights) - 1, remedy="count networks from 0")
        bias = layer.bias if layer.bias is None or layer.bias.ndim == 1 else layer.bias[i]
        found.append(replace(layer, weights=layer.weights[i], bias=bias))
    return found
