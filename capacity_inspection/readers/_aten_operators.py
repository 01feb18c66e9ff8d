"""Operators of PyTorch's traces, each written as an operator of ONNX with its inputs and attributes.

Both name the same few things differently; what a graph has of them is said in one place, `_onnx_operators`.
"""

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np

from capacity_inspection.readers._onnx_operators import add_operator, assigned, attended, states_of
from capacity_inspection.readers._tracing import Trace, Value

__all__ = ["ATEN", "KEPT", "SHAPED", "translated"]

SHAPED = (  # what only gives the entries another shape, which the trace says
    *("_unsafe_view", "flatten.using_ints", "reshape", "reshape_as", "squeeze", "squeeze.dim", "squeeze.dims"),
    *("unflatten.int", "unsqueeze", "view", "view_as"),
)
KEPT = ("_to_copy", "alias", "alpha_dropout", "clone", "contiguous", "detach", "dropout", "feature_dropout", "to.dtype")


def translated(
    trace: Trace, operator: str, name: str, given: Mapping[str, Any], shape: tuple[int, ...] | None
) -> list[Value]:
    """Add an operator of a trace of PyTorch to the graph, and return its outputs as far as they are followed.

    Arguments are given by name: values, arrays and numbers; the shape is that of the output, if it has one.
    """
    spectrum = next((each for each in given.values() if isinstance(each, _Spectrum)), None)
    if spectrum is not None:
        return [_of_spectrum(trace, operator, name, given, spectrum)]
    if operator in SHAPED and shape is not None:
        return [trace.reshape(name, given["self"], shape)]
    found = _RULES[operator](trace, name, given)
    return found if isinstance(found, list) else [found]


def _onnx(trace, name, operator, inputs, **attributes):
    given = [each if isinstance(each, Value | np.ndarray | None) else np.asarray(each, trace.real) for each in inputs]
    return add_operator(trace, operator, name, given, attributes, 1)[0]


def _listed(value, n):
    """One entry per axis, of a list or of one number for all."""
    value = list(value) if isinstance(value, list | tuple) else [value]
    return value * n if len(value) == 1 else value


def _as(operator, *inputs, **attributes):
    """A rule of one operator of ONNX: its inputs and attributes are arguments by their names, or constants."""

    def rule(trace, name, given):
        found = {key: given.get(each, each) for key, each in attributes.items()}
        return _onnx(trace, name, operator, [given.get(each, each) for each in inputs], **found)

    return rule


def _convolution(trace, name, given):
    axes, padding = len(given["input"].shape) - 2, given["padding"]
    transposed = given.get("transposed", "output_padding" in given)
    automatic = {"same": "SAME_UPPER", "valid": "VALID"}[padding] if isinstance(padding, str) else "NOTSET"
    return _onnx(
        trace,
        name,
        "ConvTranspose" if transposed else "Conv",
        [given["input"], given["weight"], given["bias"]],
        strides=_listed(given["stride"], axes),
        dilations=_listed(given["dilation"], axes),
        pads=_listed(padding if automatic == "NOTSET" else 0, axes) * 2,
        auto_pad=automatic,
        output_padding=_listed(given.get("output_padding", 0), axes),
        group=given["groups"],
    )


def _upsample(trace, name, given, mode, **attributes):
    value, way = given["input"], "align_corners" if given.get("align_corners") else "half_pixel"
    attributes = {"mode": mode, "coordinate_transformation_mode": way} | attributes
    scales, sizes = given["scale_factors"], given["output_size"]
    scales = np.array([1.0, 1.0, *scales]) if scales else None
    sizes = None if scales is not None else np.array([*value.shape[:2], *sizes])
    return _onnx(trace, name, "Resize", [value, None, scales, sizes], **attributes)


@dataclass(frozen=True)
class _Spectrum(Value):
    """The Fourier transform of a value along an axis, filled up with zeros to n entries, times a factor."""

    axis: int
    n: int
    factor: Any = 1.0
    sources: Mapping[str, int] = field(default_factory=dict)


def _spectrum(trace, name, given):
    value, axis = given["self"], given["dim"] % len(given["self"].shape)
    n = given["n"] or value.shape[axis]
    if given["norm"] not in (None, "backward") or n < value.shape[axis]:
        raise ValueError("expected a Fourier transform of all entries, without a factor")
    return _Spectrum(value.node, value.shape, value.axes, axis, n)


def _of_spectrum(trace, operator, name, given, spectrum):
    """A product with constants, and the transform back: together the convolution that they are."""
    given, axis, n = list(given.values()), spectrum.axis, spectrum.n
    if operator == "mul.Tensor":
        other = given[given[0] is spectrum]
        if not isinstance(other, _Spectrum):
            return replace(spectrum, factor=spectrum.factor * other, sources=spectrum.sources | trace.sources)
    elif operator == "fft_irfft" and given[1] == n and given[2] % len(spectrum.shape) == axis and given[3] is None:
        sizes = [n // 2 + 1 if k == axis else size for k, size in enumerate(spectrum.shape)]
        kernel = np.moveaxis(np.fft.irfft(np.broadcast_to(spectrum.factor, sizes), n, axis), axis, -1)
        *lead, steps = np.moveaxis(np.empty(spectrum.shape, bool), axis, -1).shape
        kernel = kernel.reshape(-1, 1, n).astype(np.asarray(spectrum.factor).real.dtype)
        tail = np.abs(kernel) > 64 * np.finfo(kernel.dtype).eps * np.abs(kernel).max()  # the rest is rounding
        taps = int(np.flatnonzero(tail.any(axis=(0, 1))).max(initial=0)) + 1
        if steps + taps - 1 <= n:
            order = [k for k in range(len(sizes)) if k != axis] + [axis]
            value = trace.reshape(f"{name} channels", spectrum.transposed(order), (1, len(kernel), steps))
            options = {"kernel": kernel[..., taps - 1 :: -1], "groups": len(kernel), "pads": [(taps - 1, n - steps)]}
            trace.sources = spectrum.sources
            found = trace.channels_first(name, value, "convolution", **options)
            return trace.reshape(f"{name} parted", found, (*lead, n)).transposed(np.argsort(order).tolist())
        raise ValueError(
            f"expected zeros for {taps - 1} steps, so that the convolution goes round no end, got {n - steps}"
        )
    raise ValueError(
        "it follows a Fourier transform, of which a product with constants and the transform back are followed"
    )


def _pool(trace, name, given, operator):
    axes, divisor = len(given["self"].shape) - 2, given.get("divisor_override")
    window, pads = _listed(given["kernel_size"], axes), _listed(given["padding"], axes) * 2
    attributes = {"kernel_shape": window, "pads": pads, "ceil_mode": int(given["ceil_mode"])}
    attributes["strides"] = _listed(given.get("stride") or window, axes)
    if operator == "MaxPool":
        attributes["dilations"] = _listed(given["dilation"], axes)
    else:
        counted = given["count_include_pad"] or divisor is not None
        attributes["count_include_pad"] = int(counted and any(pads))
    value = _onnx(trace, name, operator, [given["self"]], **attributes)
    return value if divisor is None else trace.scale(f"{name} sums", value, trace.real(math.prod(window) / divisor))


def _adaptive(trace, name, given, operator, over_run):
    value, positions = given["self"], given["self"].shape[2:]
    places = _listed(given["output_size"], len(positions))
    if any(n % m for n, m in zip(positions, places)):
        for axis, m in enumerate(places, start=2):
            value = _pooled_runs(trace, f"{name} along {axis}", value, axis, m, over_run)
        return value
    window = [n // m for n, m in zip(positions, places)]
    return _onnx(trace, name, operator, [value], kernel_shape=window, strides=window)


def _pooled_runs(trace, name, value, axis, places, operator):
    """Means or maxima of as many runs of an axis, which cover it and may overlap by one entry: by their lengths."""
    n = value.shape[axis]
    runs = [np.arange(k * n // places, -(-(k + 1) * n // places)) for k in range(places)]
    parts, order = [], []
    for length in sorted(set(map(len, runs))):
        chosen = [k for k, run in enumerate(runs) if len(run) == length]
        part = _onnx(trace, f"{name} runs", "Gather", [value, np.array([runs[k] for k in chosen])], axis=axis)
        parts.append(_onnx(trace, name, operator, [part], axes=[axis + 1], keepdims=0))
        order += chosen
    joined = _onnx(trace, f"{name} joined", "Concat", parts, axis=axis)
    return _onnx(trace, f"{name} in order", "Gather", [joined, np.argsort(order)], axis=axis)


def _normalization(trace, name, given):
    value = given["input"]
    if given.get("training"):
        raise ValueError("it is in training mode; call module.eval()")
    mean, variance = given["running_mean"], given["running_var"]
    if mean is None or variance is None:
        raise ValueError("it has no running statistics; its output depends on the batch")
    gain = np.ones_like(mean) if given["weight"] is None else given["weight"]
    shift = np.zeros_like(mean) if given["bias"] is None else given["bias"]
    return _onnx(trace, name, "BatchNormalization", [value, gain, shift, mean, variance], epsilon=given["eps"])


def _instances(trace, name, given):
    if not given.get("use_input_stats", True):
        return _normalization(trace, name, given | {"training": False})
    return _as("InstanceNormalization", "input", "weight", "bias", epsilon="eps")(trace, name, given)


def _layer_norm(trace, name, given, operator):
    kind = trace.real if given["weight"] is None else given["weight"].dtype
    epsilon = np.finfo(kind).eps if given["eps"] is None else given["eps"]
    inputs = [given["input"], given["weight"], given.get("bias")]
    return _onnx(trace, name, operator, inputs, axis=-len(given["normalized_shape"]), epsilon=float(epsilon))


def _attention(trace, name, given):
    """Fused attention; without an axis of heads there is one, and what stands before it counts as heads."""
    values = [given[key] for key in ("query", "key", "value")]
    if not all(isinstance(value, Value) for value in values[1:]):
        raise ValueError("expected keys and values that depend on the input, got constants")
    if isinstance(given["attn_mask"], Value) or given["dropout_p"]:
        raise ValueError("its mask depends on the input, or it drops weights, which is not followed")
    options = {"causal": given["is_causal"], "scale": given["scale"]}
    return attended(trace, name, *values, given["attn_mask"], **options)


def _gated(trace, name, given):
    value, axis = given["self"], given["dim"] % len(given["self"].shape)
    signal, gate = trace.split(name, value, axis, [value.shape[axis] // 2] * 2)
    gate = _onnx(trace, f"{name} gate", "Sigmoid", [gate])
    return trace.product(name, signal, gate)


def _squares(trace, name, given):
    """The variance along axes, written out; a correction divides by fewer than there are."""
    value, axes = given["self"], given.get("dim")
    axes = list(range(len(value.shape))) if axes in (None, []) else [axis % len(value.shape) for axis in axes]
    count = math.prod(value.shape[axis] for axis in axes)
    correction = given["correction"] if "correction" in given else int(given["unbiased"])
    mean = _onnx(trace, f"{name} mean", "ReduceMean", [value], axes=axes)
    rest = _onnx(trace, f"{name} centred", "Sub", [value, mean])
    square = _onnx(trace, f"{name} square", "Pow", [rest, 2])
    keep = int(given.get("keepdim", False))
    variance = _onnx(trace, name, "ReduceMean", [square], axes=axes, keepdims=keep)
    correction = 1 if correction is None else correction
    return trace.scale(f"{name} times", variance, trace.real(count / (count - correction)))


def _linear(trace, name, given):
    kernel = given["weight"]
    if isinstance(kernel, Value) or not isinstance(given["input"], Value):
        raise ValueError("its weights depend on an input of the network, which is not followed")
    return trace.dense(name, given["input"], kernel, None if given["bias"] is None else np.asarray(given["bias"]))


def _binary(trace, name, given, operator):
    first, second, alpha = given["self"], given["other"], trace.real(given.get("alpha", 1))
    if given.get("rounding_mode") is not None:
        raise ValueError("rounding is not followed")
    computed = isinstance(second, Value)
    second = trace.scale(f"{name} times", second, alpha) if computed else np.asarray(second) * alpha
    return _onnx(trace, name, operator, [first, second])


def _elu(trace, name, given):
    inner = given["input_scale"]  # of negative arguments only, where the value is scale alpha (exp(inner z) - 1)
    if not inner > 0:
        raise ValueError(f"expected input_scale above 0, got {inner:g}")
    argument = trace.scale(f"{name} argument", given["self"], trace.real(inner))
    value = _onnx(trace, name, "Elu", [argument], alpha=given["alpha"] * inner)
    return trace.scale(f"{name} times", value, trace.real(given["scale"] / inner))


def _softplus(trace, name, given):
    beta = trace.real(given["beta"])
    value = _onnx(trace, name, "Softplus", [trace.scale(f"{name} argument", given["self"], beta)])
    return trace.scale(f"{name} times", value, 1 / beta)


def _log_sigmoid(trace, name, given):
    negative = _onnx(trace, f"{name} argument", "Neg", [given["self"]])
    value = _onnx(trace, name, "Softplus", [negative])
    return _onnx(trace, f"{name} minus", "Neg", [value])


def _pad(trace, name, given):
    mode = {"replicate": "edge", "circular": "wrap"}.get(given.get("mode"), given.get("mode", "constant"))
    flat, value = given["pad"], given["self"]
    pads = [(0, 0)] * len(value.shape)
    for k in range(len(flat) // 2):
        pads[len(pads) - 1 - k] = (flat[2 * k], flat[2 * k + 1])
    return trace.pad(name, value, pads, float(given.get("value") or 0), mode)


def _slice(trace, name, given):
    value, axis = given["self"], given["dim"]
    kept = range(value.shape[axis])[given["start"] : given["end"] : given.get("step", 1)]
    return trace.cut(name, value, axis, kept)


def _turned(trace, name, given):
    value = given["self"]
    dims = [axis % len(value.shape) for axis in given["dims"]]
    return trace.slice(name, value, [range(n)[:: -1 if k in dims else 1] for k, n in enumerate(value.shape)])


def _rolled(trace, name, given):
    value, shifts, dims = given["self"], given["shifts"], given["dims"]
    if not dims:  # the flattened entries are rolled
        flat = trace.reshape(f"{name} flat", value, (math.prod(value.shape),))
        return trace.reshape(name, _rolled(trace, name, {"self": flat, "shifts": shifts, "dims": [0]}), value.shape)
    for shift, axis in zip(shifts, dims):
        places = np.roll(np.arange(value.shape[axis]), shift)
        value = _onnx(trace, name, "Gather", [value, places], axis=axis % len(value.shape))
    return value


def _copied(trace, name, given):
    """Copies along each axis, of which there may be more than the value has."""
    value, repeats = given["self"], given["repeats"]
    value = trace.reshape(name, value, (1,) * (len(repeats) - len(value.shape)) + value.shape)
    return _onnx(trace, name, "Tile", [value, np.array(repeats)])


def _chosen_entries(trace, name, given):
    """Entries at constant indices, in the place of their axes if these follow each other, else before all others."""
    value, axes = given["self"], [axis for axis, each in enumerate(given["indices"]) if each is not None]
    arrays = [given["indices"][axis] for axis in axes]
    if any(isinstance(each, Value) for each in arrays):
        raise ValueError("its indices depend on the input, which is not followed")
    if any(each.dtype.kind == "b" for each in arrays):
        raise ValueError("expected whole numbers as indices, got a mask")
    rest = [axis for axis in range(len(value.shape)) if axis not in axes]
    places = np.stack(np.broadcast_arrays(*arrays), axis=-1)
    found = _onnx(trace, name, "GatherND", [value.transposed([*axes, *rest]), places])
    made, before = places.ndim - 1, axes[0] if axes[-1] - axes[0] < len(axes) else 0
    order = list(range(made + len(rest)))
    return found.transposed(order[made : made + before] + order[:made] + order[made + before :])


def _filled(trace, name, given):
    """What has the shape of the first argument, and the entries of another one."""
    shape, source = given["self"].shape, given.get("src", given.get("value"))
    return trace.expanded(name, source, shape) if isinstance(source, Value) else np.broadcast_to(source, shape)


def _assignment(trace, name, given):
    """Entries of a slice, of one index, or of a list of them along one axis, from elsewhere."""
    value, block = given["self"], given.get("src", given.get("values"))
    places = [np.arange(n) for n in value.shape]
    if "indices" in given:
        named = [axis for axis, each in enumerate(given["indices"]) if each is not None]
        index = np.asarray(given["indices"][named[0]])
        if len(named) > 1 or index.ndim != 1 or given["accumulate"]:
            raise ValueError("expected a list of indices along one axis, of which entries are replaced")
        places[named[0]] = np.flatnonzero(index) if index.dtype.kind == "b" else index
    else:
        axis = given["dim"] % len(places)
        if "index" in given:
            places[axis] = places[axis][[given["index"]]]
            parted = (*value.shape[:axis], 1, *value.shape[axis + 1 :])
            block = trace.reshape(name, block, parted) if isinstance(block, Value) else block.reshape(parted)
        else:
            places[axis] = places[axis][given["start"] : given["end"] : given["step"]]
    return assigned(trace, name, value, block, places)


def _without(trace, name, value, axis):
    """The entries of an axis of one entry, without it."""
    return trace.reshape(name, value, value.shape[:axis] + value.shape[axis + 1 :])


def _parts(trace, name, given):
    value = given["self"]
    axis = given["dim"] % len(value.shape)
    n = value.shape[axis]
    size = given.get("split_size", -(-n // given.get("chunks", n)))
    sizes = given.get("split_sizes", [min(size, n - begin) for begin in range(0, n, size)])
    return trace.split(name, value, axis, sizes)


def _each(trace, name, given):
    axis = given["dim"] % len(given["self"].shape)
    return [_without(trace, name, part, axis) for part in _parts(trace, name, given)]


def _concatenation(trace, name, given):
    return _onnx(trace, name, "Concat", given["tensors"], axis=given.get("dim", 0))


def _vector_norm(trace, name, given):
    if given["ord"] not in (1, 2):
        raise ValueError(f"expected a norm of order 1 or 2, got {given['ord']}")
    options = {"axes": given["dim"], "keepdims": given["keepdim"]}
    if given["ord"] == 2:
        return _onnx(trace, name, "ReduceL2", [given["self"]], **options)
    return _onnx(trace, name, "ReduceSum", [_onnx(trace, f"{name} abs", "Abs", [given["self"]])], **options)


def _stack(trace, name, given):
    first = given["tensors"][0].shape
    axis = given["dim"] % (len(first) + 1)
    shape = (*first[:axis], 1, *first[axis:])
    parts = [trace.reshape(name, v, shape) if isinstance(v, Value) else v.reshape(shape) for v in given["tensors"]]
    return _concatenation(trace, name, {"tensors": parts, "dim": axis})


def _swap(trace, name, given):
    axes = list(range(len(given["self"].shape)))
    first, second = (given.get("dim0", 0), given.get("dim1", 1)) if axes[1:] else (0, 0)
    axes[first], axes[second] = axes[second], axes[first]
    return given["self"].transposed(axes)


def _expand(trace, name, given):
    return _onnx(trace, name, "Expand", [given["self"], np.array([1 if n == -1 else n for n in given["size"]])])


_GATES = {"simple": [0], "gru": [1, 0, 2], "lstm": [0, 3, 1, 2]}  # of PyTorch in the order of ONNX


def _arrays(weights, kind):
    """Weights of all directions of a layer, with the gates in the order of ONNX."""
    found = {}
    for key, arrays in zip(("kernel", "recurrent_kernel", "bias", "recurrent_bias"), zip(*weights)):
        rows = [np.split(array, len(_GATES[kind])) for array in arrays]
        found[key] = np.concatenate([each[k] for each in rows for k in _GATES[kind]])
    return found


def _recurrent(trace, name, given, kind, function="tanh"):
    """Layers of recurrent units, of which the upper ones take what the lower ones give."""
    if given["input"].shape[0 if given["batch_first"] else 1] != 1 or len(given["input"].shape) != 3:
        raise ValueError(f"expected one sequence, (1, steps, features), got {given['input'].shape}")
    if given["train"] and given["dropout"]:
        raise ValueError("it is in training mode; call module.eval()")
    value = given["input"].transposed([1, 0, 2]) if given["batch_first"] else given["input"]
    ways = 1 + bool(given["bidirectional"])
    each = len(given["params"]) // (given["num_layers"] * ways)
    if each != (4 if given["has_biases"] else 2):
        raise ValueError("expected hidden units that are not projected")
    states = given["hx"] if kind == "lstm" else [given["hx"]]
    options = {"kind": kind, "function": function, "reset_after": kind == "gru", "cells": given["outputs"] > 2}
    options |= {"direction": "bidirectional" if ways == 2 else "forward"}
    sources, ends = trace.sources, []
    for layer in range(given["num_layers"]):
        found = [given["params"][(layer * ways + way) * each : (layer * ways + way + 1) * each] for way in range(ways)]
        title = name if given["num_layers"] == 1 else f"{name} layer {layer + 1}"
        rows = range(layer * ways, (layer + 1) * ways)
        first = [_rows(trace, f"{title} first", state, rows) for state in states]
        trace.sources = {key: size for key, size in sources.items() if _layer_of(key) in (layer, None)}
        hidden = found[0][1].shape[1]
        every, *last = states_of(trace, title, value, first, hidden=hidden, **_arrays(found, kind), **options)
        steps = every.shape[0]
        value = trace.reshape(f"{title} units", every.transposed([0, 2, 1, 3]), (steps, 1, ways * hidden))
        ends.append(last)
    trace.sources = sources
    joined = [trace.concatenate(f"{name} ends", list(last), 0) if len(last) > 1 else last[0] for last in zip(*ends)]
    return [value.transposed([1, 0, 2]) if given["batch_first"] else value, *joined]


def _layer_of(key):
    """Which layer of torch.nn.RNNBase a weight, or what it is computed from, belongs to; None for first states."""
    found = re.search(r"(?:weight|bias)_[ih]h_l(\d+)", key)
    return None if found is None else int(found[1])


def _rows(trace, name, state, rows):
    return trace.cut(name, state, 0, rows) if isinstance(state, Value) else state[rows[0] : rows[-1] + 1]


def _cell(trace, name, given, kind, function="tanh"):
    """One step of a recurrent layer, as a sequence of one."""

    def sequence(value):
        return trace.reshape(f"{name} step", value, (1, *value.shape)) if isinstance(value, Value) else value[None]

    weights = [given[key] for key in ("w_ih", "w_hh", "b_ih", "b_hh") if given[key] is not None]
    states = list(map(sequence, given["hx"])) if kind == "lstm" else sequence(given["hx"])
    layer = {"input": sequence(given["input"]), "hx": states, "params": weights, "has_biases": len(weights) == 4}
    layer |= {"num_layers": 1, "outputs": given["outputs"] + 1}
    layer |= dict.fromkeys(("batch_first", "bidirectional", "dropout", "train"), False)
    return [_without(trace, name, each, 0) for each in _recurrent(trace, name, layer, kind, function)[1:]]


def _fold(trace, name, given):
    """Patches added where they lie."""
    options = {"strides": given["stride"], "dilations": given["dilation"], "pads": [*given["padding"]] * 2}
    sizes = np.array(given["output_size"]), np.array(given["kernel_size"])
    return _onnx(trace, name, "Col2Im", [given["self"], *sizes], **options)


def _unfold(trace, name, given):
    """Windows along an axis, whose entries become the last axis."""
    value, axis = given["self"], given["dimension"] % len(given["self"].shape)
    starts = np.arange(0, value.shape[axis] - given["size"] + 1, given["step"])
    parts = _onnx(trace, name, "Gather", [value, starts[:, None] + np.arange(given["size"])], axis=axis)
    return parts.transposed([k for k in range(len(parts.shape)) if k != axis + 1] + [axis + 1])


_FLOOR = {"nearest_mode": "floor", "coordinate_transformation_mode": "asymmetric"}
_EXACT = {"nearest_mode": "round_prefer_ceil"}
_RULES: dict[str, Callable] = {
    **dict.fromkeys(KEPT, lambda trace, name, given: given["self"] if "self" in given else given["input"]),
    **{f"conv{n}d{padding}": _convolution for n in (1, 2, 3) for padding in ("", ".padding")},
    **dict.fromkeys(
        ["convolution", "conv_transpose1d", "conv_transpose2d.input", "conv_transpose3d.input"], _convolution
    ),
    **{f"max_pool{n}d": partial(_pool, operator="MaxPool") for n in (1, 2, 3)},
    **{f"avg_pool{n}d": partial(_pool, operator="AveragePool") for n in (1, 2, 3)},
    **{f"adaptive_avg_pool{n}d": partial(_adaptive, operator="AveragePool", over_run="ReduceMean") for n in (1, 2, 3)},
    **{f"adaptive_max_pool{n}d": partial(_adaptive, operator="MaxPool", over_run="ReduceMax") for n in (1, 2, 3)},
    **dict.fromkeys(["batch_norm", "_native_batch_norm_legit_no_training"], _normalization),
    **{
        f"{way}.{kind}": partial(_binary, operator=way.capitalize())
        for way in ("add", "sub", "mul", "div")
        for kind in ("Tensor", "Scalar")
    },
    "rsub.Scalar": lambda trace, name, given: _binary(
        trace, name, {"self": given["other"], "other": given["self"], "alpha": given["alpha"]}, "Sub"
    ),
    **dict.fromkeys(["softmax.int", "_softmax"], _as("Softmax", "self", axis="dim")),
    **dict.fromkeys(["log_softmax.int", "_log_softmax"], _as("LogSoftmax", "self", axis="dim")),
    **{f"where.{kind}": _as("Where", "condition", "self", "other") for kind in ("self", "ScalarOther", "ScalarSelf")},
    **dict.fromkeys(["transpose.int", "t", "swapaxes"], _swap),
    **dict.fromkeys(["split.Tensor", "split_with_sizes", "chunk"], _parts),
    **dict.fromkeys(["var", "var.correction", "var.dim"], _squares),
    **{f"upsample_{way}.vec": partial(_upsample, mode="linear") for way in ("linear1d", "bilinear2d", "trilinear3d")},
    "upsample_bicubic2d.vec": partial(_upsample, mode="cubic"),
    **{f"upsample_nearest{n}d.vec": partial(_upsample, mode="nearest", **_FLOOR) for n in (1, 2, 3)},
    **{f"_upsample_nearest_exact{n}d.vec": partial(_upsample, mode="nearest", **_EXACT) for n in (1, 2, 3)},
    **{f"{kind}.input": partial(_recurrent, kind=kind) for kind in ("gru", "lstm")},
    **{f"{kind}_cell": partial(_cell, kind=kind) for kind in ("gru", "lstm")},
    **{f"rnn_{f}.input": partial(_recurrent, kind="simple", function=f) for f in ("tanh", "relu")},
    **{f"rnn_{f}_cell": partial(_cell, kind="simple", function=f) for f in ("tanh", "relu")},
    **{name.lower(): _as(name, "self") for name in ("Abs", "Erf", "Exp", "HardSwish", "Log", "Mish", "Neg")},
    **{name.lower(): _as(name, "self") for name in ("Reciprocal", "Relu", "Selu", "Sigmoid", "Sin", "Sqrt", "Tanh")},
    "addmm": _as("Gemm", "mat1", "mat2", "self", alpha="alpha", beta="beta"),
    "amax": _as("ReduceMax", "self", axes="dim", keepdims="keepdim"),
    "bmm": _as("MatMul", "self", "mat2"),
    "cat": _concatenation,
    "celu": _as("Celu", "self", alpha="alpha"),
    "clamp": _as("Clip", "self", "min", "max"),
    **dict.fromkeys(["clamp_min", "clamp_min.Tensor"], _as("Clip", "self", "min")),
    "col2im": _fold,
    "constant_pad_nd": _pad,
    **dict.fromkeys(["copy", "fill.Scalar", "fill.Tensor"], _filled),
    "cos": lambda trace, name, given: _onnx(
        trace, name, "Sin", [trace.scale(f"{name} turned", given["self"], None, trace.real(np.pi / 2))]
    ),
    "cumsum": _as("CumSum", "self", "dim"),
    "einsum": lambda trace, name, given: _onnx(trace, name, "Einsum", given["tensors"], equation=given["equation"]),
    "elu": _elu,
    "embedding": _as("Gather", "weight", "indices"),
    "expand": _expand,
    "fft_irfft": _spectrum,
    "fft_rfft": _spectrum,
    "flip": _turned,
    "glu": _gated,
    "gelu": _as("Gelu", "self", approximate="approximate"),
    "group_norm": _as("GroupNormalization", "input", "weight", "bias", num_groups="num_groups", epsilon="eps"),
    "hardsigmoid": _as("HardSigmoid", "self", alpha=1 / 6),
    "hardtanh": _as("Clip", "self", "min_val", "max_val"),
    "index.Tensor": _chosen_entries,
    **dict.fromkeys(["index_put", "select_scatter", "slice_scatter"], _assignment),
    "index_select": _as("Gather", "self", "index", axis="dim"),
    "instance_norm": _instances,
    "layer_norm": partial(_layer_norm, operator="LayerNormalization"),
    "leaky_relu": _as("LeakyRelu", "self", alpha="negative_slope"),
    "linalg_vector_norm": _vector_norm,
    "linear": _linear,
    "log_sigmoid": _log_sigmoid,
    "log1p": lambda trace, name, given: _onnx(
        trace, name, "Log", [trace.scale(f"{name} argument", given["self"], None, trace.real(1))]
    ),
    "masked_fill.Scalar": _as("Where", "mask", "value", "self"),
    "matmul": _as("MatMul", "self", "other"),
    "max.dim": lambda trace, name, given: _onnx(
        trace, name, "ReduceMax", [given["self"]], axes=[given["dim"]], keepdims=given["keepdim"]
    ),
    "mean": _as("ReduceMean", "self", keepdims=0),
    "mean.dim": _as("ReduceMean", "self", axes="dim", keepdims="keepdim"),
    "mm": _as("MatMul", "self", "mat2"),
    "pad": _pad,
    "permute": lambda trace, name, given: given["self"].transposed([k % len(given["dims"]) for k in given["dims"]]),
    "pow.Tensor_Scalar": _as("Pow", "self", "exponent"),
    "prelu": lambda trace, name, given: trace.slopes(
        name, given["self"], given["weight"].reshape(-1, *[1] * (len(given["self"].shape) - 2))
    ),
    "relu6": _as("Clip", "self", 0, 6),
    "repeat": _copied,
    "roll": _rolled,
    "rms_norm": partial(_layer_norm, operator="RMSNormalization"),
    "rsqrt": _as("Pow", "self", -0.5),
    "scaled_dot_product_attention": _attention,
    "select.int": _as("Gather", "self", "index", axis="dim"),
    "silu": _as("Swish", "self"),
    "slice.Tensor": _slice,
    "softplus": _softplus,
    "stack": _stack,
    "sum": _as("ReduceSum", "self", keepdims=0),
    "sum.dim_IntList": _as("ReduceSum", "self", axes="dim", keepdims="keepdim"),
    "unbind.int": _each,
    "unfold": _unfold,
}
ATEN = tuple(_RULES)
