"""Receptive fields as they are seen from outside: entries of the inputs are changed one by one."""

import math

import numpy as np
from brute_fields import box_of

from capacity_inspection.graphs import forward

__all__ = ["probed_fields"]


def probed_fields(graph, output=None, *, draws=6):
    """For each unit of a node, the box of each input around the entries that change it, at several random inputs."""
    name = output or graph.outputs[0]
    part, found = graph.up_to(name), {}
    for draw in range(draws):
        rng = np.random.default_rng(draw)
        base = {key: rng.normal(draw % 2, 1, (1, *graph[key].shape)) for key in part.inputs}
        for key in part.inputs:
            shape = part[key].shape
            size = math.prod(shape)
            changes = 9.0 * np.concatenate([np.zeros((1, size)), np.eye(size), -np.eye(size)])
            many = {other: np.broadcast_to(base[other], (len(changes), *part[other].shape)) for other in part.inputs}
            many[key] = many[key] + changes.reshape(-1, *shape)
            values = forward(part, many)[name]
            differ = np.abs(values[1:] - values[:1]) > 1e-13 * np.abs(values[:1])
            found[key] = found.get(key, False) | (differ[:size] | differ[size:])
    boxes = {
        at: {key: box_of(seen[(..., *at)].reshape(part[key].shape)) for key, seen in found.items()}
        for at in np.ndindex(*part[name].shape)
    }
    return {at: {key: box for key, box in each.items() if box is not None} for at, each in boxes.items()}
