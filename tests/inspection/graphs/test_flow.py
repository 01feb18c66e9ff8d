"""The two-part rule is the dense recursion at both ends, and close to it in between; capacity is conserved."""

import numpy as np
import pytest
from small_graphs import RELU, dense_chain, random_inputs, random_projections, residual_series, two_inputs, varied_image

from capacity.depth import capacity_network, expected_squared_gradient, stack_capacity
from capacity.layers import transition_matrix
from capacity_inspection.graphs import (
    Gain,
    Graph,
    capacity_flow,
    dense_input_capacity,
    flow,
    forward,
    from_layers,
    make_node,
    measured_couplings,
    receptive_fields,
)
from capacity_inspection.graphs.operators.boxes import whole_box

GRAPHS = {
    "chain": (dense_chain(random_projections(7, 6, 5, 4)), (2,)),
    "residual": (residual_series(), (1, 9)),
    "two inputs": (two_inputs(), (2, 0)),
    "varied": (varied_image(), (1,)),
}
EACH = pytest.mark.parametrize(("graph", "at"), GRAPHS.values(), ids=GRAPHS)


def distance(first, second):
    """Half the sum of absolute differences: the capacity that would have to move."""
    return sum(np.abs(first[key] - second[key]).sum() for key in first) / 2


@EACH
@pytest.mark.parametrize("nu", [0.0, 1.0])
def test_both_ends_are_those_of_the_dense_recursion(graph, at, nu):
    exact = dense_input_capacity(graph, at=at, coupling=nu)
    assert distance(capacity_flow(graph, at=at, coupling=nu).inputs, exact) < 1e-12


@EACH
def test_flows_of_one_unit_do_not_depend_on_those_before(graph, at):
    flows = flow.UnitFlows(graph, at=at)
    for nu in (0.0, 1.0, {}, 0.3, 0.0):
        found, expected = flows.flow(nu, nodes=True), capacity_flow(graph, at=at, coupling=nu, nodes=True)
        for name, field in expected.nodes.items():
            np.testing.assert_array_equal(found.nodes[name], field)


def test_pseudo_random_capacity_is_that_of_the_capacity_network_at_every_layer():
    projections = random_projections(9, 7, 5, 4)
    found = capacity_flow(dense_chain(projections), at=(1,), nodes=True)
    layers = stack_capacity(projections, np.eye(4)[:, [1]])
    for name, expected in zip(("input", "dense 1", "dense 3", "dense 5"), layers):
        np.testing.assert_allclose(found.nodes[name], expected if name != "dense 5" else [1.0], atol=1e-12)


def test_weights_with_columns_of_norm_one_make_the_product_of_transition_matrices():
    projections = [P / np.linalg.norm(P, axis=0) for P in random_projections(9, 7, 5, 4)]
    expected = capacity_network([transition_matrix(P) for P in projections]) @ np.eye(4)[1]
    found = capacity_flow(dense_chain(projections), at=(1,)).inputs["input"]
    np.testing.assert_allclose(found, expected, atol=1e-13)


def test_linear_layers_after_each_other_are_one_layer_from_the_output_down_to_the_first_activation_only():
    """Below an activation, what they share is left out: the only place where the pseudo-random end is no equality."""
    first, second, third = (P.T for P in random_projections(5, 6, 4, 3))
    below = [("dense", {"kernel": first}), ("dense", {"kernel": second})]
    graph = from_layers((5,), [*below, RELU, ("dense", {"kernel": third})])
    exact = dense_input_capacity(graph, at=(0,))["input"]
    weights = (third[0] ** 2) @ (second @ first) ** 2
    np.testing.assert_allclose(exact, weights / weights.sum())
    squares = (third[0] ** 2) @ second**2 @ first**2
    np.testing.assert_allclose(capacity_flow(graph, at=(0,)).inputs["input"], squares / squares.sum())


def test_a_linear_graph_has_the_squared_entries_of_its_matrix():
    first, second = random_projections(6, 5, 3)
    found = capacity_flow(dense_chain([first, second], "identity"), at=(2,)).inputs["input"]
    weights = (first @ second)[:, 2] ** 2
    np.testing.assert_allclose(found, weights / weights.sum(), atol=1e-14)


@EACH
@pytest.mark.parametrize("nu", [0.0, 0.4, "own"])
def test_inputs_have_the_capacity_one_and_lie_in_the_receptive_field(graph, at, nu):
    found, fields = capacity_flow(graph, at=at, coupling=nu), receptive_fields(graph, at=at)
    assert sum(values.sum() for values in found.inputs.values()) == pytest.approx(1, abs=1e-12)
    for key, values in found.inputs.items():
        inside = np.zeros(values.shape, dtype=bool)
        inside[fields[key].within(whole_box(values.shape))] = True
        assert (values[~inside] == 0).all()
        assert (values >= 0).all()


@pytest.mark.parametrize("nu", [0.0, 0.4, 1.0])
def test_every_cut_of_a_chain_holds_one_unit(nu):
    found = capacity_flow(dense_chain(random_projections(7, 6, 5, 4)), coupling=nu, nodes=True)
    assert list(found.handed_down.values()) == pytest.approx([1.0] * 7, abs=1e-14)
    assert [values.sum() for values in found.nodes.values()] == pytest.approx([1.0] * 7, abs=1e-12)


def test_the_share_of_a_branch_is_that_of_its_variance():
    """y = w x + f(v x) of one input of variance one: w^2 by the skip, v^2/2 by the rectified branch."""
    layers = [
        ("dense", {"kernel": [[3.0]], "name": "skip"}),
        ("dense", {"kernel": [[2.0]], "inputs": ["input"]}),
        RELU,
        ("add", {"inputs": ["skip", "activation 3"]}),
    ]
    found = capacity_flow(from_layers((1,), layers))
    assert found.handed_down["skip"] == pytest.approx(9 / 11)
    assert found.handed_down["activation 3"] == pytest.approx(2 / 11)


@pytest.mark.parametrize("nu", [0.0, 1.0])
def test_a_node_that_enters_a_sum_twice_has_four_times_the_capacity(nu):
    x, y = (make_node(key, "input", shape=(1, 2)) for key in "xy")
    total = make_node("sum", "add", [x, x, y])
    above = make_node("above", "activation", total, function="relu")
    graph = Graph((x, y, total, above, make_node("top", "convolution", above, kernel=[[[1.0, 1.0]]])))
    found = capacity_flow(graph, coupling=nu, nodes=True)
    for key, share in (("x", 0.4), ("y", 0.1)):
        np.testing.assert_allclose(found.inputs[key], [[share, share]])
    assert found.nodes["sum"].sum() == pytest.approx(1)
    assert distance(found.inputs, dense_input_capacity(graph, coupling=nu)) < 1e-12


def test_a_max_pool_hands_on_evenly_and_an_average_pool_too():
    for operator in ("max_pool", "average_pool"):
        layers = [(operator, {"window": 2, "strides": 2}), ("dense", {"kernel": [[1.0, 3.0]]})]
        found = capacity_flow(from_layers((1, 4), layers), at=(0,))
        np.testing.assert_allclose(found.inputs["input"], [[0.05, 0.05, 0.45, 0.45]])


def test_single_precision_weights_are_read_as_they_are():
    projections = [P.astype(np.float32) for P in random_projections(7, 6, 5)]
    doubles = [P.astype(float) for P in projections]
    found = [capacity_flow(dense_chain(P), at=(1,), coupling=0.5).inputs["input"] for P in (projections, doubles)]
    np.testing.assert_array_equal(*found)


@pytest.mark.parametrize("scale", [1e-60, 1e40])
@pytest.mark.parametrize("nu", [0.0, 0.5, 1.0])
def test_units_of_the_weights_do_not_matter_however_deep(scale, nu):
    """Products of their squares leave the range of a double many times."""
    normal = [np.random.default_rng(l).standard_normal((3, 3)) for l in range(12)]
    layers = [[("dense", {"kernel": w}), RELU] for w in normal]
    found = []
    for unit in (1.0, scale):
        chain = [(op, {"kernel": unit * a["kernel"]} if "kernel" in a else a) for pair in layers for op, a in pair]
        found.append(capacity_flow(from_layers((3,), chain), at=(0,), coupling=nu).inputs["input"])
    np.testing.assert_allclose(found[1], found[0], rtol=1e-9)


def test_measured_couplings_are_used_by_channel():
    graph = varied_image()
    gains = measured_couplings(graph, random_inputs(graph, 20))
    exact = dense_input_capacity(graph, at=(0,), coupling=gains)
    found = capacity_flow(graph, at=(0,), coupling=gains).inputs
    other = capacity_flow(graph, at=(0,), coupling=gains | {"prelu": gains["prelu"].coupling.mean()}).inputs
    assert distance(found, exact) < 0.05
    assert distance(found, other) > 1e-4


def test_a_dead_channel_takes_nothing():
    first, second = random_projections(4, 3, 2)
    found = capacity_flow(
        dense_chain([first, second]), coupling={"activation 2": Gain([1, 1, 1], [1.0, 0.0, 1.0])}, nodes=True
    )
    assert found.nodes["dense 1"][1] == 0
    assert found.inputs["input"].sum() == pytest.approx(1)


@pytest.mark.parametrize(
    ("layers", "at", "message"),
    [
        ([("dense", {"kernel": np.zeros((2, 3))})], (0,), "nothing passes 'dense 1'"),
        ([("dense", {"kernel": [[1, 1, 1], [0, 0, 0]]})], (1,), "depends on an input"),
        (
            [("dense", {"kernel": np.ones((2, 3))}), ("dense", {"kernel": np.zeros((2, 2))})],
            (0,),
            "nothing passes 'dense 2'",
        ),
        ([("pad", {"pads": [(2, 0)]})], (0,), "reads pads only"),
    ],
    ids=["layer", "unit", "upper layer", "pads"],
)
def test_an_output_without_inputs_is_an_error(layers, at, message):
    with pytest.raises(ValueError, match=message):
        capacity_flow(from_layers((3,), layers), at=at)


def test_inputs_of_a_huge_declared_shape_are_refused_before_anything_is_computed():
    graph = from_layers((3, 10**6, 10**6), [RELU, ("average_pool", {})])
    with pytest.raises(
        ValueError, match=r"graph: expected entries that the output sees of at most \d+ numbers, got 5\d+"
    ):
        capacity_flow(graph)
    shape = receptive_fields(graph, "activation 1")["input"].shape
    assert shape == (1, 1, 1)


def test_weights_that_cancel_are_an_error_and_no_nan():
    layers = [("scale", {"factor": [-1.0, -1.0]}), ("add", {"inputs": ["scale 1", "input"]})]
    with pytest.raises(ValueError, match="expected capacity to arrive at"):
        capacity_flow(from_layers((2,), layers), at=(0,))


def test_what_lies_above_a_node_is_a_network_of_its_own():
    projections = random_projections(7, 6, 5, 4)
    graph = dense_chain(projections).above("dense 1")
    above = capacity_flow(graph, at=(2,), coupling=0.5).inputs["dense 1"]
    expected = expected_squared_gradient([np.eye(6), *projections[1:]], 0.5, 2)
    np.testing.assert_allclose(above, expected / expected.sum(), atol=1e-12)
    assert forward(graph, np.ones((1, 6)))["dense 5"].shape == (1, 4)
