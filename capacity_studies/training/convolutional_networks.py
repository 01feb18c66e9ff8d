"""Convolutional networks that vote at each position, for images."""

import numpy as np

from capacity._validation import as_generator, check_integer
from capacity.activations.activation import Activation, check_activation
from capacity.networks.passes import Layer
from capacity.networks.random_convolutions import check_taps

__all__ = ["random_convolutional_layers"]


def random_convolutional_layers(
    n_layers, channels, outputs, activation: Activation, *, inputs=1, taps=3, residual=None, dimensions=2, rng=None
):
    """Layers of one convolutional network, the last of which sees one position: a vote of each position on the outputs.

    Weights are Gaussian, of variance 1/(inputs of a unit) in the first layer, which has no activation below it, and
    2/(inputs of a unit) in the others, after He et al. (2015). Biases are zero.

    Parameters
    ----------
    n_layers : int
        Number of layers with a kernel of several taps; the voting layer comes on top of these.
    channels, outputs, inputs : int
        Channels of each layer, of the last and of the input.
    activation : Activation
        Of all layers but the first.
    taps, dimensions, rng
        As in `random_weights`.
    residual : float, optional
        Scale of the branches of layers 2, ..., `n_layers`. Default: no residual branches.

    Returns
    -------
    tuple of Layer

    Examples
    --------
    >>> from capacity.activations import relu
    >>> [layer.weights.shape for layer in random_convolutional_layers(2, 8, 10, relu(), rng=0)]
    [(8, 1, 3, 3), (8, 8, 3, 3), (10, 8, 1, 1)]
    """
    n_layers, channels = check_integer(n_layers, "n_layers", minimum=1), check_integer(channels, "channels", minimum=1)
    outputs, inputs = check_integer(outputs, "outputs", minimum=1), check_integer(inputs, "inputs", minimum=1)
    dimensions, taps = check_integer(dimensions, "dimensions", minimum=1), check_taps(taps)
    check_activation(activation)
    rng, layers = as_generator(rng), []
    for number in range(n_layers + 1):
        below, above = inputs if number == 0 else channels, outputs if number == n_layers else channels
        shape = (above, below, *[1 if number == n_layers else taps] * dimensions)
        weights = rng.standard_normal(shape) * np.sqrt((2 if number else 1) / np.prod(shape[1:]))
        branch = residual if 0 < number < n_layers else None
        layers.append(Layer(weights, np.zeros(above), activation if number else None, branch, dimensions=dimensions))
    return tuple(layers)
