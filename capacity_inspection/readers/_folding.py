"""Values in an ONNX file that do not depend on the network's inputs: shapes, weights made of weights.

The library's reference computes them, once the shape of each result, as its inference has it, is compared with the
memory that is allowed. An array that repeats one number is a view of it.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from capacity_inspection.readers._bounded import declared_bytes, quoted

__all__ = [
    "FOLDED",
    "RESHAPED",
    "axis_index",
    "folded",
    "permuted_axes",
    "result_shapes",
    "slice_ranges",
    "split_sizes",
]

RESHAPED = ("Flatten", "Reshape", "Squeeze", "Unsqueeze")
FOLDED = frozenset(
    """
    Abs Add And Cast Ceil Clip Concat Constant ConstantOfShape Cos DequantizeLinear Div Equal Exp Expand Flatten Floor
    Gather Greater GreaterOrEqual Identity IsNaN Less LessOrEqual Log Max Min Mod Mul Neg Not Or Pow QuantizeLinear
    Range Reciprocal ReduceL1 ReduceL2 ReduceMax ReduceMean ReduceMin ReduceProd ReduceSum ReduceSumSquare Reshape
    ScatterND Shape Sin Size Slice Split Sqrt Squeeze Sub Sum Transpose Trilu Unsqueeze Where
    """.split()  # noqa: SIM905 (a line for each)
)
_FEW = 2**10  # numbers of an input that may be sizes
_FLOAT = np.dtype(np.float32)  # of what is computed from inputs of the network


def folded(node: Any, inputs: Sequence[Any], attributes: Mapping[str, Any], memory: int, version: int) -> list:
    """The outputs of an operator of constants, each of at most `memory` bytes; None is an input that is left out.

    Its attributes are those of the node, with arrays in the place of tensors; the version is that of the operators.
    """
    from onnx import helper
    from onnx.reference import ReferenceEvaluator

    if node.op_type == "Constant" and "value" in attributes:
        return [attributes["value"]]
    shapes = result_shapes(node, inputs, version)
    for shape, itemsize in shapes:
        declared_bytes(shape, itemsize, "path", "an array that is computed", memory)
    if node.op_type in ("Div", "Mod") and inputs[1].dtype.kind in "iu" and not inputs[1].all():
        raise ValueError("an integer is divided by zero")
    if node.op_type == "ConstantOfShape":
        value = np.asarray(attributes.get("value", np.zeros(1, np.float32))).reshape(-1)
        if value.size != 1:
            raise ValueError("one number is expected to fill an array")
        return [np.broadcast_to(value[0], shapes[0][0])]
    names = [name for name in node.output if name]
    typed = [helper.make_value_info(name, kind) for name, kind in _types(node, inputs).items()]
    graph = helper.make_graph([node], "constants", typed, list(map(helper.make_empty_tensor_value_info, names)))
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", version)])
    try:
        with np.errstate(all="ignore"):
            results = ReferenceEvaluator(model).run(names, dict(zip(node.input, inputs)))
    except Exception as error:  # of whatever the library computes
        raise ValueError(f"constants do not fit: {quoted(error)}") from error
    found = dict(zip(names, map(_numbers, results)))
    return [found.get(name) for name in node.output]


def result_shapes(node: Any, inputs: Sequence[Any], version: int) -> list[tuple[tuple[int, ...], int]]:
    """Shape and bytes of an entry of each output, of inputs that are arrays, or have a shape."""
    from onnx import defs, helper, numpy_helper
    from onnx.shape_inference import infer_node_outputs

    data = {
        name: numpy_helper.from_array(each)
        for name, each in zip(node.input, inputs)
        if isinstance(each, np.ndarray) and each.size <= _FEW
    }
    try:
        schema, opsets = defs.get_schema(node.op_type, version), [helper.make_opsetid("", version)]
        found = infer_node_outputs(schema, node, _types(node, inputs), data, opset_imports=opsets)
    except Exception as error:  # of whatever the library finds
        raise ValueError(f"inputs or attributes do not fit: {quoted(error)}") from error
    kinds = [found[name].tensor_type for name in node.output if name in found]
    if not all(kind.HasField("shape") and all(n.HasField("dim_value") for n in kind.shape.dim) for kind in kinds):
        raise ValueError("the shape of what it gives depends on an input, or is not known before it is computed")
    return [
        (tuple(size.dim_value for size in kind.shape.dim), helper.tensor_dtype_to_np_dtype(kind.elem_type).itemsize)
        for kind in kinds
    ]


def _types(node, inputs):
    """Types of the inputs of a node, which are arrays or have a shape, by their names."""
    from onnx import helper

    return {
        name: helper.make_tensor_type_proto(helper.np_dtype_to_tensor_dtype(getattr(each, "dtype", _FLOAT)), each.shape)
        for name, each in zip(node.input, inputs)
        if each is not None
    }


def _numbers(array):
    """What is computed as an array of real numbers; those of 16 bits become float32."""
    array = np.asarray(array)
    if array.dtype.name in ("bfloat16", "float16"):
        return array.astype(np.float32)
    if array.dtype.kind not in "biuf":
        raise ValueError(f"expected real numbers, got {array.dtype}")
    return array


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


def axis_index(axis, n):
    """Index of one of n axes, which may be counted from the end."""
    if not isinstance(axis, int) or not -n <= axis < n:
        raise ValueError(f"axis {axis} is not one of {n}")
    return axis % n


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


def permuted_axes(n, given):
    """The order of n axes after a transpose."""
    permutation = given.get("perm", list(range(n))[::-1])
    if sorted(permutation) != list(range(n)):
        raise ValueError(f"{permutation} is no order of {n} axes")
    return permutation
