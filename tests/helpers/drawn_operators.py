"""Nodes of each operator with shapes and options drawn together, and what each operator is, entry by entry.

A definition takes a node and the values of its inputs, (samples, *shape) each.
"""

import itertools

import numpy as np
from hypothesis import strategies as st

from capacity_inspection.graphs import make_node

__all__ = ["DRAWN", "defined"]


@st.composite
def windows(draw, axes, *, pool=False, up=False):
    """Taps, strides, dilations and pads along each axis, and positions on which they fit."""
    options, taps, positions = {"strides": [], "dilations": [], "pads": []}, [], []
    for _ in range(axes):
        k, stride, dilation = (draw(st.integers(1, most)) for most in (4, 3, 3))
        reach = dilation * (k - 1)
        pad = tuple(draw(st.integers(0, reach if pool else 3)) for _ in range(2))
        fewest = -(-max(sum(pad) - reach, 0) // stride) + 1 if up else max(reach + 1 - sum(pad), 1)
        taps.append(k)
        positions.append(fewest + draw(st.integers(0, 3)))
        for key, value in zip(options, (stride, dilation, pad)):
            options[key].append(value)
    return taps, positions, options


def numbers(draw, *shape):
    """Numbers without a zero."""
    rng = np.random.default_rng(draw(st.integers(0, 99)))
    return rng.uniform(0.5, 1.5, shape) * rng.choice([-1, 1], shape)


def sizes(draw, fewest=1, most=3, largest=4):
    return tuple(draw(st.lists(st.integers(1, largest), min_size=fewest, max_size=most)))


def with_inputs(operator, *shapes, **given):
    """A node y, and the inputs x0, x1, ... that it takes."""
    inputs = [make_node(f"x{k}", "input", shape=shape) for k, shape in enumerate(shapes)]
    return make_node("y", operator, inputs, **given), inputs


def convolution(draw):
    axes, groups, below, above = (draw(st.integers(1, most)) for most in (2, 3, 2, 3))
    taps, positions, options = draw(windows(axes))
    kernel = numbers(draw, groups * above, below, *taps)
    masked = draw(st.sampled_from([None, *np.ndindex(*taps)]))
    if masked is not None and np.prod(taps) > 1:  # as a mask of taps has it
        kernel[(..., *masked)] = 0
    bias = numbers(draw, groups * above) if draw(st.booleans()) else None
    return with_inputs("convolution", (groups * below, *positions), kernel=kernel, bias=bias, groups=groups, **options)


def transposed_convolution(draw):
    axes, groups, below, above = (draw(st.integers(1, most)) for most in (2, 3, 2, 3))
    taps, positions, options = draw(windows(axes, up=True))
    more = [draw(st.integers(0, stride - 1)) for stride in options["strides"]]
    kernel = numbers(draw, groups * below, above, *taps)
    options |= {"groups": groups, "output_pads": more, "kernel": kernel}
    return with_inputs("transposed_convolution", (groups * below, *positions), **options)


def interpolate(draw):
    shape = sizes(draw)
    places = st.lists(st.integers(-4, 20).map(lambda k: k / 4), min_size=1, max_size=5)
    coordinates = [draw(st.none() | places) for _ in shape]
    return with_inputs("interpolate", shape, coordinates=coordinates, cubic=draw(st.booleans()))


def dense(draw):
    shape = sizes(draw)
    axis = draw(st.none() | st.integers(-len(shape), len(shape) - 1))
    size = int(np.prod(shape)) if axis is None else shape[axis]
    kernel = numbers(draw, draw(st.integers(1, 4)), size)
    return with_inputs("dense", shape, kernel=kernel, bias=numbers(draw, len(kernel)), axis=axis)


def scale(draw):
    shape = sizes(draw)
    factor, shift = (numbers(draw, *(draw(st.sampled_from([1, n])) for n in shape)) for _ in range(2))
    return with_inputs("scale", shape, factor=factor, shift=shift)


def concatenate(draw):
    shape = sizes(draw)
    axis = draw(st.integers(-len(shape), len(shape) - 1))
    parts = [list(shape) for _ in range(draw(st.integers(1, 3)))]
    for part in parts:
        part[axis] = draw(st.integers(1, 3))
    return with_inputs("concatenate", *parts, axis=axis)


def pool(draw, operator):
    axes = draw(st.integers(1, 2))
    taps, positions, options = draw(windows(axes, pool=True))
    if operator == "average_pool":
        options["pads"] = [tuple(min(n, k - 1) for n in pad) for pad, k in zip(options["pads"], taps)]
        options["count_pads"] = draw(st.booleans())
        positions = [max(n, k) for n, k in zip(positions, taps)]
        del options["dilations"]
    else:  # each window has an entry that is no pad
        positions = [n + (k - 1) * d for n, k, d in zip(positions, taps, options["dilations"])]
        options["pads"] = [
            tuple(min(n, (k - 1) // 2 * d) for n in pad)
            for pad, k, d in zip(options["pads"], taps, options["dilations"])
        ]
    return with_inputs(operator, (draw(st.integers(1, 3)), *positions), window=taps, **options)


def expand(draw):
    shape = sizes(draw)
    return with_inputs("expand", [draw(st.sampled_from([1, n])) for n in shape], shape=shape)


def pad(draw):
    shape = sizes(draw)
    return with_inputs(
        "pad", shape, pads=[(draw(st.integers(0, 2)), draw(st.integers(0, 2))) for _ in shape], value=0.5
    )


def cut(draw):
    shape = sizes(draw)
    begin = [draw(st.integers(0, n - 1)) for n in shape]
    end = [draw(st.integers(first + 1, n)) for first, n in zip(begin, shape)]
    return with_inputs("slice", shape, begin=begin, end=end, step=[draw(st.integers(1, 3)) for _ in shape])


def reshape(draw):
    factors = [draw(st.sampled_from([1, 2, 3])) for _ in range(draw(st.integers(1, 4)))]

    def grouped():
        groups = [1]
        for factor in factors:
            if draw(st.booleans()):
                groups.append(1)
            groups[-1] *= factor
        return groups

    return with_inputs("reshape", grouped(), shape=grouped())


def transpose(draw):
    shape = sizes(draw)
    return with_inputs("transpose", shape, permutation=draw(st.permutations(range(len(shape)))))


def along(draw, operator, **more):
    """Along an axis of two entries or more."""
    shape = list(sizes(draw))
    axis = draw(st.integers(0, len(shape) - 1))
    shape[axis] += 1
    return with_inputs(operator, shape, axis=axis, **more)


def normalize(draw):
    shape = [n + 1 for n in sizes(draw)]
    axes = draw(st.lists(st.integers(0, len(shape) - 1), min_size=1, unique=True))
    return with_inputs("normalize", shape, axes=axes, centred=draw(st.booleans()), epsilon=0.1)


def attention(draw):
    heads, width, out, queries, more = (draw(st.integers(1, most)) for most in (2, 2, 2, 4, 3))
    causal, keys = draw(st.booleans()), queries + more - 1
    bias = numbers(draw, draw(st.sampled_from([1, heads])), queries, keys) if draw(st.booleans()) else None
    shapes = [(heads * width, queries), (heads * width, keys), (heads * out, keys)]
    return with_inputs("attention", *shapes, heads=heads, causal=causal, bias=bias, cap=draw(st.sampled_from([0, 2.0])))


def product(draw):
    shape = sizes(draw)
    return with_inputs("product", shape, tuple(draw(st.sampled_from([1, n])) for n in shape))


def matmul(draw):
    lead, (n, k, m) = sizes(draw, 0, 1), (draw(st.integers(1, 3)) for _ in range(3))
    return with_inputs("matmul", (*lead, n, k), (*lead, k, m), gain=draw(st.integers(0, 1)))


DRAWN = {
    "convolution": convolution,
    "transposed_convolution": transposed_convolution,
    "interpolate": interpolate,
    "dense": dense,
    "scale": scale,
    "add": lambda draw: with_inputs("add", *[sizes(draw)] * draw(st.integers(2, 3))),
    "accumulate": lambda draw: along(draw, "accumulate", reverse=draw(st.booleans())),
    "concatenate": concatenate,
    "average_pool": lambda draw: pool(draw, "average_pool"),
    "max_pool": lambda draw: pool(draw, "max_pool"),
    "expand": expand,
    "pad": pad,
    "slice": cut,
    "reshape": reshape,
    "transpose": transpose,
    "normalize": normalize,
    "attention": attention,
    "product": product,
    "matmul": matmul,
    "softmax": lambda draw: along(draw, "softmax"),
}


def defined(node, values):
    """What a node computes."""
    return _DEFINED[node.operator](node.arrays, node.options, *values)


def _places(x, taps, options, fill=0.0):
    """For each place of a window along all axes of positions the entries under its taps, or `fill` in the pads."""
    pads, strides = options["pads"], options["strides"]
    dilations = options.get("dilations", (1,) * len(taps))
    padded = np.pad(x, [(0, 0), (0, 0), *pads], constant_values=fill)
    counts = [(n - d * (k - 1) - 1) // s + 1 for n, k, s, d in zip(padded.shape[2:], taps, strides, dilations)]
    for place in np.ndindex(*counts):
        under = (slice(s * p, s * p + d * (k - 1) + 1, d) for p, k, s, d in zip(place, taps, strides, dilations))
        yield place, counts, padded[(..., *under)]


def _convolution(arrays, options, x):
    kernel, found = arrays["kernel"], None
    for place, counts, under in _places(x, kernel.shape[2:], options):
        found = np.zeros((len(x), len(kernel), *counts)) if found is None else found
        for o in range(len(kernel)):
            first = o // (len(kernel) // options["groups"]) * kernel.shape[1]
            part = under[:, first : first + kernel.shape[1]]
            found[(slice(None), o, *place)] = np.sum(part * kernel[o], axis=tuple(range(1, part.ndim)))
    return found + arrays.get("bias", np.zeros(len(kernel))).reshape(-1, *[1] * (x.ndim - 2))


def _transposed_convolution(arrays, options, x):
    kernel, taps = arrays["kernel"], arrays["kernel"].shape[2:]
    lengths = [
        (n - 1) * s + d * (k - 1) + 1 + more
        for n, k, s, d, more in zip(x.shape[2:], taps, *map(options.get, ("strides", "dilations", "output_pads")))
    ]
    found = np.zeros((len(x), options["groups"] * kernel.shape[1], *lengths))
    for c, place, tap in itertools.product(range(x.shape[1]), np.ndindex(*x.shape[2:]), np.ndindex(*taps)):
        at = tuple(s * p + d * t for p, t, s, d in zip(place, tap, options["strides"], options["dilations"]))
        first = c // (x.shape[1] // options["groups"]) * kernel.shape[1]
        found[(slice(None), slice(first, first + kernel.shape[1]), *at)] += np.multiply.outer(
            x[(slice(None), c, *place)], kernel[(c, slice(None), *tap)]
        )
    return found[(..., *(slice(a, n - b) for n, (a, b) in zip(lengths, options["pads"])))]


def _keys(t):
    """The cubic kernel of Keys (1981, eq. 4) with a = -3/4."""
    a, t = -0.75, abs(t)
    if t < 1:
        return (a + 2) * t**3 - (a + 3) * t**2 + 1
    return a * (t**3 - 5 * t**2 + 8 * t - 4) if t < 2 else 0.0


def _interpolate(arrays, options, x):
    kernel = _keys if options["cubic"] else lambda t: max(1 - abs(t), 0)
    for axis, coordinates in enumerate(options["coordinates"], start=1):
        if coordinates is not None:
            last = x.shape[axis] - 1
            parts = [
                sum(x.take(min(max(k, 0), last), axis) * kernel(c - k) for k in range(-7, 26)) for c in coordinates
            ]
            x = np.stack(parts, axis)
    return x


def _dense(arrays, options, x):
    axis = options["axis"]
    if axis is None:
        return x.reshape(len(x), -1) @ arrays["kernel"].T + arrays["bias"]
    return np.moveaxis(np.moveaxis(x, axis + 1, -1) @ arrays["kernel"].T + arrays["bias"], -1, axis + 1)


def _accumulate(arrays, options, x):
    axis, way = options["axis"] + 1, -1 if options["reverse"] else 1
    return np.flip(np.flip(x, axis).cumsum(axis), axis) if way < 0 else x.cumsum(axis)


def _pool(arrays, options, x):
    average, found = "count_pads" in options, None
    for place, counts, under in _places(x, options["window"], options, fill=np.nan):
        found = np.zeros((*x.shape[:2], *counts)) if found is None else found
        flat = under.reshape(*x.shape[:2], -1)
        if average:
            size = flat.shape[-1] if options["count_pads"] else np.isfinite(flat[0, 0]).sum()
            found[(..., *place)] = np.nansum(flat, axis=-1) / size
        else:
            found[(..., *place)] = np.nanmax(flat, axis=-1)
    return found


def _normalize(arrays, options, x):
    axes = tuple(axis + 1 for axis in options["axes"])
    x = x - x.mean(axes, keepdims=True) if options["centred"] else x
    return x / np.sqrt(np.square(x).mean(axes, keepdims=True) + options["epsilon"])


def _shares(scores, axis):
    weights = np.exp(scores)
    return weights / weights.sum(axis, keepdims=True)


def _attention(arrays, options, queries, keys, values):
    heads, cap, found = options["heads"], options["cap"], []
    for h, parts in enumerate(zip(*(np.split(each, heads, axis=1) for each in (queries, keys, values)))):
        q, k, v = parts
        scores = q.swapaxes(1, 2) @ k * options["scale"]
        scores = cap * np.tanh(scores / cap) if cap else scores
        if "bias" in arrays:
            scores = scores + arrays["bias"][h % len(arrays["bias"])]
        if options["causal"]:
            t, s = np.indices(scores.shape[1:])
            scores = np.where(s <= t + scores.shape[2] - scores.shape[1], scores, -np.inf)
        found.append(v @ _shares(scores, -1).swapaxes(1, 2))
    return np.concatenate(found, axis=1)


_DEFINED = {
    "convolution": _convolution,
    "transposed_convolution": _transposed_convolution,
    "interpolate": _interpolate,
    "dense": _dense,
    "scale": lambda a, o, x: x * a["factor"] + a["shift"],
    "add": lambda a, o, *values: sum(values),
    "accumulate": _accumulate,
    "concatenate": lambda a, o, *values: np.concatenate(values, o["axis"] + 1),
    "average_pool": _pool,
    "max_pool": _pool,
    "expand": lambda a, o, x: np.broadcast_to(x, (len(x), *o["shape"])),
    "pad": lambda a, o, x: np.pad(x, [(0, 0), *o["pads"]], constant_values=o["value"]),
    "slice": lambda a, o, x: x[(slice(None), *map(slice, o["begin"], o["end"], o["step"]))],
    "reshape": lambda a, o, x: x.reshape(len(x), *o["shape"]),
    "transpose": lambda a, o, x: x.transpose(0, *(k + 1 for k in o["permutation"])),
    "normalize": _normalize,
    "attention": _attention,
    "product": lambda a, o, x, y: x * y,
    "matmul": lambda a, o, x, y: x @ y,
    "softmax": lambda a, o, x: _shares(x, o["axis"] + 1),
}
