"""Networks in ONNX files, of whatever library wrote them, as graphs; nobody's code is run.

The file is looked through before it is parsed, and what it declares is compared with what is there before an array is
made. Operators that the graph does not have are refused by their name and their node.

Source: the operators as ONNX specifies them, versions 7 to that of the installed package onnx.
"""

import re
from collections import ChainMap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from mmap import ACCESS_READ, mmap
from typing import Any

import numpy as np

from capacity._validation import as_list, check_integer, needing
from capacity_inspection.graphs import Graph
from capacity_inspection.readers._bounded import DEFAULT_MEMORY, check_bytes, one_line, quoted, regular_file
from capacity_inspection.readers._folding import FOLDED, RESHAPED, folded, result_shapes
from capacity_inspection.readers._onnx_operators import SUPPORTED, add_operator
from capacity_inspection.readers._onnx_tensors import tensor_array
from capacity_inspection.readers._tracing import Trace, Value, with_time_axis
from capacity_inspection.readers._wire import parsed_bytes

__all__ = ["read_onnx"]

_OLDEST = 7  # version of the operators: before it, an addition had an axis of its own
_UNTRAINED = {"BatchNormalization": (3, 4)} | dict.fromkeys(("GRU", "LSTM", "RNN"), (4, 5, 6))  # places of inputs
_ONE_AXIS = 13  # version before which a softmax was of all axes from one on
_OF_SHAPES = ("IsNaN", "Shape", "Size")  # what does not depend on the values, which are numbers
_COMPUTED = re.compile(r"val_\d+")  # how PyTorch's exporter names constants that it computed from others
_MOVES = (*RESHAPED, "Cast", "Identity", "Transpose")
_LOOPS = ("Loop", "Scan", "SequenceMap")
_AGAIN = "export the network again"
_PART = "read a part that does without, from other inputs (--inputs NAME) or up to other outputs (--outputs NAME)"


def read_onnx(
    path: Any,
    *,
    inputs: Sequence[str] | None = None,
    outputs: Sequence[str] | None = None,
    input_sizes: Mapping[str, Sequence[int]] | Sequence[int] | None = None,
    time_axis: int | None = None,
    as_identity: Sequence[str] = (),
    gain: Sequence[str] = (),
    dtype: Any = None,
    memory: int = DEFAULT_MEMORY,
) -> Graph:
    """A network from an ONNX file.

    Constants are computed, axes that are only moved or renamed cost no node, channels come first whether or not the
    file keeps them last, and factors and shifts in a row, as of a batch normalisation, become one node. A softmax at
    the very end is left out, and dropout is the identity. Where tokens choose rows of a table, their embedding is the
    input. Nodes have their own names, or that of the layer whose weights they have, where these are named after it as
    in PyTorch. The graph's `notes` say what was left out. A file does not say which of its numbers were trained:
    parameters are all arrays of real numbers that weights are computed from, but for single numbers without an axis, as
    of x / 255, unless these are named after a layer, as a gate is, for the statistics of normalizations, and for the
    factors of those that a factor follows, as Caffe writes them.

    Parameters
    ----------
    path : path-like
        The file. Weights that it keeps in other files have to be in its folder or below.
    inputs : sequence of str, optional
        Names of arrays at which to begin, in place of the file's inputs. They may lie anywhere in the network.
    outputs : sequence of str, optional
        Names of arrays or nodes to read up to, in place of the file's outputs.
    input_sizes : mapping of str to sequence of int, or sequence of int, optional
        Shapes of the inputs, with a batch of one, as far as the file leaves them open; of one input, its shape. The
        first size, where it is open, is the batch.
    time_axis : int, optional
        Which axis of the inputs is time, counted with that of the batch; the other one is that of channels. Default:
        that along which the first layer slides. The graph's `axes` say what was taken for what, and its `notes` how to
        take the other one where no layer slides.
    as_identity : sequence of str, optional
        Operators to take as the identity although they are not, such as ``"LRN"``; the notes say so.
    gain : sequence of str, optional
        Names of nodes of the graph that are gains of what they are multiplied with, moved or not. By default those are
        what comes out of a softmax or a sigmoid, or divides; else of any other activation, which a note tells; what
        this leaves open is refused.
    dtype : dtype, optional
        Of the weights, float32 or float64. Default: as in the file; numbers of 16 bits become float32.
    memory : int, optional
        Bytes that are allowed, each by itself, to the file, to what it becomes when it is parsed, to all its arrays
        together, and to the value of a node. Reading takes up to three times as much.

    Returns
    -------
    Graph
        Its nodes have the names of the file's nodes; of names that list several with semicolons, the first.

    Raises
    ------
    FileNotFoundError
        If there is no such file.
    ImportError
        If the package onnx is not installed.
    TypeError, ValueError
        If it is no ONNX file or a damaged one, asks for more memory, needs sizes, or has an operator that the graph
        does not have.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from onnx import helper, save
    >>> x, y = (helper.make_tensor_value_info(name, 1, [1, 3, length]) for name, length in (("x", "t"), ("y", 1)))
    >>> pool = helper.make_node("GlobalAveragePool", ["x"], ["y"])
    >>> with TemporaryDirectory() as folder:
    ...     save(helper.make_model(helper.make_graph([pool], "network", [x], [y])), Path(folder, "network.onnx"))
    ...     graph = read_onnx(Path(folder, "network.onnx"), input_sizes=(1, 3, 224))
    >>> [node.shape for node in graph.nodes]
    [(3, 224), (3, 1)]
    """
    check_integer(memory, "memory", minimum=1, remedy="pass a number of bytes")
    kind = None if dtype is None else np.dtype(dtype)
    if kind not in (None, np.float32, np.float64):
        raise ValueError(f"dtype: expected float32 or float64, got {kind}; leave it out for that of the file")
    asked = {
        name: None if given is None else _names(given, name)
        for name, given in [("inputs", inputs), ("outputs", outputs), ("as_identity", as_identity), ("gain", gain)]
    }
    path, size = regular_file(path, "path", memory)
    model = _parsed(path, size, memory)
    arrays = _Arrays(model.graph, path.parent, memory)
    plan = _plan(model, asked["inputs"], asked["outputs"], asked["as_identity"], input_sizes, arrays)
    made = partial(Trace, memory, kind, asked["gain"] or ())
    graph = with_time_axis(partial(_traced, plan, arrays, made), time_axis)
    counted = "arrays that weights are computed from: a file does not say which were trained"
    sizes = {name: size for node in graph.nodes for name, size in node.parameters.items()}
    if found := sum(size for name, size in sizes.items() if _COMPUTED.fullmatch(name)):
        counted += f"; {found} of these are in arrays that PyTorch's exporter folded"
    return replace(graph, counted=counted)


def _names(given, name):
    if isinstance(given, str):
        raise TypeError(f"{name}: expected a sequence of names, got the string {given!r}; put it into a list")
    names = as_list(given, name, "pass a list of names") if len(given) else []
    if not all(isinstance(each, str) for each in names):
        raise TypeError(f"{name}: expected names, got {quoted(names)}; pass strings")
    return names


def _parsed(path, size, memory):
    """The message of the file, after all that can be said of it without parsing."""
    with needing("read_onnx", "onnx"):
        import onnx
    model = onnx.ModelProto()
    try:
        if not size:
            raise ValueError("it is empty")
        with path.open("rb") as file, mmap(file.fileno(), 0, access=ACCESS_READ) as content:
            check_bytes(parsed_bytes(content, model.DESCRIPTOR, memory), "path", "a file that becomes objects", memory)
            with memoryview(content) as view:  # no copy of its own
                model.ParseFromString(view)
        graph, versions = model.graph, {each.domain: each.version for each in model.opset_import}
        version = versions.get("", versions.get("ai.onnx", 0))
    except Exception as error:  # of our own, or whatever the library finds
        if str(error).startswith("path: "):
            raise
        raise ValueError(
            f"path: expected an ONNX file, got {quoted(path)}: {one_line(error)}; export the network to ONNX"
        ) from error
    if not graph.node or not model.ir_version or not version:
        raise ValueError(
            f"path: expected an ONNX file, got {quoted(path)}, which has no nodes, or no versions of its format and "
            "operators; export the network to ONNX"
        )
    newest = onnx.defs.onnx_opset_version()
    if not _OLDEST <= version <= newest:
        raise ValueError(
            f"path: expected operators of versions {_OLDEST} to {newest}, got version {version}; export with one of "
            "these" + (", or update the package onnx" if version > newest else ", or convert it with onnx")
        )
    if not all(isinstance(text, str) for text in _texts(graph)):
        raise ValueError(f"path: expected names in UTF-8, got others in {quoted(path)}; {_AGAIN}")
    names = [tensor.name for tensor in graph.initializer]
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"path: expected arrays of different names, got {quoted(twice)} twice; {_AGAIN}")
    if graph.sparse_initializer:
        raise ValueError("path: expected dense arrays, got sparse ones; export the network with dense weights")
    return model


def _texts(graph):
    """All names that are looked at; the library returns bytes where they are no text."""
    for node in graph.node:
        yield from (node.name, node.op_type, node.domain, *node.input, *node.output)
        for attribute in node.attribute:
            yield attribute.name
            yield from _texts(attribute.g) if attribute.HasField("g") else ()
    yield from (each.name for each in [*graph.input, *graph.output, *graph.initializer, *graph.value_info])


class _Arrays:
    """Constants by name: arrays of the file, made when they are needed, and what is computed from them."""

    def __init__(self, graph, folder, memory):
        self.memory, self.folder, self.total = memory, folder, 0
        self.tensors = {tensor.name: tensor for tensor in graph.initializer}
        self.known, self.sources = {}, {}
        self.stated = set(self.tensors)  # names of arrays that the file states, moved or not
        self.scaled: set[str] = set()  # what is multiplied by constants, perhaps in another shape
        constant = set(self.tensors)
        for node in graph.node:
            constant.update(node.output if constant.issuperset(filter(None, node.input)) else ())
        for node in reversed(graph.node):
            of_constants = node.op_type == "Mul" and any(name in constant for name in node.input)
            if of_constants or (node.op_type == "Reshape" and node.output and node.output[0] in self.scaled):
                self.scaled.update(node.input)

    def __contains__(self, name):
        return name in self.known or name in self.tensors

    def find(self, name):
        """The array of a name, or None."""
        if name not in self.known and name in self.tensors:
            self.known[name] = self.made(self.tensors[name])
            layer, _, key = name.rpartition(".")
            kept = self.known[name].ndim or (layer and key.isidentifier())  # of x / 255 it has no name of a layer
            self.sources[name] = {name: self.known[name].size} if kept else {}
        return self.known.get(name)

    def sources_of(self, step):
        """The parameters, with their sizes, that the constants of an operator are computed from."""
        left_out = _UNTRAINED.get(step.operator, ())
        normalized = step.operator in ("BatchNormalization", "InstanceNormalization")
        if normalized and step.outputs[0] in self.scaled:
            left_out = (1, 2, *left_out)
        names = [name for k, name in enumerate(step.inputs) if k not in left_out and name in self]
        real = [name for name in names if self.find(name).dtype.kind == "f"]
        if step.operator == "Mul":  # a factor with some zeros is a mask
            real = [name for name in real if not 0 < np.count_nonzero(self.find(name)) < self.find(name).size]
        return dict(ChainMap(*(self.sources.get(name, {}) for name in real)))

    def has_zeros(self, step):
        """Whether an operator multiplies by zeros among other numbers that the file states without a reason."""
        names = step.inputs if step.operator in ("Conv", "Gemm", "MatMul", "Mul") else ()
        stated = (self.find(name) for name in names if name in self.stated)
        return any(each.dtype.kind == "f" and 0 < np.count_nonzero(each) < each.size for each in stated)

    def __setitem__(self, name, array):
        self._count(array)
        self.known[name] = array

    def made(self, tensor):
        """The array of a tensor."""
        array = tensor_array(tensor, self.folder, self.memory - self.total)
        self._count(array)
        return array

    def _count(self, array):
        self.total += array.size * array.itemsize
        check_bytes(self.total, "path", "arrays", self.memory)


@dataclass(frozen=True)
class _Step:
    """An operator of the file."""

    name: str
    operator: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    attributes: dict
    node: Any  # of the file
    version: int  # of the operators


@dataclass(frozen=True)
class _Plan:
    """What is read: from which inputs of which shapes, through which operators, to which outputs."""

    inputs: dict
    steps: tuple[_Step, ...]
    outputs: tuple[str, ...]
    as_identity: tuple[str, ...]
    tokens: frozenset[str]  # inputs that are whole numbers


def _plan(model, inputs, outputs, as_identity, input_sizes, arrays):
    graph = model.graph
    version = next(each.version for each in model.opset_import if each.domain in ("", "ai.onnx"))
    makers, by_node = {}, {}
    for i, node in enumerate(graph.node):
        for name in filter(None, node.output):
            if name in makers or name in arrays:
                raise ValueError(f"path: expected one source of each array, got several of {quoted(name)}; {_AGAIN}")
            makers[name] = i
        for name in filter(None, (node.name, node.name.split(";")[0], _title(node, arrays))):
            by_node.setdefault(name, next(iter(node.output), ""))
    given = [each.name for each in graph.input if each.name not in arrays]
    ends = _known(outputs or [each.name for each in graph.output], makers, by_node, "outputs")
    starts = _known(inputs or given, {**makers, **dict.fromkeys(given)}, by_node, "inputs")
    wanted, pending = set(), [(name, len(graph.node)) for name in ends]
    needed = set()
    while pending:
        name, before = pending.pop()
        if name in starts:
            needed.add(name)
            continue
        if not name or name in arrays:
            continue
        maker = makers.get(name)
        if maker is None or maker >= before:
            if maker is None and name in given:
                raise ValueError(
                    f"inputs: expected all that {quoted(ends)} are computed from, got no {quoted(name)}; add it"
                )
            raise ValueError(
                f"path: expected arrays in an order in which each comes before what is computed from it, got "
                f"{quoted(name)}, {'which nothing computes' if maker is None else 'a part of a cycle, or too late'}; "
                f"{_AGAIN}"
            )
        if graph.node[maker].op_type in _LOOPS:
            raise ValueError(
                f"path: {graph.node[maker].op_type} (node {quoted(graph.node[maker].name)}) repeats a part of the "
                f"network, which is not followed; unroll it before the export, or {_PART}"
            )
        if maker not in wanted:
            wanted.add(maker)
            pending += [(source, maker) for source in _read_by(graph.node[maker])]
    used = {name for i in wanted for name in _read_by(graph.node[i])}.union(ends)
    steps = tuple(_step(graph.node[i], arrays, version, used) for i in sorted(wanted))
    _check_operators(steps, as_identity)
    if not needed:
        raise ValueError(f"outputs: expected what depends on an input, got {quoted(ends)}, which do not; name others")
    shapes = _shapes(model, [name for name in starts if name in needed], input_sizes)
    return _Plan(shapes, steps, tuple(ends), tuple(as_identity), _whole_numbers(graph))


def _whole_numbers(graph):
    """Names of inputs that the file declares to be integers."""
    from onnx import TensorProto

    kinds = (TensorProto.INT32, TensorProto.INT64)
    return frozenset(each.name for each in graph.input if each.type.tensor_type.elem_type in kinds)


def _known(names, arrays, by_node, argument):
    found = [by_node.get(name, name) if name not in arrays else name for name in names]
    for name in found:
        if name not in arrays:
            raise ValueError(
                f"{argument}: expected names of arrays or nodes in the file, got {quoted(name)}; the last array is "
                f"{quoted(list(arrays)[-1] if arrays else '')}"
            )
    if not found:
        raise ValueError(f"path: expected a network with inputs and outputs, got one without {argument}; {_AGAIN}")
    return found


def _read_by(node):
    """Names of the arrays that an operator takes, those of its branches included."""
    found = set(node.input)
    for branch in (each.g for each in node.attribute if each.HasField("g")):
        made = {name for inner in branch.node for name in inner.output}
        made |= {tensor.name for tensor in branch.initializer}
        read = {name for inner in branch.node for name in _read_by(inner)}
        found |= (read | {each.name for each in branch.output}) - made
    return found


def _branch(graph, arrays, version):
    """The operators of one branch, its own arrays, and the names of its outputs."""
    ends = [each.name for each in graph.output]
    used = {name for node in graph.node for name in _read_by(node)}.union(ends)
    tensors = {tensor.name: tensor for tensor in graph.initializer}
    return [_step(node, arrays, version, used) for node in graph.node], tensors, ends


def _title(node, arrays):
    """The layer that all its constants belong to, as in PyTorch's names layer.weight and layer.bias; else its name."""
    parts = [name.rpartition(".") for name in node.input if name in arrays]
    layers = {layer if key.isidentifier() else "" for layer, _, key in parts}  # others have dots within "tf.math/y:0"
    return (layers.pop() if len(layers) == 1 else "") or node.name or next(iter(node.output), node.op_type)


def _step(node, arrays, version, used):
    """An operator, with its outputs up to the last one that is used."""
    from onnx import AttributeProto
    from onnx.helper import get_attribute_value

    text = partial(bytes.decode, errors="replace")
    read: dict[int, Callable] = {  # of others there is None
        AttributeProto.FLOAT: float,
        AttributeProto.FLOATS: list,
        AttributeProto.INT: int,
        AttributeProto.INTS: list,
        AttributeProto.STRING: text,
        AttributeProto.STRINGS: lambda texts: list(map(text, texts)),
        AttributeProto.TENSOR: arrays.made,
    }
    if node.op_type == "If":
        read[AttributeProto.GRAPH] = partial(_branch, arrays=arrays, version=version)
    attributes = {
        each.name: read[each.type](get_attribute_value(each)) if each.type in read else None for each in node.attribute
    }
    if node.op_type in ("LogSoftmax", "Softmax"):
        attributes = {"axis": -1 if version >= _ONE_AXIS else 1, "joined": version < _ONE_AXIS} | attributes
    if node.op_type == "Split":  # into as many parts as it names, used or not
        attributes = {"num_outputs": len(node.output)} | attributes
    domain = "" if node.domain in ("", "ai.onnx") else f"{node.domain}."
    node.domain = domain[:-1]
    outputs = [each if each in used else "" for each in node.output]
    while outputs and not outputs[-1]:
        outputs.pop()
    name, operator = _title(node, arrays), domain + node.op_type
    return _Step(name, operator, tuple(node.input), tuple(outputs), attributes, node, version)


def _check_operators(steps, as_identity):
    unknown: dict[str, str] = {}
    for step in steps:
        if step.operator != "If" and not any(step.operator in known for known in (SUPPORTED, FOLDED, as_identity)):
            unknown.setdefault(step.operator, step.name)
    if unknown:
        listed = ", ".join(
            f"{quoted(operator)[1:-1]} (node {quoted(name)})" for operator, name in list(unknown.items())[:4]
        )
        more = f" and {len(unknown) - 4} more" if len(unknown) > 4 else ""
        raise ValueError(f"path: expected operators that a graph has, got {listed}{more}; {_PART}")


def _shapes(model, starts, input_sizes):
    """Shapes of the inputs: those that were passed, or those of the file with a batch of one."""
    declared = {each.name: each.type.tensor_type.shape for each in [*model.graph.value_info, *model.graph.input]}
    sizes = {} if input_sizes is None else input_sizes
    if not isinstance(sizes, Mapping):
        if len(starts) != 1:
            raise ValueError(
                f"input_sizes: expected sizes of the inputs {quoted(starts)} by name, got one shape; pass a dictionary"
            )
        sizes = {starts[0]: sizes}
    if unknown := [name for name in sizes if name not in starts]:
        raise ValueError(f"input_sizes: expected names among {quoted(starts)}, got {quoted(unknown)}; remove these")
    shapes = {}
    for name in starts:
        found = [dim.dim_value for dim in declared[name].dim] if name in declared else []  # 0 where it is open
        if name in sizes:
            shape = _sizes(sizes[name], name)
            if found and (len(found) != len(shape) or any(n not in (0, m) for n, m in zip(found[1:], shape[1:]))):
                raise ValueError(
                    f"input_sizes: expected {_open(found)}, as the file says of {quoted(name)}, got {shape}; adapt them"
                )
        else:
            shape = tuple(1 if k == 0 and n <= 0 else n for k, n in enumerate(found))
        if not shape or min(shape) < 1:
            raise ValueError(
                f"input_sizes: expected the shape of {quoted(name)}, which the file leaves open, {_open(found)}; pass "
                f"it, batch first, as in --input-size {' '.join(map(str, _example(found)))}"
            )
        shapes[name] = shape
    return shapes


def _example(shape):
    """A shape that fills what is open of another one, of which the batch is one."""
    return [1, *(n if n > 0 else 128 for n in shape[1:])] if shape else [1, 3, 224, 224]


def _open(shape):
    return f"({', '.join(str(n) if n > 0 else '?' for n in shape)})"


def _sizes(sizes, name):
    try:
        return tuple(check_integer(size, f"input_sizes[{name!r}]", minimum=1) for size in sizes)
    except TypeError as error:
        raise TypeError(
            f"input_sizes: expected integers for {quoted(name)}, got {quoted(sizes)}; pass e.g. (1, 3, 32)"
        ) from error


def _traced(plan, arrays, made, *, channels):
    """The trace of a plan, and the values of its outputs."""
    trace = made()
    trace.tokens = plan.tokens
    known = {name: trace.input(name, shape, channels=channels) for name, shape in plan.inputs.items()}
    for step in plan.steps:
        try:
            _carry_out(step, plan, arrays, trace, known)
        except ValueError as error:
            where = f"{quoted(step.operator)[1:-1]} (node {quoted(step.name)})"
            message = one_line(error) if "; " in str(error) else f"{one_line(error)}; {_PART}"  # unless it has a remedy
            raise ValueError(message if message.startswith("path: ") else f"path: {where}: {message}") from error
    if constant := [name for name in plan.outputs if name not in known]:
        raise ValueError(f"outputs: expected what depends on an input, got {quoted(constant)}; name others")
    return trace, [known[name] for name in plan.outputs]


def _choose(step, condition, plan, arrays, trace, known):
    """Carry out the branch that a constant condition names."""
    if isinstance(condition, Value):
        raise ValueError("its condition depends on an input, of which both branches would have to be followed")
    steps, tensors, ends = step.attributes["then_branch" if condition.all() else "else_branch"]
    _check_operators(steps, plan.as_identity)
    arrays.tensors |= tensors
    for inner in steps:
        _carry_out(inner, plan, arrays, trace, known)
    for name, end in zip(step.outputs, ends):
        if end in known:
            known[name] = known[end]
        elif name:
            arrays[name] = arrays.find(end)
            arrays.sources[name] = arrays.sources.get(end, {})


def _carry_out(step, plan, arrays, trace, known):
    """Carry out an operator: on constants, or by what it adds to the graph."""
    given = [known.get(name, arrays.find(name)) for name in step.inputs]
    trace.sources, trace.unexplained = arrays.sources_of(step), arrays.has_zeros(step)
    missing = [name for name, found in zip(step.inputs, given) if name and found is None]
    if missing:
        raise ValueError(f"it needs {quoted(missing[0])}, which is not followed")
    values = [value for value in given if isinstance(value, Value)]
    if step.operator == "If":
        _choose(step, given[0], plan, arrays, trace, known)
        return
    if not values or (step.operator in _OF_SHAPES and step.operator not in plan.as_identity):
        if step.operator not in FOLDED and step.operator not in SUPPORTED:
            raise ValueError("it is computed from constants, which is not followed")
        shaped = [np.broadcast_to(np.float32(0), each.shape) if isinstance(each, Value) else each for each in given]
        computed = folded(step.node, shaped, step.attributes, arrays.memory, step.version)
        for name, array in zip(step.outputs, computed):
            if name and name not in arrays:
                arrays[name] = array
                itself = step.operator in ("Constant", "ConstantOfShape") and array.size > 1
                arrays.sources[name] = {name: array.size} if itself else trace.sources
                if step.operator == "Constant" or (step.operator in _MOVES and step.inputs[0] in arrays.stated):
                    arrays.stated.add(name)
                if step.operator in ("QuantizeLinear", "DequantizeLinear"):  # whose scales are no parameters
                    arrays.sources[name] = arrays.sources.get(step.inputs[0]) or {step.inputs[0]: array.size}
        return
    if step.operator in plan.as_identity:
        results = values[:1]
        trace.note(f"{step.operator} {quoted(step.name)} is taken as the identity, which is an assumption.")
    elif step.operator in RESHAPED:
        results = [trace.reshape(step.name, values[0], result_shapes(step.node, given, step.version)[0][0])]
    elif step.operator in SUPPORTED:
        results = add_operator(trace, step.operator, step.name, given, step.attributes, len(step.outputs))
    else:
        raise ValueError("it depends on an input, which is followed for constants only")
    for name, value in zip(step.outputs, results):
        if name and name not in plan.inputs:
            known[name] = value
