"""One pass from an output down to the inputs: each node hands on what it is handed."""

import numpy as np

from capacity_inspection.graphs.operators.boxes import whole_box

__all__ = ["input_weights", "passed_down", "through_values", "weights_of_unit", "weights_passed"]


def passed_down(graph, live, hand, boxes):
    """Each node with inputs that something arrives at, from the last one down, before it hands on what it has.

    Parameters
    ----------
    graph : Graph
    live : dict of str to tuple of ndarray
        What arrived and was not handed on yet, by the name of the node: arrays (samples, *sizes) on its box, None for
        zeros. It begins with the outputs, and ends with the inputs.
    hand : callable
        Of a node and its arrays; gives the source, a box of it, and an array on that for each of these.
    boxes : mapping of str to Box
        That of each node.
    """
    for node in reversed(graph.nodes):
        if node.inputs and node.name in live:
            yield node
            for source, place, *handed in hand(node, live.pop(node.name)):
                found = live.get(source, (None,) * len(handed))
                live[source] = tuple(
                    _added(part, more, boxes[source], place) for part, more in zip(found, handed, strict=True)
                )


def _added(part, more, hull, place):
    """What arrived before, on a hull, and what arrives now on a part of it; neither is changed."""
    if more is not None and place != hull:
        more, array = np.zeros((len(more), *hull.shape)), more
        more[place.within(hull)] = array
    return more if part is None else part if more is None else part + more


def input_weights(graph, name, at, through):
    """Product of weights and gains, summed over all paths from each input entry to one unit: by name, (1, *shape).

    `through` makes, of a node with gains and of weights of shape (1, *node.shape), those of each input, or None.
    """
    live = weights_of_unit(graph, name, at)
    for _ in weights_passed(graph, live, through):
        pass
    return {key: live[key][0] if key in live else np.zeros((1, *graph[key].shape)) for key in graph.inputs}


def weights_of_unit(graph, name, at):
    """Where a pass down from one unit begins."""
    unit = np.zeros((1, *graph[name].shape))
    unit[(0, *at)] = 1.0
    return {name: (unit,)}


def through_values(values):
    """How weights pass a node at given values of all nodes: by its slopes."""
    return lambda node, array: node.rule.vjp(node, array, [values[key] for key in node.inputs])


def weights_passed(graph, live, through, boxes=None):
    """The pass of weights, of which `through` says how they pass gains; what is held gets none.

    Nodes are whole, or in boxes, but for those with gains and what they read.
    """
    if boxes is None:
        boxes = {node.name: whole_box(node.shape) for node in graph.nodes}

    def hand(node, arrays):
        (array,), shapes = arrays, graph.shapes_below(node)
        if node.rule.gains:
            found = [None if part is None else (whole_box(part.shape[1:]), part) for part in through(node, array)]
        else:
            found = node.rule.transposed_part(node, array, boxes[node.name], shapes)
        return [(source, *each) for source, each in zip(node.inputs, found) if each is not None]

    return passed_down(graph, live, hand, boxes)
