"""How far a small change moves a network: of the inputs, in each layer; of the weights of a layer, at the outputs."""

import numpy as np

from capacity.networks.passes import forward_pass, tangent_pass

__all__ = ["layer_influences", "relative_sensitivity"]


def relative_sensitivity(layers, inputs, directions):
    """Relative change of the weighted sums of each layer, over the relative change of the inputs, shape (..., layers).

    sqrt(sum ||dh||^2/sum ||h||^2) of the sums h of each dense layer over the samples (samples, inputs), divided by the
    same for the inputs, which move in some directions: their lengths matter only against each other. In wide random
    networks without biases it is 1 in the first layer on average, and follows `relative_changes`.

    Examples
    --------
    >>> from capacity.activations import relu
    >>> from capacity.networks import Layer
    >>> layers = [Layer([[1.0, -1.0]]), Layer([[3.0]], [6.0], relu())]
    >>> relative_sensitivity(layers, [[4.0, 2.0]], [[0.0, 1.0]]).round(3)
    array([2.236, 1.118])
    """
    forward = forward_pass(layers, inputs)
    velocities = tangent_pass(forward, directions)
    squares = [
        [np.sum(np.square(found), axis=(-2, -1)) for found in (v, x)] for v, x in zip(velocities, forward.states)
    ]
    ratios = [np.sqrt(change / size) for change, size in squares]
    return np.stack(np.broadcast_arrays(*(ratio / ratios[0] for ratio in ratios[1:])), axis=-1)


def layer_influences(layers, inputs, *, rng=None):
    """Relative change of the outputs when the weights of one layer change a little at random, for each layer.

    sqrt(sum ||dh||^2/sum ||h||^2) of the outputs h over the samples, to first order, for Gaussian changes with the root
    mean square of the layer's own weights: times epsilon, the relative change for a change by epsilon. In wide random
    networks without biases it is 1 for the last layer on average; below it follows `relative_changes`. Layers are
    dense, without normalisation and residual branches.

    Examples
    --------
    >>> from capacity.networks import Layer
    >>> found = layer_influences([Layer([[2.0]]), Layer([[2.0]]), Layer([[2.0]])], [[1.0]], rng=0)
    >>> np.allclose(found, np.abs(np.random.default_rng(0).standard_normal(3)))  # alike in a linear network
    True
    """
    forward, rng = forward_pass(layers, inputs), np.random.default_rng(rng)
    size = np.sum(np.square(forward.outputs), axis=(-2, -1))
    found = []
    for level, (layer, below) in enumerate(zip(layers, forward.activities), start=1):
        scale = np.sqrt(np.mean(np.square(layer.weights), axis=(-2, -1), keepdims=True))
        moved = below @ (rng.standard_normal(layer.weights.shape) * scale).swapaxes(-1, -2)
        if level < len(layers):
            moved = tangent_pass(forward.part(level, len(layers)), moved)[-1]
        found.append(np.sqrt(np.sum(np.square(moved), axis=(-2, -1)) / size))
    return np.stack(np.broadcast_arrays(*found), axis=-1)
