"""The linear part of each operator on a box of entries, and its transpose; with weights, or with their squares.

Arrays have one axis of samples, then those of a box. Convolutions and pools go tap by tap, each a product of matrices
on slices: nothing of the size inputs times outputs is ever stored. Numbers are in double precision whatever the
weights.
"""

import math
from itertools import product

import numpy as np

from capacity.inspection.graphs.boxes import input_boxes, whole_box, windows

__all__ = ["linear_part", "transposed_part", "window_counts", "window_taps"]


_BLOCK = 2**24  # weights of a dense layer that are converted to double precision at once


def linear_part(node, values, boxes, box, shapes, *, power=1):
    """Value of a node but for biases and functions, on a box, from values of its inputs on boxes.

    Parameters
    ----------
    node : Node
        Neither an input nor recurrent; of an activation this is the identity, of a max pool the mean of its window.
    values : sequence of ndarray, shape (samples, *box)
        Of its inputs; None where nothing is read.
    boxes : sequence of Box
        Theirs.
    box : Box
        Asked for.
    shapes : sequence of tuple of int
        Of its inputs.
    power : {1, 2}, optional
        Of the weights: 2 makes variances of variances.

    Returns
    -------
    ndarray, shape (samples, *box.shape)
    """
    samples = next(len(value) for value in values if value is not None)
    if node.operator == "convolution":
        return _convolved(node, values[0], boxes[0], box, shapes[0], power)
    if node.operator in ("average_pool", "max_pool"):
        total = np.zeros((samples, *box.shape))
        value = values[0][:, box.start[0] - boxes[0].start[0] : box.stop[0] - boxes[0].start[0]]
        for _, above, below in window_taps(node, box, boxes[0]):
            total[above] += value[below]
        return total * _pool_weight(node, box, boxes[0], power)
    if node.operator == "dense":
        axis = 0 if node.options["axis"] is None else node.options["axis"]
        value = values[0][input_boxes(node, box, shapes)[0].within(boxes[0])]
        value = value.reshape(samples, -1) if node.options["axis"] is None else np.moveaxis(value, axis + 1, -1)
        parts = [value @ rows.T for _, rows in _rows(node, box.start[axis], box.stop[axis], power)]
        return np.moveaxis(np.concatenate(parts, axis=-1), -1, axis + 1)
    if node.operator == "add":
        terms = zip(_repeats(node, power), values, boxes)
        return sum(weight * value[box.within(place)] for weight, value, place in terms)
    if node.operator == "activation":
        return values[0][box.within(boxes[0])]
    if node.operator == "scale":
        return values[0][box.within(boxes[0])] * _factor(node, box, power)
    total = np.zeros((samples, *box.shape))
    for index, own in enumerate(input_boxes(node, box, shapes)):
        if own is not None:
            cut = values[index][own.within(boxes[index])]
            total[_region(node, own, index, box, shapes)] = _moved(node, cut, own, box, shapes[index])
    return total


def transposed_part(node, array, box, shapes, *, power=1):
    """The transpose of `linear_part`: what an array on a box of a node hands to each of its inputs.

    Parameters
    ----------
    node : Node
    array : ndarray, shape (samples, *box.shape)
    box : Box
        Of the node.
    shapes : sequence of tuple of int
        Of its inputs.
    power : {1, 2}, optional
        Of the weights.

    Returns
    -------
    list of (Box, ndarray) or None
        One per input: the box that is read, and what it is handed; None where nothing is read.
    """
    boxes = input_boxes(node, box, shapes)
    found = [None if place is None else np.zeros((len(array), *place.shape)) for place in boxes]
    if node.operator == "convolution":
        if boxes[0]:
            _spread(node, array, box, boxes[0], found[0], power)
    elif node.operator in ("average_pool", "max_pool"):
        weighted = array * _pool_weight(node, box, whole_box(shapes[0]), power)
        for _, above, below in window_taps(node, box, boxes[0]):
            found[0][below] += weighted[above]
    elif node.operator == "dense":
        axis = 0 if node.options["axis"] is None else node.options["axis"]
        array = np.moveaxis(array, axis + 1, -1)
        value = sum(array[..., part] @ rows for part, rows in _rows(node, box.start[axis], box.stop[axis], power))
        whole = node.options["axis"] is None
        found = [value.reshape(len(value), *shapes[0]) if whole else np.moveaxis(value, -1, axis + 1)]
    elif node.operator == "scale":
        found = [array * _factor(node, box, power)]
    elif node.operator in ("add", "activation"):
        found = [weight * array for weight in _repeats(node, power)]
    else:
        regions = [own and array[_region(node, own, index, box, shapes)] for index, own in enumerate(boxes)]
        found = [own and _moved_back(node, part, own, box, shape) for part, own, shape in zip(regions, boxes, shapes)]
    return [None if place is None else (place, value) for place, value in zip(boxes, found)]


def window_counts(node, box, below):
    """Number of entries of its input, pads left out, in each window of a pool.

    Parameters
    ----------
    node : Node
    box : Box
        Of the node.
    below : Box
        Of its input, which contains all that is read.

    Returns
    -------
    ndarray, shape (1, *positions of the box)
    """
    counts = np.zeros((1, *box.shape[1:]))
    for _, above, _ in window_taps(node, box, below):
        counts[above[1:]] += 1
    return counts


def _pool_weight(node, box, below, power):
    """Weight of each entry of the window of a pool: an average, of squares the same with power 2."""
    if node.options.get("count_pads"):
        counts = float(np.prod(node.options["window"]))
    else:
        counts = window_counts(node, box, below)
    return counts ** -float(power if node.operator == "average_pool" else 1)


def window_taps(node, box, below):
    """For each tap the slices of outputs that it reads for, and of the inputs that it reads.

    Parameters
    ----------
    node : Node
        A convolution or a pool.
    box : Box
        Of the node.
    below : Box
        Of its input, which contains all that is read.

    Yields
    ------
    tap : tuple of int
    above, read : tuple of slice
        Of arrays on the two boxes, with one axis of samples.
    """
    axes = []
    for a, b, first, last, k, stride, dilation, pad in zip(
        box.start[1:], box.stop[1:], below.start[1:], below.stop[1:], *windows(node)
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
    for chosen in product(*axes):
        above, read = tuple(c[1] for c in chosen), tuple(c[2] for c in chosen)
        yield tuple(c[0] for c in chosen), (slice(None), slice(None), *above), (slice(None), slice(None), *read)


def _repeats(node, power):
    """What each input of a sum adds to a power of its weight, which is m for one that enters m times."""
    return [node.inputs.count(source) ** (power - 1) for source in node.inputs]


def _rows(node, start, stop, power):
    """Rows of the kernel of a dense layer, in blocks that are converted to double precision one after the other."""
    kernel = node.arrays["kernel"][start:stop]
    step = max(_BLOCK // kernel.shape[1], 1)
    for i in range(0, len(kernel), step):
        block = kernel[i : i + step].astype(float)
        yield slice(i, i + step), block if power == 1 else block**power


def _factor(node, box, power):
    return box.cut(node.arrays.get("factor", np.ones(())).astype(float) ** power)


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


def _convolved(node, value, place, box, shape, power):
    kernel, first = _grouped_kernel(node, box, power)
    groups, width, below = kernel.shape[-3:]
    own = input_boxes(node, box, [shape])[0]
    total = np.zeros((len(value), groups * width, *box.shape[1:]))
    if own is not None:
        value = value[:, own.start[0] - place.start[0] : own.stop[0] - place.start[0]]
        for tap, above, read in window_taps(node, box, place):
            part = value[read]
            columns = part.reshape(len(value), groups, below, -1)
            total[above] += (kernel[tap] @ columns).reshape(len(value), groups * width, *part.shape[2:])
    return total[:, box.start[0] - first : box.stop[0] - first]


def _spread(node, array, box, place, target, power):
    kernel, first = _grouped_kernel(node, box, power)
    groups, width, below = kernel.shape[-3:]
    if groups * width != array.shape[1]:  # the groups that the box cuts
        margins = (box.start[0] - first, first + groups * width - box.stop[0])
        array = np.pad(array, [(0, 0), margins, *[(0, 0)] * (array.ndim - 2)])
    kernel = np.ascontiguousarray(kernel.swapaxes(-1, -2))
    for tap, above, read in window_taps(node, box, place):
        part = array[above]
        columns = part.reshape(len(array), groups, width, -1)
        target[read] += (kernel[tap] @ columns).reshape(len(array), groups * below, *part.shape[2:])


def _region(node, own, index, box, shapes):
    """Where the entries of a box of an input stand in the box of a node that moves them."""
    shift = [0] * len(own.start)
    if node.operator == "concatenate":
        shift[node.options["axis"]] = sum(shape[node.options["axis"]] for shape in shapes[:index])
    elif node.operator == "pad":
        shift = [pad[0] for pad in node.options["pads"]]
    else:
        return ...
    return (..., *(slice(a + s - c, b + s - c) for a, b, s, c in zip(own.start, own.stop, shift, box.start)))


def _moved(node, cut, own, box, shape):
    """Entries of a box of an input in the order of the node."""
    if node.operator == "slice":
        return cut[(..., *(slice(None, None, step) for step in node.options["step"]))]
    if node.operator == "transpose":
        return cut.transpose(0, *(k + 1 for k in node.options["permutation"]))
    if node.operator == "reshape":
        return _reshaped(cut, own, shape, box, node.shape)
    return cut


def _moved_back(node, array, own, box, shape):
    """Entries of a node at their places in a box of an input."""
    if node.operator == "slice":
        found = np.zeros((len(array), *own.shape))
        found[(..., *(slice(None, None, step) for step in node.options["step"]))] = array
        return found
    if node.operator == "transpose":
        return array.transpose(0, *(int(k) + 1 for k in np.argsort(node.options["permutation"])))
    if node.operator == "reshape":
        return _reshaped(array, box, node.shape, own, shape)
    return array


def _reshaped(array, box, shape, other, sizes):
    """Entries of a box of an array of a shape, as a box of the same array with other sizes; the rest is zero."""
    if math.prod(box.shape) == math.prod(other.shape):
        return array.reshape(len(array), *other.shape)
    whole = np.zeros((len(array), *shape))
    whole[box.within(whole_box(shape))] = array
    return whole.reshape(len(array), *sizes)[other.within(whole_box(sizes))]
