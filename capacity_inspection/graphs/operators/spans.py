"""What all units of a node see along one axis of a source: the first entry and the last one of each, exactly."""

import math
from dataclasses import dataclass, replace
from functools import reduce

import numpy as np

from capacity._validation import check_size

__all__ = ["FAR", "Spans", "aligned", "distinct", "met"]

FAR = 2**60  # the first entry, and minus the last one, that a unit sees which sees none
_MOST = 2**26  # ends that are kept of one node
_FEW = 16  # offsets of a window that are taken one by one


@dataclass(frozen=True, eq=False)
class Spans:
    """Ends (2, *sizes): the first entry that each unit sees, and minus the last one, so that both are least.

    An axis of one entry stands for all units along it. Along the others the units are those from `first` on: those of
    the node, and, where pads count as entries, as many of those beyond its borders as see whole windows.
    """

    ends: np.ndarray
    first: tuple[int, ...]
    pads: bool = False  # whether what lies beyond the borders counts as entries
    short: bool = False  # whether that is not as much as units of the node see
    runs: tuple[int, ...] = ()  # how many channels each entry of the first axis stands for, if not one

    def size(self, axis):
        """Number of units that are known along an axis."""
        return self.ends.shape[axis + 1]

    def put(self, axis, ends, first=0):
        """Other ends, with the units along an axis from a first one on; one entry if all are alike."""
        if (ends == ends.take([0], axis=axis + 1)).all():
            ends, first = ends.take([0], axis=axis + 1), 0
        runs = self.runs if axis or len(self.runs) == ends.shape[1] > 1 else ()
        return replace(self, ends=ends, first=(*self.first[:axis], first, *self.first[axis + 1 :]), runs=runs)

    def spread(self):
        """The same with an entry for each channel, if there are several."""
        return replace(self, ends=self.ends.repeat(self.runs, axis=1), runs=()) if self.runs else self

    def thinned(self):
        """With one entry for all units along each axis along which they are alike."""
        return reduce(lambda spans, axis: spans.put(axis, spans.ends, spans.first[axis]), range(len(self.first)), self)

    def of(self, ends):
        """Spans of all units of a node, one by one."""
        return replace(self, ends=ends, first=(0,) * (ends.ndim - 1)).thinned()

    def between(self, axis, first, stop):
        """The same for some of the units along an axis."""
        if self.size(axis) == 1:
            return self
        if self.runs and not axis:
            return self.spread().between(axis, first, stop)
        return self.put(
            axis, self.ends.take(range(first - self.first[axis], stop - self.first[axis]), axis=axis + 1), first
        )

    def per_unit(self, axes, shape):
        """The same with an entry for each unit of the node along some axes."""
        spans = self if 0 not in axes else self.spread()
        sizes = list(spans.ends.shape)
        for axis in axes:
            spans, sizes[axis + 1] = spans.between(axis, 0, shape[axis]), shape[axis]
        check_size(math.prod(sizes), "graph", "ends of receptive fields", maximum=_MOST, remedy="take a smaller input")
        first = tuple(0 if axis in axes else n for axis, n in enumerate(self.first))
        return replace(spans, ends=np.broadcast_to(spans.ends, sizes), first=first)

    def arranged(self, owns, rank):
        """With each axis where `owns` says, None for one along which all units are alike, of so many axes in all."""
        kept = sorted((own, axis) for axis, own in enumerate(owns) if own is not None)
        order = [axis for _, axis in kept] + [axis for axis, own in enumerate(owns) if own is None]
        sizes, first = [1] * rank, [0] * rank
        for own, axis in kept:
            sizes[own], first[own] = self.size(axis), self.first[axis]
        ends = self.ends.transpose(0, *(axis + 1 for axis in order)).reshape(2, *sizes)
        return replace(self, ends=ends, first=tuple(first))

    def along(self, axis, stride, offsets, count, entries):
        """Spans of the units u that read stride u + offsets along an axis of so many entries, `count` of them real."""
        if (stride, *offsets) == (1, 0) and count == entries:
            return self
        if self.runs and not axis:
            return self.spread().along(axis, stride, offsets, count, entries)
        size, first, low, high = self.size(axis), self.first[axis], min(offsets), max(offsets)
        if size == 1:
            return self if self.pads else self.where(axis, _reading(stride, offsets, count, entries))
        start, last, short = 0, count - 1, False
        if first < 0 or first + size > entries:
            start, last = min(start, -((low - first) // stride)), max(last, (first + size - 1 - high) // stride)
            short = start == 0 or last == count - 1
        before = max(first - stride * start - low, 0)
        after = max(stride * last + high - (first + size - 1), 0)
        ends = np.moveaxis(self.ends, axis + 1, -1)
        ends = np.pad(ends, [(0, 0)] * (ends.ndim - 1) + [(before, after)], constant_values=FAR)
        begin, places = stride * start - first + before, slice(None, stride * (last - start) + 1, stride)
        if len(offsets) > _FEW and isinstance(offsets, range):
            least = _least_of_runs(ends[..., begin + low :], len(offsets), offsets.step)[..., places]
        else:
            least = reduce(np.minimum, (ends[..., begin + offset :][..., places] for offset in offsets))
        return replace(self, short=self.short or short).put(axis, np.moveaxis(least, -1, axis + 1), start)

    def over(self, axis, entries):
        """Spans of units that all read the same entries of an axis."""
        if self.size(axis) == 1:
            return self
        if self.runs and not axis and len(entries) == sum(self.runs):
            return self.put(0, self.ends.min(axis=1, keepdims=True))
        if self.runs and not axis:
            return self.spread().over(axis, entries)
        places = np.asarray(entries) - self.first[axis]
        return self.put(axis, self.ends.take(places, axis=axis + 1).min(axis=axis + 1, keepdims=True))

    def chosen(self, axis, read):
        """Spans of units along an axis that read the entries which a matrix (units, entries) says."""
        spans = self.between(axis, 0, read.shape[1])
        if spans.size(axis) == 1:
            return spans.where(axis, read.any(axis=1))
        ends = np.moveaxis(spans.ends, axis + 1, -1)
        step, (rows, of) = max(_MOST // 8 // ends.size, 1), distinct(read)
        blocks = [rows[i : i + step] for i in range(0, len(rows), step)]
        least = [np.where(block, ends[..., None, :], FAR).min(axis=-1) for block in blocks]
        return spans.put(axis, np.moveaxis(np.concatenate(least, axis=-1)[..., of], -1, axis + 1))

    def where(self, axis, read):
        """The same, but that units along an axis see nothing where `read` is false."""
        return self.masked(read.reshape([-1 if k == axis else 1 for k in range(len(self.first))]))

    def masked(self, read):
        """The same, but that units of the node see nothing where an array that broadcasts is false."""
        if read.all():
            return self
        spans = self
        for axis, n in enumerate(read.shape):
            spans = spans.between(axis, 0, n) if n > 1 else spans
        return replace(spans, ends=np.where(read, spans.ends, FAR))


def distinct(rows):
    """The rows of an array that differ, and which of these each row is."""
    known: dict[bytes, int] = {}
    of = np.array([known.setdefault(row.tobytes(), len(known)) for row in rows])
    return rows[np.unique(of, return_index=True)[1]], of


def met(spans):
    """What units see that read the same units of several nodes."""
    if len(spans) == 1:
        return spans[0]
    spans = aligned([each.spread() for each in spans])
    short = any(each.short for each in spans)
    return replace(spans[0], ends=reduce(np.minimum, (each.ends for each in spans)), short=short).thinned()


def aligned(spans, but=None):
    """Spans of several nodes for the same units along all axes but one: from the same one on, or one entry for all."""
    found, first = spans, [0] * len(spans[0].first)
    for axis in range(len(first)):
        ends = [(each.first[axis], each.first[axis] + each.size(axis)) for each in spans if each.size(axis) > 1]
        if ends and axis != but:
            first[axis] = max(start for start, _ in ends)
            found = [each.between(axis, first[axis], min(stop for _, stop in ends)) for each in found]
    return [
        replace(each, first=tuple(own if axis == but else n for axis, (own, n) in enumerate(zip(each.first, first))))
        for each in found
    ]


def _reading(stride, offsets, count, entries):
    """Which of the units read an entry that is none of the pads."""
    if min(offsets) >= 0 and stride * (count - 1) + max(offsets) < entries:
        return np.ones(1, dtype=bool)
    units, found = stride * np.arange(count), np.zeros(count, dtype=bool)
    for offset in offsets:
        found |= (units + offset >= 0) & (units + offset < entries)
        if found.all():
            break
    return found


def _least_of_runs(array, count, step):
    """The least of so many entries, a step apart, from each one on."""
    done = 1
    while 2 * done <= count:
        array = np.minimum(array[..., : array.shape[-1] - done * step], array[..., done * step :])
        done *= 2
    rest = (count - done) * step
    return np.minimum(array[..., : array.shape[-1] - rest], array[..., rest:])
