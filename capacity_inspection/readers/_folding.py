"""Values in an ONNX file that do not depend on the network's inputs: shapes, weights made of weights.

Only operators whose result is small or as large as what goes in are computed, after the size of the result is compared
with the memory that is allowed. An array that repeats one number is a view of it.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any

import numpy as np

from capacity_inspection.readers._bounded import declared_bytes, quoted

__all__ = ["FOLDED", "RESHAPED", "axis_index", "folded", "permuted_axes", "slice_ranges", "split_sizes"]


def folded(operator: str, inputs: Sequence[np.ndarray | None], attributes: Mapping[str, Any], memory: int) -> list:
    """The outputs of an operator of constants, each of at most `memory` bytes; None is an input that is left out."""
    try:
        with np.errstate(all="ignore"):
            results = FOLDED[operator](_Arguments(inputs, attributes, memory))
    except (AttributeError, IndexError, KeyError, OverflowError, TypeError, np.exceptions.AxisError) as error:
        raise ValueError(f"constants do not fit: {quoted(error)}") from error
    return results if isinstance(results, list) else [np.asarray(results)]


@dataclass(frozen=True)
class _Arguments:
    """Inputs and attributes of one operator, whichever of the two a version of it has."""

    inputs: Sequence[np.ndarray | None]
    attributes: Mapping[str, Any]
    memory: int

    def __getitem__(self, index):
        if self.inputs[index] is None:
            raise ValueError(f"input {index} is missing")
        return self.inputs[index]

    def get(self, name, default=None, index=None):
        """Attribute of a name, or the input at an index, or a default."""
        if name in self.attributes:
            return self.attributes[name]
        if index is not None and len(self.inputs) > index and self.inputs[index] is not None:
            return self.inputs[index].tolist()
        return default

    def allowed(self, shape, itemsize):
        """The shape of an output that may be made."""
        shape = tuple(int(size) for size in shape)
        declared_bytes(shape, itemsize, "path", "an array that is computed", self.memory)
        return shape


def _elementwise(function):
    def rule(given):
        arrays = [given[k] for k in range(len(given.inputs))]
        given.allowed(np.broadcast_shapes(*(array.shape for array in arrays)), 8)
        return np.asarray(function(*arrays) if getattr(function, "nin", 2) == 1 else reduce(function, arrays))

    return rule


def _divide(a, b):
    if a.dtype.kind not in "iu":
        return a / b
    if not b.all():
        raise ValueError("an integer is divided by zero")
    return (np.sign(a) * np.sign(b) * (abs(a) // abs(b))).astype(a.dtype)


def _modulo(given):
    if given[0].dtype.kind in "iu" and not given[1].all():
        raise ValueError("an integer is divided by zero")
    return _elementwise(np.fmod if given.get("fmod", 0) else np.mod)(given)


def _power(given):
    return _elementwise(np.power)(given).astype(given[0].dtype)


def _constant(given):
    for name, dtype in [("value_int", np.int64), ("value_ints", np.int64), ("value_float", np.float32)]:
        if name in given.attributes:
            return np.array(given.attributes[name], dtype)
    if "value_floats" in given.attributes:
        return np.array(given.attributes["value_floats"], np.float32)
    return given.attributes["value"]


def _constant_of_shape(given):
    value = np.asarray(given.get("value", np.zeros(1, np.float32))).reshape(-1)
    if value.size != 1:
        raise ValueError("one number is expected to fill an array")
    return np.broadcast_to(value[0], given.allowed(given[0].reshape(-1).tolist(), value.itemsize))


def _expand(given):
    shape = np.broadcast_shapes(given[0].shape, given.allowed(given[1].tolist(), 1))
    return np.broadcast_to(given[0], given.allowed(shape, given[0].itemsize))


def _clip(given):
    return np.clip(given[0], given.get("min", -np.inf, 1), given.get("max", np.inf, 2)).astype(given[0].dtype)


def _range(given):
    start, limit, step = (given[k].item() for k in range(3))
    given.allowed([max(0, math.ceil((limit - start) / step)) if step else -1], 8)
    return np.arange(start, limit, step, dtype=given[0].dtype)


def _cast(given):
    from onnx.helper import tensor_dtype_to_np_dtype

    dtype = np.dtype(tensor_dtype_to_np_dtype(given.get("to")))
    if dtype.kind not in "biuf":
        raise ValueError(f"numbers cannot become {dtype}")
    return given[0].astype(dtype)


def _where(given):
    given.allowed(np.broadcast_shapes(*(given[k].shape for k in range(3))), 8)
    return np.where(given[0], given[1], given[2])


def _triangle(given):
    offset = given.get("k", 0, 1)
    return (np.triu if given.get("upper", 1) else np.tril)(given[0], int(offset))


def _new_shape(shape, given):
    """Shape after a reshape, in which 0 keeps a size and -1 stands for what is left."""
    wanted = [int(size) for size in given.get("shape", index=1)]
    if not given.get("allowzero", 0):
        wanted = [shape[k] if size == 0 and k < len(shape) else size for k, size in enumerate(wanted)]
    if wanted.count(-1) == 1:
        others = -math.prod(wanted)
        wanted[wanted.index(-1)] = math.prod(shape) // others if others > 0 else 0
    if min(wanted, default=0) < 0 or math.prod(wanted) != math.prod(shape):
        raise ValueError(f"an array of shape {tuple(shape)} cannot have the shape {tuple(wanted)}")
    return tuple(wanted)


def _flat_shape(shape, given):
    """Shape of a matrix, whose rows are all axes before one."""
    axis = given.get("axis", 1)
    axis = axis if axis == len(shape) else axis_index(axis, len(shape))
    return math.prod(shape[:axis]), math.prod(shape[axis:])


def _squeezed_shape(shape, given):
    """Shape without some axes of size one, or without all of them."""
    axes = given.get("axes", [k for k, size in enumerate(shape) if size == 1], 1)
    axes = [axis_index(axis, len(shape)) for axis in axes]
    if any(shape[k] != 1 for k in axes):
        raise ValueError(f"axes {axes} of shape {tuple(shape)} are expected to have one entry")
    return tuple(size for k, size in enumerate(shape) if k not in axes)


def _unsqueezed_shape(shape, given):
    """Shape with further axes of size one at the given places of the result."""
    axes = np.atleast_1d(given.get("axes", index=1)).tolist()
    places = {axis_index(k, len(shape) + len(axes)) for k in axes}
    if len(places) < len(axes):
        raise ValueError(f"axes {axes} of the result are named twice")
    rest = iter(shape)
    return tuple(1 if k in places else next(rest) for k in range(len(shape) + len(axes)))


RESHAPED = {  # the shape that each gives, whether it is of constants or not
    "Flatten": _flat_shape,
    "Reshape": _new_shape,
    "Squeeze": _squeezed_shape,
    "Unsqueeze": _unsqueezed_shape,
}


def slice_ranges(shape, given):
    """Range of indices along each axis that a slice keeps."""
    starts, ends = given.get("starts", index=1), given.get("ends", index=2)
    axes = [axis_index(axis, len(shape)) for axis in given.get("axes", list(range(len(starts))), 3)]
    steps = given.get("steps", [1] * len(starts), 4)
    if not len(starts) == len(ends) == len(axes) == len(steps) == len(set(axes)) or 0 in steps:
        raise ValueError("a slice has as many starts, ends, axes and steps, none of them zero")
    ranges = [range(size) for size in shape]
    for axis, start, end, step in zip(axes, starts, ends, steps):
        ranges[axis] = range(*slice(int(start), int(end), int(step)).indices(shape[axis]))
    return ranges


def _slice(given):
    ranges = slice_ranges(given[0].shape, given)
    return given[0][tuple(slice(r.start, r.stop if r.stop >= 0 else None, r.step) for r in ranges)]


def axis_index(axis, n):
    """Index of one of n axes, which may be counted from the end."""
    if not isinstance(axis, int) or not -n <= axis < n:
        raise ValueError(f"axis {axis} is not one of {n}")
    return axis % n


def _gather(given):
    data, indices, axis = given[0], given[1], axis_index(given.get("axis", 0), given[0].ndim)
    given.allowed((*data.shape[:axis], *indices.shape, *data.shape[axis + 1 :]), data.itemsize)
    return np.take(data, indices, axis=axis)


def _scattered(given):
    if given.get("reduction", "none") != "none":
        raise ValueError("entries are to be added, which is not followed")
    result = given[0].copy()
    result[tuple(np.moveaxis(given[1], -1, 0))] = given[2]
    return result


def _concat(given):
    arrays = [given[k] for k in range(len(given.inputs))]
    given.allowed([sum(array.nbytes for array in arrays)], 1)
    return np.concatenate(arrays, axis=axis_index(given.get("axis"), arrays[0].ndim))


def _split(given):
    axis, sizes = split_sizes(given[0].shape, given, given.get("num_outputs"))
    return np.split(given[0], np.cumsum(sizes)[:-1], axis=axis)


def split_sizes(shape, given, parts):
    """The axis that is split, by default into so many parts, and their sizes."""
    axis = axis_index(given.get("axis", 0), len(shape))
    size, sizes = shape[axis], given.get("split", index=1)
    if sizes is None:
        if not parts or parts > size:
            raise ValueError(f"{size} entries are to be split into {parts} parts")
        each = -(-size // parts)
        sizes = [min(each, max(size - k * each, 0)) for k in range(parts)]
    if sum(sizes) != size or min(sizes) < 0:
        raise ValueError(f"{size} entries are to be split into parts of {quoted(sizes)}")
    return axis, [int(each) for each in sizes]


def _reduce(function):
    def rule(given):
        listed = given.get("axes", index=1) or (() if given.get("noop_with_empty_axes", 0) else range(given[0].ndim))
        axes = tuple(axis_index(k, given[0].ndim) for k in listed)
        return function(given[0], axis=axes, keepdims=bool(given.get("keepdims", 1)))

    return rule


def permuted_axes(n, given):
    """The order of n axes after a transpose."""
    permutation = given.get("perm", list(range(n))[::-1])
    if sorted(permutation) != list(range(n)):
        raise ValueError(f"{permutation} is no order of {n} axes")
    return permutation


def _beside(given, index, whole=False):
    """An argument of quantisation that may differ along an axis, in the shape of what it goes with."""
    if given.get("block_size", 0):
        raise ValueError("scales of blocks are not followed")
    if len(given.inputs) <= index or given.inputs[index] is None:
        return 0
    found, shape = given[index].astype(int if whole else float), [1] * given[0].ndim
    if found.size > 1:
        shape[given.get("axis", 1)] = found.size
    return found.reshape(shape)


def _quantized(given):
    given.allowed(given[0].shape, 8)
    kind = np.iinfo(given[2].dtype if len(given.inputs) > 2 and given.inputs[2] is not None else np.uint8)
    found = np.rint(given[0] / _beside(given, 1)) + _beside(given, 2, whole=True)
    return np.clip(found, kind.min, kind.max).astype(kind.dtype)


def _dequantized(given):
    given.allowed(given[0].shape, 8)
    return ((given[0].astype(int) - _beside(given, 2, whole=True)) * _beside(given, 1)).astype(np.float32)


FOLDED = {
    **{name: lambda given, rule=rule: given[0].reshape(rule(given[0].shape, given)) for name, rule in RESHAPED.items()},
    "Abs": _elementwise(np.abs),
    "Add": _elementwise(np.add),
    "And": _elementwise(np.logical_and),
    "Cast": _cast,
    "Ceil": _elementwise(np.ceil),
    "Clip": _clip,
    "Concat": _concat,
    "Constant": _constant,
    "ConstantOfShape": _constant_of_shape,
    "Cos": _elementwise(np.cos),
    "DequantizeLinear": _dequantized,
    "Div": _elementwise(_divide),
    "Equal": _elementwise(np.equal),
    "Exp": _elementwise(np.exp),
    "Expand": _expand,
    "Floor": _elementwise(np.floor),
    "Gather": _gather,
    "Greater": _elementwise(np.greater),
    "GreaterOrEqual": _elementwise(np.greater_equal),
    "Identity": lambda given: given[0],
    "IsNaN": _elementwise(np.isnan),
    "Less": _elementwise(np.less),
    "LessOrEqual": _elementwise(np.less_equal),
    "Log": _elementwise(np.log),
    "Max": _elementwise(np.maximum),
    "Min": _elementwise(np.minimum),
    "Mod": _modulo,
    "Mul": _elementwise(np.multiply),
    "Neg": _elementwise(np.negative),
    "Not": _elementwise(np.logical_not),
    "Or": _elementwise(np.logical_or),
    "Pow": _power,
    "QuantizeLinear": _quantized,
    "Range": _range,
    "Reciprocal": _elementwise(np.reciprocal),
    "ReduceL1": _reduce(lambda array, **where: np.abs(array).sum(**where)),
    "ReduceL2": _reduce(lambda array, **where: np.sqrt(np.square(array).sum(**where))),
    "ReduceMax": _reduce(np.max),
    "ReduceMean": _reduce(np.mean),
    "ReduceMin": _reduce(np.min),
    "ReduceProd": _reduce(np.prod),
    "ReduceSum": _reduce(np.sum),
    "ReduceSumSquare": _reduce(lambda array, **where: np.square(array).sum(**where)),
    "ScatterND": _scattered,
    "Shape": lambda given: np.array(given[0].shape[given.get("start", 0) : given.get("end")], np.int64),
    "Sin": _elementwise(np.sin),
    "Size": lambda given: np.array(given[0].size, np.int64),
    "Slice": _slice,
    "Split": _split,
    "Sqrt": _elementwise(np.sqrt),
    "Sub": _elementwise(np.subtract),
    "Sum": _elementwise(np.add),
    "Transpose": lambda given: given[0].transpose(permuted_axes(given[0].ndim, given)),
    "Trilu": _triangle,
    "Where": _where,
}
