"""Weights of all units in one quantity, where each activation multiplies by given gains: one pass backwards."""

import numpy as np

from capacity_inspection.graphs.operators.boxes import whole_box

__all__ = ["handed_down", "input_weights", "through_values", "weights_below"]


def input_weights(graph, name, at, through):
    """Product of weights and gains, summed over all paths from each input entry to one unit: by name, (1, *shape).

    `through` makes, of a node with gains and of weights of shape (1, *node.shape), those of each input, or None.
    """
    unit = np.zeros((1, *graph[name].shape))
    unit[(0, *at)] = 1.0
    found = {node.name: array for node, array in weights_below(graph, name, unit, through) if not node.inputs}
    return {key: found.get(key, np.zeros((1, *graph[key].shape))) for key in graph.inputs}


def through_values(values, *, held):
    """How weights pass a node at given values of all nodes: by its slopes, or by the gains that are held there."""
    return lambda node, array: node.rule.vjp(node, array, [values[key] for key in node.inputs], held)


def weights_below(graph, name, weights, through):
    """Each node that a node depends on, from there down, and the weights of its units in a weighted sum of that one.

    Weights have the shape (samples, *node.shape).
    """
    live = {name: weights}
    for node in reversed(graph.nodes):
        if node.name not in live:
            continue
        array, shapes = live.pop(node.name), graph.shapes_below(node)
        yield node, array
        for source, box, part in handed_down(node, array, shapes, through):
            target = live.setdefault(source, np.zeros((len(array), *graph[source].shape)))
            target[box.within(whole_box(graph[source].shape))] += part


def handed_down(node, array, shapes, through):
    """What each input of a node is handed, with the box it stands on; inputs in the pads or held are left out."""
    if node.rule.gains:
        parts = zip(map(whole_box, shapes), through(node, array))
        handed = [None if part is None else (box, part) for box, part in parts]
    else:
        handed = node.rule.transposed_part(node, array, whole_box(node.shape), shapes) if shapes else []
    return [(source, *found) for source, found in zip(node.inputs, handed) if found is not None]
