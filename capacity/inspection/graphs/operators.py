"""The operators of a graph: what each needs, and the shape of what it computes.

`make_node` lists them. Shapes leave out the batch and list channels first, (channels, positions). An operator is a
name; its weights are arrays, and all else that it needs are options.
"""

import math
import numbers
from collections.abc import Sequence

import numpy as np

from capacity._validation import check_integer, check_integers, check_real
from capacity.activations.scalar_functions import SCALAR_FUNCTIONS
from capacity.inspection.graphs.functions import FUNCTIONS

__all__ = ["OPERATORS", "completed"]


def completed(operator, shapes, arrays=None, options=None):
    """Check what an operator is given and fill in what it leaves to defaults.

    Parameters
    ----------
    operator : str
        One of `OPERATORS`.
    shapes : sequence of tuple of int
        Shapes of its inputs, without the batch.
    arrays : mapping of str to array_like, optional
        Its weights.
    options : mapping of str to object, optional
        All other arguments.

    Returns
    -------
    shape : tuple of int
        Of the output.
    arrays : dict of str to ndarray
        Of type float32 or float64, read only.
    options : dict
        With one entry per axis wherever one number stood for all.

    Examples
    --------
    >>> completed("convolution", [(1, 8)], {"kernel": np.ones((4, 1, 3))}, {"strides": 2, "pads": 1})[0]
    (4, 4)
    """
    if operator not in OPERATORS:
        raise ValueError(
            f"operator: expected one of {', '.join(OPERATORS)}, got {operator!r}; write it in terms of these"
        )
    rule, known_arrays, known_options, (fewest, most) = _RULES[operator]
    arrays = {key: _array(value, key) for key, value in (arrays or {}).items() if value is not None}
    options = dict(options or {})
    for found, known, what in ((arrays, known_arrays, "arrays"), (options, known_options, "options")):
        if unknown := set(found) - set(known):
            raise ValueError(
                f"{operator}: expected {what} among {', '.join(known) or 'none'}, got {sorted(unknown)}; remove them"
            )
    if not fewest <= len(shapes) <= most:
        wanted = f"{fewest}" if fewest == most else f"at least {fewest}"
        raise ValueError(f"{operator}: expected inputs: {wanted}, got {len(shapes)}; connect that many nodes")
    shape, arrays, options = rule([tuple(shape) for shape in shapes], arrays, options)
    return tuple(int(n) for n in shape), arrays, options


def _array(value, name):
    if np.ma.is_masked(value):
        raise ValueError(f"{name}: expected numbers, got masked entries; fill them")
    array = np.asarray(value)
    if array.dtype.kind not in "biuf":
        raise TypeError(f"{name}: expected an array of real numbers, got {array.dtype}; pass float32 or float64")
    array = array.astype(array.dtype if array.dtype in (np.float32, np.float64) else float, copy=False).view()
    if array.size == 0:
        raise ValueError(f"{name}: expected at least one number, got shape {array.shape}; leave the node out")
    if not np.isfinite(array).all():
        raise ValueError(f"{name}: expected finite numbers, got an infinity or a NaN; check the weights")
    array.flags.writeable = False
    return array


def _sizes(shape, what):
    if min(shape, default=1) < 1:
        raise ValueError(
            f"{what}: expected an output of at least one entry, got shape {tuple(shape)}; enlarge the input"
        )
    return tuple(shape)


def _pairs(value, name, axes):
    """Pads as a pair (before, after) for each axis."""
    if isinstance(value, numbers.Integral):
        value = [(value, value)] * axes
    elif not isinstance(value, Sequence | np.ndarray) or len(value) != axes:
        raise ValueError(f"{name}: expected a number or a pair for each of {axes} axes, got {value!r}; list the pairs")
    pairs = ((entry, entry) if isinstance(entry, numbers.Integral) else entry for entry in value)
    return tuple(check_integers(pair, f"{name}[{k}]", length=2, minimum=0) for k, pair in enumerate(pairs))


def _windows(positions, window, options, *, ceil=False):
    """Strides, dilations and pads of a window for each axis, and the number of places where it fits."""
    axes = len(positions)
    strides = check_integers(options.get("strides", 1), "strides", length=axes)
    dilations = check_integers(options.get("dilations", 1), "dilations", length=axes)
    pads = _pairs(options.get("pads", 0), "pads", axes)
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


def _required(mapping, key, operator):
    if mapping.get(key) is None:
        raise ValueError(f"{operator}: expected {key}, got none; pass it")
    return mapping[key]


def _vector(arrays, key, size, operator):
    if key in arrays and arrays[key].shape != (size,):
        raise ValueError(
            f"{operator}: expected {key} of shape ({size},), got {arrays[key].shape}; pass one number per output"
        )


def _input(shapes, arrays, options):
    shape = check_integers(_required(options, "shape", "input"), "shape")
    if not shape:
        raise ValueError("shape: expected (channels, *positions), got an empty one; pass at least one size")
    return shape, arrays, {"shape": shape}


def _convolution(shapes, arrays, options):
    kernel = _required(arrays, "kernel", "convolution")
    (channels, *positions) = shapes[0]
    if kernel.ndim != len(shapes[0]) + 1 or kernel.size == 0:
        raise ValueError(
            f"convolution: expected a kernel (out, in/groups, *taps), {len(shapes[0]) + 1} axes for an input of shape "
            f"{shapes[0]}, got shape {kernel.shape}; reshape the input or the kernel"
        )
    groups = check_integer(options.get("groups", 1), "groups", minimum=1)
    if channels != groups * kernel.shape[1] or kernel.shape[0] % groups:
        raise ValueError(
            f"convolution: expected a kernel for {channels} channels in {groups} groups, got shape {kernel.shape}; the "
            "kernel has shape (out, in/groups, *taps), out a multiple of the groups"
        )
    _vector(arrays, "bias", kernel.shape[0], "convolution")
    places, strides, dilations, pads = _windows(positions, kernel.shape[2:], options)
    options = {"strides": strides, "dilations": dilations, "pads": pads, "groups": groups}
    return (kernel.shape[0], *places), arrays, options


def _dense(shapes, arrays, options):
    kernel, shape = _required(arrays, "kernel", "dense"), shapes[0]
    axis = options.get("axis")
    if axis is not None:
        axis = check_integer(axis, "axis", minimum=-len(shape), maximum=len(shape) - 1) % len(shape)
    size = math.prod(shape) if axis is None else shape[axis]
    if kernel.ndim != 2 or kernel.shape[1] != size or not kernel.size:
        raise ValueError(
            f"dense: expected a kernel (out, {size}) for an input of shape {shape} along axis {axis}, got "
            f"{kernel.shape}; transpose it, or name the axis"
        )
    _vector(arrays, "bias", kernel.shape[0], "dense")
    output = (kernel.shape[0],) if axis is None else (*shape[:axis], kernel.shape[0], *shape[axis + 1 :])
    return output, arrays, {"axis": axis}


def _per_channel(arrays, key, shape, operator):
    """An array that broadcasts against the shape; a vector of one number per channel does after a reshape."""
    if key in arrays:
        array = arrays[key]
        if array.ndim == 1 and array.size in (1, shape[0]):
            array = array.reshape(-1, *[1] * (len(shape) - 1))
        array = array.reshape((1,) * (len(shape) - array.ndim) + array.shape)
        if array.ndim != len(shape) or any(n not in (1, m) for n, m in zip(array.shape, shape)):
            raise ValueError(
                f"{operator}: expected {key} that broadcasts against {shape}, got shape {arrays[key].shape}; pass one "
                f"number per channel, shape ({shape[0]},)"
            )
        array.flags.writeable = False
        arrays = arrays | {key: array}
    return arrays


def _scale(shapes, arrays, options):
    for key in ("factor", "shift"):
        arrays = _per_channel(arrays, key, shapes[0], "scale")
    return shapes[0], arrays, {}


def _add(shapes, arrays, options):
    if len(set(shapes)) != 1:
        raise ValueError(f"add: expected inputs of one shape, got {shapes}; pad, crop or project them before")
    return shapes[0], {}, {}


def _concatenate(shapes, arrays, options):
    axes = len(shapes[0])
    axis = check_integer(options.get("axis", 0), "axis", minimum=-axes, maximum=axes - 1) % axes
    if len({(*shape[:axis], *shape[axis + 1 :]) for shape in shapes}) != 1 or len({len(s) for s in shapes}) != 1:
        raise ValueError(
            f"concatenate: expected inputs that differ along axis {axis} only, got {shapes}; crop them before"
        )
    return (*shapes[0][:axis], sum(shape[axis] for shape in shapes), *shapes[0][axis + 1 :]), {}, {"axis": axis}


def _pool(operator):
    def rule(shapes, arrays, options):
        channels, *positions = shapes[0]
        window = options.get("window")
        window = tuple(positions) if window is None else check_integers(window, "window", length=len(positions))
        places, strides, dilations, pads = _windows(positions, window, options)
        if any(max(pad) > dilation * (k - 1) for pad, k, dilation in zip(pads, window, dilations)):
            raise ValueError(
                f"{operator}: expected pads smaller than the window {window}, got {pads}; a window would see pads only"
            )
        found = {"window": window, "strides": strides, "pads": pads}
        extra = {"count_pads": bool(options.get("count_pads", False))} if operator == "average_pool" else {}
        extra = extra or {"dilations": dilations}
        return (channels, *places), {}, found | extra

    return rule


def _pad(shapes, arrays, options):
    pads = _pairs(_required(options, "pads", "pad"), "pads", len(shapes[0]))
    value = check_real(options.get("value", 0.0), "value")
    return [n + sum(pad) for n, pad in zip(shapes[0], pads)], {}, {"pads": pads, "value": value}


def _slice(shapes, arrays, options):
    shape = shapes[0]
    begin = check_integers(options.get("begin", 0), "begin", length=len(shape), minimum=0)
    step = check_integers(options.get("step", 1), "step", length=len(shape))
    end = check_integers(shape if options.get("end") is None else options["end"], "end", length=len(shape))
    if any(not b < e <= n for b, e, n in zip(begin, end, shape)):
        raise ValueError(
            f"slice: expected begin < end <= {shape}, got {begin} and {end}; count from the start of each axis"
        )
    return [-(-(e - b) // s) for b, e, s in zip(begin, end, step)], {}, {"begin": begin, "end": end, "step": step}


def _reshape(shapes, arrays, options):
    shape = check_integers(_required(options, "shape", "reshape"), "shape")
    if math.prod(shape) != math.prod(shapes[0]):
        raise ValueError(
            f"reshape: expected {math.prod(shapes[0])} entries as in {shapes[0]}, got {shape}; leave out the batch"
        )
    return shape, {}, {"shape": shape}


def _transpose(shapes, arrays, options):
    permutation = check_integers(_required(options, "permutation", "transpose"), "permutation", minimum=0)
    if sorted(permutation) != list(range(len(shapes[0]))):
        raise ValueError(
            f"transpose: expected an order of the axes of {shapes[0]}, got {permutation}; list each axis once, without "
            "the batch"
        )
    return [shapes[0][k] for k in permutation], {}, {"permutation": permutation}


def _activation(shapes, arrays, options):
    function = _required(options, "function", "activation")
    if function not in FUNCTIONS:
        raise ValueError(f"function: expected one of {', '.join(FUNCTIONS)}, got {function!r}; use one of these")
    found = {"function": function}
    if function == "prelu":
        _required(arrays, "slopes", "prelu")
    elif "slopes" in arrays:
        raise ValueError(f"slopes: expected them of a prelu only, got some of {function!r}; use the option slope")
    default = SCALAR_FUNCTIONS[function].parameter
    if default is not None:
        found["slope"] = check_real(options.get("slope", default), "slope")
    elif options.get("slope") is not None:
        raise ValueError(f"slope: expected it of a leaky ReLU or an ELU, got it of {function!r}; remove it")
    return shapes[0], _per_channel(arrays, "slopes", shapes[0], "prelu"), found


def _recurrent(shapes, arrays, options):
    kernel, shape = _required(arrays, "kernel", "recurrent"), shapes[0]
    hidden = check_integer(_required(options, "hidden", "recurrent"), "hidden", minimum=1)
    direction = options.get("direction", "forward")
    if direction not in ("forward", "reverse", "bidirectional"):
        raise ValueError(
            f"direction: expected 'forward', 'reverse' or 'bidirectional', got {direction!r}; pass one of them"
        )
    if len(shape) != 2 or kernel.ndim != 2 or kernel.shape[1] != shape[0]:
        raise ValueError(
            f"recurrent: expected an input (features, steps) and a kernel (gates, features), got {shape} and "
            f"{kernel.shape}; transpose the input"
        )
    return (hidden * (1 + (direction == "bidirectional")), shape[1]), arrays, {"hidden": hidden, "direction": direction}


_ONE, _SEVERAL = (1, 1), (1, 2**20)
_RULES = {  # rule, arrays, options, how many inputs
    "input": (_input, (), ("shape",), (0, 0)),
    "convolution": (_convolution, ("kernel", "bias"), ("strides", "dilations", "pads", "groups"), _ONE),
    "dense": (_dense, ("kernel", "bias"), ("axis",), _ONE),
    "scale": (_scale, ("factor", "shift"), (), _ONE),
    "add": (_add, (), (), _SEVERAL),
    "concatenate": (_concatenate, (), ("axis",), _SEVERAL),
    "average_pool": (_pool("average_pool"), (), ("window", "strides", "pads", "count_pads"), _ONE),
    "max_pool": (_pool("max_pool"), (), ("window", "strides", "pads", "dilations"), _ONE),
    "pad": (_pad, (), ("pads", "value"), _ONE),
    "slice": (_slice, (), ("begin", "end", "step"), _ONE),
    "reshape": (_reshape, (), ("shape",), _ONE),
    "transpose": (_transpose, (), ("permutation",), _ONE),
    "activation": (_activation, ("slopes",), ("function", "slope"), _ONE),
    "recurrent": (_recurrent, ("kernel",), ("hidden", "direction"), _ONE),
}
OPERATORS = tuple(_RULES)
