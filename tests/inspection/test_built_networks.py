"""What people build is read as it is, from the module and from both exporters, or refused.

Each network is drawn of a kind and from a seed. BUILT_NETWORKS says how many there are, of all kinds together.
"""

import contextlib
import io
import itertools
import os
import warnings
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from brute_fields import box_of

from capacity_inspection import summary
from capacity_inspection.graphs import forward, receptive_fields, time_reach
from capacity_inspection.graphs.cancellation import MovedBoxes
from capacity_inspection.readers import read_onnx, read_torch
from capacity_inspection.reports.cancelled import moved_in_time

torch = pytest.importorskip("torch")
pytest.importorskip("onnxscript")
from built_networks import KINDS, drawn_network  # noqa: E402 (it needs torch)
from onnx.reference import ReferenceEvaluator  # noqa: E402

EACH = max(int(os.environ.get("BUILT_NETWORKS", "216")) // len(KINDS), 1)
ROUTES = ("module", "legacy", "dynamo")
ASPECTS = ("read", "values", "axes", "fields", "time", "parameters")
REFUSED = {"complex", "patches", "stacked"}  # kinds that may be refused instead
REFUSED_IN_FILES = {"spectra"}
# of which the exporters do not know all:
UNEXPORTED = {"complex", "patches", "masks", "finite masks", "assigned", "masked weights", "spectra"}
FOLDED = {"masked weights", "cancelling"}  # whose zeros, in a file, are those of a mask
BOUNDED = {"cancelling"}  # where structure bounds what is seen


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("kind", "route", "aspect"), list(itertools.product(KINDS, ROUTES, ASPECTS)))
def test_a_network_is_read_as_it_is(kind, route, aspect):
    wrong = [(seed, found[aspect]) for seed, found in enumerate(looked_at(kind, route)) if aspect in found]
    if wrong:
        seed, text = wrong[0]
        module = drawn_network(kind, seed).module
        pytest.fail(f"{len(wrong)} of {EACH}, such as drawn_network({kind!r}, {seed}): {text}\n{module}")


@pytest.mark.parametrize("kind", sorted(set(KINDS) - REFUSED))
def test_a_report_says_what_is_seen(kind):
    for seed in range(min(EACH, 3)):
        network = drawn_network(kind, seed)
        assert summary(network.module, network.shape).says[0].startswith(("It sees ", "It is not ", "It may be "))


@cache
def looked_at(kind, route):
    """What is wrong with each network of a kind, by aspect."""
    found = []
    for seed in range(EACH):
        network = drawn_network(kind, seed)
        try:
            found.append(dict(wrong(network, truth(kind, seed), kind, route)))
        except Exception as error:
            error.add_note(f"drawn_network({kind!r}, {seed}), {route}:\n{network.module}")
            raise
    return found


@cache
def truth(kind, seed):
    return drawn_network(kind, seed).seen()


def read(network, kind, route, folder):
    """The graph of a network, or None where PyTorch exports none, or another one: of square patches."""
    if route == "module":
        return read_torch(network.module, network.shape, linear=False)
    path = Path(folder, "network.onnx")
    inputs = np.random.default_rng(1).uniform(-1, 1, network.shape)
    try:
        with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
            warnings.simplefilter("ignore")
            torch.onnx.export(network.module, (torch.from_numpy(inputs),), path, dynamo=route == "dynamo")
        session = ReferenceEvaluator(str(path))
        written = session.run(None, {session.input_names[0]: inputs})[0]
    except Exception:  # of the exporter, which does not know all, or of what no network is
        return None
    same = np.allclose(written, network.values(inputs), rtol=1e-4, atol=1e-6)
    graph = read_onnx(path) if same else None
    return graph if graph is None or kind in FOLDED else graph.by_structure()


def wrong(network, seen, kind, route):
    """Yield (aspect, what is wrong)."""
    try:
        with TemporaryDirectory() as folder:
            graph = read(network, kind, route, folder)
    except ValueError as error:
        if kind not in REFUSED and (route == "module" or kind not in REFUSED_IN_FILES):
            yield "read", f"refused: {error}"
        return
    if graph is None:
        if kind not in UNEXPORTED:
            yield "read", "not exported"
        return
    counts, number = {graph.n_parameters}, network.n_parameters if route == "module" else network.n_written
    if route == "module":
        counts.add(read_torch(network.module, network.shape).n_parameters)
    told = "folded" in graph.counted  # into others, by an exporter: they are not in the file
    if (counts != {number} and not told) or any("do not reach" in note for note in graph.notes):
        yield "parameters", f"expected {number}, got {sorted(counts)}, {graph.notes}"
    sizes = (network.shape[3 - network.time], network.shape[network.time])  # channels, time
    shape = graph[graph.inputs[0]].shape
    if shape != sizes:
        yield "axes", f"expected an input (channels, time) {sizes}, got {shape}"
        return
    turned = network.time == 1

    def inner(array):
        return array.swapaxes(1, 2) if turned else array

    inputs = np.random.default_rng(0).uniform(-1, 1, network.shape)
    expected, value = network.values(inputs)[0], forward(graph, inner(inputs))[graph.outputs[0]][0]
    orders = [
        order
        for order in itertools.permutations(range(value.ndim))
        if np.allclose(value.transpose(order).ravel(), expected.ravel(), rtol=1e-6, atol=1e-9 * np.abs(expected).max())
    ]
    if value.size != expected.size or not orders:
        yield "values", f"expected {expected.ravel()[:4]}, got {value.ravel()[:4]}"
        return
    sees = inner(seen.reshape(*network.shape, -1)[0][None])[0]  # channels, time, outputs
    moved = MovedBoxes(graph)
    moved.passes = 2**20  # whatever may cancel
    known = [fields(moved, sees, value.shape, order, kind in BOUNDED) for order in orders]
    if all(known):
        yield "fields", known[0]
    if text := in_time(network, moved, seen, kind in BOUNDED):
        yield "time", text


def fields(moved, sees, shape, order, bounded):
    """What is wrong with the boxes of a graph, whose axes are those of the network in an order."""
    (source,) = moved.graph.inputs
    for at, mask in zip(np.ndindex(*(shape[k] for k in order)), np.moveaxis(sees, -1, 0)):
        place = tuple(at[order.index(k)] for k in range(len(shape)))
        expected = box_of(mask)
        boxes = receptive_fields(moved.graph, at=place)
        if boxes.get(source) != expected and not bounded:
            return f"unit {place}: expected {expected}, got {boxes.get(source)}"
        found = moved(moved.graph.outputs[0], place, boxes).get(source)
        if found != expected:
            return f"unit {place}: expected {expected}, got {found} that moves it"
    return ""


def in_time(network, moved, seen, bounded):
    """What is wrong with how far a graph is said to look back and ahead."""
    graph, reach = moved.graph, time_reach(moved.graph)
    shape = network.values(np.zeros(network.shape)).shape
    axis = 1 if network.tokens else len(shape) - 1
    if reach is None or (reach.node != graph.outputs[0] and (network.stride is None or shape[axis] == 1)):
        return ""
    if network.stride is None:
        return f"outputs that stand for no steps got {reach}"
    axes = [network.time, len(network.shape) + axis - 1]
    outputs = np.moveaxis(seen.reshape(*network.shape, *shape[1:]), axes, [-2, -1])
    steps = [np.flatnonzero(row) for row in outputs.reshape(-1, *outputs.shape[-2:]).any(axis=0).T]
    starts = range(-len(steps[0]), network.shape[network.time]) if network.start is None else [network.start]
    expected = {reached(steps, start, network.stride) for start in starts}
    found, moves = (reach.stride, reach.past, reach.future), (reach.stride, *moved_in_time(moved, reach))
    if (bounded or found in expected) and moves in expected and reach.causal == (reach.future == 0):
        return ""
    return f"expected (stride, past, future) {sorted(expected)[:3]}, got {found}, {moves} that move"


def reached(steps, start, stride):
    """Stride, past and future, from the steps that the outputs see, in order."""
    own = [(start + stride * u, seen) for u, seen in enumerate(steps) if seen.size]
    past = max(0, *(at - seen[0] for at, seen in own)) if own else 0
    future = max(0, *(seen[-1] - (at + stride - 1) for at, seen in own)) if own else 0
    return stride, int(past), int(future)
