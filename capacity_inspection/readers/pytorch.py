"""Modules of PyTorch as graphs, or, where they are affine in their input, as linear models.

A module is traced by `torch.export` with a batch of one; each operator of the trace becomes nodes of a graph. Nothing
is unpickled, and the module stays as it was.
"""

import copy
import inspect
import operator
import warnings
from collections import ChainMap
from collections.abc import Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from threading import Lock
from typing import Any

import numpy as np

from capacity._validation import check_integer, check_integers, needing
from capacity_inspection.graphs import Graph
from capacity_inspection.readers._aten_operators import ATEN, SHAPED, translated
from capacity_inspection.readers._bounded import DEFAULT_MEMORY, one_line, quoted
from capacity_inspection.readers._tracing import Trace, Value, with_time_axis
from capacity_inspection.readers.affine_modules import AffineModule

__all__ = ["read_torch"]

_ALONE = Lock()  # torch.export, the mode of a module and filters of warnings are not for several threads at once
_BY_SHAPE = ("empty_like", "full_like", "new_ones", "new_zeros", "ones_like", "zeros_like")


def read_torch(
    module: Any,
    input_size: Any,
    *,
    linear: bool | None = None,
    time_axis: int | None = None,
    gain: Sequence[str] = (),
    memory: int = DEFAULT_MEMORY,
) -> Graph | AffineModule:
    """A network from a module of PyTorch, with the weights that it has.

    Parameters
    ----------
    module : torch.nn.Module
        With one input. It is looked at as for inference, whatever mode it is in.
    input_size : sequence of int
        Shape of the input with the batch first, as torchinfo takes it; the batch is taken to be one. For recurrent
        or attention layers whose batch comes second, (steps, 1, features).
    linear : bool, optional
        True for a linear model, for which the module has to be an affine function of its input; False for a graph.
        Default: a linear model if the module is such a function and its Jacobian fits into `memory`.
    time_axis : int, optional
        Which axis of the input is time, as in `read_onnx`. A linear model has it last.
    gain : sequence of str, optional
        Names of nodes of the graph that are gains of what they are multiplied with, as in `read_onnx`.
    memory : int, optional
        Bytes that the value of a node, or the Jacobian of a linear model, may have.

    Returns
    -------
    Graph or AffineModule
        Nodes have the names of the layers. A softmax at the very end is left out, parameters on which no output depends
        are, too, and where tokens choose rows of a table, their embedding is the input; the graph's `notes` say so. The
        output of a linear model is the last one; another is chosen with `AffineModule`.

    Raises
    ------
    ImportError
        If PyTorch is not installed.
    TypeError, ValueError
        If it is no module, the sizes do not fit it, it cannot be traced, it is not affine although a linear model is
        asked for, or it has operators that the graph does not have; all of them are named, with their submodules.

    Examples
    --------
    >>> from torch import nn  # doctest: +SKIP
    >>> graph = read_torch(nn.Sequential(nn.Conv1d(1, 8, 3), nn.ReLU()), (1, 1, 32))  # doctest: +SKIP
    >>> [node.shape for node in graph.nodes]  # doctest: +SKIP
    [(1, 32), (8, 30), (8, 30)]
    """
    with needing("read_torch", "torch"):
        import torch
    if not isinstance(module, torch.nn.Module):
        raise TypeError(
            f"module: expected a torch.nn.Module, got {type(module).__name__}; pass the module itself, with its weights"
        )
    module = getattr(module, "_orig_mod", module)  # which torch.compile wraps
    check_integer(memory, "memory", minimum=1, remedy="pass a number of bytes")
    if isinstance(input_size, torch.Tensor):
        raise TypeError("input_size: expected the shape of an input, got a tensor; pass tuple(input.shape)")
    size = check_integers(input_size, "input_size")
    _check_form(module, torch)
    sequences = (torch.nn.RNNBase, torch.nn.MultiheadAttention)
    second = any(isinstance(each, sequences) and not each.batch_first for each in module.modules())
    size = size if second else (1, *size[1:])
    if time_axis is not None and time_axis not in (-1, len(size) - 1):
        if linear:
            raise ValueError(
                f"time_axis: expected the last axis for a linear model, got {time_axis}; pass a module that takes it "
                "last, or linear=False"
            )
        linear = False
    jacobian = 8 * int(np.prod(size, dtype=object)) * sum(p.numel() for p in module.parameters())
    if linear or (linear is None and 0 < jacobian <= memory and not second):
        if jacobian > memory:
            raise ValueError(
                f"memory: expected at least {jacobian} bytes for the Jacobian, got {memory}; pass more, or linear=False"
            )
        try:
            return AffineModule(module, size)
        except Exception as error:  # of whatever the module computes
            if linear:
                if isinstance(error, ValueError) and str(error).startswith("module: "):
                    raise
                raise ValueError(
                    f"input_size: expected a size that fits the module, got {size}: {one_line(error)}"
                ) from error
    with _ALONE, _for_inference(module):
        program = _exported(module, size, torch)
        real = np.float64 if any(p.dtype == torch.float64 for p in module.parameters()) else None
        graph = with_time_axis(partial(_traced, program, partial(Trace, memory, real, gains=gain), torch), time_axis)
    return replace(graph, notes=graph.notes + _left_out(module, graph))


def _check_form(module, torch):
    """Refuse what cannot be traced in any size: scripts, weights that are not there yet, and several inputs."""
    for name, each in module.named_modules():
        if isinstance(each, torch.jit.ScriptModule):
            place = f" (in {quoted(name)})" if name else ""
            raise ValueError(
                f"module: expected modules of Python, got one of TorchScript{place}; pass that which was scripted"
            )
    if lazy := [name for name, each in module.named_parameters() if torch.nn.parameter.is_lazy(each)]:
        raise ValueError(
            f"module: expected parameters that have a size, got lazy ones, such as {quoted(lazy[0])}; call the module "
            "once on an input"
        )
    needed = [
        key
        for key, each in inspect.signature(module.forward).parameters.items()
        if each.default is each.empty and each.kind not in (each.VAR_POSITIONAL, each.VAR_KEYWORD)
    ]
    if len(needed) > 1:
        raise ValueError(f"module: expected one input, got {needed}; wrap the module so that it takes one")


def _left_out(module, graph):
    """Notes on parameters of a module that do not reach its output."""
    used = set().union(*(node.parameters for node in graph.nodes))
    unused = {name: p.numel() for name, p in module.named_parameters() if name not in used}
    if graph.n_parameters == sum(p.numel() for p in module.parameters()) or not unused:
        return ()
    named = ", ".join(map(quoted, list(unused)[:3])) + ", ..." * (len(unused) > 3)
    return (f"{sum(unused.values())} parameters of the module do not reach the output: {named}.",)


@contextmanager
def _for_inference(module):
    """The module in evaluation mode, and then in the modes that it had."""
    modes = [(each, each.training) for each in module.modules()]
    module.eval()
    try:
        yield
    finally:
        for each, mode in modes:
            each.training = mode


def _exported(module, size, torch):
    """The trace of a module, in which nothing is written into a part of something else."""
    dtype = next((p.dtype for p in module.parameters() if p.is_floating_point()), torch.float32)
    if _takes_tokens(module, size, dtype, torch):
        dtype = torch.long
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            export = partial(torch.export.export, module, (torch.zeros(size, dtype=dtype),), strict=False)
            try:
                program = export()
            except Exception:  # as where a module writes into the data of its parameters
                with _data_traced(torch):
                    program = export()
            if any(_writes_into_part(node) for node in program.graph.nodes):
                program = program.run_decompositions({})
            program = _written_out(program, torch)
    except Exception as error:  # of whatever the module computes
        raise ValueError(
            f"module: expected one that torch.export can trace with an input of shape {size}, got: {one_line(error)}; "
            "change the input_size, with the batch first, or the module so that its course does not depend on the data"
        ) from error
    return program


@contextmanager
def _data_traced(torch):
    """The attribute `data` of tensors as what a trace records, so that one sees what is written there."""

    def write(tensor, value):
        if value is not tensor:
            tensor.detach().copy_(value)

    torch.Tensor.data = property(lambda tensor: tensor.detach(), write)
    try:
        yield
    finally:
        del torch.Tensor.data  # that of its base is left


def _takes_tokens(module, size, dtype, torch):
    """Whether a module with embeddings takes whole numbers and no others."""
    if not any(isinstance(each, torch.nn.Embedding) for each in module.modules()):
        return False
    try:
        with torch.no_grad():
            module(torch.zeros(size, dtype=dtype))
    except (RuntimeError, TypeError):
        return True
    return False


def _writes(node):
    """Whether a node changes something that another one gives."""
    schema = getattr(node.target, "_schema", None)
    return schema is not None and schema.is_mutable and bool(node.args) and hasattr(node.args[0], "target")


def _wraps(node, torch):
    """Whether a node is a graph of its own, which may write, too."""
    return isinstance(node.target, torch._ops.HigherOrderOperator)


def _writes_into_part(node):
    """Whether a node changes something that is a view of something else."""
    if not _writes(node):
        return False
    source = getattr(node.args[0].target, "_schema", None)
    viewed = source is not None and any(each.alias_info and not each.alias_info.is_write for each in source.returns)
    return viewed or node.args[0].target is operator.getitem


def _title(node):
    """Name of an operator: that of its layer, or of the module around it and its own."""
    stack = list((node.meta.get("nn_module_stack") or {"": ("", "")}).values())
    path, kind = stack[-1][0], str(stack[-1][1])
    layer = "torch.nn.modules." in kind and "container" not in kind
    return path if layer and path else f"{path}.{node.name}".lstrip(".")


def _operator(node):
    """Name of an operator without its namespace, and as it is when it writes nothing in place."""
    schema = getattr(node.target, "_schema", None)
    if schema is None:
        return getattr(node.target, "__name__", str(node.target))
    name = schema.name.rpartition("::")[2]
    name = name[:-1] if schema.is_mutable and name.endswith("_") else name
    return f"{name}.{schema.overload_name}" if schema.overload_name not in ("", "default") else name


def _inputs(program):
    """What each placeholder is: a tensor of the module, or None for its input; and which parameter it is."""
    signature = program.graph_signature
    kept = {**program.constants, **program.state_dict}
    named = {**signature.inputs_to_parameters, **signature.inputs_to_buffers}
    named |= getattr(signature, "inputs_to_lifted_tensor_constants", {})
    tensors = {node.name: kept.get(named.get(node.name)) for node in program.graph.nodes if node.op == "placeholder"}
    places: dict[Any, str] = {}  # tied parameters are one
    sources = {}
    for name, parameter in signature.inputs_to_parameters.items():
        tensor = tensors[name]
        first = places.setdefault(id(tensor), parameter)
        sources[name] = {first: tensor.numel()}
    return tensors, sources


def _unknown(program):
    """Nodes that depend on the input and whose operators are none of a graph."""
    depends, unknown = set(program.graph_signature.user_inputs), []
    for node in program.graph.nodes:
        name = _operator(node)
        known = name in _BY_SHAPE or not any(each.name in depends for each in node.all_input_nodes)
        if node.op != "call_function" or known:
            continue
        depends.add(node.name)
        if node.target is not operator.getitem and node.users and name not in (*ATEN, *SHAPED):
            unknown.append(node)
    return unknown


def _written_out(program, torch):
    """The program without operators that are none of a graph, if PyTorch writes all of them in terms of others."""
    found, before = program, set()
    while (unknown := {node.target for node in _unknown(found)}) - before:
        before |= unknown
        known = torch.export.default_decompositions()
        found = found.run_decompositions({target: known[target] for target in unknown if target in known})
    return program if unknown else found  # the names of a refusal are those of the module


def _check_operators(program):
    """Refuse several inputs, and operators that depend on the input and are none of a graph, all at once."""
    inputs = program.graph_signature.user_inputs
    if len(inputs) != 1:
        raise ValueError(f"module: expected one input, got {sorted(inputs)}; wrap the module so that it takes one")
    if unknown := [f"{_operator(node)} (in {quoted(_title(node))})" for node in _unknown(program)]:
        more = f" and {len(unknown) - 6} more" if len(unknown) > 6 else ""
        raise ValueError(
            f"module: expected operators that a graph has, got {', '.join(unknown[:6])}{more}; read the submodules "
            "before or after them"
        )


def _traced(program, made, torch, *, channels):
    """What a program of PyTorch becomes, and the values of its outputs."""
    trace = made()
    placeholders, sources = _inputs(program)
    _check_operators(program)
    if any(_writes(node) or _wraps(node, torch) for node in program.graph.nodes):
        placeholders = copy.deepcopy(placeholders)  # so that the parameters of the module stay as they are
    known: dict[str, Any] = {}
    redrawn: dict[str, Any] = {}  # constants at other parameters, which tell whether their zeros are those of a mask
    source = torch.Generator().manual_seed(0)
    outputs: list[Value] = []
    for node in program.graph.nodes:
        if node.op == "placeholder":
            tensor = placeholders[node.name]
            shape = tuple(node.meta["val"].shape)
            known[node.name] = trace.input(node.name, shape, channels=channels) if tensor is None else tensor
            if node.name in sources and (tensor.is_floating_point() or tensor.is_complex()):
                redrawn[node.name] = torch.rand(tensor.shape, dtype=tensor.dtype, generator=source)
        elif node.op == "get_attr":
            known[node.name] = getattr(program.graph_module, node.target)
        elif node.op == "call_function":
            constant = [each.name for each in node.all_input_nodes if not isinstance(known[each.name], Value)]
            trace.sources = sources[node.name] = dict(ChainMap(*(sources.get(name, {}) for name in constant)))
            try:
                known[node.name] = _computed(node, trace, known, redrawn, torch)
            except (ValueError, KeyError, IndexError, TypeError) as error:
                text = one_line(error).removeprefix("path: ")
                raise ValueError(
                    f"module: {_operator(node)} (in {quoted(_title(node))}): {text}; read submodules without it"
                ) from error
        elif node.op == "output":
            found = torch.utils._pytree.tree_leaves(torch.fx.node.map_arg(node.args, lambda each: known[each.name]))
            outputs = [each for each in found if isinstance(each, Value)]
    if not outputs:
        raise ValueError("module: expected an output that depends on the input, got none; return one")
    return trace, outputs


def _computed(node, trace, known, redrawn, torch):
    """What a node of the trace computes: a tensor if it is constant, else values of the graph."""
    mapped = partial(torch.fx.node.map_arg, (node.args, node.kwargs))
    args, kwargs = mapped(lambda each: known[each.name])
    changes, others = any(each.name in redrawn for each in node.all_input_nodes), ChainMap(redrawn, known)
    if node.target is operator.getitem:
        if args[1] < len(args[0]):
            if changes:
                redrawn[node.name] = redrawn[node.args[0].name][args[1]]
            return args[0][args[1]]
        if any(user.op != "output" for user in node.users):
            raise ValueError(f"its output {args[1]} is asked for, which is not followed")
        if node.users:
            trace.note(f"Output {args[1]} of {quoted(_title(node))} is left out.")
        return None
    name = _operator(node)
    if name in _BY_SHAPE and isinstance(args[0], Value):
        args, changes = (torch.zeros(args[0].shape), *args[1:]), False
    if not any(isinstance(each, Value) for each in torch.utils._pytree.tree_leaves((args, kwargs))):
        with torch.no_grad():
            if changes:
                again = mapped(lambda each: others[each.name])
                redrawn[node.name] = node.target(*again[0], **again[1])
            found = node.target(*args, **kwargs)
            return found.zero_() if "empty" in name else found  # whatever is left there would be not-a-number at times
    if not node.users:
        return None
    args, kwargs = mapped(lambda each: _with_paths(known[each.name], redrawn.get(each.name), torch))
    given = {}
    for k, argument in enumerate(node.target._schema.arguments):
        default = argument.default_value if argument.has_default_value() else None
        given[argument.name] = args[k] if k < len(args) else kwargs.get(argument.name, default)
    given = torch.utils._pytree.tree_map(lambda each: _array(each, torch), given)
    given["outputs"] = 1 + max((user.args[1] for user in node.users if user.target is operator.getitem), default=0)
    shape = getattr(node.meta.get("val"), "shape", None)
    results = translated(trace, name, _title(node), given, None if shape is None else tuple(shape))
    results = [each if isinstance(each, Value) else torch.from_numpy(each.copy()) for each in results]
    return results[0] if shape is not None else results


def _with_paths(value, redrawn, torch):
    """A constant, in which among other numbers a zero that other parameters move is the least one: no mask hides it."""
    if not isinstance(redrawn, torch.Tensor) or not redrawn.is_floating_point() or not value.any():
        return value
    value = value if value.dtype == torch.float64 else value.float()
    return torch.where((value == 0) & (redrawn != 0), torch.finfo(value.dtype).tiny, value)


def _array(value, torch):
    """An array of its own, since a module that is trained on changes its tensors."""
    if not isinstance(value, torch.Tensor):
        return value
    value = value.detach().cpu()
    value = value if value.dtype == torch.float64 or not value.is_floating_point() else value.float()
    return value.numpy().copy()
