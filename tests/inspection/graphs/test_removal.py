"""What is lost without a node is the variance of the output that only it stands for."""

import itertools

import numpy as np
import pytest
from small_graphs import residual_series, varied_image

from capacity_inspection.graphs import Graph, forward, from_layers, make_node, needed_lags, variance_lost
from capacity_inspection.readers import cnn, tcn


def orthogonal_samples(n):
    """All sequences of signs: entries of variance one without correlation."""
    return np.array(np.meshgrid(*[[-1.0, 1.0]] * n)).reshape(n, -1).T[:, None]


def test_branches_that_read_different_entries_lose_what_each_adds():
    source = make_node("x", "input", shape=(1, 2))
    left = make_node("left", "convolution", source, kernel=[[[3.0, 0.0]]])
    right = make_node("right", "convolution", source, kernel=[[[0.0, 4.0]]])
    dead = make_node("dead", "convolution", source, kernel=[[[0.0, 0.0]]])
    graph = Graph((source, left, right, dead, make_node("sum", "add", [left, right, dead])))
    assert variance_lost(graph, orthogonal_samples(2)) == pytest.approx(
        {"x": 1.0, "left": 9 / 25, "right": 16 / 25, "dead": 0.0, "sum": 1.0}
    )


@pytest.mark.parametrize("graph", [tcn([1, 2, 4], channels=3, activation="tanh"), cnn((6, 6), channels=[3, 2])])
def test_everything_passes_through_each_node_of_a_chain(graph):
    data = np.random.default_rng(0).standard_normal((20, *graph[graph.inputs[0]].shape))
    assert all(lost == pytest.approx(1) for lost in variance_lost(graph, data).values())


@pytest.mark.parametrize(("graph", "at"), [(residual_series(), (0, 9)), (varied_image(), (1,))])
def test_a_node_is_held_at_its_mean(graph, at):
    data = np.random.default_rng(0).standard_normal((30, *graph[graph.inputs[0]].shape))
    values = forward(graph, data)
    output = values[graph.outputs[0]][(slice(None), slice(None), *at[1:])]
    lost = variance_lost(graph, data, at=at)
    assert list(lost) == [node.name for node in graph.nodes]
    for node in graph.nodes[1:]:
        above = graph.above(node.name)
        held = np.repeat(values[node.name].mean(axis=0, keepdims=True), 30, axis=0)
        given = {key: held if key == node.name else data for key in above.inputs}
        changed = forward(above, given)[graph.outputs[0]][(slice(None), slice(None), *at[1:])]
        assert lost[node.name] == pytest.approx((changed - output).var(axis=0).sum() / output.var(axis=0).sum())


@pytest.mark.parametrize("taps", [(4,), (3,), (2, 3)])
@pytest.mark.parametrize("newest", [False, True])
def test_of_a_convolution_cut_to_one_tap_the_others_are_held_at_their_mean_at_each_position(taps, newest):
    rng, positions = np.random.default_rng(0), tuple(k + 1 for k in taps)
    kernel, above = rng.standard_normal((2, 1, *taps)), rng.standard_normal((1, 2, *[2] * len(taps)))
    data = rng.standard_normal((30, 1, *positions)) + np.arange(np.prod(positions)).reshape(positions)  # with a trend
    layers = [("convolution", {"kernel": kernel}), ("activation", {"function": "tanh"})]
    graph = from_layers((1, *positions), [*layers, ("convolution", {"kernel": above})])
    kept = np.zeros_like(kernel)
    place = (..., *(k - 1 if newest else k // 2 for k in taps))
    kept[place] = kernel[place]
    outputs = np.zeros((2, 30))
    for channel, at in itertools.product(range(2), np.ndindex(*[2] * len(taps))):
        window = data[(slice(None), 0, *(slice(a, a + k) for a, k in zip(at, taps)))]
        whole, cut = (np.array([np.sum(sample * each[channel, 0]) for sample in window]) for each in (kernel, kept))
        for found, z in zip(outputs, (whole, cut + np.mean(whole - cut))):
            found += above[(0, channel, *at)] * np.tanh(z)
    lost = variance_lost(graph, data, one_tap=True, newest=newest)["convolution 1"]
    assert lost == pytest.approx((outputs[1] - outputs[0]).var() / outputs[0].var())


@pytest.mark.parametrize("lost", [0.3, 0.05, 1e-3])
def test_lags_that_are_needed_leave_at_most_the_share_of_the_variance_of_the_others(lost):
    weights = np.random.default_rng(0).standard_normal(8) * 0.7 ** np.arange(8)[::-1]  # oldest first
    graph = from_layers((1, 8), [("convolution", {"kernel": weights[None, None]})])
    shares = np.square(weights).cumsum() / np.square(weights).sum()  # of all inputs up to one
    assert needed_lags(graph, orthogonal_samples(8), lost=lost) == 8 - np.count_nonzero(shares <= lost)


def test_more_than_the_inputs_that_are_seen_is_never_needed():
    graph = tcn([1, 2, 4], channels=3, activation="tanh")
    layers = [("convolution", {"kernel": np.zeros((1, 1, 1)) + 2, "name": "read"})]
    wide = from_layers((1, 40), layers)
    data = np.random.default_rng(0).standard_normal((30, 1, 40))
    assert needed_lags(wide, data) == 1
    assert 1 < needed_lags(graph, data[..., :8], lost=1e-9) <= 8


def test_a_constant_output_has_nothing_to_lose():
    with pytest.raises(ValueError, match="data: expected samples that give different outputs"):
        needed_lags(from_layers((1, 2), [("convolution", {"kernel": [[[0.0, 0.0]]]})]), orthogonal_samples(2))


def test_outputs_whose_squares_are_no_doubles_are_refused():
    graph = from_layers((1, 2), [("convolution", {"kernel": [[[1.0, 1.0]]]})])
    for lost in (variance_lost, needed_lags):
        with pytest.raises(ValueError, match="data: expected outputs whose squares are doubles"):
            lost(graph, orthogonal_samples(2) * 1e200)
    graph = from_layers((1, 2), [("convolution", {"kernel": [[[1e-14, 0.1e-14]]], "bias": [0.3]})])
    with pytest.raises(ValueError, match="data: expected samples that give different outputs"):
        variance_lost(graph, orthogonal_samples(2))


def test_nodes_that_are_taken_out_together_lose_what_a_graph_without_both_does():
    source = make_node("x", "input", shape=(1, 3))
    branches = [make_node(f"b{i}", "convolution", source, kernel=[[np.eye(3)[i] * (i + 1)]]) for i in range(3)]
    graph = Graph((source, *branches, make_node("sum", "add", branches)))
    found = variance_lost(graph, orthogonal_samples(3), nodes=["b1", "b2"], beside=["b0"])
    assert found == pytest.approx({"b1": 5 / 14, "b2": 10 / 14})
    assert found["b1"] == variance_lost(graph, orthogonal_samples(3), nodes=["b0"], beside=["b1"])["b0"]


def test_layers_cut_to_one_tap_together_read_what_the_cut_ones_below_them_hand_on():
    kernels = [np.array([[[2.0, 1.0]]]), np.array([[[3.0, 1.0]]])]
    graph = from_layers((1, 3), [("convolution", {"kernel": kernel}) for kernel in kernels])
    data = orthogonal_samples(3)
    found = variance_lost(graph, data, nodes=["convolution 1"], beside=["convolution 2"], one_tap=True, newest=True)
    whole = np.convolve([2, 1], [3, 1])
    assert found == pytest.approx({"convolution 1": np.square(whole[:2]).sum() / np.square(whole).sum()})
