"""Small ONNX models, as the library's own helper writes them, and what its reference makes of them."""

import numpy as np
from onnx import TensorProto, helper, numpy_helper
from onnx.reference import ReferenceEvaluator

__all__ = ["as_in_graph", "model", "node", "number_of", "reference", "values", "write"]

node = helper.make_node


def model(nodes, shape, arrays=None, *, outputs=("y",), opset=17, inputs=None):
    """A model of the input x, or of several, whose arrays are in the file."""
    infos = [
        helper.make_tensor_value_info(name, TensorProto.FLOAT, size) for name, size in (inputs or {"x": shape}).items()
    ]
    ends = [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in outputs]
    tensors = [numpy_helper.from_array(np.asarray(array), name) for name, array in (arrays or {}).items()]
    graph = helper.make_graph(nodes, "network", infos, ends, initializer=tensors)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=8)


def write(path, found):
    """Write a model into a file, and return its path."""
    path.write_bytes(found.SerializeToString())
    return path


def reference(found, inputs):
    """What the library's reference computes, output by output."""
    return ReferenceEvaluator(found).run(None, inputs)


def as_in_graph(graph, array):
    """An input of a file, with its batch of one, as the graph has it: with the last axis first, or one channel."""
    batch = array.shape.index(1) if 1 in array.shape and array.ndim > 1 else None
    inner = array if batch is None else array.squeeze(batch)
    kept = [[axis for axis in axes if axis != "batch"] for axes in graph.axes.values()]
    moved = any(len(axes) > 1 and axes[-1] == "channels" for axes in kept)
    single = any("channels" not in axes for axes in graph.axes.values())
    return (np.moveaxis(inner, -1, 0) if moved else inner[None] if single else inner)[None]


def values(graph, array):
    """Values of a graph's outputs at an input of the file."""
    from capacity_inspection.graphs import forward

    found = forward(graph, as_in_graph(graph, array))
    return [found[name][0] for name in graph.outputs]


def number_of(value):
    """An integer as a message has it, seven bits to a byte."""
    digits = []
    while value > 127:
        digits.append(value & 127 | 128)
        value >>= 7
    return bytes([*digits, value])
