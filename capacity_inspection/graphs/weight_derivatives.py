"""Derivatives of the outputs of samples by the parameters of each node, by passes backwards."""

import math
from typing import Any

import numpy as np

from capacity._typing import Rng
from capacity._validation import as_generator, check_integer
from capacity_inspection.graphs.backward import through_values, weights_passed
from capacity_inspection.graphs.evaluation import as_inputs, node_values
from capacity_inspection.graphs.fields import output_position
from capacity_inspection.graphs.graph import Graph

__all__ = ["weight_jacobian"]

_UNITS = 2**24  # values of all nodes for the samples of one pass


def weight_jacobian(
    graph: Graph, data: Any, output: str | None = None, at: Any = "centre", *, rows: int | None = None, rng: Rng = None
) -> dict[str, np.ndarray]:
    """Derivatives of an output by the parameters of each node: one row for a sample and a direction of its channels.

    Parameters
    ----------
    graph : Graph
        Whose nodes do not share weights.
    data : array_like, shape (samples, channels, positions), or mapping of str to array_like
        Of the inputs, as for `forward`.
    output, at : optional
        The node and the position of which all channels are looked at, as in `receptive_fields`.
    rows : int, optional
        How many rows, at most samples times channels. Default: as many.
    rng : int, Generator or None
        Of the directions, which are random. Almost all directions give the rank of all channels, if there are at least
        as many rows.

    Returns
    -------
    dict of str to ndarray, shape (rows, parameters)
        By the name of the node.

    Raises
    ------
    ValueError
        If weights of a node are shared with others or computed from fewer parameters than there are weights.

    Examples
    --------
    >>> from capacity_inspection.graphs import from_layers
    >>> layers = [("dense", {"kernel": [[1.0, 2.0]]}), ("activation", {"function": "tanh"})]
    >>> weight_jacobian(from_layers((2,), layers), [[0.0, 0.0], [2.0, -1.0]], rng=0)["dense 1"].round(3)
    array([[ 0.   ,  0.   ],
           [-0.264,  0.132]])
    """
    name, at = output_position(graph, output, at)
    part = graph.up_to(name)
    _check_own_weights(part)
    inputs, channels = as_inputs(part, data, "data"), part[name].shape[0]
    samples, rng = len(next(iter(inputs.values()))), as_generator(rng)
    rows = samples * channels if rows is None else check_integer(rows, "rows", minimum=1, maximum=samples * channels)
    directions = rng.standard_normal((rows, channels))
    step = max(_UNITS // sum(math.prod(node.shape) for node in part.nodes), 1)
    found = [
        _rows(part, {key: array[chosen % samples] for key, array in inputs.items()}, name, at, directions[chosen])
        for chosen in np.split(np.arange(rows), range(step, rows, step))
    ]
    return {key: np.concatenate([block[key] for block in found]) for key in found[0]}


def _check_own_weights(graph):
    if graph.n_parameters < sum(node.n_parameters for node in graph.nodes):
        raise ValueError("graph: expected layers with weights of their own, got some that share them; take one of them")
    for node in graph.nodes:
        if 0 < node.n_parameters < sum(array.size for array in node.arrays.values()):
            raise ValueError(
                f"node {node.name!r}: expected weights that are parameters, got some that are computed from fewer; "
                "the derivatives by these are not known"
            )


def _rows(graph, inputs, name, at, directions):
    values = node_values(graph, inputs)
    weights = np.zeros((len(directions), *graph[name].shape))
    weights[(slice(None), slice(None), *at[1:])] = directions
    sizes = {node.name: sum(array.size for array in node.arrays.values()) for node in graph.nodes if node.n_parameters}
    found = {key: np.zeros((len(directions), size)) for key, size in sizes.items()}
    live = {name: (weights,)}
    for node in weights_passed(graph, live, through_values(values)):
        if node.n_parameters:
            (array,) = live[node.name]
            by_array = node.rule.weight_gradients(node, array, *(values[source] for source in node.inputs))
            found[node.name] = np.hstack([by_array[key].reshape(len(array), -1) for key in node.arrays])
    return found
