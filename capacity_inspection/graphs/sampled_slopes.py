"""Capacity and gradients at the slopes that activations have on data, by one pass backwards for each sample."""

from typing import Any

import numpy as np

from capacity._validation import as_generator
from capacity_inspection.graphs.backward import input_weights, through_values, weights_of_unit, weights_passed
from capacity_inspection.graphs.evaluation import as_inputs, values_by_sample
from capacity_inspection.graphs.fields import boxes_below, output_position
from capacity_inspection.graphs.flow import CapacityFlow
from capacity_inspection.graphs.graph import Graph, signal_path
from capacity_inspection.graphs.operators.boxes import Box

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
        for key, array in input_weights(part, name, at, through_values(values, held=False)).items():
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
    map at `probes` inputs of random signs for each sample.
    """
    name, at = output_position(graph, output, at)
    inputs, part, rng = as_inputs(graph, data, "data"), graph.up_to(name), as_generator(rng)
    path = signal_path(part, [name])
    boxes = boxes_below(part, name, Box(at, tuple(i + 1 for i in at)))
    squares = {key: np.zeros(part[key].shape) for key in path.intersection([*kept, *part.inputs])}
    passed, cuts = dict.fromkeys(path, 0.0), dict.fromkeys(path, 0.0)
    for values in values_by_sample(part, inputs):
        variances = _held_variances(part, path, values, probes, rng)
        for key, array, cut in _held_down(part, name, at, values, variances):
            capacity = array[0] ** 2 * variances[key]
            passed[key], cuts[key] = passed[key] + capacity.sum(), cuts[key] + cut
            if key in squares:
                squares[key] += capacity
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
    return CapacityFlow(name, at, allocation, nodes, boxes, {key: passed[key] / cuts[key] for key in path if cuts[key]})


def _check_squares(found):
    if not all(np.isfinite(array).all() for array in found.values()):
        raise ValueError(
            "data: expected gradients within the range of a double, got an overflow or a NaN; scale the data"
        )


def _held_variances(graph, path, values, probes, rng):
    """Variance of each unit on the path of the signal, of white inputs, where gains are held at a sample."""
    found, variances = {}, {}
    for node in graph.nodes:
        if node.name not in path:
            continue
        if not node.inputs:
            found[node.name] = rng.choice([-1.0, 1.0], size=(probes, *node.shape))
        else:
            signal = [found[key] if i in node.rule.signals(node) else None for i, key in enumerate(node.inputs)]
            found[node.name] = node.rule.held_jvp(node, [values[key] for key in node.inputs], signal)
        variances[node.name] = (found[node.name] ** 2).mean(axis=0)
    return variances


def _held_down(graph, name, at, values, variances):
    """Each node from the output down, its weights, and the capacity of the cut that it is a part of."""
    live = weights_of_unit(graph, name, at)

    def cut():
        return sum(np.vdot(array**2, variances[key]) for key, (array,) in live.items())

    for node in weights_passed(graph, live, through_values(values, held=True)):
        yield node.name, *live[node.name], cut()
    for key, (array,) in live.items():
        yield key, array, cut()
