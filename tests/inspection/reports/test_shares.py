"""Shares of the layers are those of the package at the fitted parameters."""

import re
from dataclasses import replace

import numpy as np
import pytest
from small_graphs import residual_series

from capacity import (
    DilatedConvolution,
    GaussianProcess,
    exact_capacity,
    independent_shares,
    layer_chain,
    marginal_shares,
)
from capacity_inspection.graphs import Graph, capacity_flow, from_layers, make_node, measured_couplings, variance_lost
from capacity_inspection.readers import cnn, tcn
from capacity_inspection.reports import layer_shares_report
from capacity_inspection.reports.left_out_layers import LIMIT, layers_out
from capacity_inspection.reports.nonlinear import samples_of

PROCESS = GaussianProcess()
MODEL = DilatedConvolution([1, 2, 4, 8], channels=2)


@pytest.mark.parametrize(
    ("column", "shares"), [("alone", independent_shares), ("only", marginal_shares), ("added", layer_chain)]
)
def test_each_column_has_the_totals_of_the_shares_that_it_names(column, shares):
    point = MODEL.initial(0)
    report = layer_shares_report(MODEL, process=PROCESS, parameters=point)
    wanted = shares(MODEL, point, PROCESS.covariance(16))
    assert [report[name, column].value for name in MODEL.layers] == [round(wanted[name].sum()) for name in MODEL.layers]


@pytest.mark.parametrize("share", [0.5, 0.9, 0.99])
def test_lags_hold_a_share_of_what_a_layer_has_alone(share):
    point = MODEL.initial(0)
    report = layer_shares_report(MODEL, process=PROCESS, parameters=point)
    for name, alone in independent_shares(MODEL, point, PROCESS.covariance(16)).items():
        held = np.cumsum(alone[::-1])  # by the most recent lags
        lags = report[name, f"lags {100 * share:g} %"].value
        assert held[lags - 1] >= share * held[-1] > (held[lags - 2] if lags > 1 else 0)


def test_what_is_added_layer_by_layer_is_the_whole():
    report = layer_shares_report(MODEL, process=PROCESS)
    assert sum(report[name, "added"].value for name in MODEL.layers) == report["total", "capacity"].value == 12
    np.testing.assert_allclose(sum(values.sum() for values in report.allocation.values()), 12, atol=1e-9)


def test_a_layer_without_capacity_has_no_lags():
    report = layer_shares_report(MODEL, process=PROCESS, parameters=np.zeros(MODEL.n_parameters))
    assert report["layer 1", "lags 50 %"].kind == "unavailable"


def test_losses_without_a_layer_stand_beside_its_capacity():
    point = MODEL.initial(0)
    report = layer_shares_report(MODEL, process=PROCESS, parameters=point)
    wanted = layers_out(MODEL, point, PROCESS, starts=0)
    for name, each in wanted.items():
        assert {column: report[name, column] for column in each.losses} == each.losses
    least = min(wanted, key=lambda name: wanted[name].refitted.value)
    assert f"without {least} it loses least" in report.says[-1]


NETWORKS = [
    tcn([1, 2, 4], channels=3, activation="relu"),
    tcn([1, 2], channels=3, activation="tanh", residual=True),
    cnn((8, 8), channels=[3, 2], classes=2, residual=True),
    residual_series(),
]


@pytest.mark.parametrize("graph", NETWORKS)
def test_the_whole_is_at_most_a_layer_and_the_others_together(graph):
    report = layer_shares_report(graph)
    whole, numbers = report["total", "capacity"].value, [row.numbers for row in report.rows]
    assert sum(each["added"].value for each in numbers) == whole
    assert sum(each["only"].value for each in numbers) <= whole <= sum(each["alone"].value for each in numbers)
    for each in numbers:
        assert 0 <= each["only"].value <= each["added"].value <= each["alone"].value <= each["parameters"].value
    independent = report["total", "independent"].value
    assert independent is None or whole <= independent


def test_ranks_of_a_linear_stack_are_the_exact_ones():
    rng, model = np.random.default_rng(0), DilatedConvolution([1, 2, 4], channels=2)
    kernels = [np.moveaxis(rng.standard_normal(shape), 1, 2) for shape in model.shapes]
    layers = [("convolution", {"kernel": k, "dilations": d}) for k, d in zip(kernels, model.dilations)]
    report = layer_shares_report(from_layers((1, model.n_inputs), layers), at="last")
    assert report["total", "capacity"].value == exact_capacity(model).total
    for i, name in enumerate(model.layers, start=1):
        others = [other for other in model.layers if other != name]
        assert report[f"convolution {i}", "alone"].value == exact_capacity(model, layers=[name]).total
        assert (
            report[f"convolution {i}", "only"].value
            == exact_capacity(model).total - exact_capacity(model, layers=others).total
        )


def test_a_branch_that_repeats_another_is_redundant():
    rng, source = np.random.default_rng(0), make_node("x", "input", shape=(1, 4))
    hidden = make_node("hidden", "convolution", source, kernel=rng.standard_normal((3, 1, 2)))
    unit = make_node("relu", "activation", hidden, function="relu")
    left, right = (make_node(n, "convolution", unit, kernel=rng.standard_normal((1, 3, 3))) for n in ("left", "right"))
    report = layer_shares_report(Graph((source, hidden, unit, left, right, make_node("sum", "add", [left, right]))))
    assert [report[name, "alone"].value for name in ("left", "right")] == [9, 9]
    assert [report[name, "only"].value for name in ("left", "right")] == [0, 0]
    assert "Redundant, each by itself: left, right" in " ".join(report.says)


def test_what_is_lost_of_the_output_stands_beside_the_share():
    graph = NETWORKS[1]
    samples = np.random.default_rng(0).standard_normal((200, *graph["input"].shape))
    report = layer_shares_report(graph, data=samples)
    flow = capacity_flow(graph, at="last", coupling=measured_couplings(graph, samples))
    for column, cut in (("held constant", False), ("one tap", True)):
        wanted = variance_lost(graph, samples, at="last", one_tap=cut, newest=True)
        found = {row.name: row.numbers[column].value for row in report.rows if row.numbers[column].value is not None}
        assert found == {name: wanted[name] for name in found}
        assert set(found) == set(wanted) & {row.name for row in report.rows}
    for row in report.rows:
        assert row.numbers["measured"].value == pytest.approx(flow.handed_down[row.name])


def test_of_a_chain_it_is_said_that_no_layer_can_be_held_constant():
    def told(graph):
        samples = np.random.default_rng(0).standard_normal((50, *graph[graph.inputs[0]].shape))
        return " ".join(layer_shares_report(graph, data=samples).says)

    chain, residual = (tcn([1, 2], channels=2, activation="relu", residual=each) for each in (False, True))
    assert "No layer can be held constant: there is no way around any. Cut to its most recent tap" in told(chain)
    assert "No layer" not in told(residual)


def test_ranks_are_those_for_white_noise_where_data_are_few():
    samples = np.random.default_rng(0).standard_normal((20, *NETWORKS[0]["input"].shape))
    report, many = layer_shares_report(NETWORKS[0], data=samples), layer_shares_report(NETWORKS[0])
    assert "for white noise, since 20 on the data are too few" in report["total", "capacity"].note
    for row in report.rows:
        assert row.numbers["only"].value == many[row.name, "only"].value
        assert row.numbers["held constant"].value == pytest.approx(1)


def test_ranks_on_data_are_those_of_units_that_are_on_for_them():
    rng, source = np.random.default_rng(0), make_node("x", "input", shape=(2,))
    first = make_node("first", "dense", source, kernel=rng.standard_normal((3, 2)), bias=[9.0, -9.0, 9.0])
    relu = make_node("relu", "activation", first, function="relu")
    graph = Graph((source, first, relu, make_node("second", "dense", relu, kernel=rng.standard_normal((2, 3)))))
    report = layer_shares_report(graph, data=rng.uniform(-1, 1, (40, 2)))  # of two outputs each
    assert report["total", "capacity"].value == 6  # linear maps and constants: units are on, or off, for all of them
    assert report["total", "capacity"].note.endswith("on the data")


@pytest.mark.parametrize("one_tap", [False, True])
def test_layers_that_go_together_stand_in_their_order_with_what_all_of_them_cost(one_tap):
    graph = tcn([1, 2, 4, 8], channels=6, activation="relu", residual=True)
    series = np.cumsum(np.random.default_rng(1).standard_normal(400))
    graph = Graph(tuple(_smaller(node, 0.1) if node.name in ("layer 2", "layer 3") else node for node in graph.nodes))
    report = layer_shares_report(graph, data=series)
    (told,) = [each for each in report.says if each.startswith("Cut" if one_tap else "Held")]
    names = re.findall(r"layer \d|skip \d|readout", told)
    costs = [float(each) / 100 for each in re.findall(r"([\d.e-]+) %", told)]
    assert len(names) == len(costs) >= 3
    assert costs[-2] <= LIMIT
    assert costs[-1] > LIMIT or len(names) == 4
    samples = samples_of(graph, None, series, None)
    for end, cost in enumerate(costs):
        options = {"nodes": [names[end]], "beside": names[:end], "one_tap": one_tap, "newest": True}
        found = variance_lost(graph, samples, at="last", **options)
        assert cost == pytest.approx(found[names[end]], rel=0.06)


def _smaller(node, factor):
    return replace(node, arrays={key: factor * array for key, array in node.arrays.items()})
