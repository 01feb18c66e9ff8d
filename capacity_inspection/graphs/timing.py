"""How far outputs of a sequence look back and ahead, and how long each has to wait for what it sees."""

import math
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np

from capacity_inspection.graphs.fields import output_position, spans_of
from capacity_inspection.graphs.graph import Graph
from capacity_inspection.graphs.operators.spans import FAR

__all__ = ["TimeReach", "looking_farther", "time_reach"]


@dataclass(frozen=True)
class TimeReach:
    """Steps of an input series from which paths lead to outputs, beside those that they stand for; of all channels.

    Attributes
    ----------
    node : str
        The last node that has a sequence, of which the outputs are meant.
    stride : int
        Steps that each of them stands for.
    past, future : int
        The largest number of steps before the first own step, and behind the last.
    latency : int
        The largest number of steps that the first own step waits for the last one that its output sees.
    ahead : str
        The first node whose units see steps behind their own; empty if there is none.
    path : tuple of str
        Nodes through which a later step reaches an output, from that one on.
    start, axis : int
        The first step that the first of them stands for, and the axis of the node along which they are.
    farthest : tuple of tuple of int
        Of an output that sees farthest back, and of one that sees farthest ahead: its place along that axis, and the
        first and the last step that it sees.

    Examples
    --------
    >>> from capacity_inspection.graphs import from_layers
    >>> graph = from_layers((1, 16), [("convolution", {"kernel": [[[1.0, 1.0, 1.0]]], "pads": 1})])
    >>> reach = time_reach(graph)
    >>> reach.past, reach.future, reach.causal
    (1, 1, False)
    """

    node: str
    stride: int
    past: int
    future: int
    latency: int
    ahead: str = ""
    start: int = 0
    axis: int = 1
    path: tuple[str, ...] = ()
    farthest: tuple[tuple[int, int, int], ...] = field(default=(), compare=False)

    @property
    def causal(self) -> bool:
        """Whether no path leads to any output from a later step than those that it stands for."""
        return not self.future


def time_reach(graph: Graph, output: str | None = None) -> TimeReach | None:
    """How far a sequence looks back and ahead in the one axis of positions of its input.

    Parameters
    ----------
    graph : Graph
    output : str, optional
        Name of the node. Default: the first output of the graph. If it has one position only, the last sequence that
        it is computed from is meant.

    Returns
    -------
    TimeReach or None
        None if the first input is no series, or if it is not known for which steps outputs stand: they are computed
        from all steps, steps are mixed with channels or joined one by one on the way, or windows without pads leave
        open how what they give is placed.

    Examples
    --------
    >>> from capacity_inspection.graphs import from_layers
    >>> layer = ("convolution", {"kernel": np.ones((1, 1, 3)), "pads": [(2, 0)]})
    >>> wide = ("convolution", {"kernel": np.ones((1, 1, 3)), "pads": 1, "name": "wide"})
    >>> found = time_reach(from_layers((1, 31), [layer, wide, layer]))
    >>> found.past, found.future, found.path
    (5, 1, ('wide', 'convolution 3'))
    """
    found = _followed(graph, output)
    return None if found is None else found[0]


def looking_farther(graph: Graph, output: str | None = None) -> dict[str, bool]:
    """Nodes whose units look farther ahead than all that they read: what keeps a sequence from being causal.

    Of each, whether it is known for which steps all units stand that it reads. Else it may be these that look ahead.

    Examples
    --------
    >>> from capacity_inspection.graphs import from_layers
    >>> wide = ("convolution", {"kernel": np.ones((1, 1, 3)), "pads": 1})
    >>> looking_farther(from_layers((1, 31), [wide, ("activation", {"function": "relu"}), wide]))
    {'convolution 1': True, 'convolution 3': True}
    """
    found = _followed(graph, output)
    return {} if found is None else found[1]


def _followed(graph, output):
    """What `time_reach` and `looking_farther` give, or None."""
    part = graph.up_to(output_position(graph, output, "last")[0])
    source, end = part[part.inputs[0]], part.nodes[-1]
    if len(source.shape) != 2:
        return None
    places, last = _places(part, source), None
    for node in part.nodes:
        if len(_sequences(node, places)) == 1 and node.inputs:
            last = node
    one = math.prod(end.shape[1:]) == 1 and _APART not in places.get(end.name, {}).values()
    if last is None or not (last is end or one):
        return None
    ((axis, end_place),) = _sequences(last, places)
    if not end_place.known:
        return None
    late: dict[str, tuple[str, ...]] = {}
    ahead_of: dict[str, np.ndarray] = {}
    depends: set[str] = set()
    farther: dict[str, bool] = {}
    for node, spans in spans_of(part.up_to(last.name), source.name, 1):
        for own, place in _sequences(node, places):
            if place.known:
                *reached, steps = _reached(spans, own, place, node.shape)
                if _is_farther(steps, [ahead_of[key] for key in node.inputs if key in ahead_of]):
                    unplaced = (key for key in node.inputs if key in depends and key not in ahead_of)
                    farther[node.name] = all(math.prod(part[key].shape[1:]) == 1 for key in unplaced)
                ahead_of[node.name] = steps
                if reached[1]:
                    below = next((late[key] for key in node.inputs if key in late), ())
                    late[node.name] = (*below, node.name)
        depends.add(node.name)
        below = next((late[key] for key in node.inputs if key in late), ())
        if below and node.name not in late and not any(place.known for _, place in _sequences(node, places)):
            late[node.name] = (*below, node.name)
    path = late.get(last.name, ())
    ahead = path[0] if path else ""
    past, future, latency, farthest = reached
    hop, first = int(end_place.hop), int(end_place.first)
    return TimeReach(last.name, hop, past, future, latency, ahead, first, axis, path, farthest), farther


@dataclass(frozen=True)
class _Place:
    """Steps that units along an axis stand for: the one at u for `hop` of them from first + hop u on; None: unknown."""

    hop: Fraction
    first: Fraction | None

    @property
    def known(self):
        return self.first is not None and self.hop.denominator == 1 and self.first.denominator == 1


_APART = _Place(Fraction(0), None)  # of units that are several steps, added or multiplied


def _sequences(node, places):
    """Axes of a node along which units stand for steps, with their places."""
    found = places.get(node.name, {}).items()
    return [(axis, place) for axis, place in found if axis is not None and place is not _APART and node.shape[axis] > 1]


def _places(graph, source):
    """For which steps the units of each node stand, by their axis, or under None where there is one unit."""
    count = source.shape[1]
    found, folded = {source.name: {1: _Place(Fraction(1), Fraction(0))}}, {}
    for node in graph.nodes:
        shapes, own = graph.shapes_below(node), {}
        for index, name in enumerate(node.inputs):
            if name in folded:
                whole, places = folded[name]
                if node.operator == "reshape" and node.shape == whole:
                    own = dict(places)  # it was folded, and is as before
                elif len(shapes) == 1 and _in_place(node, shapes):
                    folded[node.name] = folded[name]
            for axis, place in found.get(name, {}).items():
                window = None if axis is None else node.rule.window(node, axis, index, shapes)
                if window is None and axis is not None and node.operator == "reshape":
                    folded[node.name] = shapes[0], found[name]
                if node.rule.in_step and index == 0 and axis is not None:
                    window = axis, 1, (0,)
                above = None if window is None else window[0]
                if above is None and axis is not None and shapes[index][axis] > 1 and place is not _APART:
                    continue
                sizes = (1, 1) if above is None else (shapes[index][axis], node.shape[above])
                moved = place if above is None or place is _APART else _moved(place, window, *sizes, count)
                own[above] = _joined(own[above], moved, node) if above in own else moved
        if own and node.name != source.name:
            found[node.name] = {axis: place for axis, place in own.items() if place is not None}
    return found


def _in_place(node, shapes):
    """Whether all units stand where their own entry of the input does."""
    windows = (node.rule.window(node, axis, 0, shapes) for axis in range(len(shapes[0])))
    return node.rule.in_step or all(each == (axis, 1, (0,)) for axis, each in enumerate(windows))


def _moved(place, window, entries, units, steps):
    """The place of units that read a window of units of a place, as it fits the number of all steps."""
    _, stride, offsets = window
    hop, first = Fraction(place.hop * stride), None
    if hop and (units * hop == steps or (len(offsets) > 1 and units == math.ceil(steps / hop))):
        first = Fraction(0)  # as many as there are: each stands for its own
    elif len(offsets) == 1 and place.first is not None:
        first = place.first + place.hop * Fraction(offsets[0])
    elif units == math.ceil(entries / Fraction(stride)) or (min(offsets) >= 0 and max(offsets) < stride):
        first = place.first
    return _Place(hop, first)


def _joined(one, other, node):
    """The place of units that are computed from units of two places."""
    if _APART in (one, other) or one is None or other is None:
        return _APART if _APART in (one, other) else None
    if one.hop == other.hop and (None in (one.first, other.first) or one.first == other.first):
        return one if other.first is None else other
    return None if node.operator == "concatenate" else _APART


def _reached(spans, axis, place, shape):
    """Steps before the first own one, behind the last, and behind the first, the most of all units; which see most.

    Then how many behind the last one each unit sees.
    """
    ends = np.moveaxis(spans.per_unit([axis], shape).ends, axis + 1, -1)
    lows, highs = ends.min(axis=tuple(range(1, ends.ndim - 1))) * [[1], [-1]]
    seen = np.flatnonzero(lows < FAR)
    own = int(place.first) + int(place.hop) * seen
    lows, highs = lows[seen], highs[seen]
    found = own - lows, highs - own - int(place.hop) + 1, highs - own
    most = [int(np.argmax(each)) for each in found[:2] if each.size]
    farthest = tuple((int(seen[k]), int(lows[k]), int(highs[k])) for k in most)
    ahead = np.zeros(ends.shape[-1], int)
    ahead[seen] = found[1].clip(0)
    return *(max(0, int(each.max(initial=0))) for each in found), farthest, ahead


def _is_farther(steps, below):
    """Whether units look more steps ahead than those below, one by one where these are as many."""
    if any(each.shape != steps.shape for each in below):
        return bool(steps.max() > max(each.max() for each in below))
    return bool((steps > np.max(below, axis=0, initial=0)).any() if below else steps.any())
