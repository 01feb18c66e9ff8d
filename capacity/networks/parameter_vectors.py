"""All weights and biases of a list of layers as one vector, and back."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from capacity._validation import as_array, as_list, check_instance
from capacity.networks.passes import Layer

__all__ = ["parameter_vector", "with_parameter_vector"]


def parameter_vector(layers: Sequence[Layer]) -> np.ndarray:
    """All parameters of a network, shape (..., parameters): the weights of each layer in C order, then its bias.

    Layers are listed from the inputs up, of one network, or of many with weights (networks, outputs, inputs) each.

    Examples
    --------
    >>> parameter_vector([Layer([[1.0, 2.0]], [3.0]), Layer([[4.0]])])
    array([1., 2., 3., 4.])
    """
    parts = []
    for number, layer in enumerate(as_list(layers, "layers", "pass the layers from the inputs up")):
        check_instance(layer, f"layers[{number}]", Layer, "pass the layers from the inputs up")
        networks = layer.weights.shape[: layer.weights.ndim - 2 - layer.dimensions]
        parts.append(layer.weights.reshape(*networks, -1))
        if layer.bias is not None:
            parts.append(np.broadcast_to(layer.bias, (*networks, layer.outputs)))
    return np.concatenate(parts, axis=-1)


def with_parameter_vector(layers: Sequence[Layer], vector: ArrayLike) -> list[Layer]:
    """The same layers, of one network, with other parameters (..., parameters); axes before the last are many networks.

    Examples
    --------
    >>> with_parameter_vector([Layer([[1.0, 2.0]], [3.0])], [4.0, 5.0, 6.0])[0].weights
    array([[4., 5.]])
    """
    layers = list(layers)
    count = parameter_vector(layers).shape[-1]
    vector = as_array(vector, "vector", last=count, remedy="pass as many numbers as parameter_vector gives")
    found, start = [], 0
    for layer in layers:
        shape = layer.weights.shape[layer.weights.ndim - 2 - layer.dimensions :]
        stop = start + int(np.prod(shape))
        changed: dict[str, Any] = {"weights": vector[..., start:stop].reshape(*vector.shape[:-1], *shape)}
        if layer.bias is not None:
            changed["bias"], stop = vector[..., stop : stop + layer.outputs], stop + layer.outputs
        found.append(replace(layer, **changed))
        start = stop
    return found
