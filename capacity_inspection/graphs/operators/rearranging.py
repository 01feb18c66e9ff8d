"""Operators that move entries and compute nothing: pads, slices, reshapes, transposes, concatenations."""

import math
from dataclasses import replace

import numpy as np

from capacity._validation import check_integer, check_integers, check_real
from capacity_inspection.graphs.operators.boxes import Box, whole_box
from capacity_inspection.graphs.operators.rules import Operator, paired, required
from capacity_inspection.graphs.operators.spans import FAR, aligned

__all__ = ["Concatenate", "Expand", "Pad", "Reshape", "Slice", "Transpose"]


class _Rearranging(Operator):
    """Entries at other places; subclasses say which a box reads, where these stand in it, and how they are ordered."""

    rearranges = True

    def region(self, node, own, index, box, shapes):
        """Where the entries of a box of an input stand in the box of the node."""
        return ...

    def moved(self, node, cut, own, box, shape):
        """Entries of a box of an input in the order of the node."""
        return cut

    def moved_back(self, node, array, own, box, shape):
        """Entries of the node at their places in a box of an input."""
        return array

    def linear_part(self, node, values, boxes, box, shapes, *, power=1):
        total = np.zeros((next(len(value) for value in values if value is not None), *box.shape))
        for index, own in enumerate(self.reads(node, box, shapes)):
            if own is not None:
                cut = values[index][own.within(boxes[index])]
                total[self.region(node, own, index, box, shapes)] = self.moved(node, cut, own, box, shapes[index])
        return total

    def transposed_part(self, node, array, box, shapes, *, power=1):
        found = []
        for index, own in enumerate(self.reads(node, box, shapes)):
            part = own and array[self.region(node, own, index, box, shapes)]
            found.append(own and (own, self.moved_back(node, part, own, box, shapes[index])))
        return found


def _shifted(own, shift, box):
    return (..., *(slice(a + s - c, b + s - c) for a, b, s, c in zip(own.start, own.stop, shift, box.start)))


class Concatenate(_Rearranging):
    """Inputs one after the other along an axis."""

    options = ("axis",)
    counts = (1, 2**20)

    def complete(self, shapes, arrays, options):
        axes = len(shapes[0])
        axis = check_integer(options.get("axis", 0), "axis", minimum=-axes, maximum=axes - 1) % axes
        if len({(*shape[:axis], *shape[axis + 1 :]) for shape in shapes}) != 1 or len({len(s) for s in shapes}) != 1:
            raise ValueError(
                f"concatenate: expected inputs that differ along axis {axis} only, got {shapes}; crop them before"
            )
        shape = (*shapes[0][:axis], sum(shape[axis] for shape in shapes), *shapes[0][axis + 1 :])
        return shape, {}, {"axis": axis}

    def window(self, node, axis, index, shapes):
        before = sum(shape[axis] for shape in shapes[:index]) if axis == node.options["axis"] else 0
        return axis, 1, (-before,)

    def spans(self, node, below, shapes):
        axis, seen = node.options["axis"], [spans for spans in below if spans is not None]
        known = iter(aligned(seen if axis == 0 else [spans.spread() for spans in seen], but=axis))
        parts, runs = [None if spans is None else next(known) for spans in below], []
        for k, (part, shape) in enumerate(zip(parts, shapes)):
            if part is not None and not (axis == 0 and (part.runs or part.size(0) == 1)):
                parts[k] = part = part.per_unit([axis], shape)
            one = part is None or part.size(0) == 1
            runs += (shape[0],) if one else part.runs or (1,) * shape[0]
        first = next(part for part in parts if part is not None)
        sizes = np.max([part.ends.shape for part in parts if part is not None], axis=0)
        ends = []
        for part, shape in zip(parts, shapes):
            sizes[axis + 1] = part.size(axis) if part is not None else shape[axis] if axis else 1
            ends.append(np.broadcast_to(FAR if part is None else part.ends, sizes))
        short = any(part.short for part in seen)
        runs = () if axis or max(runs) == 1 else tuple(runs)
        return replace(first, ends=np.concatenate(ends, axis=axis + 1), short=short, runs=runs).thinned()

    def region(self, node, own, index, box, shapes):
        axis, shift = node.options["axis"], [0] * len(own.start)
        shift[axis] = sum(shape[axis] for shape in shapes[:index])
        return _shifted(own, shift, box)


class Pad(_Rearranging):
    """Entries of one value around the input, on all axes."""

    options = ("pads", "value")

    def complete(self, shapes, arrays, options):
        pads = paired(required(options, "pads", "pad"), "pads", len(shapes[0]))
        value = check_real(options.get("value", 0.0), "value")
        return [n + sum(pad) for n, pad in zip(shapes[0], pads)], {}, {"pads": pads, "value": value}

    def window(self, node, axis, index, shapes):
        return axis, 1, (-node.options["pads"][axis][0],)

    def region(self, node, own, index, box, shapes):
        return _shifted(own, [pad[0] for pad in node.options["pads"]], box)

    def keeps_channels(self, node):
        return not node.options["value"]

    def shift(self, node):
        if not node.options["value"]:
            return None
        inside = tuple(slice(before, n - after) for (before, after), n in zip(node.options["pads"], node.shape))
        outside = np.full(node.shape, node.options["value"])
        outside[inside] = 0
        return outside


class Expand(Operator):
    """Each entry of an axis of one entry, many times."""

    options = ("shape",)
    rearranges = True

    def complete(self, shapes, arrays, options):
        shape = check_integers(required(options, "shape", "expand"), "shape")
        if len(shape) != len(shapes[0]) or any(n not in (1, m) for n, m in zip(shapes[0], shape)):
            raise ValueError(
                f"expand: expected a shape that differs from {shapes[0]} where that has one entry, got {shape}; "
                "reshape the input before"
            )
        return shape, {}, {"shape": shape}

    def window(self, node, axis, index, shapes):
        return (axis, 1, (0,)) if shapes[0][axis] == node.shape[axis] else (None, 0, (0,))

    def linear_part(self, node, values, boxes, box, shapes, *, power=1):
        cut = values[0][self.reads(node, box, shapes)[0].within(boxes[0])]
        return np.broadcast_to(cut, (len(cut), *box.shape))

    def transposed_part(self, node, array, box, shapes, *, power=1):
        own = self.reads(node, box, shapes)[0]
        repeated = tuple(axis for axis, n in enumerate(own.shape, 1) if n < array.shape[axis])
        return [(own, array.sum(axis=repeated, keepdims=True))]


class Slice(_Rearranging):
    """Every step-th entry from begin to end, on all axes."""

    options = ("begin", "end", "step")

    def complete(self, shapes, arrays, options):
        shape = shapes[0]
        begin = check_integers(options.get("begin", 0), "begin", length=len(shape), minimum=0)
        step = check_integers(options.get("step", 1), "step", length=len(shape))
        end = check_integers(shape if options.get("end") is None else options["end"], "end", length=len(shape))
        if any(not b < e <= n for b, e, n in zip(begin, end, shape)):
            raise ValueError(
                f"slice: expected begin < end <= {shape}, got {begin} and {end}; count from the start of each axis"
            )
        return [-(-(e - b) // s) for b, e, s in zip(begin, end, step)], {}, {"begin": begin, "end": end, "step": step}

    def keeps_channels(self, node):
        return True

    def window(self, node, axis, index, shapes):
        return axis, node.options["step"][axis], (node.options["begin"][axis],)

    def moved(self, node, cut, own, box, shape):
        return cut[(..., *(slice(None, None, step) for step in node.options["step"]))]

    def moved_back(self, node, array, own, box, shape):
        found = np.zeros((len(array), *own.shape))
        found[(..., *(slice(None, None, step) for step in node.options["step"]))] = array
        return found


class Transpose(_Rearranging):
    """Axes in another order."""

    options = ("permutation",)

    def complete(self, shapes, arrays, options):
        permutation = check_integers(required(options, "permutation", "transpose"), "permutation", minimum=0)
        if sorted(permutation) != list(range(len(shapes[0]))):
            raise ValueError(
                f"transpose: expected an order of the axes of {shapes[0]}, got {permutation}; list each axis once, "
                "without the batch"
            )
        return [shapes[0][k] for k in permutation], {}, {"permutation": permutation}

    def keeps_channels(self, node):
        return node.options["permutation"][0] == 0

    def window(self, node, axis, index, shapes):
        return node.options["permutation"].index(axis), 1, (0,)

    def moved(self, node, cut, own, box, shape):
        return cut.transpose(0, *(k + 1 for k in node.options["permutation"]))

    def moved_back(self, node, array, own, box, shape):
        return array.transpose(0, *(int(k) + 1 for k in np.argsort(node.options["permutation"])))


class Reshape(_Rearranging):
    """Another shape, entries staying in C order."""

    options = ("shape",)

    def complete(self, shapes, arrays, options):
        shape = check_integers(required(options, "shape", "reshape"), "shape")
        if math.prod(shape) != math.prod(shapes[0]):
            raise ValueError(
                f"reshape: expected {math.prod(shapes[0])} entries as in {shapes[0]}, got {shape}; leave out the batch"
            )
        return shape, {}, {"shape": shape}

    def window(self, node, axis, index, shapes):
        """An axis that an axis of the node holds as it is stays one; others are mixed."""
        group = next(each for each in _groups(node.shape, shapes[0]) if axis in each[1])
        above, below = ([k for k in axes if shape[k] > 1] for axes, shape in zip(group, (node.shape, shapes[0])))
        if len(above) > 1 or len(below) > 1:
            return None
        return (above[0], 1, (0,)) if axis in below else (None, 0, (0,))

    def spans(self, node, below, shapes):
        spans, sizes, first = below[0].spread(), [], []
        for above, under in _groups(node.shape, shapes[0]):
            long = [axis for axis in under if spans.size(axis) > 1]
            if sum(node.shape[axis] > 1 for axis in above) < 2 and sum(shapes[0][axis] > 1 for axis in under) < 2:
                own = max(above, key=node.shape.__getitem__, default=None)  # the same axis, between others of one entry
                same = next((axis for axis in long if own is not None and shapes[0][axis] == node.shape[own]), None)
                for axis in long:
                    spans = spans if axis == same else spans.between(axis, 0, 1)
                held = same is not None
                sizes += [spans.size(same) if held and axis == own else 1 for axis in above]
                first += [spans.first[same] if held and axis == own else 0 for axis in above]
                continue
            if long:  # of axes that are mixed, unit by unit
                spans = spans.per_unit(under, shapes[0])
            sizes += [node.shape[axis] if long else 1 for axis in above]
            first += [0 for _ in above]
        return replace(spans, ends=spans.ends.reshape(2, *sizes), first=tuple(first)).thinned()

    def reads(self, node, box, shapes):
        ends = []
        for above, under in _groups(node.shape, shapes[0]):
            low = high = 0
            for axis in above:
                low, high = low * node.shape[axis] + box.start[axis], high * node.shape[axis] + box.stop[axis] - 1
            for axis in under:  # the first axes that both have in common, then an interval, then all
                rest = math.prod(shapes[0][k] for k in under if k > axis)
                ends.append((low // rest, high // rest + 1))
                low, high = (low % rest, high % rest) if low // rest == high // rest else (0, rest - 1)
        return [Box(*zip(*ends))]

    def linear_part(self, node, values, boxes, box, shapes, *, power=1):
        """A view where it will do."""
        own = self.reads(node, box, shapes)[0]
        return self.moved(node, values[0][own.within(boxes[0])], own, box, shapes[0])

    def moved(self, node, cut, own, box, shape):
        return _reshaped(cut, own, shape, box, node.shape)

    def moved_back(self, node, array, own, box, shape):
        return _reshaped(array, box, node.shape, own, shape)


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


def _reshaped(array, box, shape, other, sizes):
    """Entries of a box of an array of a shape, as a box of the same array with other sizes; the rest is zero."""
    if math.prod(box.shape) == math.prod(other.shape):
        return array.reshape(len(array), *other.shape)
    whole = np.zeros((len(array), *shape))
    whole[box.within(whole_box(shape))] = array
    return whole.reshape(len(array), *sizes)[other.within(whole_box(sizes))]
