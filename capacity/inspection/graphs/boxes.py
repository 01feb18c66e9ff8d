"""What a box of a node's entries is computed from: boxes of entries of its inputs, by interval arithmetic.

A convolution reads, for the outputs a, ..., b along one axis, the inputs s a - p, ..., s b - p + d (k - 1), with its
stride s, its pads p before, its dilation d and its k taps.
"""

import math
from dataclasses import dataclass

import numpy as np

__all__ = ["Box", "box_hull", "input_boxes", "whole_box", "windows"]


@dataclass(frozen=True)
class Box:
    """Entries start, ..., stop - 1 along each axis of an array, channels first.

    Attributes
    ----------
    start, stop : tuple of int
    """

    start: tuple[int, ...]
    stop: tuple[int, ...]

    @property
    def shape(self):
        """Number of entries along each axis."""
        return tuple(b - a for a, b in zip(self.start, self.stop))

    def within(self, other):
        """Slices that cut this box out of an array of another one.

        Parameters
        ----------
        other : Box
            That contains this one.

        Returns
        -------
        tuple
            An ellipsis, for axes of samples, and a slice for each axis.
        """
        return (..., *(slice(a - c, b - c) for a, b, c in zip(self.start, self.stop, other.start)))

    def cut(self, array):
        """The part of an array that belongs to this box, of one that broadcasts against the shape of the whole.

        Parameters
        ----------
        array : ndarray
            With as many axes as the box, each of full length or of length one; or a number.

        Returns
        -------
        ndarray
        """
        slices = (slice(a, b) if n > 1 else slice(None) for a, b, n in zip(self.start, self.stop, array.shape))
        return array[tuple(slices)]


def whole_box(shape):
    """The box of all entries of a shape.

    Parameters
    ----------
    shape : tuple of int

    Returns
    -------
    Box
    """
    return Box((0,) * len(shape), tuple(shape))


def box_hull(first, second):
    """The smallest box that contains two.

    Parameters
    ----------
    first, second : Box or None
        None stands for an empty one.

    Returns
    -------
    Box or None
    """
    if first is None or second is None:
        return first or second
    starts, stops = zip(first.start, second.start), zip(first.stop, second.stop)
    return Box(tuple(map(min, starts)), tuple(map(max, stops)))


def windows(node):
    """Taps, strides, dilations and pads before, for each axis of positions of a convolution or a pool.

    Parameters
    ----------
    node : Node

    Returns
    -------
    taps, strides, dilations, before : tuple of int
    """
    taps = node.arrays["kernel"].shape[2:] if node.operator == "convolution" else node.options["window"]
    before = tuple(pad[0] for pad in node.options["pads"])
    return taps, node.options["strides"], node.options.get("dilations", (1,) * len(taps)), before


def input_boxes(node, box, shapes, *, clip=True):
    """The boxes of its inputs that a box of a node is computed from.

    Parameters
    ----------
    node : Node
    box : Box
        Of its value.
    shapes : sequence of tuple of int
        Of its inputs.
    clip : bool, optional
        Leave out what lies in the pads.

    Returns
    -------
    list of Box or None
        One per input; None where nothing of it is read.
    """
    if node.operator in ("convolution", "average_pool", "max_pool"):
        return [_windowed(node, box, shapes[0], clip)]
    rule = _RULES.get(node.operator)
    return rule(node, box, shapes, clip) if rule else [box] * len(shapes)


def _windowed(node, box, shape, clip):
    starts, stops = [box.start[0]], [box.stop[0]]
    if node.operator == "convolution":
        groups = node.options["groups"]
        above, below = node.shape[0] // groups, shape[0] // groups
        starts, stops = [box.start[0] // above * below], [-(-box.stop[0] // above) * below]
    for a, b, n, k, stride, dilation, pad in zip(box.start[1:], box.stop[1:], shape[1:], *windows(node)):
        read = (np.array([a, b - 1])[:, None] * stride + dilation * np.array([0, k - 1])).ravel() - pad
        if clip and (read.min() < 0 or read.max() >= n):  # taps may jump over the first entries
            read = (np.arange(a, b)[:, None] * stride + dilation * np.arange(k)).ravel() - pad
            read = read[(read >= 0) & (read < n)]
            if read.size == 0:
                return None
        starts.append(int(read.min()))
        stops.append(int(read.max()) + 1)
    return Box(tuple(starts), tuple(stops))


def _dense(node, box, shapes, clip):
    axis = node.options["axis"]
    if axis is None:
        return [whole_box(shapes[0])]
    start, stop = list(box.start), list(box.stop)
    start[axis], stop[axis] = 0, shapes[0][axis]
    return [Box(tuple(start), tuple(stop))]


def _concatenate(node, box, shapes, clip):
    axis, offset, found = node.options["axis"], 0, []
    for shape in shapes:
        start, stop = list(box.start), list(box.stop)
        start[axis], stop[axis] = max(start[axis] - offset, 0), min(stop[axis] - offset, shape[axis])
        found.append(Box(tuple(start), tuple(stop)) if start[axis] < stop[axis] else None)
        offset += shape[axis]
    return found


def _pad(node, box, shapes, clip):
    start = [a - pad[0] for a, pad in zip(box.start, node.options["pads"])]
    stop = [b - pad[0] for b, pad in zip(box.stop, node.options["pads"])]
    if clip:
        start, stop = [max(a, 0) for a in start], [min(b, n) for b, n in zip(stop, shapes[0])]
    return [Box(tuple(start), tuple(stop)) if all(a < b for a, b in zip(start, stop)) else None]


def _slice(node, box, shapes, clip):
    begin, step = node.options["begin"], node.options["step"]
    start = tuple(first + a * s for first, a, s in zip(begin, box.start, step))
    stop = tuple(first + (b - 1) * s + 1 for first, b, s in zip(begin, box.stop, step))
    return [Box(start, stop)]


def _transpose(node, box, shapes, clip):
    order = np.argsort(node.options["permutation"])
    return [Box(tuple(box.start[k] for k in order), tuple(box.stop[k] for k in order))]


def _reshape(node, box, shapes, clip):
    """Axes that hold the same entries are matched; within a group of several, the hull in C order."""
    start, stop = [], []
    for above, below in _groups(node.shape, shapes[0]):
        first, last = ([box.start[k] for k in above], [box.stop[k] - 1 for k in above])
        sizes, others = [node.shape[k] for k in above], [shapes[0][k] for k in below]
        low, high = (_unravelled(_ravelled(corner, sizes), others) for corner in (first, last))
        differs = next((i for i, (a, b) in enumerate(zip(low, high)) if a != b), len(others))
        start += [*low[: differs + 1], *[0] * (len(others) - differs - 1)]
        stop += [b + 1 for b in high[: differs + 1]] + others[differs + 1 :]
    return [Box(tuple(start), tuple(stop))]


def _groups(above, below):
    """Runs of axes of two shapes that hold equally many entries, as short as possible."""
    groups, i, j = [], 0, 0
    while i < len(above) or j < len(below):
        first, second = i, j
        i, j = min(i + 1, len(above)), min(j + 1, len(below))
        while (left := math.prod(above[first:i])) != (right := math.prod(below[second:j])):
            if left < right:
                i += 1
            else:
                j += 1
        groups.append((range(first, i), range(second, j)))
    return groups


def _ravelled(index, sizes):
    flat = 0
    for i, n in zip(index, sizes):
        flat = flat * n + i
    return flat


def _unravelled(flat, sizes):
    index = []
    for n in reversed(sizes):
        flat, i = divmod(flat, n)
        index.append(i)
    return index[::-1]


def _recurrent(node, box, shapes, clip):
    direction, steps = node.options["direction"], shapes[0][1]
    start = box.start[1] if direction == "reverse" else 0
    stop = box.stop[1] if direction == "forward" else steps
    return [Box((0, start), (shapes[0][0], stop))]


_RULES = {
    "input": lambda *_: [],
    "dense": _dense,
    "concatenate": _concatenate,
    "pad": _pad,
    "slice": _slice,
    "transpose": _transpose,
    "reshape": _reshape,
    "recurrent": _recurrent,
}
