"""Values of all nodes at given inputs, in plain NumPy and double precision."""

import math
from collections.abc import Mapping

import numpy as np

from capacity._validation import as_array, check_instance, check_size
from capacity.inspection.graphs.boxes import whole_box
from capacity.inspection.graphs.functions import function_value
from capacity.inspection.graphs.graph import Graph
from capacity.inspection.graphs.linear_parts import linear_part, window_taps

__all__ = ["LARGEST", "as_inputs", "forward", "node_values", "window_winners"]

LARGEST = 2**28  # numbers in all nodes together, which take two gigabytes


def forward(graph, inputs):
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
        If a node is recurrent, or the values of all nodes together are more than 2^28 numbers.

    Notes
    -----
    Convolutions are sums over taps of products of matrices, so that the cost is that of the network itself.

    Examples
    --------
    >>> from capacity.inspection.graphs import from_layers
    >>> layers = [("convolution", {"kernel": [[[1.0, -1.0]]]}), ("activation", {"function": "relu"})]
    >>> forward(from_layers((1, 4), layers), [[[3.0, 1.0, 2.0, 0.0]]])["activation 2"]
    array([[[2., 0., 2.]]])
    """
    return node_values(graph, as_inputs(graph, inputs))


def as_inputs(graph, inputs, name="inputs"):
    """Return one array of samples for each input of a graph.

    Parameters
    ----------
    graph : Graph
    inputs : array_like or mapping of str to array_like
    name : str, optional
        Of the argument, for the message.

    Returns
    -------
    dict of str to ndarray, shape (samples, channels, positions)
    """
    check_instance(graph, "graph", Graph, "make one with from_layers, or read one from a file")
    if not isinstance(inputs, Mapping):
        if len(graph.inputs) != 1:
            raise ValueError(f"{name}: expected one array for each of {graph.inputs}, got one; pass a dictionary")
        inputs = {graph.inputs[0]: inputs}
    if set(inputs) != set(graph.inputs):
        raise ValueError(f"{name}: expected arrays for {graph.inputs}, got {tuple(inputs)}; pass one for each")
    arrays = {key: as_array(value, f"{name}[{key!r}]") for key, value in inputs.items()}
    for key, array in arrays.items():
        if array.shape[1:] != graph[key].shape or array.ndim != len(graph[key].shape) + 1:
            raise ValueError(
                f"{name}[{key!r}]: expected shape {('samples', *graph[key].shape)}, got {array.shape}; the first axis "
                "counts samples"
            )
    if len({len(array) for array in arrays.values()}) != 1:
        raise ValueError(
            f"{name}: expected as many samples of each, got {[len(a) for a in arrays.values()]}; align them"
        )
    return arrays


def node_values(graph, inputs):
    """Value of every node, of inputs that may hold NaN: a NaN goes wherever the entry is read.

    Parameters
    ----------
    graph : Graph
    inputs : dict of str to ndarray, shape (samples, channels, positions)

    Returns
    -------
    dict of str to ndarray, shape (samples, channels, positions)
    """
    units = len(next(iter(inputs.values()))) * sum(math.prod(node.shape) for node in graph.nodes)
    check_size(units, "inputs", "values of all nodes", maximum=LARGEST, remedy="pass fewer samples at a time")
    found = {}
    for node in graph.nodes:
        values = [found[name] for name in node.inputs]
        if node.operator == "input":
            found[node.name] = inputs[node.name]
        elif node.operator == "recurrent":
            raise ValueError(
                f"node {node.name!r}: expected no recurrent node, got one, whose recurrence is not followed; take "
                "the part below it, graph.up_to, or above it, graph.above"
            )
        elif node.operator == "activation":
            found[node.name] = function_value(node, values[0])
        elif node.operator == "max_pool":
            found[node.name] = _maxima(node, values[0])
        else:
            boxes = [whole_box(value.shape[1:]) for value in values]
            shapes = [value.shape[1:] for value in values]
            found[node.name] = _shifted(node, linear_part(node, values, boxes, whole_box(node.shape), shapes))
    return found


def _shifted(node, value):
    """With what a node adds to its linear part."""
    if "bias" in node.arrays:
        axis = node.options.get("axis") or 0
        return value + node.arrays["bias"].reshape(-1, *[1] * (len(node.shape) - 1 - axis))
    if "shift" in node.arrays:
        return value + node.arrays["shift"]
    if node.operator == "pad" and node.options["value"]:
        inside = tuple(slice(before, n - after) for (before, after), n in zip(node.options["pads"], node.shape))
        outside = np.full(node.shape, node.options["value"])
        outside[inside] = 0
        return value + outside
    return value


def _maxima(node, value):
    total = np.full((len(value), *node.shape), -np.inf)
    for _, above, below in window_taps(node, whole_box(node.shape), whole_box(value.shape[1:])):
        total[above] = np.maximum(total[above], value[below])
    return total


def window_winners(node, value):
    """For each tap of a max pool, its slices and where it is the first to hold the maximum of its window.

    Parameters
    ----------
    node : Node
    value : ndarray, shape (samples, channels, positions)
        Of its input.

    Yields
    ------
    above, below : tuple of slice
        Outputs that the tap reads for, and inputs that it reads.
    wins : ndarray of bool
        Of the shape of the outputs at `above`.
    """
    maxima = _maxima(node, value)
    taken = np.zeros(maxima.shape, dtype=bool)
    for _, above, below in window_taps(node, whole_box(node.shape), whole_box(value.shape[1:])):
        wins = (value[below] == maxima[above]) & ~taken[above]
        taken[above] |= wins
        yield above, below, wins
