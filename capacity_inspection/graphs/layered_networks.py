"""The graph of a network of `capacity.networks`, layer by layer, with its residual branches."""

from collections.abc import Sequence
from typing import Any

from capacity.networks.passes import Layer
from capacity_inspection.graphs.construction import from_layers
from capacity_inspection.graphs.graph import Graph
from capacity_inspection.graphs.operators.functions import FUNCTIONS

__all__ = ["from_network"]


def from_network(layers: Any, shape: Sequence[int]) -> Graph:
    """Graph of dense or convolutional layers x -> W f(x) + b and x -> x + beta (W f(x) + b).

    Parameters
    ----------
    layers : sequence of Layer
        Of one network, without normalisation, from the inputs up.
    shape : tuple of int
        Of the input, (channels, positions).

    Returns
    -------
    Graph
        Its last node has the states above the last layer.

    Notes
    -----
    Layers see the positions on a ring; the graph has zeros beyond the edges. Both agree wherever the receptive field
    does not reach the edges.

    Examples
    --------
    >>> from capacity.activations import relu
    >>> layers = [Layer([[[1.0, 2.0, 1.0]]], dimensions=1), Layer([[[1.0]]], activation=relu(), dimensions=1)]
    >>> [node.name for node in from_network(layers, (1, 8)).nodes]
    ['input', 'layer 1', 'activation 2', 'layer 2']
    """
    if not isinstance(layers, Sequence) or not layers or not all(isinstance(layer, Layer) for layer in layers):
        raise TypeError(f"layers: expected a sequence of Layer, got {layers!r}; pass them from the inputs up")
    steps, below = [], "input"
    for number, layer in enumerate(layers, start=1):
        name, skip = f"layer {number}", below
        if layer.batch_norm or layer.weights.ndim != 2 + layer.dimensions:
            raise ValueError(
                f"layers[{number - 1}]: expected weights (outputs, inputs, *taps) without normalisation, got shape "
                f"{layer.weights.shape} and batch_norm={layer.batch_norm}; pass the layers of one network"
            )
        if layer.activation is not None:
            steps.append(("activation", {"name": f"activation {number}", "inputs": below, **_function(layer)}))
            below = f"activation {number}"
        beta = 1.0 if layer.residual is None else layer.residual
        weights = {"kernel": beta * layer.weights, "bias": None if layer.bias is None else beta * layer.bias}
        if layer.dimensions:
            weights["pads"] = [(n // 2, n - 1 - n // 2) for n in layer.taps]
        branch = name if layer.residual is None else f"branch {number}"
        operator = "convolution" if layer.dimensions else "dense"
        steps.append((operator, {"name": branch, "inputs": below, **weights}))
        if layer.residual is not None:
            steps.append(("add", {"name": name, "inputs": [skip, branch]}))
        below = name
    return from_layers(shape, steps)


def _function(layer):
    """How graphs name the activation of a layer."""
    activation = layer.activation
    if activation.slopes is not None and activation.slopes[1] == 1:
        slope = float(activation.slopes[0])
        return {"function": "leaky_relu", "slope": slope} if slope else {"function": "relu"}
    name = activation.name.lower().replace(" ", "_")
    if name not in FUNCTIONS:
        raise ValueError(
            f"activation: expected one that graphs know, such as relu() or tanh(), got {activation.name}; replace it"
        )
    return {"function": name}
