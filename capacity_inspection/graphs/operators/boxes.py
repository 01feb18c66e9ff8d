"""Boxes of entries of an array: the intervals in which receptive fields are computed."""

from dataclasses import dataclass

import numpy as np

__all__ = ["Box", "box_hull", "whole_box"]


@dataclass(frozen=True)
class Box:
    """Entries start, ..., stop - 1 along each axis of an array, channels first.

    Attributes
    ----------
    start, stop : tuple of int

    Examples
    --------
    >>> box = Box((0, 2), (1, 4))
    >>> box.shape, box.within(Box((0, 1), (2, 4)))
    ((1, 2), (Ellipsis, slice(0, 1, None), slice(1, 3, None)))
    """

    start: tuple[int, ...]
    stop: tuple[int, ...]

    @property
    def shape(self) -> tuple[int, ...]:
        """Number of entries along each axis."""
        return tuple(b - a for a, b in zip(self.start, self.stop))

    def within(self, other: "Box") -> tuple:
        """Slices that cut this box out of an array of one that contains it: an ellipsis for samples, one per axis."""
        return (..., *(slice(a - c, b - c) for a, b, c in zip(self.start, self.stop, other.start)))

    def cut(self, array: np.ndarray) -> np.ndarray:
        """The part of an array that belongs to this box, of one that broadcasts against the shape of the whole."""
        slices = (slice(a, b) if n > 1 else slice(None) for a, b, n in zip(self.start, self.stop, array.shape))
        return array[tuple(slices)]


def whole_box(shape):
    """The box of all entries of a shape."""
    return Box((0,) * len(shape), tuple(shape))


def box_hull(first, second):
    """The smallest box that contains two, of which None is an empty one."""
    if first is None or second is None:
        return first or second
    starts, stops = zip(first.start, second.start), zip(first.stop, second.stop)
    return Box(tuple(map(min, starts)), tuple(map(max, stops)))
