"""Operators that slide a window over positions: convolutions and pools, tap by tap.

A convolution reads, for the outputs a, ..., b along one axis, the inputs s a - p, ..., s b - p + d (k - 1), with its
stride s, its pads p before, its dilation d and its k taps.
"""

import math
from dataclasses import replace
from itertools import product

import numpy as np

from capacity._validation import check_integer, check_integers
from capacity_inspection.graphs.operators.boxes import whole_box
from capacity_inspection.graphs.operators.rules import Operator, check_vector, paired, required
from capacity_inspection.graphs.operators.spans import met

__all__ = ["AveragePool", "Convolution", "MaxPool", "channels_of_groups", "channels_window", "of_groups"]


_BLOCK = 2**15  # entries that are added to at once, where each takes one product


class _Windowed(Operator):
    """What convolutions and pools have in common: where the taps of their windows are."""

    equivariant = by_runs = True

    def taps(self, node):
        return node.options["window"]

    def window(self, node, axis, index, shapes):
        if not axis:
            return super().window(node, axis, index, shapes)
        taps, stride, dilation, pad = (each[axis - 1] for each in _windows(node, self.taps(node)))
        return axis, stride, range(-pad, dilation * taps - pad, dilation)

    def slices(self, node, box, below):
        """For each tap (tap, above, read): the outputs that it reads for and the inputs that it reads, on boxes."""
        for chosen in product(*self.axes_of_taps(node, box, below)):
            above, read = tuple(c[1] for c in chosen), tuple(c[2] for c in chosen)
            yield tuple(c[0] for c in chosen), (slice(None), slice(None), *above), (slice(None), slice(None), *read)

    def axes_of_taps(self, node, box, below):
        """The same along each axis of positions by itself."""
        axes = []
        for a, b, first, last, k, stride, dilation, pad in zip(
            box.start[1:], box.stop[1:], below.start[1:], below.stop[1:], *_windows(node, self.taps(node))
        ):
            taps = []
            for tap in range(k):
                shift = dilation * tap - pad  # output o reads input stride o + shift
                low = max(a, -((shift - first) // stride))
                high = min(b, (last - 1 - shift) // stride + 1)
                if low < high:
                    start = stride * low + shift - first
                    taps.append(
                        (tap, slice(low - a, high - a), slice(start, start + stride * (high - low - 1) + 1, stride))
                    )
            axes.append(taps)
        return axes


def _windows(node, taps):
    """Taps, strides, dilations and pads before, for each axis of positions."""
    before = tuple(pad[0] for pad in node.options["pads"])
    return taps, node.options["strides"], node.options.get("dilations", (1,) * len(taps)), before


def _placed(positions, window, options):
    """Number of places where a window fits along each axis, and its strides, dilations and pads."""
    axes = len(positions)
    strides = check_integers(options.get("strides", 1), "strides", length=axes)
    dilations = check_integers(options.get("dilations", 1), "dilations", length=axes)
    pads = paired(options.get("pads", 0), "pads", axes)
    places = [
        (n + sum(pad) - dilation * (k - 1) - 1) // stride + 1
        for n, k, stride, dilation, pad in zip(positions, window, strides, dilations, pads)
    ]
    if min(places, default=1) < 1:
        raise ValueError(
            f"window: expected at most the extent of the input with its pads, got {tuple(window)} with dilations "
            f"{dilations} on {tuple(positions)} with pads {pads}; pad more, or shorten the window"
        )
    return places, strides, dilations, pads


class Convolution(_Windowed):
    """Cross-correlation with a kernel (out, in/groups, *taps).

    Taps that are zero in all channels, where others are not, are not read, as those that a mask multiplies.
    """

    arrays = ("kernel", "bias")
    options = ("strides", "dilations", "pads", "groups")

    def complete(self, shapes, arrays, options):
        kernel = required(arrays, "kernel", "convolution")
        (channels, *positions) = shapes[0]
        if kernel.ndim != len(shapes[0]) + 1 or kernel.size == 0:
            raise ValueError(
                f"convolution: expected a kernel (out, in/groups, *taps), {len(shapes[0]) + 1} axes for an input of "
                f"shape {shapes[0]}, got shape {kernel.shape}; reshape the input or the kernel"
            )
        groups = check_integer(options.get("groups", 1), "groups", minimum=1)
        if channels != groups * kernel.shape[1] or kernel.shape[0] % groups:
            raise ValueError(
                f"convolution: expected a kernel for {channels} channels in {groups} groups, got shape {kernel.shape}; "
                "the kernel has shape (out, in/groups, *taps), out a multiple of the groups"
            )
        check_vector(arrays, "bias", kernel.shape[0], "convolution")
        places, strides, dilations, pads = _placed(positions, kernel.shape[2:], options)
        options = {"strides": strides, "dilations": dilations, "pads": pads, "groups": groups}
        return (kernel.shape[0], *places), arrays, options

    def taps(self, node):
        return node.arrays["kernel"].shape[2:]

    def window(self, node, axis, index, shapes):
        if not axis:
            return channels_window(node, shapes[0][0])
        return super().window(node, axis, index, shapes)

    def _taps_read(self, node):
        """Where taps are not zero in all channels, if some are; else None."""
        kernel = node.arrays["kernel"]
        if kernel[0, 0].all():  # of most kernels, without a look at all
            return None
        read = kernel.any(axis=(0, 1))
        return read if 0 < read.sum() < read.size else None

    def slide(self, node, spans, axis, index, shapes):
        if axis or node.options["groups"] == 1:
            return super().slide(node, spans, axis, index, shapes)
        return of_groups(node, spans, shapes[0][0]), 0

    def interval(self, node, ends, axis, index, shapes):
        if axis or node.options["groups"] == 1:
            return super().interval(node, ends, axis, index, shapes)
        return channels_of_groups(node, *ends[0], shapes[0][0])

    def spans(self, node, below, shapes):
        read, axes = self._taps_read(node), len(shapes[0]) - 1
        if read is None:
            return super().spans(node, below, shapes)
        windows, found = [self.window(node, axis, 0, shapes) for axis in range(1, axes + 1)], []
        for taps in np.argwhere(read):
            spans, own = self.slide(node, below[0], 0, 0, shapes)
            spans = spans.spread()
            for axis, (tap, (_, stride, offsets)) in enumerate(zip(taps, windows), start=1):
                place = offsets[tap : tap + 1]
                spans = spans.along(axis, stride, place, node.shape[axis], shapes[0][axis])
            found.append(spans.arranged([own, *range(1, axes + 1)], axes + 1))
        return met(found)

    def linear_part(self, node, values, boxes, box, shapes, *, power=1):
        kernel, first = _grouped_kernel(node, box, power)
        groups, width, below = kernel.shape[-3:]
        own, value, place = self.reads(node, box, shapes)[0], values[0], boxes[0]
        total = np.zeros((len(value), groups * width, *box.shape[1:]))
        if own is not None:
            value = value[:, own.within(place)[1]]
            if width == below == 1:
                _add_by_channel(total, value, kernel, self.slices(node, box, place))
                return total
            for tap, above, read in self.slices(node, box, place):
                part = value[read]
                columns = part.reshape(len(value), groups, below, -1)
                found = (kernel[tap] @ columns).reshape(len(value), groups * width, *part.shape[2:])
                if math.prod(kernel.shape[:-3]) == 1 and found.shape == total.shape:  # a single tap, of all outputs
                    total = found
                else:
                    total[above] += found
        return total[:, box.start[0] - first : box.stop[0] - first]

    def transposed_part(self, node, array, box, shapes, *, power=1):
        place = self.reads(node, box, shapes)[0]
        if place is None:
            return [None]
        target = np.zeros((len(array), *place.shape))
        kernel, first = _grouped_kernel(node, box, power)
        groups, width, below = kernel.shape[-3:]
        if width == below == 1:
            _add_by_channel(target, array, kernel, ((tap, to, of) for tap, of, to in self.slices(node, box, place)))
            return [(place, target)]
        if groups * width != array.shape[1]:  # the groups that the box cuts
            margins = (box.start[0] - first, first + groups * width - box.stop[0])
            array = np.pad(array, [(0, 0), margins, *[(0, 0)] * (array.ndim - 2)])
        kernel, columns = kernel.swapaxes(-1, -2), array.reshape(len(array), groups, width, -1)
        for tap, above, read in self.slices(node, box, place):
            handed = (kernel[tap] @ columns).reshape(len(array), groups * below, *array.shape[2:])
            target[read] += handed[above]
        return [(place, target)]

    def weight_gradients(self, node, array, value):
        kernel, groups = node.arrays["kernel"], node.options["groups"]
        found = np.zeros((len(array), *kernel.shape))
        for tap, above, read in self.slices(node, whole_box(node.shape), whole_box(value.shape[1:])):
            over, under = (
                each.reshape(len(each), groups, each.shape[1] // groups, -1) for each in (array[above], value[read])
            )
            found[(..., *tap)] = (over @ under.swapaxes(2, 3)).reshape(len(array), *kernel.shape[:2])
        return {"kernel": found} | super().weight_gradients(node, array, value)

    def with_one_tap(self, node, newest):
        kernel = node.arrays["kernel"]
        if max(kernel.shape[2:], default=1) == 1:
            return None
        kept = (..., *(k - 1 if newest else k // 2 for k in kernel.shape[2:]))
        found = np.zeros_like(kernel)
        found[kept] = kernel[kept]
        return replace(node, arrays=dict(node.arrays) | {"kernel": found})

    def shift(self, node):
        bias = node.arrays.get("bias")
        return None if bias is None else bias.reshape(-1, *[1] * (len(node.shape) - 1))


def _add_by_channel(total, value, kernel, slices):
    """Add what a kernel of one channel to each makes of values, in blocks that stay in the cache."""
    step = max(_BLOCK // math.prod(value.shape[2:]), 1)
    places, axes = [(tap, to[1:], of[1:]) for tap, to, of in slices], [1] * (value.ndim - 2)
    for block in (slice(k, k + step) for k in range(0, value.shape[1], step)):
        factors = [kernel[tap][block].reshape(-1, *axes) for tap, _, _ in places]
        for one, other in zip(total[:, block], value[:, block]):
            for factor, (_, to, of) in zip(factors, places):
                one[to] += factor * other[of]


def channels_window(node, channels):
    """The window along the channels of a node with groups, as `Operator.window` gives it."""
    groups = node.options["groups"]
    return (None, 0, range(channels)) if groups == 1 else (0, 1, (0,)) if groups == node.shape[0] == channels else None


def channels_of_groups(node, first, stop, channels):
    """Ends of the channels of the input that channels of a node with groups read."""
    groups = node.options["groups"]
    above, below = node.shape[0] // groups, channels // groups
    return first // above * below, ((stop - 1) // above + 1) * below


def of_groups(node, spans, channels):
    """What the channels of a node with groups see, each those of its own."""
    spans, groups = spans.spread(), node.options["groups"]
    if spans.size(0) == 1:
        return spans
    ends = spans.ends
    ends = ends.reshape(2, groups, channels // groups, *ends.shape[2:]).min(axis=2)
    return spans.put(0, ends.repeat(node.shape[0] // groups, axis=1))


def _grouped_kernel(node, box, power):
    """Groups of a kernel that channels of a box belong to, shape (*taps, groups, out, in), and where these begin."""
    kernel, groups = node.arrays["kernel"], node.options["groups"]
    width = kernel.shape[0] // groups
    if groups == 1:
        first, kernel = box.start[0], kernel[None, box.start[0] : box.stop[0]]
    else:
        first, last = box.start[0] // width, -(-box.stop[0] // width)
        kernel = kernel.reshape(groups, width, *kernel.shape[1:])[first:last]
        first *= width
    kernel = np.ascontiguousarray(np.moveaxis(kernel, (0, 1, 2), (-3, -2, -1)), dtype=float)
    return (kernel if power == 1 else kernel**power), first


class _Pool(_Windowed):
    """A mean of the entries of each window; subclasses say with which weights."""

    reported = True

    def keeps_channels(self, node):
        return True

    def complete(self, shapes, arrays, options):
        channels, *positions = shapes[0]
        window = options.get("window")
        window = tuple(positions) if window is None else check_integers(window, "window", length=len(positions))
        places, strides, dilations, pads = _placed(positions, window, options)
        if any(max(pad) > dilation * (k - 1) for pad, k, dilation in zip(pads, window, dilations)):
            raise ValueError(
                f"pads: expected pads smaller than the window {window}, got {pads}; a window would see pads only"
            )
        found = {"window": window, "strides": strides, "dilations": dilations, "pads": pads}
        return (channels, *places), {}, found

    def counts_of(self, node, box, below):
        """Number of entries of the input, pads left out, in each window: shape (1, *positions of the box)."""
        ones = np.ones((1, 1, *below.shape[1:]))
        return self._summed(ones, box, self.axes_of_taps(node, box, below))[0]

    def _summed(self, value, box, axes):
        """Sums over windows, one axis after the other, on the positions of a box."""
        for axis, taps in enumerate(axes, start=2):
            total = np.zeros((*value.shape[:axis], box.shape[axis - 1], *value.shape[axis + 1 :]))
            for _, above, below in taps:
                total[(slice(None),) * axis + (above,)] += value[(slice(None),) * axis + (below,)]
            value = total
        return value

    def linear_part(self, node, values, boxes, box, shapes, *, power=1):
        value = values[0][:, box.within(boxes[0])[1]]
        total = self._summed(value, box, self.axes_of_taps(node, box, boxes[0]))
        return total * self.weight(node, box, boxes[0], power)

    def transposed_part(self, node, array, box, shapes, *, power=1):
        place = self.reads(node, box, shapes)[0]
        turned = [[(tap, below, above) for tap, above, below in taps] for taps in self.axes_of_taps(node, box, place)]
        weighted = array * self.weight(node, box, whole_box(shapes[0]), power)
        return [(place, self._summed(weighted, place, turned))]


class AveragePool(_Pool):
    """The mean of each window, of all its taps or of those that are not in the pads."""

    options = ("window", "strides", "pads", "count_pads")
    equivariant = False  # it may be of channels, as in local response normalisation

    def complete(self, shapes, arrays, options):
        shape, arrays, found = super().complete(shapes, arrays, options)
        del found["dilations"]
        return shape, arrays, found | {"count_pads": bool(options.get("count_pads", False))}

    def weight(self, node, box, below, power):
        if node.options["count_pads"]:
            counts = float(np.prod(node.options["window"]))
        else:
            counts = self.counts_of(node, box, below)
        return counts ** -float(power)


class MaxPool(_Pool):
    """The maximum of each window: the choice of one of its k entries, each with a gain of mean square 1/k."""

    options = ("window", "strides", "pads", "dilations")
    gains = "entry"

    def weight(self, node, box, below, power):
        return 1 / self.counts_of(node, box, below)

    def own_gain(self, node, shapes):
        """Coupling and power of the choice of one entry."""
        counts = self.counts_of(node, whole_box(node.shape), whole_box(shapes[0]))
        return 1 / counts, 1 / counts

    def value(self, node, values):
        total = np.full((len(values[0]), *node.shape), -np.inf)
        for _, above, below in self.slices(node, whole_box(node.shape), whole_box(values[0].shape[1:])):
            total[above] = np.maximum(total[above], values[0][below])
        return total

    def vjp(self, node, array, values):
        """Weights of the input, each window's going to the first entry that holds the maximum, in order of taps."""
        return self.held_vjp(node, self.held(node, values), array)

    def held(self, node, values, value=None):
        """The shape of the input; for each tap where it reads, for which outputs, and whether they take that."""
        argument, maxima = values[0], self.value(node, values) if value is None else value
        taken, found = np.zeros(maxima.shape, dtype=bool), []
        for _, above, below in self.slices(node, whole_box(node.shape), whole_box(argument.shape[1:])):
            wins = (argument[below] == maxima[above]) & ~taken[above]
            taken[above] |= wins
            found.append((below, above, wins))
        return argument.shape[1:], found

    def held_jvp(self, node, held, signal):
        found = np.zeros((len(signal[0]), *node.shape))
        for below, above, wins in held[1]:
            found[above] += signal[0][below] * wins
        return found

    def held_vjp(self, node, held, array):
        handed = np.zeros((len(array), *held[0]))
        for below, above, wins in held[1]:
            handed[below] += array[above] * wins
        return [handed]
