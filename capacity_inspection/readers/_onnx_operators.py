"""Operators of ONNX whose inputs depend on those of the network, and the nodes that they become."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from typing import Any

import numpy as np

from capacity_inspection.readers._bounded import declared_bytes, quoted
from capacity_inspection.readers._folding import axis_index, permuted_axes, slice_ranges, split_sizes
from capacity_inspection.readers._tracing import Trace, Value, activated, affine_parts, product

__all__ = ["SUPPORTED", "add_operator", "assigned", "attended", "states_of"]


def add_operator(
    trace: Trace, operator: str, name: str, given: Sequence[Any], attributes: Mapping[str, Any], outputs: int
) -> list[Value]:
    """Add an operator to a trace, and return its outputs as far as they are followed.

    Inputs are values that depend on the network's, constants, and None for those that are left out.
    """
    if any(isinstance(each, _Above) for each in given) and operator != "Where":
        raise ValueError("it depends on a comparison, which is followed for constants only")
    try:
        with np.errstate(all="ignore"):  # what is not finite is refused where it becomes a weight
            results = _RULES[operator](_Call(trace, name, given, attributes, outputs))
    except (AttributeError, IndexError, KeyError, OverflowError, TypeError) as error:
        raise ValueError(f"inputs or attributes do not fit: {error}") from error
    return results if isinstance(results, list) else [results]


@dataclass(frozen=True)
class _Call:
    """An operator with its inputs and attributes, whichever of the two a version of it has."""

    trace: Trace
    name: str
    given: Sequence[Any]
    attributes: Mapping[str, Any]
    outputs: int = 1

    @property
    def value(self):
        """The first input, which depends on those of the network."""
        if not isinstance(self.given[0], Value):
            raise ValueError("its first input is a constant, which is not followed")
        return self.given[0]

    @property
    def values(self):
        return [each for each in self.given if isinstance(each, Value)]

    @property
    def constants(self):
        return [each for each in self.given if isinstance(each, np.ndarray)]

    def constant(self, index, what):
        """An input that has to be a constant, or None where it is left out."""
        found = self.given[index] if index < len(self.given) else None
        if isinstance(found, Value):
            raise ValueError(f"its {what} depends on an input of the network, which is not followed")
        return found

    def required(self, index, what):
        """An input that has to be a constant."""
        found = self.constant(index, what)
        if found is None:
            raise ValueError(f"it has no {what}; export the network again")
        return found

    def get(self, name, default=None, index=None):
        """Attribute of a name, or a constant input at an index, or a default."""
        if self.attributes.get(name) is not None:
            return self.attributes[name]
        found = None if index is None else self.constant(index, name)
        return default if found is None else found.tolist()


def _positions(call):
    value = call.value
    if len(value.shape) < 3:
        raise ValueError(f"expected a batch, channels and positions, got shape {value.shape}")
    return value.shape[2:]


def _given_windows(call, window):
    """Strides, dilations and pads of a window as they are given, and the way to find pads."""
    axes = len(_positions(call))
    strides, dilations = call.get("strides", [1] * axes), call.get("dilations", [1] * axes)
    flat, automatic = call.get("pads", [0] * 2 * axes), call.get("auto_pad", "NOTSET")
    if not len(window) == len(strides) == len(dilations) == axes == len(flat) / 2:
        raise ValueError(
            f"expected one entry for each of {axes} axes, got {quoted([window, strides, dilations, flat])}"
        )
    if min([*window, *strides, *dilations]) < 1:
        raise ValueError(f"expected sizes of at least 1, got {quoted([window, strides, dilations])}")
    if automatic not in ("SAME_UPPER", "SAME_LOWER", "VALID", "NOTSET"):
        raise ValueError(f"expected auto_pad among SAME_UPPER, SAME_LOWER, VALID and NOTSET, got {quoted(automatic)}")
    pads = [(0, 0) if automatic == "VALID" else (flat[k], flat[k + axes]) for k in range(axes)]
    return strides, dilations, pads, automatic


def _halved(totals, *, larger_first):
    """Pads before and after that add up to totals."""
    return [(-(-total // 2), total // 2) if larger_first else (total // 2, -(-total // 2)) for total in totals]


def _windows(call, window):
    """Strides, dilations and pads of a window, with what SAME, VALID and rounding up come to."""
    strides, dilations, pads, automatic = _given_windows(call, window)
    positions, reach = _positions(call), [dilation * (k - 1) + 1 for k, dilation in zip(window, dilations)]
    if automatic.startswith("SAME"):
        totals = [max((-(-n // s) - 1) * s + r - n, 0) for n, s, r in zip(positions, strides, reach)]
        pads = _halved(totals, larger_first=automatic == "SAME_LOWER")
    if call.get("ceil_mode", 0):
        pads = [_rounded_up(*each) for each in zip(positions, reach, strides, pads)]
    return strides, dilations, pads


def _rounded_up(n, reach, stride, pad):
    """Pads that give the last window its place, if it begins before the end of the input."""
    places = -(-(n + sum(pad) - reach) // stride)
    if places * stride >= n + pad[0]:
        places -= 1
    return pad[0], max(pad[1], places * stride + reach - n - pad[0])


def _convolution(call):
    kernel = call.required(1, "kernel")
    if tuple(call.get("kernel_shape", kernel.shape[2:])) != kernel.shape[2:]:
        raise ValueError(
            f"expected the kernel_shape of its weights, {kernel.shape[2:]}, got {call.get('kernel_shape')}"
        )
    options = dict(zip(("strides", "dilations", "pads"), _windows(call, kernel.shape[2:])))
    options |= {"kernel": kernel, "bias": call.constant(2, "bias"), "groups": call.get("group", 1)}
    return call.trace.channels_first(call.name, call.value, "convolution", **options)


def _transposed_convolution(call):
    kernel, positions = call.required(1, "kernel"), _positions(call)
    strides, dilations, pads, automatic = _given_windows(call, kernel.shape[2:])
    more, sizes = call.get("output_padding", [0] * len(positions)), call.get("output_shape")
    if automatic.startswith("SAME") and sizes is None:
        sizes = [n * s for n, s in zip(positions, strides)]
    if sizes is not None:
        whole = [
            s * (n - 1) + m + d * (k - 1) + 1
            for n, s, d, k, m in zip(positions, strides, dilations, kernel.shape[2:], more)
        ]
        totals = [n - size for n, size in zip(whole, sizes[-len(positions) :])]
        more = [m + max(-total, 0) for m, total in zip(more, totals)]
        pads = _halved([max(total, 0) for total in totals], larger_first=automatic != "SAME_UPPER")
    options = {"strides": strides, "dilations": dilations, "pads": pads, "output_pads": more}
    options |= {"kernel": kernel, "bias": call.constant(2, "bias"), "groups": call.get("group", 1)}
    return call.trace.channels_first(call.name, call.value, "transposed_convolution", **options)


def _folded(call):
    """Columns that are added where their patches lie: a transposed convolution with a kernel for each place in one."""
    *lead, columns, places = call.value.shape
    sizes, window = call.required(1, "image_shape").tolist(), call.required(2, "block_shape").tolist()
    axes, count = len(sizes), math.prod(window)
    strides, dilations = call.get("strides", [1] * axes), call.get("dilations", [1] * axes)
    pads = call.get("pads", [0] * 2 * axes)
    if min([*sizes, *window, *strides, *dilations], default=0) < 1:
        raise ValueError(f"expected sizes of at least 1, got {quoted([sizes, window, strides, dilations])}")
    room = [n + pads[k] + pads[k + axes] - dilations[k] * (window[k] - 1) - 1 for k, n in enumerate(sizes)]
    starts = [n // stride + 1 for n, stride in zip(room, strides)]
    if columns % count or places != math.prod(starts):
        raise ValueError(
            f"expected columns of {count} entries a channel at {math.prod(starts)} places, got {(columns, places)}"
        )
    declared_bytes((columns, count), 8, "path", f"the kernel of {quoted(call.name)}", call.trace.memory)
    kernel = np.tile(np.eye(count, dtype=np.float32).reshape(count, 1, *window), (columns // count, *[1] * (1 + axes)))
    value = call.trace.reshape(f"{call.name} columns", call.value, (1, columns, *starts))
    options = {"kernel": kernel, "groups": columns // count, "strides": strides, "dilations": dilations}
    options |= {"pads": [(pads[k], pads[k + axes]) for k in range(axes)]}
    options |= {"output_pads": [n % stride for n, stride in zip(room, strides)]}
    image = call.trace.channels_first(call.name, value, "transposed_convolution", **options)
    return call.trace.reshape(f"{call.name} image", image, (*lead, *image.shape[1:]))


def _resize(call):
    """Coordinates as ONNX gives them; versions below 11 have two inputs and count from the edge."""
    value, old = call.value, len(call.given) < 3
    count = len(value.shape)
    axes = [axis_index(axis, count) for axis in call.get("axes", list(range(count)))]
    scales, sizes = call.get("scales", None, 1 if old else 2), None if old else call.get("sizes", None, 3)
    mode = call.get("mode", "nearest")
    cubic = mode == "cubic"
    unknown = call.get("keep_aspect_ratio_policy", "stretch") != "stretch" and "a policy of aspect ratios"
    unknown = unknown or (cubic and call.get("exclude_outside", 0) and "cubics without what is outside")
    unknown = unknown or (cubic and call.get("cubic_coeff_a", -0.75) != -0.75 and "cubics of another coefficient")
    if unknown or mode not in ("nearest", "linear", "bilinear", "cubic"):
        raise ValueError(f"{unknown or f'mode {quoted(mode)}'} is not followed")
    places = [None] * count
    for k, axis in enumerate(axes):
        n = value.shape[axis]
        scale = float(scales[k]) if sizes in (None, []) else sizes[k] / n
        size = int(np.float32(n) * np.float32(scale)) if sizes in (None, []) else int(sizes[k])
        if size < 1:
            raise ValueError(f"expected sizes of at least 1, got {size}")
        if call.get("antialias", 0) and scale < 1:
            raise ValueError("means against aliasing are not followed")
        if size != n or scale != 1:
            way = "asymmetric" if old else call.get("coordinate_transformation_mode", "half_pixel")
            places[axis] = _coordinates(way, n, size, scale)
            if mode == "nearest":
                default = ("floor" if scale >= 1 else "ceil") if old else "round_prefer_floor"
                places[axis] = _nearest(places[axis], call.get("nearest_mode", default))
    if not any(each is not None for each in places):
        return value
    return call.trace.interpolate(call.name, value, places, cubic=cubic)


def _coordinates(way, n, size, scale):
    """Where the entries of an axis that is resized lie in the original."""
    units = np.arange(size)
    if way == "align_corners":
        return units * ((n - 1) / (size - 1) if size > 1 else 0.0)
    ways = {
        "asymmetric": units / scale,
        "half_pixel": (units + 0.5) / scale - 0.5,
        "half_pixel_symmetric": n / 2 * (1 - size / (scale * n)) + (units + 0.5) / scale - 0.5,
        "pytorch_half_pixel": (units + 0.5) / scale - 0.5 if size > 1 else np.zeros(1),
        "tf_half_pixel_for_nn": (units + 0.5) / scale,
    }
    if way not in ways:
        raise ValueError(f"expected coordinates among {', '.join(ways)}, got {quoted(way)}, which is not followed")
    return ways[way]


def _nearest(places, way):
    whole = np.round(places)
    places = np.where(np.abs(places - whole) < 1e-9 * len(places), whole, places)  # which rounding moved
    ways = {"round_prefer_floor": np.ceil(places - 0.5), "round_prefer_ceil": np.floor(places + 0.5)}
    return (ways | {"floor": np.floor(places), "ceil": np.ceil(places)})[way]


def _pool(call, operator):
    if call.outputs > 1:
        raise ValueError("where the maxima are is asked for, which is not followed")
    window = call.get("kernel_shape")
    strides, dilations, pads = _windows(call, window)
    options = {"window": window, "strides": strides, "pads": pads}
    if operator == "max_pool":
        return call.trace.channels_first(call.name, call.value, operator, dilations=dilations, **options)
    if set(dilations) != {1}:
        raise ValueError(f"expected dilations of 1, got {dilations}")
    counted = bool(call.get("count_include_pad", 0)) and any(call.get("pads", [1]))  # or they follow from auto_pad
    plain = replace(call, attributes=dict(call.attributes, ceil_mode=0))
    if counted and _windows(plain, window)[2] != pads:
        raise ValueError("pads are counted and sizes rounded up, which together are not followed")
    return call.trace.channels_first(call.name, call.value, operator, count_pads=counted, **options)


def _whole(call, operator):
    _positions(call)
    return call.trace.reduce(call.name, call.value, operator, range(2, len(call.value.shape)), keep=True)


def _reduction(call, operator):
    axes = call.get("axes", None, 1)
    value = call.value
    if axes is None or len(axes) == 0:
        if call.get("noop_with_empty_axes", 0):
            return value
        axes = range(len(value.shape))
    axes = [axis_index(axis, len(value.shape)) for axis in axes]
    reduced = call.trace.reduce(
        call.name, value, "max_pool" if operator == "max" else "average_pool", axes, keep=bool(call.get("keepdims", 1))
    )
    if operator != "sum":
        return reduced
    return call.trace.scale(f"{call.name} times", reduced, float(math.prod(value.shape[axis] for axis in set(axes))))


def _gemm(call):
    a, b, c = call.value, call.required(1, "matrix"), call.constant(2, "bias")
    if call.get("transA", 0):
        a = a.transposed([1, 0])
    kernel = np.asarray(b if call.get("transB", 0) else b.T)
    alpha, beta = call.get("alpha", 1.0), call.get("beta", 1.0)
    kernel = kernel if alpha == 1 else alpha * kernel
    if c is not None:
        if c.size not in (1, kernel.shape[0]) or c.shape[-1:] not in ((), (c.size,)):
            raise ValueError(f"expected a bias of {kernel.shape[0]} numbers, got shape {c.shape}")
        c = np.broadcast_to(beta * c.reshape(-1) if beta != 1 else c.reshape(-1), (kernel.shape[0],))
    if len(a.shape) != 2:
        raise ValueError(f"expected a matrix, got shape {a.shape}")
    return call.trace.dense(call.name, a, kernel, c)


def _matrix_product(call):
    if len(call.values) > 1:
        return call.trace.matmul(call.name, *call.values)
    first, second = call.given
    left = isinstance(first, np.ndarray)
    matrix, value = (first, second) if left else (second, first)
    lead = matrix.shape[:-2]
    if math.prod(lead) > 1 and lead == value.shape[-matrix.ndim : -2]:
        return _matrices_of_groups(call.trace, call.name, value, matrix, left=left)
    if math.prod(matrix.shape[:-2]) != 1 or len(value.shape) < 1 + left or matrix.ndim > max(2, len(value.shape)):
        raise ValueError(f"expected a matrix of constants, got shapes {[each.shape for each in call.given]}")
    vector = matrix.ndim == 1
    matrix = matrix.reshape(matrix.shape[-2:] if not vector else (1, -1) if left else (-1, 1))
    axis = len(value.shape) - (2 if left and len(value.shape) > 1 else 1)
    result = call.trace.dense(call.name, value, matrix if left else matrix.T, None, axis)
    if not vector:
        return result
    return call.trace.reshape(call.name, result, (*result.shape[:axis], *result.shape[axis + 1 :]))


def _matrices_of_groups(trace, name, value, matrices, *, left):
    """Products of matrices of constants, one for each of the axes before, as a convolution of as many groups."""
    value = value.transposed([*range(len(value.shape) - 2), -1, -2]) if not left else value
    kernel = matrices if left else matrices.swapaxes(-1, -2)
    *lead, inputs, rows = value.shape
    groups, outputs = math.prod(kernel.shape[:-2]), kernel.shape[-2]
    if math.prod(lead) != groups:
        raise ValueError(f"expected as many matrices of constants as there are values, got {kernel.shape[:-2]}")
    joined = trace.reshape(f"{name} groups", value, (1, groups * inputs, rows))
    options = {"kernel": kernel.reshape(groups * outputs, inputs, 1), "groups": groups}
    found = trace.channels_first(name, joined, "convolution", **options)
    parted = trace.reshape(f"{name} parted", found, (*lead, outputs, rows))
    return parted if left else parted.transposed([*range(len(lead)), -1, -2])


def _normalization(call):
    if call.get("training_mode", 0):
        raise ValueError("it is in training mode; call model.eval() before the export")
    gain, shift, mean, variance = (call.required(k, "statistics").astype(float) for k in range(1, 5))
    factor = gain / np.sqrt(variance + call.get("epsilon", 1e-5))
    shape = (-1, *[1] * (len(call.value.shape) - 2))
    dtype = call.given[1].dtype
    factor, shift = factor.astype(dtype), (shift - mean * factor).astype(dtype)
    return call.trace.scale(call.name, call.value, factor.reshape(shape), shift.reshape(shape))


def _layer_normalization(call, *, centred=True):
    if call.outputs > 1:
        raise ValueError("its mean or deviation is asked for, which is not followed")
    value = call.value
    first = axis_index(call.get("axis", -1), len(value.shape))
    axes, epsilon = range(first, len(value.shape)), call.get("epsilon", 1e-5)
    normalized = call.trace.normalize(call.name, value, axes, centred=centred, epsilon=epsilon)
    return call.trace.scale(f"{call.name} scale", normalized, call.constant(1, "scale"), call.constant(2, "bias"))


def _group_normalization(call, groups=None):
    """Of groups of channels at all positions; as many groups as channels for an instance normalisation."""
    value, positions, channels = call.value, _positions(call), call.value.shape[1]
    groups = channels if groups is None else groups
    if channels % groups:
        raise ValueError(f"expected groups that divide {channels} channels, got {groups}")
    parts = call.trace.reshape(f"{call.name} groups", value, (1, groups, channels // groups, *positions))
    options = {"centred": True, "epsilon": call.get("epsilon", 1e-5)}
    parts = call.trace.normalize(call.name, parts, range(2, len(parts.shape)), **options)
    whole = call.trace.reshape(call.name, parts, value.shape)
    given, column = (call.constant(1, "scale"), call.constant(2, "bias")), (-1, *[1] * len(positions))
    arrays = (None if each is None else np.repeat(each, channels // each.size).reshape(column) for each in given)
    return call.trace.scale(f"{call.name} scale", whole, *arrays)


def _local_response(call):
    """Division by a power of a constant plus the mean of squares of neighbouring channels."""
    trace, name, value, size = call.trace, call.name, call.value, call.get("size")
    _positions(call)
    spread = trace.reshape(f"{name} channels", activated(trace, f"{name} squares", value, "square"), (1, *value.shape))
    pads = [((size - 1) // 2, size // 2), *[(0, 0)] * (len(value.shape) - 2)]
    window = [size, *[1] * (len(value.shape) - 2)]
    means = trace.channels_first(f"{name} means", spread, "average_pool", window=window, pads=pads, count_pads=True)
    base = trace.scale(f"{name} base", means, np.float32(call.get("alpha", 1e-4)), np.float32(call.get("bias", 1.0)))
    power = trace.reshape(name, _positive_power(trace, name, base, np.float32(call.get("beta", 0.75))), value.shape)
    return trace.product(name, value, _reciprocal(trace, name, power))


def _positive_power(trace, name, value, exponent):
    """A power of positive numbers, by their logarithms."""
    logarithm = trace.scale(f"{name} exponent", activated(trace, f"{name} logarithm", value, "log"), exponent)
    return activated(trace, f"{name} power", logarithm, "exp")


def _softmax(call):
    """Shares along an axis; before version 13 along all axes from one on, joined."""
    value, axis = call.value, axis_index(call.get("axis"), len(call.value.shape))
    if not call.get("joined"):
        return call.trace.softmax(call.name, value, axis)
    joined = call.trace.reshape(f"{call.name} joined", value, (*value.shape[:axis], math.prod(value.shape[axis:])))
    return call.trace.reshape(call.name, call.trace.softmax(call.name, joined, axis), value.shape)


def _attention(call):
    """The fused operator: values (1, heads, positions, channels), or with the heads among the channels."""
    mask = call.constant(3, "mask")
    if any(given is not None for given in call.given[4:]) or call.outputs > 1:
        raise ValueError("keys or values of the past, or its scores, are asked for, which is not followed")
    if any(call.get(f"{side}_window_size", -1) >= 0 for side in ("left", "right")):
        raise ValueError("expected keys that a mask hides, got a window, which is not followed")
    queries, keys, values = (_in_heads(call, index) for index in range(3))
    options = {"causal": call.get("is_causal", 0), "scale": call.get("scale"), "cap": call.get("softcap", 0.0)}
    result = attended(call.trace, call.name, queries, keys, values, mask, **options)
    if len(call.value.shape) == 4:
        return result
    return call.trace.reshape(
        f"{call.name} joined",
        result.transposed([0, 2, 1, 3]),
        (*call.value.shape[:2], result.shape[1] * result.shape[3]),
    )


def _in_heads(call, index):
    value = call.given[index]
    if not isinstance(value, Value):
        raise ValueError("expected queries, keys and values that are computed, got constants")
    if len(value.shape) == 4:
        return value
    heads = call.get("kv_num_heads" if index else "q_num_heads")
    parted = call.trace.reshape(f"{call.name} heads", value, (*value.shape[:2], heads, value.shape[2] // heads))
    return parted.transposed([0, 2, 1, 3])


def attended(trace, name, queries, keys, values, mask=None, *, causal=False, scale=None, cap=0.0):
    """Fused attention of values (1, heads, positions, channels); with fewer keys than queries heads, these share keys.

    The mask is true where keys are read, or added to the scores. The first causal query reads the first key only.
    Queries that are constants are followed factor by factor.
    """
    lead = queries.shape[:-2]
    shape = lambda each: (*lead, *each.shape[-2:])  # noqa: E731
    if len(lead) == 2 and keys.shape[1] not in (1, lead[1]):
        keys, values = (_shared(trace, name, each, lead[1]) for each in (keys, values))
    keys, values = (trace.expanded(name, each, shape(each)) for each in (keys, values))
    rows, columns = queries.shape[-2], keys.shape[-2]
    bias, sources = None, dict(trace.sources)
    if mask is not None:
        if mask.dtype.kind == "b":
            mask, sources = np.where(mask, 0.0, -np.inf), {}
        mask = np.where(np.isneginf(mask), -1e30, mask).astype(np.float32)
        mask = mask if math.prod(mask.shape[:-2]) > 1 else mask.reshape(mask.shape[-2:])
        bias = np.broadcast_to(mask, (*(lead if mask.ndim > 2 else ()), rows, columns)).reshape(-1, rows, columns)
    hidden = np.where(np.tri(rows, columns, dtype=bool), 0.0, -1e30).astype(np.float32)
    if not isinstance(queries, Value) and not cap:
        times = 1 / math.sqrt(queries.shape[-1]) if scale is None else scale
        turned = keys.transposed([*range(len(lead)), -1, -2])
        (scores,) = add_operator(trace, "MatMul", f"{name} scores", [times * queries, turned], {}, 1)
        for shift in [bias] * (bias is not None) + [hidden] * bool(causal):
            scores = trace.scale(f"{name} mask", scores, shift=shift)
        weights = trace.softmax(f"{name} weights", scores, len(scores.shape) - 1)
        return trace.matmul(name, weights, values)
    if causal and rows != columns:
        bias, causal = hidden[None] if bias is None else bias + hidden, False
    options = {"causal": bool(causal), "sources": sources, "cap": cap}
    return trace.attention(name, queries, keys, values, scale, bias, **options)


def _shared(trace, name, value, heads):
    """Keys or values of groups of heads, once for each head."""
    if heads % value.shape[1]:
        raise ValueError(f"expected heads of keys that divide {heads}, got {value.shape[1]}")
    return trace.repeated(name, value, 1, heads // value.shape[1])


@dataclass(frozen=True)
class _Above(Value):
    """Whether a value is above a bound."""

    bound: float


def _greater(call):
    value = call.value
    return _Above(value.node, value.shape, value.axes, float(call.required(1, "bound").item()))


def _where(call):
    """Entries of one or the other, by a condition that is constant; values are multiplied by zero and one.

    A softplus that is replaced by its argument where both are the same number is one.
    """
    if isinstance(condition := call.given[0], _Above):
        straight, bent, above = (affine_parts(call.trace, each.node)[0] for each in (*call.values[1:], condition))
        softplus = bent.options.get("function") == "softplus" and bent.inputs == (condition.node.name,)
        if softplus and straight in (above, condition.node) and condition.bound > 15:
            return call.values[2]
        raise ValueError("its condition depends on an input, which is not followed")
    condition = np.asarray(call.required(0, "condition"), dtype=bool)
    shape = np.broadcast_shapes(*(each.shape for each in call.given))
    parts, shift = [], np.zeros(1, np.float32)
    for chosen, given in ((condition, call.given[1]), (~condition, call.given[2])):
        if isinstance(given, Value):
            whole = call.trace.expanded(call.name, given, shape)
            if chosen.all():
                return whole
            if chosen.any():
                parts.append((whole, chosen.astype(np.float32)))
        elif chosen.any():
            shift = np.where(chosen, given, shift).astype(np.float32)
    if not parts:
        raise ValueError("all entries are constants, which is not followed")
    added = shift if shift.any() else None
    if len(parts) == 1 and added is not None:  # at once: of scores it is a mask
        return call.trace.scale(call.name, *parts[0], added)
    masked = [call.trace.masked(call.name, *part) for part in parts]
    value = call.trace.sum(call.name, masked) if len(masked) > 1 else masked[0]
    return value if added is None else call.trace.scale(call.name, value, shift=added)


def assigned(trace: Trace, name: str, base: Any, block: Any, places: Any) -> Any:
    """Values or constants in which a block is another one: of all entries at some places along each axis."""
    places = [np.asarray(each) % n for each, n in zip(places, base.shape)]
    if any(len(set(each.tolist())) < each.size for each in places):
        raise ValueError("entries are assigned twice, which is not followed")
    chosen, shape = np.zeros(base.shape, bool), tuple(map(len, places))
    whole: Any = None
    chosen[np.ix_(*places)] = True
    if isinstance(block, np.ndarray):
        whole = np.zeros(base.shape, block.dtype)
        whole[np.ix_(*places)] = block
    elif all((np.diff(each) == 1).all() for each in places):
        pads = [(int(each[0]), n - 1 - int(each[-1])) for each, n in zip(places, base.shape)]
        whole = trace.pad(f"{name} block", trace.expanded(name, block, shape), pads)
    else:
        sources: list = [None] * len(shape)
        for axis, (each, n) in enumerate(zip(places, base.shape)):
            if each.size != n or (np.diff(each) < 0).any():
                sources[axis] = np.zeros(n, int)
                sources[axis][each] = np.arange(each.size)
        whole = trace.interpolate(f"{name} block", trace.expanded(name, block, shape), sources)
    if all(isinstance(each, np.ndarray) for each in (base, whole)):
        return np.where(chosen, whole, base)
    return _where(_Call(trace, name, [chosen, whole, base], {}))


def _scattered(call):
    """Entries at constant indices of the first axes; those of each axis have one of the indices' axes, in order."""
    base, indices, block = call.given[0], call.required(1, "indices"), call.given[2]
    *lead, count = indices.shape
    places, kept = [], []
    for axis in range(count):
        index = indices[..., axis]
        moving = [k for k in range(len(lead)) if (index != index.take([0], k)).any()]
        kept += moving
        places.append(index[tuple(slice(None) if k in moving else 0 for k in range(len(lead)))].reshape(-1))
        _check_block(call, len(moving) <= 1 and kept == sorted({*kept}))
    _check_block(call, math.prod(map(len, places)) == math.prod(lead))
    places += map(np.arange, base.shape[count:])
    shape = tuple(map(len, places))
    block = block.reshape(shape) if isinstance(block, np.ndarray) else call.trace.reshape(call.name, block, shape)
    return assigned(call.trace, call.name, base, block, places)


def _scattered_along(call):
    """Entries at constant indices along an axis, the same for all places along the others."""
    base, indices = call.given[0], call.required(1, "indices")
    axis = axis_index(call.get("axis", 0), len(base.shape))
    places = list(map(np.arange, indices.shape))
    places[axis] = np.moveaxis(indices, axis, 0).reshape(indices.shape[axis], -1)[:, 0]
    own = places[axis].reshape([-1 if k == axis else 1 for k in range(indices.ndim)])
    _check_block(call, (indices == own).all())
    return assigned(call.trace, call.name, base, call.given[2], places)


def _check_block(call, is_block):
    if call.get("reduction", "none") != "none":
        raise ValueError("entries are to be added, which is not followed")
    if not is_block:
        raise ValueError("expected entries that form a block, got others, which is not followed")


def _sum(call):
    value = call.values[0] if len(call.values) == 1 else call.trace.sum(call.name, call.values)
    for constant in call.constants:
        value = call.trace.scale(call.name, value, shift=constant)
    return value


def _difference(call):
    first, second = call.given
    if isinstance(second, np.ndarray):
        return call.trace.scale(call.name, first, shift=-second)
    if isinstance(first, np.ndarray):
        return call.trace.scale(call.name, call.trace.scale(f"{call.name} minus", second, np.float32(-1)), shift=first)
    return call.trace.difference(call.name, first, second)


def _product(call):
    if len(call.values) == 2:
        return product(call.trace, call.name, *call.values)
    return call.trace.scale(call.name, call.values[0], call.constants[0])


def _quotient(call):
    first, divisor = call.given
    if isinstance(divisor, Value):
        inverse = _reciprocal(call.trace, call.name, divisor)
        if isinstance(first, Value):
            return product(call.trace, call.name, first, inverse)
        return call.trace.scale(call.name, inverse, first)
    if not divisor.all():
        raise ValueError("expected a divisor without zeros, got one with some")
    return call.trace.scale(call.name, call.value, (1 / divisor.astype(float)).astype(divisor.dtype))


def _reciprocal(trace, name, value):
    return activated(trace, f"{name} reciprocal", value, "reciprocal")


def _power(call):
    exponent = call.required(1, "exponent")
    if exponent.size == 1 and exponent.item() == 3:
        square = activated(call.trace, f"{call.name} square", call.value, "square")
        return call.trace.product(call.name, call.value, square)
    functions = {1.0: "identity", 2.0: "square", 0.5: "sqrt", -0.5: "sqrt", -1.0: "identity"}
    if exponent.size != 1:
        raise ValueError(f"expected one exponent, got {quoted(exponent)}")
    if exponent.item() not in functions:
        return _positive_power(call.trace, call.name, call.value, exponent)
    value = activated(call.trace, call.name, call.value, functions[exponent.item()])
    return _reciprocal(call.trace, call.name, value) if exponent.item() < 0 else value


def _length(call):
    """The root of the sum of squares along axes."""
    squares = activated(call.trace, f"{call.name} squares", call.value, "square")
    return activated(call.trace, call.name, _reduction(replace(call, given=[squares, *call.given[1:]]), "sum"), "sqrt")


def _clip(call):
    low, high = call.get("min", -math.inf, 1), call.get("max", math.inf, 2)
    functions = {(0, math.inf): "relu", (-math.inf, math.inf): "identity"}
    if 0 < low < 1e-6 and high == math.inf and call.value.node.options.get("function") == "sqrt":
        call.trace.note(f"The floor {low:.2g} below the root {quoted(call.value.node.name)} is left out.")
        low = -math.inf
    if (low, high) in functions:
        return activated(call.trace, call.name, call.value, functions[low, high])
    if not low < high:
        raise ValueError(f"expected a lower bound below the upper one, got {(low, high)}")
    function, base, size = "relu6", low, (high - low) / 6
    if math.inf in (-low, high):  # from one bound on
        function, base, size = ("relu", low, 1) if high == math.inf else ("relu", high, -1)
    elif low == -high:
        function, base, size = "hard_tanh", 0, high
    real, shifted = call.trace.real, base != 0
    inner = real(1 / size), real(-base / size) if shifted else None
    argument = call.trace.scale(f"{call.name} argument", call.value, *inner)
    bounded = activated(call.trace, call.name, argument, function)
    return call.trace.scale(f"{call.name} times", bounded, real(size), real(base) if shifted else None)


def _maximum(call):
    if len(call.values) != 1 or len(call.constants) != 1 or call.constants[0].any():
        raise ValueError("expected the maximum of one input and zero")
    return activated(call.trace, call.name, call.values[0], "relu")


def _activation(call, function, **options):
    """An activation, whose attributes have to be those that the graph's function has."""
    for attribute, (wanted, default) in options.items():
        if not math.isclose(call.get(attribute, default), wanted, rel_tol=1e-6):
            raise ValueError(f"expected {attribute}={wanted:g}, got {call.get(attribute, default):g}")
    return activated(call.trace, call.name, call.value, function)


def _sloped(call, function, default):
    return call.trace.follow(call.value, call.name, "activation", function=function, slope=call.get("alpha", default))


def _celu(call):
    """With alpha = a it is a elu(z / a)."""
    alpha = np.float32(call.get("alpha", 1.0))
    if not alpha > 0:
        raise ValueError(f"expected alpha above 0, got {alpha:g}")
    argument = call.trace.scale(f"{call.name} argument", call.value, 1 / alpha)
    value = activated(call.trace, call.name, argument, "elu")
    return call.trace.scale(f"{call.name} times", value, alpha)


def _gelu(call):
    functions = {"none": "gelu", "tanh": "gelu_tanh"}
    return activated(call.trace, call.name, call.value, functions[call.get("approximate", "none")])


def _pad(call):
    value = call.value
    mode = call.get("mode", "constant")
    if mode not in ("constant", "edge", "reflect", "wrap"):
        raise ValueError(f"expected pads of mode constant, edge, reflect or wrap, got {quoted(mode)}")
    flat = call.get("pads", None, 1)
    number = call.get("value", 0.0, 2)
    number = number[0] if isinstance(number, list) else number
    axes = [axis_index(axis, len(value.shape)) for axis in call.get("axes", range(len(value.shape)), 3)]
    if len(flat) != 2 * len(axes) or len(set(axes)) != len(axes):
        raise ValueError(f"expected a pair of pads for each of {len(axes)} axes, got {quoted(flat)}")
    pads = [(0, 0)] * len(value.shape)
    for k, axis in enumerate(axes):
        pads[axis] = (int(flat[k]), int(flat[k + len(axes)]))
    return call.trace.pad(call.name, value, pads, number, mode)


def _split(call):
    return call.trace.split(
        call.name, call.value, *split_sizes(call.value.shape, call, call.get("num_outputs", call.outputs))
    )


def _gather(call):
    if isinstance(call.given[0], np.ndarray) and call.get("axis", 0) == 0:
        return call.trace.embedding(call.name, call.given[1], call.given[0])
    value, indices = call.value, call.required(1, "indices")
    axis = axis_index(call.get("axis", 0), len(value.shape))
    n = value.shape[axis]
    flat = [int(index) for index in indices.reshape(-1)]
    if not flat or not all(-n <= index < n for index in flat):
        raise ValueError(f"expected indices below {n}, got {quoted(flat)}")
    flat = [index % n for index in flat]
    step = flat[1] - flat[0] if len(flat) > 1 else 1
    kept = range(flat[0], flat[-1] + 1, max(step, 1))
    if list(kept) == flat:
        part = call.trace.cut(call.name, value, axis, kept)
    else:
        places = [flat if k == axis else None for k in range(len(value.shape))]
        part = call.trace.interpolate(call.name, value, places)
    return call.trace.reshape(call.name, part, (*part.shape[:axis], *indices.shape, *part.shape[axis + 1 :]))


def _gather_along(call):
    """Entries at constant indices of several axes, the first ones, as entries of these joined to one."""
    value, indices = call.value, call.required(1, "indices")
    skipped, count = call.get("batch_dims", 0), indices.shape[-1]
    if skipped:
        raise ValueError("expected the same entries of all of a batch, got some for each, which is not followed")
    sizes = value.shape[:count]
    if (indices >= sizes).any() or (indices < -np.array(sizes)).any():
        raise ValueError(f"expected indices below {sizes}, got others")
    places = np.ravel_multi_index(tuple(np.moveaxis(indices % sizes, -1, 0)), sizes)
    joined = call.trace.reshape(f"{call.name} joined", value, (math.prod(sizes), *value.shape[count:]))
    return _gather(_Call(call.trace, call.name, [joined, places], {"axis": 0}))


def _concatenation(call):
    """Constants are pads of the values beside them, to which they are added."""
    axis = axis_index(call.get("axis"), len(call.given[0].shape))
    if len(call.values) == len(call.given):
        return call.trace.concatenate(call.name, call.values, axis)
    padded, before = [], 0
    for each in call.given:
        if isinstance(each, Value):
            padded.append((each, [before, 0]))
            before = 0
        elif padded:
            padded[-1][1][1] += each.shape[axis]
        else:
            before += each.shape[axis]
    parts = [call.trace.pad_along(call.name, each, axis, *ends) for each, ends in padded]
    value = call.trace.concatenate(call.name, parts, axis) if len(parts) > 1 else parts[0]
    shift = [np.zeros(each.shape, np.float32) if isinstance(each, Value) else each for each in call.given]
    return call.trace.scale(call.name, value, shift=np.concatenate(shift, axis=axis))


def _einsum(call):
    """One input whose axes are moved or summed over, or a product of several, each of two as one of matrices."""
    terms, _, wanted = call.get("equation").replace(" ", "").partition("->")
    terms = terms.split(",")
    if "->" not in call.get("equation"):
        wanted = "".join(sorted(label for label in {*"".join(terms)} if "".join(terms).count(label) == 1))
    labels = "".join(terms) + wanted
    if "." in labels or any(len({*each}) < len(each) for each in (*terms, wanted)):
        raise ValueError(f"expected terms without dots or diagonals, got {quoted(call.get('equation'))}")
    given = list(call.given)
    if len(terms) > 2:  # the first two, and then that with the others
        first, second, *others = terms
        kept = "".join(label for label in dict.fromkeys(first + second) if label in "".join(others) + wanted)
        part = _Call(call.trace, f"{call.name} of two", given[:2], {"equation": f"{first},{second}->{kept}"})
        known = all(isinstance(each, np.ndarray) for each in given[:2])
        made = np.einsum(part.get("equation"), *given[:2]) if known else _einsum(part)
        equation = f"{','.join([kept, *others])}->{wanted}"
        return _einsum(_Call(call.trace, call.name, [made, *given[2:]], {"equation": equation}))
    if len(given) > 1 and isinstance(given[0], np.ndarray):
        given, terms = given[::-1], terms[::-1]
    for k, term in enumerate(terms):  # what stands in one term only is summed over
        alone = [axis for axis, label in enumerate(term) if label not in wanted + "".join(terms[:k] + terms[k + 1 :])]
        if alone and isinstance(given[k], Value):
            part = _Call(call.trace, f"{call.name} sum {k + 1}", [given[k]], {"axes": alone, "keepdims": 0})
            given[k] = _reduction(part, "sum")
        elif alone:
            given[k] = given[k].sum(axis=tuple(alone))
        terms[k] = "".join(label for axis, label in enumerate(term) if axis not in alone)
    sizes = {label: n for term, each in zip(terms, given) for label, n in zip(term, each.shape)}
    if len(terms) == 1:
        return given[0].transposed([terms[0].index(label) for label in wanted])
    first, second = terms
    both = [label for label in wanted if label in first and label in second]
    rows, columns = ([label for label in wanted if label in term and label not in both] for term in terms)
    summed = [label for label in first if label in second and label not in both]

    def ordered(k, *groups):
        """An input with its axes in the order of groups; each of the last ones becomes one axis."""
        axes = [terms[k].index(label) for group in groups for label in group]
        shape = (*map(sizes.get, groups[0]), *(math.prod(map(sizes.get, group)) for group in groups[1:]))
        if isinstance(given[k], np.ndarray):
            return given[k].transpose(axes).reshape(shape)
        moved = given[k].transposed(axes)
        return moved if moved.shape == shape else call.trace.reshape(f"{call.name} axes {k + 1}", moved, shape)

    if isinstance(given[1], np.ndarray) and not both and summed:
        value = ordered(0, rows, summed)  # rows need not be one axis
        result = call.trace.dense(call.name, value, ordered(1, [], columns, summed), None, len(rows))
    else:
        value, other = ordered(0, both, rows, summed), ordered(1, both, summed, columns)
        part = _Call(call.trace, call.name, [value, other], {})
        result = _matrix_product(part) if summed else _product(part)
    made = (*both, *rows, *columns)
    whole = tuple(map(sizes.get, made))
    result = result if result.shape == whole else call.trace.reshape(f"{call.name} axes", result, whole)
    return result.transposed([made.index(label) for label in wanted])


def _expand(call):
    shape = np.broadcast_shapes(call.value.shape, tuple(call.required(1, "shape").tolist()))
    return call.trace.expanded(call.name, call.value, shape)


_COPIES = 2**12  # each of which takes an array of its own


def _tile(call):
    """Copies along axes; of an axis of several entries whole copies follow each other."""
    value, repeats = call.value, list(map(int, call.required(1, "repeats")))
    shape = [size * count for size, count in zip(value.shape, repeats)]
    declared_bytes(shape, 8, "path", f"the value of {quoted(call.name)}", call.trace.memory)
    if max(repeats, default=1) > _COPIES:
        raise ValueError(f"expected at most {_COPIES} repeats, got {max(repeats)}")
    for axis, count in enumerate(repeats):
        if count < 1:
            raise ValueError(f"expected repeats of at least 1, got {count}")
        if count > 1:
            value = call.trace.concatenate(call.name, [value] * count, axis)
    return value


def _running_sum(call):
    """Sums up to each entry, or from it on; without it they are those of the entries moved by one."""
    value, reverse = call.value, bool(call.get("reverse", 0))
    axis = axis_index(int(call.required(1, "axis").item()), len(value.shape))
    if call.get("exclusive", 0):
        value = call.trace.pad_along(f"{call.name} moved", value, axis, *((-1, 1) if reverse else (1, -1)))
    return call.trace.accumulate(call.name, value, axis, reverse=reverse)


def _order_of_blocks(axes, mode):
    """Where own channels, and the place of a block and in a block along each axis, are before channels are blocks."""
    inner, own = (range(1, axes + 1), axes + 1) if mode == "DCR" else (range(2, axes + 2), 1)
    return [0, own, *chain(*zip(range(axes + 2, 2 * axes + 2), inner))]


def _depth_to_space(call):
    """Groups of channels become blocks of positions; they count columns or channels first."""
    size, (batch, channels, *positions) = call.get("blocksize"), call.value.shape
    own, order = channels // size ** len(positions), _order_of_blocks(len(positions), call.get("mode", "DCR"))
    sizes = dict(zip(order, (batch, own, *chain(*((n, size) for n in positions)))))
    parted = call.trace.reshape(f"{call.name} parts", call.value, [sizes[k] for k in range(len(order))])
    return call.trace.reshape(call.name, parted.transposed(order), (batch, own, *(n * size for n in positions)))


def _space_to_depth(call):
    """Blocks of positions become groups of channels: of each place in a block, or, as in PyTorch, of each channel."""
    size, (batch, channels, *positions) = call.get("blocksize"), call.value.shape
    if any(n % size for n in positions):
        raise ValueError(f"expected positions that are multiples of {size}, got {positions}")
    order = np.argsort(_order_of_blocks(len(positions), call.get("mode", "DCR"))).tolist()
    shape = (batch, channels, *chain(*((n // size, size) for n in positions)))
    parted = call.trace.reshape(f"{call.name} blocks", call.value, shape).transposed(order)
    whole = (batch, channels * size ** len(positions), *(n // size for n in positions))
    return call.trace.reshape(call.name, parted, whole)


def _as_floats(call):
    """A value that is rounded to whole numbers, or these as what they stand for: the value itself."""
    call.trace.note("Quantised values are taken for the numbers that they stand for, which is an assumption.")
    return call.value


def _dropout(call):
    if call.get("training_mode", False, 2):
        raise ValueError("it is in training mode; call model.eval() before the export")
    return call.value


def _cast(call):
    from onnx import TensorProto

    if call.get("to") in (TensorProto.INT32, TensorProto.INT64) and call.value.node.name in call.trace.tokens:
        return call.value
    if call.get("to") not in (TensorProto.FLOAT, TensorProto.DOUBLE, TensorProto.FLOAT16, TensorProto.BFLOAT16):
        raise ValueError("expected a type of real numbers, got another; rounding is not followed")
    return call.value


def _recurrent(call, kind):
    """The hidden units at all steps, and at the last one, and the cells of an LSTM there."""
    value, kernel, again = call.value, call.required(1, "matrix of the inputs"), call.required(2, "recurrent matrix")
    if call.get("layout", 0):
        raise ValueError("expected layout 0, steps before the batch, got 1; export it otherwise")
    hidden, direction = call.get("hidden_size", again.shape[-1]), call.get("direction", "forward")
    ways = 1 + (direction == "bidirectional")
    lengths = call.constant(4, "lengths")
    if lengths is not None and (lengths != value.shape[0]).any():
        raise ValueError("expected steps as many as the input has, got fewer")
    if kernel.ndim != 3 or kernel.shape[0] != ways or kernel.shape[1] % hidden:
        raise ValueError(f"expected a matrix ({ways}, gates, features), got shape {kernel.shape}")
    usual = {"simple": ["Tanh"], "gru": ["Sigmoid", "Tanh"], "lstm": ["Sigmoid", "Tanh", "Tanh"]}[kind] * ways
    functions = call.get("activations", usual)[: len(usual)]
    rectified = kind == "simple" and functions == ["Relu"] * ways
    if (functions != usual and not rectified) or call.get("clip", 0) or call.get("input_forget", 0):
        raise ValueError(
            f"expected the functions {usual}, not clipped or coupled, got {functions}; export it otherwise"
        )
    if call.constant(7, "peepholes") is not None and call.given[7].any():
        raise ValueError("expected no peepholes, got some, which are not followed")
    states = [call.given[k] if k < len(call.given) else None for k in (5, 6)[: 1 + (kind == "lstm")]]
    bias = call.constant(3, "bias")
    biases = (None, None) if bias is None else np.split(bias, 2, axis=1)
    arrays = {"kernel": kernel, "recurrent_kernel": again, "bias": biases[0], "recurrent_bias": biases[1]}
    arrays = {key: array if array is None else array.reshape(-1, *array.shape[2:]) for key, array in arrays.items()}
    options = {"kind": kind, "hidden": hidden, "direction": direction, "cells": call.outputs > 2}
    options |= {"reset_after": bool(call.get("linear_before_reset", 0)), "function": "relu" if rectified else "tanh"}
    return states_of(call.trace, call.name, value, states, **arrays, **options)


def states_of(trace, name, value, states, *, hidden, direction, cells, **arguments):
    """States of a recurrent layer: (steps, ways, 1, hidden), the last ones (ways, 1, hidden), and the last cells."""
    first = [state for state in states if isinstance(state, Value)]
    if len(first) not in (0, len(states)) or any(state.any() for state in states if isinstance(state, np.ndarray)):
        raise ValueError(
            "expected first states that are zero or depend on an input, got other numbers; set them to zero, which "
            "leaves fields as they are"
        )
    units = trace.recurrent(name, value, first, hidden=hidden, direction=direction, cells=cells, **arguments)
    steps, ways = units.shape[0], 1 + (direction == "bidirectional")
    width = ways * hidden
    every = trace.cut(f"{name} states", units, 2, range(width))
    found = [trace.reshape(f"{name} ways", every, (steps, 1, ways, hidden)).transposed([0, 2, 1, 3])]
    for begin in range(0, units.shape[2], width):
        ends = []
        for way in range(ways):
            last = 0 if direction == "reverse" or way else steps - 1
            kept = range(begin + way * hidden, begin + (way + 1) * hidden)
            ends.append(trace.slice(f"{name} end {way + 1}", units, [range(last, last + 1), range(1), kept]))
        found.append(ends[0] if ways == 1 else trace.concatenate(f"{name} ends", ends, 0))
    return found


_PLAIN = ("Abs", "Erf", "Exp", "Log", "Mish", "Relu", "Sigmoid", "Softplus", "Softsign", "Sqrt", "Tanh")
_RULES: dict[str, Callable] = {
    **{name: partial(_activation, function=name.lower()) for name in _PLAIN},
    "Add": _sum,
    "Attention": _attention,
    "AveragePool": partial(_pool, operator="average_pool"),
    "BatchNormalization": _normalization,
    "Cast": _cast,
    "Celu": _celu,
    "Clip": _clip,
    "Col2Im": _folded,
    "Concat": _concatenation,
    "Conv": _convolution,
    "ConvTranspose": _transposed_convolution,
    "CumSum": _running_sum,
    "DepthToSpace": _depth_to_space,
    "Div": _quotient,
    "DequantizeLinear": _as_floats,
    "Dropout": _dropout,
    "Einsum": _einsum,
    "Elu": partial(_sloped, function="elu", default=1.0),
    "Expand": _expand,
    "GRU": partial(_recurrent, kind="gru"),
    "Gather": _gather,
    "GatherND": _gather_along,
    "Gelu": _gelu,
    "Gemm": _gemm,
    "GlobalAveragePool": partial(_whole, operator="average_pool"),
    "GlobalMaxPool": partial(_whole, operator="max_pool"),
    "GroupNormalization": lambda call: _group_normalization(call, call.get("num_groups")),
    "Greater": _greater,
    "HardSigmoid": partial(_activation, function="hard_sigmoid", alpha=(1 / 6, 0.2), beta=(0.5, 0.5)),
    "HardSwish": partial(_activation, function="hard_swish"),
    "Identity": lambda call: call.value,
    "InstanceNormalization": _group_normalization,
    "LRN": _local_response,
    "LSTM": partial(_recurrent, kind="lstm"),
    "LayerNormalization": _layer_normalization,
    "LeakyRelu": partial(_sloped, function="leaky_relu", default=0.01),
    "LogSoftmax": lambda call: activated(call.trace, f"{call.name} logarithm", _softmax(call), "log"),
    "MatMul": _matrix_product,
    "Max": _maximum,
    "MaxPool": partial(_pool, operator="max_pool"),
    "Mul": _product,
    "Neg": lambda call: call.trace.scale(call.name, call.value, np.float32(-1)),
    "PRelu": lambda call: call.trace.slopes(call.name, call.value, call.required(1, "slopes")),
    "Pad": _pad,
    "Pow": _power,
    "QuantizeLinear": _as_floats,
    "RMSNormalization": partial(_layer_normalization, centred=False),
    "RNN": partial(_recurrent, kind="simple"),
    "Reciprocal": lambda call: _reciprocal(call.trace, call.name, call.value),
    "ReduceL2": _length,
    "ReduceMax": partial(_reduction, operator="max"),
    "ReduceMean": partial(_reduction, operator="mean"),
    "ReduceSum": partial(_reduction, operator="sum"),
    "Resize": _resize,
    "ScatterElements": _scattered_along,
    "ScatterND": _scattered,
    "Selu": partial(_activation, function="selu", alpha=(1.6732632, 1.6732632), gamma=(1.050701, 1.050701)),
    "Sin": partial(_activation, function="sine"),
    "Slice": lambda call: call.trace.slice(call.name, call.value, slice_ranges(call.value.shape, call)),
    "Softmax": _softmax,
    "SpaceToDepth": _space_to_depth,
    "Split": _split,
    "Sub": _difference,
    "Sum": _sum,
    "Swish": partial(_activation, function="silu", alpha=(1.0, 1.0)),
    "Tile": _tile,
    "Transpose": lambda call: call.value.transposed(permuted_axes(len(call.value.shape), call)),
    "Upsample": _resize,
    "Where": _where,
}
SUPPORTED = tuple(_RULES)
