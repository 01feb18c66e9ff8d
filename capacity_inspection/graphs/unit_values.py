"""Values of a few units of a network at many inputs: only the positions that they read are computed.

A unit of a dilated stack reads ever fewer positions of the layers above, so that this takes a small part of the time of
all values. Operators that do not slide along one axis of positions are computed whole.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from capacity._validation import check_size
from capacity_inspection.graphs.evaluation import LARGEST
from capacity_inspection.graphs.graph import Graph, Node

__all__ = ["UnitValues"]

_ALIKE = ("activation", "add", "scale")
_SLIDING = ("convolution", "pad", "slice")


@dataclass(frozen=True)
class UnitValues:
    """What is computed for some units of nodes of two axes, or for all of others.

    Attributes
    ----------
    graph : Graph
    wanted : mapping of str to sequence of int
        Positions by the name of a node.
    positions : dict of str to ndarray
        Those that are computed, of all nodes that are needed.

    Examples
    --------
    >>> from capacity_inspection.graphs import from_layers
    >>> layer = ("convolution", {"kernel": [[[1.0, -1.0]]], "dilations": 2, "pads": [(2, 0)]})
    >>> units = UnitValues(from_layers((1, 8), [layer, layer]), {"convolution 2": [7]})
    >>> units.positions["convolution 1"].tolist(), units.positions["input"].tolist(), units.size
    ([5, 7], [3, 5, 7], 6)
    >>> units({"input": np.arange(8.0).reshape(1, 1, 8) ** 2})["convolution 2"]
    array([[[8.]]])
    """

    graph: Graph
    wanted: Mapping[str, Any]
    positions: dict[str, np.ndarray] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        found = {name: np.unique(np.asarray(places, int)) for name, places in self.wanted.items()}
        for node in reversed(self.graph.nodes):
            if node.name not in found:
                continue
            if node.inputs and not self._is_tame(node):
                found[node.name] = _whole(node.shape)
            for index, source in enumerate(node.inputs):
                shape = self.graph[source].shape
                read = _whole(shape)
                if self._is_tame(node):
                    places = self._read(node, found[node.name], index)
                    read = np.unique(places[(places >= 0) & (places < shape[1])])
                found[source] = np.union1d(found.get(source, read), read)
        object.__setattr__(self, "positions", found)

    @property
    def size(self) -> int:
        """Number of values for one input."""
        shapes = {name: self.graph[name].shape for name in self.positions}
        return sum(
            math.prod((*shape[:1], self.positions[name].size, *shape[2:]) if len(shape) > 1 else shape)
            for name, shape in shapes.items()
        )

    def __call__(self, inputs: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
        """Values at the positions, by the name of the node, for whole inputs (samples, channels, steps)."""
        units = len(next(iter(inputs.values()))) * self.size
        check_size(units, "inputs", "values of all nodes", maximum=LARGEST, remedy="pass fewer samples at a time")
        found: dict[str, np.ndarray] = {}
        for node in self.graph.nodes:
            if node.name not in self.positions:
                continue
            places = self.positions[node.name]
            if not node.inputs:
                found[node.name] = inputs[node.name][:, :, places] if len(node.shape) == 2 else inputs[node.name]
            elif not self._is_tame(node):
                found[node.name] = node.rule.value(node, [found[name] for name in node.inputs])
            elif node.operator in _SLIDING:
                found[node.name] = self._slid(node, places, found[node.inputs[0]])
            else:
                values = [self._at(found[name], name, places) for name in node.inputs]
                arrays = {key: each[..., places] if each.shape[-1] > 1 else each for key, each in node.arrays.items()}
                cut = replace(node, arrays=arrays, shape=(node.shape[0], places.size))
                found[node.name] = node.rule.value(cut, values)
        return found

    def taken(self, values: Mapping[str, np.ndarray], name: str, at: Sequence[int]) -> np.ndarray:
        """All channels of a node at a position (p, ...) that was wanted, shape (samples, channels)."""
        place = [int(np.searchsorted(self.positions[name], p)) for p in at[:1]]
        chosen: tuple[Any, ...] = (slice(None), slice(None), *place, *at[1:])
        return values[name][chosen]

    def _is_tame(self, node: Node) -> bool:
        """Whether units of a node read a few positions of its inputs, and the channels as they are."""
        if any(len(shape) != 2 for shape in (node.shape, *self.graph.shapes_below(node))):
            return False
        alike = node.operator == "convolution" or node.shape[0] == self.graph[node.inputs[0]].shape[0]
        return node.operator in (*_ALIKE, *_SLIDING) and alike

    def _read(self, node, places, index):
        """Positions of an input that positions read, of pads, too, shape (positions, taps)."""
        _, stride, offsets = node.rule.window(node, 1, index, self.graph.shapes_below(node))
        return stride * places[:, None] + np.array(offsets)

    def _at(self, value, name, places, fill=0.0):
        """Values of a node at some of its positions, or what is around it."""
        known = self.positions[name]
        if not known.size:
            return np.full((*value.shape[:2], places.size), fill)
        at = np.searchsorted(known, places)
        inside = (at < known.size) & (known[np.minimum(at, known.size - 1)] == places)
        found = value[:, :, np.where(inside, at, 0)]
        return found if inside.all() else np.where(inside, found, fill)

    def _slid(self, node, places, value):
        """A convolution tap by tap, or what a pad or a slice puts at the places."""
        read = self._read(node, places, 0)
        if node.operator != "convolution":
            return self._at(value, node.inputs[0], read[:, 0], node.options.get("value", 0.0))
        kernel, groups = node.arrays["kernel"].astype(float), node.options["groups"]
        kernel = kernel.reshape(groups, -1, *kernel.shape[1:])  # (groups, outputs, inputs, taps)
        samples, shift, total = len(value), node.rule.shift(node), np.zeros(())
        for tap in range(kernel.shape[-1]):  # of all samples at once: products of small matrices take longer
            part = self._at(value, node.inputs[0], read[:, tap]).reshape(samples, groups, kernel.shape[2], places.size)
            total = total + kernel[..., tap] @ np.moveaxis(part, 0, 2).reshape(groups, kernel.shape[2], -1)
        found = np.moveaxis(total.reshape(node.shape[0], samples, places.size), 1, 0)
        return found if shift is None else found + shift


def _whole(shape):
    return np.arange(shape[1] if len(shape) > 1 else 1)
