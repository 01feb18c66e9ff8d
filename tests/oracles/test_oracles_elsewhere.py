"""What the pages beyond the papers compute is what second implementations find, which share nothing with it."""

import attention
import far_back
import numpy as np
import one_matrix
import pytest
import receptive_field
import state_space

from capacity import DiagonalRecurrence, constraint_space, exact_capacity, model_constraints, standard_process
from capacity_inspection.graphs import from_layers, moving_fields, receptive_fields
from capacity_inspection.models import DiagonalStateSpace
from capacity_studies.attention import Attend, token_capacity
from capacity_studies.bridge import shared_matrix, soft_capacity
from capacity_studies.memory_measures import effective_state_size, held_allocation
from capacity_studies.pole_memory import memory_by_lag


def test_one_matrix():
    signs = np.array([[1, 1], [1, -1]])
    inputs = np.kron(np.kron(signs, signs), signs)[:, [1, 2, 4, 7]]  # eight samples of four white inputs
    jacobian = np.array([[1, 2, 3], [0, 1, 1], [2, 0, 2], [1, -1, 0]])  # of rank 2
    capacities, leverages = (np.array(x, dtype=float) for x in one_matrix.shares(inputs.tolist(), jacobian.tolist()))
    squares = shared_matrix(inputs, jacobian) ** 2
    assert squares.sum(axis=1) == pytest.approx(capacities, abs=1e-12)
    assert squares.sum(axis=0) == pytest.approx(leverages, abs=1e-12)
    assert capacities.sum() == leverages.sum() == 2
    soft = one_matrix.soft_shares(inputs.tolist(), jacobian.tolist(), 0.75)
    squares = shared_matrix(inputs, jacobian, 0.75) ** 2
    assert squares.sum(axis=1) == pytest.approx(np.array(soft[0], dtype=float), abs=1e-12)
    assert squares.sum(axis=0) == pytest.approx(np.array(soft[1], dtype=float), abs=1e-12)


def test_one_matrix_of_correlated_inputs():
    rng = np.random.default_rng(0)
    inputs, jacobian = rng.integers(-3, 4, (9, 4)), rng.integers(-3, 4, (4, 2))
    capacities, leverages = (np.array(x, dtype=float) for x in one_matrix.shares(inputs.tolist(), jacobian.tolist()))
    assert constraint_space(inputs.T @ inputs / 9, jacobian).spatial() == pytest.approx(capacities, abs=1e-12)
    assert soft_capacity(inputs @ jacobian, 0.0) == pytest.approx(leverages, abs=1e-12)


@pytest.mark.parametrize("pairs", [[(0.5, 0.25)], [(-0.25, 0.5), (0.5, 0.5)], [(0.5, 0), (0.25, 0.75), (-0.5, 0.125)]])
@pytest.mark.parametrize("n", [6, 11, 16])
def test_state_space(n, pairs):
    model, process = DiagonalStateSpace(n, len(pairs)), standard_process("power law")
    parameters = model.parameters([complex(*pair) for pair in pairs], rng=0)
    for covariance in (np.eye(n), process.covariance(n)):
        for part, times in ((None, 2), (["weights"], 1)):
            exact = state_space.capacity(n, pairs, covariance.tolist(), times)
            space = model_constraints(model, parameters, covariance, layers=part)
            assert space.total == sum(exact)
            assert space.spatial()[::-1] == pytest.approx(np.array(exact, dtype=float), abs=1e-6)
    if all(im for _, im in pairs):
        assert exact_capacity(model).total == sum(state_space.capacity(n, pairs))


def test_state_space_of_real_poles():
    model, poles = DiagonalRecurrence(9, 3), [0.5, -0.25, 0.75]
    exact = np.array(state_space.capacity(9, [(z, 0) for z in poles]), dtype=float)
    space = model_constraints(model, [1.0, 2.0, -1.0, *poles, 1.0, 1.0, 1.0], np.eye(9))
    assert space.total == exact.sum() == 6
    assert space.spatial()[::-1] == pytest.approx(exact, abs=1e-9)


def test_memory_of_a_state_space():
    poles = [0.5, 0.5 + 0.25j, -0.25 + 0.75j]  # the first is real
    exact = state_space.capacity(60, [(z.real, z.imag) for z in poles], times=1)
    memory = memory_by_lag([z for pole in poles for z in {pole, pole.conjugate()}], 60)[::-1]
    assert memory == pytest.approx(np.array(exact, dtype=float), abs=1e-9)
    assert sum(exact) == 5


CONVOLUTION = {"kernel": (3,), "stride": (2,), "dilation": (1,), "before": (1,), "after": (1,)}
WIDE = {"kernel": (4,), "stride": (1,), "dilation": (3,), "before": (5,), "after": (4,)}
SHORT = {"kernel": (1,), "stride": (1,), "dilation": (1,), "before": (0,), "after": (0,)}
IMAGE = {"kernel": (3, 2), "stride": (2, 3), "dilation": (2, 1), "before": (1, 0), "after": (2, 1)}
POOL = {"kernel": (2, 3), "stride": (1, 2), "dilation": (1, 1), "before": (0, 1), "after": (1, 1)}


def as_operator(layer, operator="convolution", **others):
    pads = list(zip(layer["before"], layer["after"]))
    size = {"kernel": np.ones((1, 1, *layer["kernel"]))} if operator == "convolution" else {"window": layer["kernel"]}
    return operator, {"strides": layer["stride"], "dilations": layer["dilation"], "pads": pads} | size | others


@pytest.mark.parametrize(
    ("shape", "layers"),
    [
        ((37,), [CONVOLUTION] * 3),
        ((40,), [CONVOLUTION, WIDE, CONVOLUTION]),
        ((17, 19), [IMAGE]),
        ((21, 30), [IMAGE, POOL, IMAGE]),
    ],
)
def test_receptive_field(shape, layers):
    operators = [as_operator(layer, "max_pool" if layer is POOL else "convolution") for layer in layers]
    graph = from_layers((1, *shape), operators)
    for at in np.ndindex(*graph[graph.outputs[0]].shape[1:]):
        field = receptive_fields(graph, at=(0, *at))["input"]
        assert (field.start[1:], field.stop[1:]) == receptive_field.box(shape, layers, at)


def test_receptive_field_of_a_residual_block():
    branches = [[WIDE], [SHORT]]
    layers = [
        as_operator(CONVOLUTION, name="below"),
        as_operator(WIDE, name="long"),
        as_operator(SHORT, inputs=["below"], name="short"),
        ("add", {"inputs": ["long", "short"]}),
    ]
    graph = from_layers((1, 45), layers)
    for at in range(graph[graph.outputs[0]].shape[1]):
        field = receptive_fields(graph, at=(0, at))["input"]
        assert (field.start[1:], field.stop[1:]) == receptive_field.box((45,), [CONVOLUTION, branches], (at,))


def test_extent_and_stride_of_a_receptive_field():
    graph = from_layers((1, 120), [as_operator(CONVOLUTION), as_operator(WIDE), as_operator(CONVOLUTION)])
    one, next_one = (receptive_field.box((120,), [CONVOLUTION, WIDE, CONVOLUTION], (at,)) for at in (14, 15))
    field = moving_fields(graph)[graph.outputs[0]][1]
    assert field.extent == one[1][0] - one[0][0]
    assert field.stride == next_one[0][0] - one[0][0]
    assert field.start == one[0][0] - 14 * field.stride


@pytest.mark.parametrize(("scale", "sharpness"), [(1.0, 0.3), (2.0, 3.0)])
def test_attention_of_drawn_networks(scale, sharpness):
    rng, kept = np.random.default_rng(11), np.sqrt(1 - 1 / 24)
    drawn = [attention.held_squares(16, 24, 3, scale, sharpness, rng) for _ in range(40)]
    squares = np.array([found / found.sum() for found, _ in drawn])
    rule = np.array([token_capacity([Attend(links[None], kept * scale) for links in held], 16) for _, held in drawn])
    error = np.std(squares - rule, axis=0) / np.sqrt(40)
    assert np.abs(squares.mean(axis=0) - rule.mean(axis=0)).sum() / 2 < 0.03 + error.sum() / 2


@pytest.mark.parametrize("heads", [1, 3])
def test_attention_by_all_paths(heads):
    links = np.random.default_rng(12).uniform(size=(4, heads, 6, 6))
    found = token_capacity([Attend(layer, 0.4) for layer in links], 6)
    assert found == pytest.approx(attention.by_paths(links, 0.4, heads), rel=1e-12, abs=0)


@pytest.mark.parametrize(("poles", "weights"), [((0.5, -0.25, 0.875), (1, 2, -1)), ((0.5, 0.5, 0.25), (1, -1, 3))])
def test_state_size_and_capacity_by_lag(poles, weights):
    """Of states that have a pole in common, and opposite weights, nothing passes; training can tell them apart."""
    block = far_back.operator(poles, weights, 8, 8)
    found = effective_state_size(np.array(block, float), rtol=1e-9)
    assert found.tolist() == far_back.state_size(block)
    model = DiagonalRecurrence(8, 3)
    capacity = held_allocation(model.jacobian(np.r_[np.ones(3), poles, weights])[None], np.eye(8))
    assert capacity[::-1] == pytest.approx(far_back.capacity(poles, weights, 8), abs=1e-8)
