"""A decoder block, a vision transformer and a ConvNeXt block are read and summarised as the maps that they are.

Values are those of the library's reference. Capacity is that of the held map, written out here a second time.
"""

import numpy as np
import pytest
from onnx_models import as_in_graph, model, node, reference, values, write

from capacity_inspection.graphs import (
    forward,
    receptive_fields,
    sampled_input_capacity,
    time_reach,
)
from capacity_inspection.readers import read_onnx
from capacity_inspection.reports import summary

TOKENS, WIDTH, HEADS = 6, 8, 2
SIZE = WIDTH // HEADS


class File:
    """A file that grows by an operator at a time; random weights are made where they are asked for."""

    def __init__(self, seed):
        self.rng, self.nodes, self.arrays = np.random.default_rng(seed), [], {}

    def constant(self, array):
        name = f"c{len(self.arrays)}"
        self.arrays[name] = np.asarray(array)
        return name

    def weight(self, *shape):
        scale = 1 / np.sqrt(shape[0]) if len(shape) == 2 else 0.5
        return self.constant((scale * self.rng.standard_normal(shape)).astype(np.float32))

    def __call__(self, operator, *inputs, outputs=1, **attributes):
        given = [each if isinstance(each, str) else self.constant(each) for each in inputs]
        names = [f"t{len(self.nodes)}{'abc'[k] if outputs > 1 else ''}" for k in range(outputs)]
        self.nodes.append(node(operator, given, names, name=names[0], **attributes))
        return names[0] if outputs == 1 else names

    def model(self, shape, opset=23):
        self.nodes[-1].output[0] = "y"
        return model(self.nodes, shape, self.arrays, opset=opset)


def number(value):
    return np.float32(value)


def ints(*numbers):
    return np.array(numbers, dtype=np.int64)


def rms_norm(file, x, *, fused):
    factor = file.weight(WIDTH)
    if fused:
        return file("RMSNormalization", x, factor, epsilon=1e-5)
    mean = file("ReduceMean", file("Pow", x, number(2)), ints(-1))
    inverse = file("Div", number(1), file("Sqrt", file("Add", mean, number(1e-5))))
    return file("Mul", file("Mul", x, inverse), factor)


def layer_norm(file, x, *, fused):
    factor, shift = file.weight(WIDTH), file.weight(WIDTH)
    if fused:
        return file("LayerNormalization", x, factor, shift)
    centred = file("Sub", x, file("ReduceMean", x, ints(-1)))
    variance = file("ReduceMean", file("Mul", centred, centred), ints(-1))
    unit = file("Div", centred, file("Sqrt", file("Add", variance, number(1e-5))))
    return file("Add", file("Mul", unit, factor), shift)


def in_heads(file, x, heads=HEADS, size=SIZE):
    return file("Transpose", file("Reshape", x, ints(1, -1, heads, size)), perm=[0, 2, 1, 3])


def rotated(file, x):
    """Rotary embedding: pairs of channels turned by angles that grow with the position."""
    angles = np.outer(np.arange(TOKENS), 10.0 ** -np.arange(SIZE // 2)).repeat(2, axis=0).reshape(TOKENS, -1)
    first, second = file("Split", x, axis=-1, num_outputs=2, outputs=2)
    turned = file("Concat", file("Neg", second), first, axis=-1)
    cosine, sine = (f(angles).astype(np.float32) for f in (np.cos, np.sin))
    return file("Add", file("Mul", x, cosine), file("Mul", turned, sine))


def attention(file, queries, keys, values, *, fused, mask="add"):
    """Causal attention, fused, or written out with a mask that is added or chosen by."""
    if fused:
        return file("Attention", queries, keys, values, is_causal=1)
    scores = file("MatMul", queries, file("Transpose", keys, perm=[0, 1, 3, 2]))
    scores = file("Div", scores, number(np.sqrt(SIZE)))
    read = np.tri(TOKENS, dtype=bool)
    if mask == "add":
        scores = file("Add", scores, np.where(read, 0, -np.inf).astype(np.float32)[None, None])
    elif mask == "where":
        scores = file("Where", read, scores, number(-np.inf))
    return file("MatMul", file("Softmax", scores, axis=-1), values)


def decoder(*, fused, mask="add", seed=0):
    file = File(seed)
    normed = rms_norm(file, "x", fused=fused)
    queries, keys, values = (
        in_heads(file, part)
        for part in file(
            "Split", file("MatMul", normed, file.weight(WIDTH, 3 * WIDTH)), axis=-1, num_outputs=3, outputs=3
        )
    )
    mixed = attention(file, rotated(file, queries), rotated(file, keys), values, fused=fused, mask=mask)
    joined = file("Reshape", file("Transpose", mixed, perm=[0, 2, 1, 3]), ints(1, TOKENS, WIDTH))
    x = file("Add", "x", file("MatMul", joined, file.weight(WIDTH, WIDTH)))
    normed = rms_norm(file, x, fused=fused)
    gate = file("MatMul", normed, file.weight(WIDTH, 12))
    gate = file("Mul", gate, file("Sigmoid", gate))
    hidden = file("Mul", gate, file("MatMul", normed, file.weight(WIDTH, 12)))
    file("Add", x, file("MatMul", hidden, file.weight(12, WIDTH)))
    return file


def held_decoder(arrays, x):
    """The decoder block with everything that multiplies held at x, (tokens, channels), as a matrix of all entries."""
    weights = [a.astype(float) for a in arrays.values() if a.dtype == np.float32 and a.size >= WIDTH]
    first, projections, *angles, out, second, gates, up, down = weights
    cosine, sine = angles[0], angles[1]

    def turn(q):
        return q * cosine + np.concatenate([-q[..., SIZE // 2 :], q[..., : SIZE // 2]], axis=-1) * sine

    def scale(z, factor):
        return factor / np.sqrt(np.mean(z**2, axis=-1, keepdims=True) + 1e-5)

    normed = x * scale(x, first)
    q, k, _ = ((normed @ part).reshape(TOKENS, HEADS, SIZE).swapaxes(0, 1) for part in np.split(projections, 3, axis=1))
    scores = np.where(np.tri(TOKENS, dtype=bool), turn(q) @ turn(k).swapaxes(1, 2) / np.sqrt(SIZE), -np.inf)
    weights = np.exp(scores) / np.exp(scores).sum(axis=-1, keepdims=True)

    def read(z):
        v = (z * scale(x, first) @ projections[:, 2 * WIDTH :]).reshape(TOKENS, HEADS, SIZE).swapaxes(0, 1)
        return z + (weights @ v).swapaxes(0, 1).reshape(TOKENS, WIDTH) @ out

    middle = read(x)
    g = middle * scale(middle, second) @ gates
    gain = g / (1 + np.exp(-g))
    return lambda z: read(z) + (gain * (read(z) * scale(middle, second) @ up)) @ down


@pytest.mark.parametrize("fused", [True, False])
def test_a_decoder_block_has_the_capacity_of_the_map_whose_gains_are_held(tmp_path, fused):
    file = decoder(fused=fused)
    found = file.model([1, TOKENS, WIDTH])
    x = np.random.default_rng(1).standard_normal((1, TOKENS, WIDTH)).astype(np.float32)
    graph = read_onnx(write(tmp_path / "x.onnx", found), dtype=float)
    np.testing.assert_allclose(values(graph, x)[0].T, reference(found, {"x": x})[0][0], rtol=1e-4, atol=1e-5)
    held = held_decoder(file.arrays, x[0].astype(float))
    np.testing.assert_allclose(values(graph, x)[0].T, held(x[0]), rtol=1e-6, atol=1e-6)
    jacobian = np.array([held(unit)[3, 2] for unit in np.eye(TOKENS * WIDTH).reshape(-1, TOKENS, WIDTH)])
    expected = (jacobian**2 / np.sum(jacobian**2)).reshape(TOKENS, WIDTH).T
    capacity = sampled_input_capacity(graph, as_in_graph(graph, x), at=(2, 3))[graph.inputs[0]]
    np.testing.assert_allclose(capacity, expected, rtol=1e-5, atol=1e-9)


@pytest.mark.parametrize("mask", ["add", "where"])
def test_written_out_attention_and_norms_become_the_fused_operators(tmp_path, mask):
    fused, written = (
        read_onnx(write(tmp_path / "x.onnx", decoder(fused=fused, mask=mask).model([1, TOKENS, WIDTH])))
        for fused in (True, False)
    )
    operators = [[made.operator for made in graph.nodes] for graph in (fused, written)]
    assert sorted(set(operators[0])) == sorted(set(operators[1]))
    assert operators[1].count("normalize") == 2
    (one,) = (made for made in written.nodes if made.operator == "attention")
    assert one.options["causal"]
    assert not one.arrays  # no matrix of tokens is kept
    assert written.n_parameters == fused.n_parameters
    x = np.random.default_rng(2).standard_normal((3, WIDTH, TOKENS))
    first, second = (sampled_input_capacity(graph, x, at=(0, 4))[graph.inputs[0]] for graph in (fused, written))
    np.testing.assert_allclose(first, second, rtol=1e-5, atol=1e-12)
    for t in range(TOKENS):
        assert receptive_fields(written, at=(0, t))[written.inputs[0]].stop == (WIDTH, t + 1)


def test_a_window_and_a_bias_of_relative_positions_are_those_of_the_attention(tmp_path):
    file, distance = File(0), np.subtract.outer(np.arange(TOKENS), np.arange(TOKENS))
    near = (distance >= 0) & (distance < 3)
    slopes = -np.multiply.outer([0.5, 0.25], abs(distance)).astype(np.float32)
    heads = in_heads(file, "x")
    scores = file("Mul", file("MatMul", heads, file("Transpose", heads, perm=[0, 1, 3, 2])), number(0.4))
    scores = file("Where", near, file("Add", scores, slopes), number(np.finfo(np.float32).min))
    mixed = file("MatMul", file("Softmax", scores, axis=3), heads)
    file("Reshape", file("Transpose", mixed, perm=[0, 2, 1, 3]), ints(1, TOKENS, WIDTH))
    found = file.model([1, TOKENS, WIDTH])
    x = np.random.default_rng(1).standard_normal((1, TOKENS, WIDTH)).astype(np.float32)
    graph = read_onnx(write(tmp_path / "x.onnx", found))
    assert [made.operator for made in graph.nodes] == ["input", "attention"]
    np.testing.assert_allclose(values(graph, x)[0].T, reference(found, {"x": x})[0][0], rtol=1e-4, atol=1e-5)
    fields = [receptive_fields(graph, at=(5, t))["x"] for t in range(TOKENS)]
    assert [(box.start[1], box.stop[1]) for box in fields] == [(max(t - 2, 0), t + 1) for t in range(TOKENS)]


@pytest.mark.parametrize("fused", [False, True])
def test_attention_whose_scores_are_capped_reads_no_later_keys(tmp_path, fused):
    file = File(0)
    heads = in_heads(file, "x")
    if fused:
        mixed = file("Attention", heads, heads, heads, softcap=0.5, is_causal=1)
    else:
        scores = file("MatMul", heads, file("Transpose", heads, perm=[0, 1, 3, 2]))
        scores = file("Mul", file("Tanh", file("Mul", scores, number(0.7))), number(2))
        scores = file("Add", scores, np.where(np.tri(TOKENS), 0, -np.inf).astype(np.float32)[None, None])
        mixed = file("MatMul", file("Softmax", scores, axis=-1), heads)
    file("Reshape", file("Transpose", mixed, perm=[0, 2, 1, 3]), ints(1, TOKENS, WIDTH))
    found = file.model([1, TOKENS, WIDTH])
    x = np.random.default_rng(1).standard_normal((1, TOKENS, WIDTH)).astype(np.float32)
    graph = read_onnx(write(tmp_path / "x.onnx", found))
    assert [made.operator for made in graph.nodes] == ["input", "attention"]
    np.testing.assert_allclose(values(graph, x)[0].T, reference(found, {"x": x})[0][0], rtol=1e-4, atol=1e-5)
    assert time_reach(graph).causal


def vision_transformer(*, fused):
    file = File(3)
    patches = file("Conv", "x", file.weight(WIDTH, 3, 4, 4), strides=[4, 4])
    tokens = file("Transpose", file("Reshape", patches, ints(1, WIDTH, -1)), perm=[0, 2, 1])
    x = file("Add", file("Concat", file.weight(1, 1, WIDTH), tokens, axis=1), file.weight(1, 10, WIDTH))
    normed = layer_norm(file, x, fused=fused)
    heads = [in_heads(file, file("MatMul", normed, file.weight(WIDTH, WIDTH))) for _ in range(3)]
    if fused:
        mixed = file("Attention", *heads)
    else:
        scores = file(
            "MatMul", file("Mul", heads[0], number(SIZE**-0.5)), file("Transpose", heads[1], perm=[0, 1, 3, 2])
        )
        mixed = file("MatMul", file("Softmax", scores, axis=-1), heads[2])
    joined = file("Reshape", file("Transpose", mixed, perm=[0, 2, 1, 3]), ints(1, 10, WIDTH))
    x = file("Add", x, file("MatMul", joined, file.weight(WIDTH, WIDTH)))
    hidden = file("Gelu", file("MatMul", layer_norm(file, x, fused=fused), file.weight(WIDTH, 16)))
    x = file("Add", x, file("MatMul", hidden, file.weight(16, WIDTH)))
    pooled = file("Gather", layer_norm(file, x, fused=fused), np.array(0), axis=1)
    file("Softmax", file("Gemm", pooled, file.weight(WIDTH, 5)))
    return file


@pytest.mark.parametrize("fused", [True, False])
def test_a_vision_transformer_is_summarised_from_its_file(tmp_path, fused):
    file = vision_transformer(fused=fused)
    found = file.model([1, 3, 12, 12])
    path, rng = write(tmp_path / "x.onnx", found), np.random.default_rng(0)
    x = rng.standard_normal((1, 3, 12, 12)).astype(np.float32)
    graph = read_onnx(path)
    logits = values(graph, x)[0]
    np.testing.assert_allclose(np.exp(logits) / np.exp(logits).sum(), reference(found, {"x": x})[0][0], rtol=1e-4)
    report = summary(path)
    assert report["total", "field"].value == (12, 12)
    assert "independent standard normal" in report["x", "sampled"].note
    assert report["x", "sampled"].kind == report["total", "sampled, box 90 %"].kind == "assumed"
    assert not {"linear", "pseudo-random"} & set(report.allocation)  # no law of its gains is known
    with_data = summary(path, data=x)
    assert with_data["x", "sampled"].kind == "numerical"
    expected = sampled_input_capacity(graph, x)["x"].sum(axis=0)
    np.testing.assert_allclose(with_data.allocation["sampled"], expected, rtol=1e-12)
    (head,) = (number for name, number in with_data.totals.items() if name.startswith("largest head"))
    assert 1 / HEADS <= head.value <= 1


def test_layers_that_only_make_gains_have_no_share(tmp_path):
    report = summary(write(tmp_path / "x.onnx", decoder(fused=True).model([1, TOKENS, WIDTH])))
    gate, up = (row for row in report.rows if row.shape == (12, TOKENS))
    assert gate.numbers["sampled"].note == "it makes gains, which are held"
    assert 0 < up.numbers["sampled"].value < 1
    assert "is causal" in report.says[0]


def test_a_convnext_block_is_summarised_with_its_norm_over_channels(tmp_path):
    file = File(4)
    mixed = file("Conv", "x", file.weight(WIDTH, 1, 7, 7), group=WIDTH, pads=[3] * 4)
    normed = layer_norm(file, file("Transpose", mixed, perm=[0, 2, 3, 1]), fused=False)
    hidden = file("Gelu", file("MatMul", normed, file.weight(WIDTH, 32)))
    scaled = file("Mul", file("MatMul", hidden, file.weight(32, WIDTH)), file.weight(WIDTH))
    file("Add", "x", file("Transpose", scaled, perm=[0, 3, 1, 2]))
    found = file.model([1, WIDTH, 9, 9])
    x = np.random.default_rng(0).standard_normal((1, WIDTH, 9, 9)).astype(np.float32)
    graph = read_onnx(write(tmp_path / "x.onnx", found))
    assert "transpose" not in {made.operator for made in graph.nodes}
    np.testing.assert_allclose(values(graph, x)[0], reference(found, {"x": x})[0][0], rtol=1e-4, atol=1e-5)
    report = summary(graph, data=x)
    assert report["total", "field"].value == (7, 7)
    np.testing.assert_allclose(report.allocation["sampled"].sum(), 1)


def test_of_two_factors_without_a_gain_one_is_named(tmp_path):
    file = File(0)
    first, second = (file("MatMul", "x", file.weight(WIDTH, WIDTH)) for _ in range(2))
    file("Mul", first, second)
    path = write(tmp_path / "x.onnx", file.model([1, TOKENS, WIDTH]))
    with pytest.raises(ValueError, match=rf"got both or neither, '{first}' and '{second}'; name the one") as error:
        read_onnx(path)
    assert f"gain=['{second}']" in str(error.value)
    x = np.random.default_rng(0).standard_normal((1, WIDTH, TOKENS))
    found = [sampled_input_capacity(read_onnx(path, gain=[each]), x, at=(0, 1))["x"] for each in (first, second)]
    kernels = [file.arrays[name][:, 0].astype(float) ** 2 for name in ("c1", "c0")]
    for capacity, kernel in zip(found, kernels, strict=True):
        np.testing.assert_allclose(capacity.ravel()[np.flatnonzero(capacity)], kernel / kernel.sum(), rtol=1e-5)
    with pytest.raises(ValueError, match=r"gain: expected names of nodes that multiply others, got \"\['none'\]\""):
        read_onnx(path, gain=["none"])


def test_which_activation_is_taken_as_a_gain_is_told_unless_it_is_named(tmp_path):
    file = File(0)
    hidden = file("MatMul", "x", file.weight(WIDTH, WIDTH))
    file("Mul", file("Relu", hidden), file("MatMul", hidden, file.weight(WIDTH, WIDTH)))
    path = write(tmp_path / "x.onnx", file.model([1, TOKENS, WIDTH]))
    told = [note for note in read_onnx(path).notes if "is taken as the gain" in note]
    assert len(told) == 1
    gain = told[0].split("'")[3]
    assert not any("is taken as the gain" in note for note in read_onnx(path, gain=[gain]).notes)


def test_a_gain_is_named_once_wherever_its_parts_are_moved(tmp_path):
    file = File(0)
    signal, gate = (file("MatMul", "x", file.weight(WIDTH, WIDTH)) for _ in range(2))
    parts = [file("Split", each, axis=1, num_outputs=2, outputs=2) for each in (signal, gate)]
    file("Concat", *(file("Mul", *pair) for pair in zip(*parts)), axis=1)
    path = write(tmp_path / "x.onnx", file.model([1, TOKENS, WIDTH]))
    with pytest.raises(ValueError, match=f"'{signal}' and '{gate}'; name the one"):
        read_onnx(path)
    graph = read_onnx(path, gain=[gate])
    x = np.random.default_rng(1).standard_normal((1, WIDTH, TOKENS))
    kernels = [array for array in file.arrays.values() if array.dtype == np.float32]
    held = kernels[0][:, 2] * (x[0, :, 4] @ kernels[1])[2]
    capacity = sampled_input_capacity(graph, x, at=(2, 4))["x"]
    np.testing.assert_allclose(capacity[:, 4], held**2 / np.sum(held**2), rtol=1e-5)


HALF = np.ones((1, 1, 3, 5))
HALF[..., 1, 2:], HALF[..., 2, :] = 0, 0  # the entries before its centre, row by row
LATER = np.triu(np.ones((TOKENS, TOKENS), bool), 2)  # more than one, since a share of one key is constant
ADDITIVE = [  # scores tanh(a t_i + b t_j) w of tokens (1, TOKENS, WIDTH)
    node("MatMul", ["x", "a"], ["rows"]),
    node("MatMul", ["x", "b"], ["columns"]),
    node("Unsqueeze", ["rows", "two"], ["of rows"]),
    node("Unsqueeze", ["columns", "one"], ["of columns"]),
    node("Add", ["of rows", "of columns"], ["pairs"]),
    node("Tanh", ["pairs"], ["bent"]),
    node("MatMul", ["bent", "w"], ["each"]),
    node("Squeeze", ["each", "last"], ["scores"]),
]
MASKED = {
    "entries times zero": ([node("Mul", ["x", "mask"], ["kept"]), node("Conv", ["kept", "kernel"], ["y"])], (1, 2, 9)),
    "a dense layer": ([node("MatMul", ["x", "triangle"], ["y"])], (1, 2, 6)),
    "a dense layer of all": (
        [node("Flatten", ["x"], ["flat"]), node("MatMul", ["flat", "triangle"], ["y"])],
        (1, 2, 3),
    ),
    "a kernel": ([node("Conv", ["x", "half"], ["y"], pads=[1, 2, 1, 2])], (1, 2, 5, 6)),
    "added to scores": (
        [*ADDITIVE, node("Add", ["scores", "hide"], ["of all"]), node("Softmax", ["of all"], ["shares"])],
        (1, TOKENS, WIDTH),
    ),
    "in place of scores": (
        [*ADDITIVE, node("Where", ["later", "lowest", "scores"], ["of all"]), node("Softmax", ["of all"], ["shares"])],
        (1, TOKENS, WIDTH),
    ),
    "times gains": (
        [*ADDITIVE, node("Sigmoid", ["scores"], ["all"]), node("Mul", ["all", "decay"], ["shares"])],
        (1, TOKENS, WIDTH),
    ),
    "times gains of entries": (
        [node("Sigmoid", ["x"], ["all"]), node("Mul", ["all", "mask"], ["open"]), node("Mul", ["x", "open"], ["y"])],
        (1, 2, 9),
    ),
    "times entries": (
        [node("Mul", ["x", "mask"], ["some"]), node("Sigmoid", ["x"], ["all"]), node("Mul", ["some", "all"], ["y"])],
        (1, 2, 9),
    ),
}


@pytest.mark.parametrize("name", MASKED)
def test_what_a_mask_hides_is_not_read(name, tmp_path):
    rng = np.random.default_rng(0)
    nodes, shape = MASKED[name]
    arrays = {
        "mask": np.array([1.0, 0, 1, 1, 0, 1, 1, 1, 0]),
        "kernel": rng.uniform(0.5, 1, (3, 2, 2)),
        "triangle": np.tri(6) * rng.uniform(0.5, 1, (6, 6)),
        "half": HALF * rng.uniform(0.5, 1, (3, 2, 3, 5)),
        "hide": np.where(LATER, -np.inf, 0.0),
        "lowest": np.float32(-1e9),
        "decay": np.where(LATER, 0.0, 0.8),
    } | {key: rng.standard_normal(size) for key, size in [("a", (WIDTH, 3)), ("b", (WIDTH, 3)), ("w", (3, 1))]}
    arrays = {key: np.asarray(array, np.float32) for key, array in arrays.items()} | {"later": LATER}
    arrays |= {"one": np.array([1]), "two": np.array([2]), "last": np.array([-1])}
    if nodes[: len(ADDITIVE)] == ADDITIVE:
        nodes = [*nodes, node("MatMul", ["shares", "x"], ["y"])]
    used = {key: arrays[key] for key in arrays if any(key in each.input for each in nodes)}
    graph = read_onnx(write(tmp_path / "x.onnx", model(nodes, shape, used)))
    (output,), (source,) = graph.outputs, graph.inputs
    sizes, seen = graph[source].shape, False
    for _ in range(4):
        base = rng.uniform(0.5, 1, sizes)
        changed = base + 0.5 * np.eye(base.size).reshape(base.size, *sizes)
        values = forward(graph, np.concatenate([base[None], changed]))[output]
        seen = seen | (np.abs(values[1:] - values[0]) > 1e-12)
    for at in np.ndindex(*graph[output].shape):
        entries = np.argwhere(seen[(slice(None), *at)].reshape(sizes))
        box = receptive_fields(graph, at=at).get(source)
        assert (box is None) == (not entries.size)
        if box is not None:
            assert (box.start, box.stop) == (tuple(entries.min(axis=0)), tuple(entries.max(axis=0) + 1))
