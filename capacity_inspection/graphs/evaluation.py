"""Values of all nodes at given inputs, in plain NumPy and double precision."""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from capacity._validation import as_array, check_size, common_length
from capacity_inspection.graphs.graph import Graph, check_graph

__all__ = ["LARGEST", "as_inputs", "forward", "node_values", "values_by_sample"]

LARGEST = 2**28  # numbers in all nodes together, which take two gigabytes


def forward(graph: Graph, inputs: Any) -> dict[str, np.ndarray]:
    """Value of every node of a network at given inputs.

    Parameters
    ----------
    graph : Graph
    inputs : array_like, shape (samples, channels, positions), or mapping of str to array_like
        Of the only input, or of each by its name.

    Returns
    -------
    dict of str to ndarray, shape (samples, channels, positions)
        By the name of the node.

    Raises
    ------
    ValueError
        If the values of all nodes together are more than 2^28 numbers.

    Notes
    -----
    Convolutions are sums over taps of products of matrices, so that the cost is that of the network itself.

    Examples
    --------
    >>> from capacity_inspection.graphs import from_layers
    >>> layers = [("convolution", {"kernel": [[[1.0, -1.0]]]}), ("activation", {"function": "relu"})]
    >>> forward(from_layers((1, 4), layers), [[[3.0, 1.0, 2.0, 0.0]]])["activation 2"]
    array([[[2., 0., 2.]]])
    """
    return node_values(graph, as_inputs(graph, inputs))


def as_inputs(graph, inputs, name="inputs"):
    """One array of samples for each input of a graph, by its name; `name` is that of the argument in messages."""
    check_graph(graph)
    if not isinstance(inputs, Mapping):
        if len(graph.inputs) != 1:
            raise ValueError(
                f"{name}: expected one array for each of {graph.inputs}, got one; pass a dictionary, in Python"
            )
        inputs = {graph.inputs[0]: inputs}
    if set(inputs) != set(graph.inputs):
        raise ValueError(f"{name}: expected arrays for {graph.inputs}, got {tuple(inputs)}; pass one for each")
    arrays = {key: as_array(value, f"{name}[{key!r}]") for key, value in inputs.items()}
    for key, array in arrays.items():
        if array.shape[1:] != graph[key].shape or array.ndim != len(graph[key].shape) + 1:
            last = array.ndim > 2 and (array.shape[-1], *array.shape[1:-1]) == graph[key].shape
            raise ValueError(
                f"{name}[{key!r}]: expected shape {('samples', *graph[key].shape)}, got {array.shape}; the first axis "
                "counts samples" + ", the next one channels: pass np.moveaxis(samples, -1, 1)" * last
            )
    common_length(arrays, name)
    return arrays


def node_values(graph, inputs):
    """Value of every node, of inputs that may hold NaN: a NaN goes wherever the entry is read."""
    units = len(next(iter(inputs.values()))) * sum(math.prod(node.shape) for node in graph.nodes)
    check_size(units, "inputs", "values of all nodes", maximum=LARGEST, remedy="pass fewer samples at a time")
    found = {}
    for node in graph.nodes:
        values = [found[name] for name in node.inputs]
        found[node.name] = node.rule.value(node, values) if node.inputs else inputs[node.name]
    return found


def values_by_sample(graph, inputs):
    """Value of every node at one sample after the other; there may be inputs of more than this part of a network."""
    for i in range(len(next(iter(inputs.values())))):
        yield node_values(graph, {key: inputs[key][i : i + 1] for key in graph.inputs})
