"""One unit of capacity at an output, handed down node by node to the inputs: the two-part rule."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from capacity._validation import check_size
from capacity_inspection.graphs.backward import passed_down
from capacity_inspection.graphs.evaluation import LARGEST
from capacity_inspection.graphs.fields import boxes_below, output_position
from capacity_inspection.graphs.gains import node_gains
from capacity_inspection.graphs.graph import Graph
from capacity_inspection.graphs.operators.boxes import Box

__all__ = ["CapacityFlow", "UnitFlows", "capacity_flow"]


@dataclass(frozen=True, eq=False)
class CapacityFlow:
    """One unit of capacity at an output unit, and where it goes.

    Attributes
    ----------
    output : str
        Name of the node.
    at : tuple of int
        The unit, (channel, positions).
    inputs : dict of str to ndarray, shape of the input
        Capacity of each entry; all inputs together have the capacity one.
    nodes : dict of str to ndarray
        Capacity of each unit of a node, on the box that the output sees: of the nodes asked for, and of inputs.
    boxes : dict of str to Box
        These boxes.
    handed_down : dict of str to float
        Share of the capacity that passes through a node, of all that passes there: one in a chain, and in a residual
        block divided between the branches.

    Examples
    --------
    >>> from capacity_inspection.graphs import from_layers
    >>> layers = [("convolution", {"kernel": [[[1.0, 2.0]]]}), ("activation", {"function": "relu"})]
    >>> flow = capacity_flow(from_layers((1, 3), layers), at=(0, 0))
    >>> flow.boxes["input"], flow.inputs["input"]
    (Box(start=(0, 0), stop=(1, 2)), array([[0.2, 0.8, 0. ]]))
    """

    output: str
    at: tuple[int, ...]
    inputs: Mapping[str, np.ndarray]
    nodes: Mapping[str, np.ndarray]
    boxes: Mapping[str, Box]
    handed_down: Mapping[str, float]


def capacity_flow(
    graph: Graph, output: str | None = None, at: Any = "centre", *, coupling: Any = 0.0, nodes: Any = ()
) -> CapacityFlow:
    r"""Hand one unit of capacity at an output unit down to the inputs, at the weights of a network.

    Parameters
    ----------
    graph : Graph
    output, at : optional
        The unit, as in `receptive_fields`.
    coupling : float, "own" or mapping of str to Gain, optional
        Coupling nu of the activations. 0: all are pseudo-random, and squares of weights hand capacity down. 1: all are
        linear. "own": what Gaussian arguments of variance one give each function. A dictionary such as
        `measured_couplings` returns has each by its name.
    nodes : collection of str or True, optional
        Names of nodes, the capacity of whose units is kept; True for all.

    Returns
    -------
    CapacityFlow

    Raises
    ------
    ValueError
        If gains of a node follow from data, as of a recurrent layer, or the unit does not depend on any input, be it
        for want of a path or since all weights on the way are zero.

    Notes
    -----
    Let g be the weights of a node's units in the output, with every activation replaced by its gains. Gains are random,
    and so is g; behind weights P, below gains of the coupling :math:`\nu` and the mean square :math:`\rho`, its second
    moment is :math:`M' = \rho P\,[\nu M + (1 - \nu)\,\mathrm{diag}\,M]\,P^T`, as in
    `capacity.depth.expected_squared_gradient`. The *two-part rule* keeps what all paths have in common and what each
    unit has by itself, :math:`M \approx c c^T + \mathrm{diag}(v)`:

    .. math::

        c' = P\,\sqrt{\nu\rho}\,c, \qquad v' = (P \circ P)\,\rho\,[(1 - \nu)\,c \circ c + v] .

    At :math:`\nu = 1` nothing is left to v, and c is the linear network. At :math:`\nu = 0` all of it is in v after one
    activation, and squares of weights hand it down, as in the capacity network (paper 2, eq. 28). In between the rule
    leaves out that paths which part at a unit of v are in step where they meet again: `dense_input_capacity` does
    without it. It is exact at :math:`\nu = 1`; at :math:`\nu = 0` where layers that mix units
    do not follow each other without an activation, nor branches meet again without one; and at any :math:`\nu` with two
    such layers.

    The capacity of a unit is its mean square weight times the variance that it has when the inputs are white, the gains
    independent and the inputs of each node uncorrelated. Cuts through the network hold the same at :math:`\nu = 0`,
    where an activation stands between any two layers that mix units; elsewhere paths interfere, and each cut is scaled
    to one. A max pool is the choice of one entry of its window, each as likely. Normalisation at inference is linear.
    Biases take no capacity. Numbers are in double precision; the cost is that of a few evaluations.

    Examples
    --------
    >>> from capacity_inspection.graphs import from_layers
    >>> layers = [("convolution", {"kernel": [[[1.0, 2.0]]]}), ("activation", {"function": "relu"})]
    >>> capacity_flow(from_layers((1, 4), layers * 2), at=(0, 0)).inputs["input"]
    array([[0.04, 0.32, 0.64, 0.  ]])
    """
    return UnitFlows(graph, output, at).flow(coupling, nodes=nodes)


class UnitFlows:
    """Flows of one unit, as `capacity_flow` gives them: what does not depend on couplings is computed once.

    Parameters
    ----------
    graph : Graph
    output, at : optional
        As in `capacity_flow`.
    """

    def __init__(self, graph, output=None, at="centre"):
        self.name, self.at = name, at = output_position(graph, output, at)
        self.whole, self.part = graph, graph.up_to(name)
        part = self.part
        self.shapes = {node.name: part.shapes_below(node) for node in part.nodes}
        self.boxes = boxes_below(part, name, Box(at, tuple(i + 1 for i in at)))
        if not any(key in self.boxes for key in part.inputs):
            raise ValueError(
                f"output: expected a unit that depends on an input, got one of {name!r} that reads pads only"
            )
        seen = sum(math.prod(box.shape) for box in self.boxes.values())
        check_size(
            seen + sum(math.prod(part[key].shape) for key in part.inputs),
            "graph",
            "entries that the output sees",
            maximum=LARGEST,
            remedy="take a smaller input, or an output that sees less",
        )
        self._known = None  # powers, and the variances at these

    def flow(self, coupling=0.0, *, nodes=()):
        """The flow at couplings, both arguments as in `capacity_flow`."""
        part, boxes, name, at = self.part, self.boxes, self.name, self.at
        gains = node_gains(part, coupling, self.whole)
        variances = self._variances(gains)
        _check_alive(name, variances)
        live: dict[str, tuple] = {name: (np.ones((1,) * (len(at) + 1)), None)}
        kept, shares = {}, {}

        def hand(node, parts):
            if node.rule.gains == "unit":
                cut = (boxes[node.name].cut(value) for value in gains[node.name])
                parts = _through(*parts, *cut, not live)
            return _transposed(node, *parts, boxes[node.name], self.shapes[node.name], gains)

        for node in passed_down(part, live, hand, boxes):
            _balance(live, node.name)
            shares[node.name], square = _share(live, variances, node.name)
            if nodes is True or node.name in nodes:
                kept[node.name] = square * variances[node.name][0][0]
        inputs = {key: np.zeros(part[key].shape) for key in part.inputs}
        for key in live:
            shares[key], kept[key] = _share(live, variances, key)
            boxes[key].cut(inputs[key])[...] = kept[key]
        order = {node.name: None for node in part.nodes}
        return CapacityFlow(name, at, inputs, *({k: d[k] for k in order if k in d} for d in (kept, boxes, shares)))

    def _variances(self, gains):
        powers = [power for _, power in gains.values()]
        if self._known is None or not all(map(np.array_equal, powers, self._known[0])):
            self._known = powers, _variances(self.part, gains, self.boxes, self.shapes)
        return self._known[1]


def _variances(graph, gains, boxes, shapes):
    """Variance of every unit on its box, of white inputs and independent gains, as an array times a power of two."""
    found = {}
    for node in graph.nodes:
        if node.name not in boxes:
            continue
        if not node.inputs:
            found[node.name] = np.ones((1, *boxes[node.name].shape)), 0
            continue
        sources = [key for key in node.inputs if key in boxes]
        top = max(found[key][1] for key in sources)
        values = [np.ldexp(found[key][0], found[key][1] - top) if key in boxes else None for key in node.inputs]
        box = boxes[node.name]
        places = [boxes.get(key) for key in node.inputs]
        value = node.rule.linear_part(node, values, places, box, shapes[node.name], power=2)
        if node.rule.gains == "unit":
            value = value * box.cut(gains[node.name][1])
        exponent = math.frexp(value.max())[1]
        found[node.name] = np.ldexp(value, -exponent), top + exponent
    return found


def _check_alive(name, variances):
    """Refuse an output that depends on no input, and say where the path to them ends."""
    dead = next((key for key in variances if not 0 < variances[key][0].max() < np.inf), None)
    if not variances[name][0].max() > 0:
        raise ValueError(
            f"output: expected a unit of {name!r} that depends on an input, got none, since nothing passes {dead!r}; "
            "its weights or its gains are zero there"
        )
    if dead is not None and not np.isfinite(variances[dead][0].max()):
        raise ValueError(
            f"graph: expected variances within the range of a double, got an overflow at {dead!r}; scale it"
        )


def _square(common, own):
    """Mean squares M_ii of what a unit weighs in the output."""
    return common**2 if own is None else own if common is None else common**2 + own


def _share(live, variances, name):
    """The share of a node in the capacity of the cut that it is in, and mean squares of its weights in that unit."""
    squares = {key: _square(*parts) for key, parts in live.items()}
    top = max(variances[key][1] for key in live)
    totals = {
        key: math.ldexp(np.vdot(each, variances[key][0]), variances[key][1] - top) for key, each in squares.items()
    }
    cut = sum(totals.values())
    if not 0 < cut < np.inf:
        raise ValueError(
            f"graph: expected capacity to arrive at {name!r}, got {cut:g}; the output depends on nothing below"
        )
    return totals[name] / cut, squares[name][0] * (math.ldexp(1.0, variances[name][1] - top) / cut)


def _balance(live, name):
    """Change the unit of all weights if those of a node come close to the ends of the range of a double."""
    size = float(_square(*live[name]).max())
    if size and not 1e-100 < size < 1e100:
        shift = -math.frexp(size)[1] // 2
        for key, parts in live.items():
            live[key] = tuple(
                None if part is None else np.ldexp(part, power * shift) for power, part in enumerate(parts, start=1)
            )


def _through(common, own, coupling, power, alone):
    """Common and own part below an activation; a unit that is alone has all of it in common with itself."""
    if alone and _square(common, own).size == 1:
        return np.sqrt(_square(common, own) * power), None
    common, own = _split(common, own, coupling)
    return None if common is None else common * np.sqrt(power), None if own is None else own * power


def _split(common, own, coupling):
    """What stays in common where gains have a coupling, and what becomes each unit's own; None stands for zeros."""
    if common is not None:
        own = (1 - coupling) * common**2 + (0 if own is None else own)
        common = common * np.sqrt(coupling)
    return common if common is not None and common.any() else None, own if own.any() else None


def _transposed(node, common, own, box, shapes, gains):
    """Common and own part of what each input of a node is handed, with the box that it stands on."""
    if node.rule.gains == "entry":  # its transpose has the weights 1/k, those of a mean and the powers of a choice
        coupling, power = (box.cut(value) for value in gains[node.name])
        common, own = _split(common, own, coupling)
        common = None if common is None else common / np.sqrt(power)
    parts = [
        [None] * len(shapes) if part is None else node.rule.transposed_part(node, part, box, shapes, power=power)
        for part, power in ((common, 1), (own, 2))
    ]
    for source, first, second in zip(node.inputs, *parts):
        if first is not None or second is not None:
            yield source, (first or second)[0], first and first[1], second and second[1]
