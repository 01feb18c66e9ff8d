"""Networks at random, as files and as modules: values, fields and parameters are those that others find.

What an output sees is what changes it: the library's reference and PyTorch are asked with each input entry changed.
RANDOM_NETWORKS says how many networks are tried.
"""

import itertools
import os

import numpy as np
import pytest
from brute_fields import box_of, moves_along
from onnx_models import as_in_graph, write
from random_networks import as_module, as_onnx, random_plan, reference_values, some_version

from capacity_inspection.graphs import forward, moving_fields, receptive_fields
from capacity_inspection.readers import read_onnx, read_torch
from capacity_inspection.reports import layer_shares_report
from capacity_inspection.reports.rescalings import bounds_given_others

SEEDS = range(int(os.environ.get("RANDOM_NETWORKS", "24")))


@pytest.mark.parametrize("seed", SEEDS)
def test_a_file_at_random_of_any_version_is_what_the_reference_finds(seed, tmp_path):
    plan, rng = random_plan(seed), np.random.default_rng(seed)
    version, opened = some_version(plan, rng), rng.random() < 0.5
    path = write(tmp_path / "network.onnx", as_onnx(plan, version, opened=opened))
    graph = read_onnx(path, input_sizes=plan.shape if opened else None)
    check(plan, graph, lambda inputs: reference_values(as_onnx(plan), inputs))


@pytest.mark.parametrize("seed", SEEDS)
def test_a_part_of_a_file_at_random_is_the_network_that_it_would_be_by_itself(seed, tmp_path):
    plan, rng = random_plan(seed), np.random.default_rng(seed)
    parts = list(plan.parts()) or [plan]
    part, dtype = parts[rng.integers(len(parts))], [None, np.float32, np.float64][rng.integers(3)]
    path = write(tmp_path / "network.onnx", as_onnx(plan, some_version(plan, rng)))
    ends = {"inputs": [part.first], "outputs": [f"v{len(part.steps)}"]}
    graph = read_onnx(path, **ends, input_sizes=part.shape, dtype=dtype)
    assert {array.dtype for node in graph.nodes for array in node.arrays.values()} <= {np.dtype(dtype or np.float64)}
    check(part, graph, lambda inputs: reference_values(as_onnx(part), inputs), 1e-5 if dtype is np.float32 else 1e-9)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_module_at_random_is_what_pytorch_finds(seed):
    torch = pytest.importorskip("torch")
    plan = random_plan(seed)
    module = as_module(plan).eval()

    def values(inputs):
        with torch.no_grad():
            return module(torch.from_numpy(inputs)).numpy()

    assert plan.n_parameters == sum(p.numel() for p in module.parameters())
    check(plan, read_torch(module, plan.shape, linear=False), values)


@pytest.mark.parametrize("seed", SEEDS)
def test_no_layer_of_a_network_at_random_adds_more_to_the_others_than_its_bound(seed, tmp_path):
    path = tmp_path / "network.onnx"
    path.write_bytes(as_onnx(random_plan(seed)).SerializeToString())
    graph = read_onnx(path)
    report = layer_shares_report(graph)
    whole, independent = (report["total", name].value for name in ("capacity", "independent"))
    assert whole is None or independent is None or whole <= independent
    bounds = bounds_given_others(graph.up_to(graph.outputs[0]))
    for row in report.rows if whole is not None else ():
        only, alone, size = (row.numbers[name].value for name in ("only", "alone", "parameters"))
        assert 0 <= only <= alone <= size
        bound = bounds[row.name].value if row.name in bounds else None
        assert bound is None or only <= bound


def check(plan, graph, values, tolerance=1e-9):
    """Compare a graph with the values of the network that it was read from."""
    n = int(np.prod(plan.shape))
    base = np.random.default_rng(0).uniform(0.5, 1, plan.shape)
    changed = base.reshape(1, n) + 1e3 * np.eye(n)
    found = values(np.concatenate([base, changed.reshape(n, *plan.shape[1:])]))
    seen = np.abs(found[1:] - found[:1]) > 1e-9 * np.abs(found[:1])
    (output,) = graph.outputs
    value = forward(graph, as_in_graph(graph, base))[output][0]
    orders = [
        order
        for order in itertools.permutations(range(value.ndim))
        if np.allclose(value.transpose(order).ravel(), found[0].ravel(), rtol=tolerance)
    ]
    boxes = [box_of_each(graph, plan, seen.reshape(n, -1), value.shape, order) for order in orders]
    fields = {at: receptive_fields(graph, at=at).get(graph.inputs[0]) for at in np.ndindex(*value.shape)}
    assert fields in boxes  # of several orders that give the same values, one is right
    assert graph.n_parameters == plan.n_parameters
    check_moving(plan, moving_fields(graph).get(output, ()), fields, graph[graph.inputs[0]].shape)


def box_of_each(graph, plan, seen, shape, order):
    """The box around what each unit of a graph sees, where its axes are those of the network in another order."""
    found = {}
    for at, mask in zip(np.ndindex(*(shape[k] for k in order)), seen.T):
        place = tuple(at[order.index(k)] for k in range(len(shape)))
        found[place] = box_of(as_in_graph(graph, mask.reshape(plan.shape))[0])
    return found


def check_moving(plan, moving, fields, shape):
    """Units whose field lies within the borders see all of it, others no more; unless it is a bound or after a cut."""
    cut = any(operator in ("Slice", "ConvTranspose") for operator, *_ in plan.steps)
    for axis, field in enumerate(moving):
        if not field.note:
            assert any(
                moves_along(k, axis, field, fields, shape[axis], exact=not (cut or field.bound))
                for k in range(len(next(iter(fields))))
            )
