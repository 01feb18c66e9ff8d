"""Capacity of the inputs without the two-part rule: all second moments of a small network, kept in one matrix."""

import math
from typing import Any

import numpy as np

from capacity._validation import check_size
from capacity_inspection.graphs.fields import output_position
from capacity_inspection.graphs.gains import node_gains
from capacity_inspection.graphs.graph import Graph
from capacity_inspection.graphs.operators.boxes import whole_box

__all__ = ["dense_input_capacity"]

_LARGEST = 2**13  # units in all, whose matrix takes half a gigabyte


def dense_input_capacity(
    graph: Graph, output: str | None = None, at: Any = "centre", *, coupling: Any = 0.0
) -> dict[str, np.ndarray]:
    r"""Capacity of the inputs by the recursion of second moments that `capacity_flow` approximates.

    Parameters
    ----------
    graph : Graph
        Small: of at most 8192 units in all nodes together.
    output, at, coupling : optional
        As in `capacity_flow`.

    Returns
    -------
    dict of str to ndarray, shape of the input
        All inputs together have the capacity one.

    Notes
    -----
    :math:`M' = \rho P\,[\nu M + (1 - \nu)\,\mathrm{diag}\,M]\,P^T`, for layers whose gains have the power rho, as in
    `capacity.depth.expected_squared_gradient`. M is that of the units of all nodes at once, so that it knows of paths
    that run beside each other, as in a residual block.

    Examples
    --------
    >>> from capacity_inspection.graphs import from_layers
    >>> layers = [("convolution", {"kernel": [[[1.0, 2.0]]]}), ("activation", {"function": "relu"})]
    >>> dense_input_capacity(from_layers((1, 3), layers), at=(0, 0))["input"]
    array([[0.2, 0.8, 0. ]])
    """
    name, at = output_position(graph, output, at)
    part = graph.up_to(name)
    sizes = [math.prod(node.shape) for node in part.nodes]
    remedy = "take capacity_flow, whose cost is linear"
    check_size(sum(sizes), "graph", "nodes", maximum=_LARGEST, remedy=remedy)
    places, end = {}, 0
    for node, size in zip(part.nodes, sizes):
        places[node.name], end = slice(end, end + size), end + size
    gains = node_gains(part, coupling, graph)
    moments = np.zeros((end, end))
    unit = places[name].start + np.ravel_multi_index(at, part[name].shape)
    moments[unit, unit] = 1.0
    for node in reversed(part.nodes):
        here = places[node.name]
        if not node.inputs or not moments[here, here].any():
            continue
        variances, power = np.diag(moments)[here].copy(), None
        if node.name in gains:
            coupling_here, power = (np.broadcast_to(value, node.shape).ravel() for value in gains[node.name])
            # the transpose of a pool has the weights 1/k, the mean of each choice is sqrt(nu/k)
            mean = np.sqrt(coupling_here / power if node.rule.gains == "entry" else coupling_here * power)
            moments[here] *= mean[:, None]
            moments[:, here] *= mean
            variances *= 1 - coupling_here
            if node.rule.gains == "unit":
                moments[here, here] += np.diag(variances * power)
        for source, matrix in _maps(part, node):
            there = places[source]
            moments[there] += matrix @ moments[here]
            moments[:, there] += moments[:, here] @ matrix.T
            if node.rule.gains == "entry":
                moments[there, there] += np.diag(matrix @ variances)
        moments[here] = moments[:, here] = 0
    found = {key: np.diag(moments)[places[key]].reshape(part[key].shape) for key in part.inputs}
    total = sum(values.sum() for values in found.values())
    if not 0 < total < np.inf:
        raise ValueError(
            f"output: expected a unit of {name!r} that depends on an input, got none; weights on the way are zero"
        )
    return {key: values / total for key, values in found.items()}


def _maps(graph, node):
    """For each input of a node the matrix, (units below, units above), by which weights are handed down."""
    size = math.prod(node.shape)
    units, box = np.eye(size).reshape(size, *node.shape), whole_box(node.shape)
    for source, handed in zip(node.inputs, node.rule.transposed_part(node, units, box, graph.shapes_below(node))):
        whole = np.zeros((size, *graph[source].shape))
        if handed is None:  # what is read lies in the pads
            continue
        whole[handed[0].within(whole_box(graph[source].shape))] = handed[1]
        yield source, whole.reshape(size, -1).T
