"""Capacity and gradients at the slopes that activations have on data, by one pass backwards for each sample."""

from functools import cache
from typing import Any

import numpy as np

from capacity._validation import as_generator
from capacity_inspection.graphs.backward import input_weights, through_values, weights_of_unit, weights_passed
from capacity_inspection.graphs.evaluation import as_inputs, values_by_sample
from capacity_inspection.graphs.fields import boxes_below, output_position
from capacity_inspection.graphs.flow import CapacityFlow
from capacity_inspection.graphs.graph import Graph, signal_path
from capacity_inspection.graphs.operators.boxes import Box, box_hull, whole_box

__all__ = ["sampled_flow", "sampled_input_capacity", "squared_gradient"]


def squared_gradient(graph: Graph, data: Any, output: str | None = None, at: Any = "centre") -> dict[str, np.ndarray]:
    """Mean squared gradient of one output unit by each input entry: the gradient receptive field.

    Parameters
    ----------
    graph : Graph
    data : array_like, shape (samples, channels, positions), or mapping of str to array_like
        Of the inputs, as for `forward`.
    output, at : optional
        The unit, as in `receptive_fields`.

    Returns
    -------
    dict of str to ndarray, shape of the input
        In squared units of the output by squared units of the input.

    Notes
    -----
    The gradient of a max pool goes to the first of the entries that hold the maximum, in the order of its taps.

    Examples
    --------
    >>> from capacity_inspection.graphs import from_layers
    >>> graph = from_layers((1, 2), [("convolution", {"kernel": [[[1.0, 2.0]]]}), ("activation", {"function": "relu"})])
    >>> squared_gradient(graph, [[[1.0, 1.0]], [[1.0, -1.0]]])["input"]
    array([[0.5, 2. ]])
    """
    name, at = output_position(graph, output, at)
    inputs, part = as_inputs(graph, data, "data"), graph.up_to(name)
    total, samples = {key: np.zeros(graph[key].shape) for key in graph.inputs}, len(next(iter(inputs.values())))
    for values in values_by_sample(part, inputs):
        for key, array in input_weights(part, name, at, through_values(values)).items():
            total[key] += array[0] ** 2 / samples
    _check_squares(total)
    return total


def sampled_input_capacity(
    graph: Graph, data: Any, output: str | None = None, at: Any = "centre"
) -> dict[str, np.ndarray]:
    """Capacity of the inputs with the gains that a network has on data, instead of independent random ones.

    Parameters
    ----------
    graph : Graph
    data, output, at
        As in `squared_gradient`.

    Returns
    -------
    dict of str to ndarray, shape of the input
        Mean over samples of the squared weight of each entry in the output; all inputs together have the capacity one.

    Raises
    ------
    ValueError
        If the output depends on no input for any sample.

    Notes
    -----
    Of activations that are linear on either side of zero the gain is the slope, so that in a network of these this is
    the squared gradient divided by its sum. Weights of attention, standard deviations of normalisations and
    gates of recurrent layers are held.

    Examples
    --------
    >>> from capacity_inspection.graphs import from_layers
    >>> graph = from_layers((1, 2), [("convolution", {"kernel": [[[1.0, 2.0]]]}), ("activation", {"function": "relu"})])
    >>> sampled_input_capacity(graph, [[[1.0, 1.0]], [[1.0, -1.0]]])["input"]
    array([[0.2, 0.8]])
    """
    found = sampled_flow(graph, data, output, at, probes=1, rng=0).inputs
    return {key: found.get(key, np.zeros(graph[key].shape)) for key in graph.inputs}


def sampled_flow(graph, data, output=None, at="centre", *, kept=(), probes=4, rng=None):
    """The flow of `capacity_flow` through a network whose gains are held at each sample, its means over samples.

    What the inputs get is exact. Variances of the nodes in between, by which their weights count, are those of the held
    map at `probes` inputs of random signs for each sample. Nodes that are `kept` have their shares, and so do inputs.
    """
    name, at = output_position(graph, output, at)
    inputs, part, rng = as_inputs(graph, data, "data"), graph.up_to(name), as_generator(rng)
    path, signal = signal_path(part, [name]), _signal_boxes(part, name, at)
    kept = path.intersection([*kept, *part.inputs])
    boxes = boxes_below(part, name, Box(at, tuple(i + 1 for i in at)))
    squares = {key: np.zeros(part[key].shape) for key in kept}
    passed, cuts = dict.fromkeys(kept, 0.0), dict.fromkeys(kept, 0.0)

    def signs():
        return {key: rng.choice([-1.0, 1.0], size=(probes, *part[key].shape)) for key in part.inputs if key in path}

    for values in values_by_sample(part, inputs):
        for key, capacity, cut in _held_down(part, signal, name, at, values, signs(), kept):
            passed[key], cuts[key] = passed[key] + capacity.sum(), cuts[key] + cut
            signal[key].cut(squares[key])[...] += capacity
    _check_squares(squares)
    total = sum(squares[key].sum() for key in part.inputs if key in squares)
    if not total > 0:
        raise ValueError(
            "data: expected a sample for which the output depends on an input, got none; all paths pass units that are "
            "dead on these data"
        )
    allocation = {key: squares.get(key, np.zeros(part[key].shape)) / total for key in part.inputs}
    nodes = {
        key: boxes[key].cut(array) * (1 / cuts[key] if cuts[key] else 0.0)
        for key, array in squares.items()
        if key in boxes
    }
    return CapacityFlow(name, at, allocation, nodes, boxes, {key: passed[key] / cuts[key] for key in kept if cuts[key]})


def _check_squares(found):
    if not all(np.isfinite(array).all() for array in found.values()):
        raise ValueError(
            "data: expected gradients within the range of a double, got an overflow or a NaN; scale the data"
        )


def _signal_boxes(graph, name, at):
    """Boxes of nodes through which one unit is reached where gains are held; whole ones of what has gains, or is read.

    So gains need not be cut.
    """
    boxes = {name: Box(at, tuple(i + 1 for i in at))}
    for node in reversed(graph.nodes):
        if node.name not in boxes:
            continue
        shapes = graph.shapes_below(node)
        if node.rule.gains:
            boxes[node.name], read = whole_box(node.shape), list(map(whole_box, shapes))
        else:
            read = node.rule.reads(node, boxes[node.name], shapes)
        for i in node.rule.signals(node):
            if read[i] is not None:
                boxes[node.inputs[i]] = box_hull(boxes.get(node.inputs[i]), read[i])
    return boxes


def _held_down(graph, boxes, name, at, values, probed, kept):
    """Each node that is kept, from the output down, its capacity at a sample, and that of the cut it is a part of."""

    @cache
    def held(name):
        node = graph[name]
        return node.rule.held(node, [values[key] for key in node.inputs], values[name])

    for node in graph.nodes:
        if node.name not in boxes:
            continue
        box, shapes = boxes[node.name], graph.shapes_below(node)
        signal = [probed.get(key) if i in node.rule.signals(node) else None for i, key in enumerate(node.inputs)]
        if not node.inputs:
            probed[node.name] = probed[node.name][box.within(whole_box(node.shape))]
        elif node.rule.gains:
            gains = held(node.name)
            probed[node.name] = node.rule.held_jvp(node, gains, signal)
        else:
            probed[node.name] = node.rule.linear_part(node, signal, list(map(boxes.get, node.inputs)), box, shapes)

    @cache
    def variance(name):
        """Of each unit, of white inputs."""
        return np.einsum("k...,k...->...", probed[name], probed[name]) / len(probed[name])

    live = {key: (boxes[key].cut(array[0])[None],) for key, (array,) in weights_of_unit(graph, name, at).items()}

    def told(name):
        capacities = {key: array[0] ** 2 * variance(key) for key, (array,) in live.items()}
        return name, capacities[name], sum(capacity.sum() for capacity in capacities.values())

    def through(node, array):
        return node.rule.held_vjp(node, held(node.name), array)

    for node in weights_passed(graph, live, through, boxes):
        if node.name in kept:
            yield told(node.name)
    yield from map(told, live)
