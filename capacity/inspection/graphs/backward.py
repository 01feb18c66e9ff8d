"""Weights of the inputs in one output unit, where each activation multiplies by given gains: one pass backwards."""

import numpy as np

from capacity.inspection.graphs.boxes import whole_box

__all__ = ["input_weights"]


def input_weights(graph, name, at, through):
    """Product of weights and gains, summed over all paths from each input entry to one unit: by name, (1, *shape).

    `through` makes, of a node with gains and of weights of shape (1, *node.shape), those of its input.
    """
    live = {name: np.zeros((1, *graph[name].shape))}
    live[name][(0, *at)] = 1.0
    for node in reversed(graph.nodes):
        if not node.inputs or node.name not in live:
            continue
        array, shapes = live.pop(node.name), [graph[source].shape for source in node.inputs]
        if node.rule.gains:
            handed = [(whole_box(shapes[0]), through(node, array))]
        else:
            handed = node.rule.transposed_part(node, array, whole_box(node.shape), shapes)
        for source, found in zip(node.inputs, handed):
            if found is None:  # what is read lies in the pads
                continue
            box, part = found
            target = live.setdefault(source, np.zeros((1, *graph[source].shape)))
            target[box.within(whole_box(graph[source].shape))] += part
    return {key: live.get(key, np.zeros((1, *graph[key].shape))) for key in graph.inputs}
