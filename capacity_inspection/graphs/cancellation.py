"""Which entries of an input move a unit: paths that lead from one may cancel, whatever the weights are.

Products of weights and gains are computed in Monte Carlo arithmetic (Parker 1997): each value is multiplied by one plus
relative noise, in several runs. What is left of paths that cancel is noise, and differs between runs by as much as it
is; a gradient that is there agrees between them, however small it is. Weights are redrawn, so that none is zero, and so
are values and slopes of activations, and what reaches a softmax or a recurrent layer: where these are flat, they would
hide a path.
"""

import math
import zlib
from dataclasses import replace

import numpy as np

from capacity_inspection.graphs.backward import passed_down
from capacity_inspection.graphs.operators.boxes import Box, box_hull, whole_box

__all__ = ["MovedBoxes"]

_RUNS, _DRAWS = 5, 3
_NOISE, _ALIKE = 1e-13, 1e-2  # relative, of values; and of gradients that are there, at most
_LEAST = 1e-250  # beside smaller gradients zeros may be underflows
_MOST, _LARGEST = 2**28, 2**22  # multiply-adds of all passes, of one run, and values of one
_SATURATING = ("attention", "recurrent", "softmax")
_ALGEBRAIC = ("identity", "square", "exp", "sqrt", "log", "reciprocal")  # of which quotients are made


class MovedBoxes:
    """Boxes of the entries of inputs that move units, of as many units as take about a second."""

    def __init__(self, graph):
        self.graph, self._draws = graph, []
        units = sum(math.prod(node.shape) for node in graph.nodes)
        products = sum(node.rule.multiply_adds(node, graph.shapes_below(node)) for node in graph.nodes)
        rectified = any(node.operator == "recurrent" and node.options["function"] == "relu" for node in graph.nodes)
        passes = _MOST // (units + products) if any(map(_may_cancel, graph.nodes)) else 0
        self.passes = 0 if rectified or units > _LARGEST else passes  # a rectified state may be off at all inputs

    def __call__(self, name, at, boxes):
        """Hulls of the entries of boxes, those of structure, that move a unit, or any of a slice; None if unknown."""
        found = dict.fromkeys(boxes)
        for seed in range(_DRAWS):
            self.passes -= 1
            if self.passes < 0:
                return None
            if seed == len(self._draws):
                self._draws.append(_Draw(self.graph, seed))
            for key, moved in self._draws[seed].moved(name, at):
                if key in boxes:
                    found[key] = box_hull(found[key], _hull(moved, boxes[key]))
            if found == boxes:
                break
        return found


def _hull(moved, box):
    """The smallest box around entries of another one that are marked, if there are any."""
    places = np.argwhere(box.cut(moved)) + box.start
    ends = (places.min(axis=0), places.max(axis=0) + 1) if places.size else ()
    return Box(*(tuple(end.tolist()) for end in ends)) if ends else None


class _Draw:
    """Values of all nodes, in all runs, at redrawn weights and inputs."""

    def __init__(self, graph, seed):
        self.graph = replace(graph, nodes=tuple(_redrawn(node, seed) for node in graph.nodes))
        self.rng, self.values, self.read, self.slopes = np.random.default_rng(seed), {}, {}, {}
        for node in self.graph.nodes:
            self.read[node.name] = [self.values[key] for key in node.inputs]
            if node.operator in _SATURATING:
                self.read[node.name] = [self._random(value.shape[1:]) for value in self.read[node.name]]
            random = node.rule.gains == "unit" and node.options["function"] not in _ALGEBRAIC
            if random or node.rule.gains == "entry":
                self.slopes[node.name] = self.rng.uniform(0.5, 1.5, graph[node.inputs[0]].shape)
            if random or not node.inputs:
                self.values[node.name] = self._random(node.shape)
            else:
                with np.errstate(all="ignore"):
                    self.values[node.name] = self._noisy(node.rule.value(node, self.read[node.name]))

    def _random(self, shape):
        return self._noisy(np.broadcast_to(self.rng.uniform(0.3, 0.9, shape), (_RUNS, *shape)))

    def _noisy(self, array):
        return array * self.rng.uniform(1 - _NOISE, 1 + _NOISE, array.shape)

    def moved(self, name, at):
        """Of each input which entries move a unit, or cannot be said not to."""
        unit = np.zeros((_RUNS, *self.graph[name].shape))
        unit[(slice(None), *at)] = self.rng.uniform(0.5, 1.5, unit[(0, *at)].shape)
        live, boxes = {name: (unit,)}, {node.name: whole_box(node.shape) for node in self.graph.nodes}
        with np.errstate(all="ignore"):
            for _ in passed_down(self.graph, live, self._hand, boxes):
                pass
            for key, (array,) in live.items():
                size = np.abs(array).max(axis=0)
                some = np.min(size, where=size > 0, initial=np.inf) < _LEAST
                yield key, ~(np.ptp(array, axis=0) >= _ALIKE * size) | some

    def _hand(self, node, arrays):
        array, slopes, shapes = self._noisy(arrays[0]), self.slopes.get(node.name), self.graph.shapes_below(node)
        if slopes is None and node.rule.gains:
            parts = node.rule.vjp(node, array, self.read[node.name])
            found = [(whole_box(part.shape[1:]), part) for part in parts]
        else:
            found = node.rule.transposed_part(node, array, whole_box(node.shape), shapes)
        for source, each in zip(node.inputs, found):
            if each is not None:
                box, part = each
                yield source, box, part if slopes is None else part * box.cut(slopes)


def _may_cancel(node):
    """Whether derivatives have signs that no parameter can change."""
    signed = not node.parameters and any((array < 0).any() for array in node.arrays.values())
    return signed or node.operator == "interpolate" or (node.rule.gains == "sample" and node.operator != "recurrent")


def _redrawn(node, seed):
    """The node with parameters of about the size that they have; those that nodes share stay the same."""

    def drawn(key, array):
        rng = np.random.default_rng([seed, zlib.crc32(f"{sorted(node.parameters)} {key}".encode())])
        none = np.abs(array) <= np.finfo(array.dtype).tiny if node.parameters else array == np.finfo(array.dtype).tiny
        found = np.where(none, array[0].size ** -0.5, array)
        if node.operator == "recurrent":
            found = found / max(np.abs(found).max() * array[0].size ** 0.5, 1.0)
        return found * rng.uniform(0.5, 1.5, array.shape) if node.parameters else found

    return replace(node, arrays={key: drawn(key, array) for key, array in node.arrays.items()})
