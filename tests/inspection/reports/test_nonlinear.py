"""The report on a network with activations shows what the graph hands down, and says under which assumption."""

from dataclasses import replace

import numpy as np
import pytest
from probed_fields import probed_fields

from capacity import GaussianProcess
from capacity_inspection.graphs import (
    Graph,
    capacity_flow,
    from_layers,
    holding_side,
    make_node,
    measured_couplings,
    needed_lags,
    receptive_fields,
    squared_gradient,
)
from capacity_inspection.readers import cnn, tcn
from capacity_inspection.reports import network_report, nonlinear

STACK = tcn([1, 2, 4], channels=3, activation="relu")
IMAGES = cnn((12, 12), channels=[3, 4], strides=[1, 2], components=2, residual=True, classes=3)
SHARES = {50: 0.5, 90: 0.9, 99: 0.99}


def test_every_row_has_the_parameters_of_its_node_and_all_are_counted():
    report = network_report(IMAGES)
    counts = {row.name: row.numbers["parameters"].value for row in report.rows}
    assert counts == {n.name: n.n_parameters for n in IMAGES.nodes if n.name in counts}
    assert sum(counts.values()) == report["total", "parameters"].value == IMAGES.n_parameters


def test_receptive_fields_are_those_that_probes_find():
    report = network_report(STACK)
    for depth, name in enumerate(["layer 1", "layer 2", "layer 3"], start=1):
        box = probed_fields(STACK, name)[0, STACK[name].shape[1] - 1]["input"]
        assert report[name, "field"].value == box.shape[1:] == (2**depth,)
        assert report[name, "start"].value == (1 - 2**depth,)
    images = network_report(IMAGES)
    first, second = (probed_fields(IMAGES, "layer 2")[0, i, 3]["input"] for i in (2, 3))
    assert images["layer 2", "field"].value == second.shape[1:] == (5, 5)
    assert images["layer 2", "stride"].value == (second.start[1] - first.start[1],) * 2 == (2, 2)
    assert images["layer 2", "start"].value[0] == first.start[1] - 2 * 2


def test_with_data_a_causal_network_says_how_many_inputs_it_needs():
    data = np.random.default_rng(0).standard_normal((40, *STACK[STACK.inputs[0]].shape))
    report = network_report(STACK, data=data)
    needed = report["total", "look-back, as it is"]
    assert (needed.value, needed.kind) == (needed_lags(STACK, data), "numerical")
    assert f"On these data it needs the last {needed.value} steps" in report.says[1]
    assert "look-back, as it is" not in network_report(STACK).totals
    silent = network_report(STACK, data=np.zeros_like(data))["total", "look-back, as it is"]
    assert (silent.value, silent.kind) == (None, "unavailable")


def test_a_field_that_the_input_cuts_off_is_told_with_its_whole_length():
    def seen(steps):
        layers = [("pad", {"pads": ((0, 0), (6, 0))}), ("convolution", {"kernel": np.ones((1, 1, 4)), "dilations": 2})]
        newest = [
            ("slice", {"begin": (0, steps - 1), "end": (1, steps), "step": (1, 1)}),
            ("dense", {"kernel": [[1.0]]}),
        ]
        for tail in ([], newest):
            yield " ".join(network_report(from_layers((1, steps), layers + tail)).says)

    for told in seen(6):
        assert "as the input is shorter than the field of 7: take a longer one" in told
    for told in seen(7):
        assert "It sees the last 7 steps, and is causal: " in told


def test_data_that_do_not_fit_the_input_are_refused():
    with pytest.raises(ValueError, match=r"the next one channels: pass np.moveaxis\(samples, -1, 1\)"):
        network_report(STACK, data=np.ones((5, 8, 1)))


def test_boxes_hold_a_share_around_the_unit():
    graph = cnn((15, 15), channels=[2, 2], activation="tanh")
    report, flow = network_report(graph), capacity_flow(graph, nodes=True)
    for percent, share in SHARES.items():
        side = holding_side(flow.nodes["input"].sum(axis=0), share)
        assert report["total", f"pseudo-random, box {percent} %"].value == (side, side)


def test_data_give_the_couplings_and_the_gradients():
    samples = np.random.default_rng(0).standard_normal((5, *IMAGES["input"].shape))
    report = network_report(IMAGES, data=samples)
    flow = capacity_flow(IMAGES, coupling=measured_couplings(IMAGES, samples))
    np.testing.assert_array_equal(report.allocation["measured"], flow.inputs["input"].sum(axis=0))
    assert list(report.allocation)[-1] == "measured"
    gradient = squared_gradient(IMAGES, samples)["input"].sum(axis=0)
    np.testing.assert_allclose(report.allocation["gradient"], gradient / gradient.sum())
    assert report["total", "gradient, box 50 %"].kind == "numerical"


def test_a_series_is_cut_into_windows_and_a_process_is_drawn_from():
    series = GaussianProcess().sample(300, rng=0)
    windows = np.lib.stride_tricks.sliding_window_view((series - series.mean()) / series.std(), 8)
    starts = np.linspace(0, 292, 64).astype(int)
    by_hand = capacity_flow(STACK, at="last", coupling=measured_couplings(STACK, windows[starts][:, None]))
    report = network_report(STACK, data=series)
    np.testing.assert_allclose(report.allocation["measured"], by_hand.inputs["input"][0], rtol=1e-9)
    assert "measured" in network_report(STACK, process=GaussianProcess()).allocation


@pytest.mark.parametrize("unit", [2.0**1018, 2.0**-1000])
def test_the_unit_of_a_series_does_not_matter(unit):
    series = GaussianProcess().sample(200, rng=0)
    found, scaled = (network_report(STACK, data=each).to_dict() for each in (series, unit * series))
    assert scaled == found


def test_a_field_along_one_axis_that_is_a_bound_is_one():
    halved = {"kernel": np.ones((1, 1, 2, 1)), "strides": (2, 1)}
    last = ("convolution", {"kernel": np.ones((1, 1, 3, 2)), "pads": (1, 0)})
    graph = from_layers((1, 12, 6), [("convolution", halved), ("transposed_convolution", halved), last])
    field = network_report(graph).rows[-1].numbers["field"]
    assert (field.value, field.kind) == ((5, 2), "assumed")


def test_a_linear_network_has_one_allocation_and_it_is_exact():
    report = network_report(cnn((9, 9), channels=[2, 2], activation=None))
    assert list(report.allocation) == ["capacity"]
    assert report["layer 1", "capacity"].kind == "exact"
    assert report["total", "independent"].kind == "unavailable"


def test_the_scales_of_rectified_channels_are_no_parameters_of_their_own():
    smooth = tcn([1, 2, 4], channels=3, activation="tanh")
    assert network_report(smooth)["total", "independent"].value == smooth.n_parameters
    assert network_report(STACK)["total", "independent"].value == STACK.n_parameters - 2 * 3
    assert network_report(IMAGES)["total", "independent"].note == "no closed form where add follows 'layer 1'"


def lstm(features, hidden, seed=0, **options):
    rng = np.random.default_rng(seed)
    rows = 4 * hidden * (1 + (options.get("direction") == "bidirectional"))
    arrays = {"kernel": rng.standard_normal((rows, features)), "recurrent_kernel": rng.standard_normal((rows, hidden))}
    return ("recurrent", {"kind": "lstm", "hidden": hidden} | arrays | options)


def test_a_recurrent_layer_has_counts_and_a_field():
    report = network_report(from_layers((1, 5), [lstm(1, 2), ("activation", {"function": "tanh"})]))
    row = report.rows[1].numbers
    assert (row["parameters"].value, row["multiply-adds"].value, row["field"].value) == (24, 5 * 24, (5,))
    assert report["total", "field"].value == (5,)
    assert "states of 'recurrent 1' return" in report["total", "independent"].note


def test_shares_that_are_the_output_have_a_field_and_no_capacity():
    report = network_report(from_layers((2, 6), [("convolution", {"kernel": np.ones((3, 2, 2))}), ("softmax", {})]))
    assert report["total", "field"].value == (2,)
    assert "expected a softmax whose shares multiply a signal" in report["total", "sampled, box 90 %"].note


def test_a_dead_branch_leaves_the_gradient_as_the_only_allocation():
    dead = {"kernel": [[[1.0, 1.0]]], "bias": [-100.0], "pads": [(1, 0)]}
    layers = [
        ("convolution", dead),
        ("activation", {"function": "relu", "name": "relu"}),
        ("add", {"inputs": ["relu", "input"]}),
        ("convolution", {"kernel": [[[1.0, 0.5]]], "pads": [(1, 0)]}),
    ]
    report = network_report(from_layers((1, 8), layers), process=GaussianProcess())
    assert "measured" not in report.allocation
    assert "gradient" in report.allocation


def test_a_unit_that_reads_pads_only_has_no_field_and_no_capacity():
    layers = [("convolution", {"kernel": [[[1.0, 1.0]]], "pads": 3}), ("activation", {"function": "relu"})]
    report = network_report(from_layers((1, 4), layers), at=(0, 0), data=np.ones((2, 1, 4)))
    assert "reads pads only" in report["input", "linear"].note
    assert "field" not in report.totals


def test_where_units_of_a_layer_see_differently_its_field_is_that_of_the_one_in_its_centre():
    x = make_node("x", "input", shape=(4, 5))
    narrow = make_node("narrow", "convolution", x, kernel=np.ones((4, 4, 3)), pads=1)
    parts = make_node("parts", "reshape", narrow, shape=(2, 2, 5))
    turned = make_node("turned", "transpose", parts, permutation=(0, 2, 1))
    shuffled = make_node("shuffled", "reshape", turned, shape=(2, 10))  # channels become positions in between
    last = make_node("last", "convolution", shuffled, kernel=np.ones((1, 2, 3)), pads=1)
    graph = Graph((x, narrow, parts, turned, shuffled, last))
    report = network_report(graph)
    assert report["last", "field"].kind == "assumed"
    assert report["last", "field"].value == receptive_fields(graph, "last")["x"].shape[1:] == (4,)
    assert report["last", "stride"].kind == "unavailable"


def test_of_several_outputs_the_first_is_told_and_the_next_is_named():
    graph = from_layers((1, 8), [("activation", {"function": "tanh", "name": key, "inputs": "input"}) for key in "ab"])
    report = network_report(replace(graph, outputs=("a", "b")))
    assert "There are 2 outputs, of which this is the first: output='b'" in report.says[0]
    assert "outputs" not in network_report(replace(graph, outputs=("a", "b")), output="b").says[0]


def test_an_output_that_stands_for_no_step_need_not_wait():
    wide = ("convolution", {"kernel": np.ones((1, 1, 3)), "pads": 1, "name": "wide"})
    head = ("dense", {"kernel": np.ones((2, 8))})
    whole = network_report(from_layers((1, 8), [wide, head])).says[0]
    assert whole.startswith("It sees 8 of the 8 steps, and stands for none. Below it wide looks 1 step ahead, which")
    assert "has to wait for that; to forecast, pad" in network_report(from_layers((1, 8), [wide])).says[0]


@pytest.mark.parametrize("head", [("dense", {"kernel": np.ones((2, 8))}), ("average_pool", {}), ("max_pool", {})])
def test_an_output_behind_a_causal_layer_that_sees_more_than_that_is_not_said_to_see_its_last_steps(head):
    causal = ("convolution", {"kernel": np.ones((1, 1, 3)), "pads": [(2, 0)], "name": "causal"})
    report = network_report(from_layers((1, 8), [causal, head]))
    assert report["total", "field"].value == (8,)
    assert report.says[0] == (
        "It sees 8 of the 8 steps, and stands for none. Below it causal sees the last 3 steps, and is causal."
    )
    assert {report["total", key].note for key in ("past", "latency")} == {"of causal, the last sequence"}
    assert report["total", "future"].note == "no path from later steps to any unit of causal, the last sequence"
    last = ("slice", {"begin": (0, 7), "end": (1, 8)})
    assert network_report(from_layers((1, 8), [causal, last])).says[0].startswith("It sees the last 3 steps, and is c")


def test_a_causal_layer_that_passes_over_the_newest_steps_is_said_to_see_fewer():
    strided = ("convolution", {"kernel": np.ones((1, 1, 4)), "pads": [(3, 0)], "strides": 4})
    assert network_report(from_layers((1, 16), [strided])).says[0].startswith("It sees 4 of the last 7 steps, and is c")
    late = [("pad", {"pads": [(0, 0), (3, 0)]}), ("slice", {"begin": (0, 0), "end": (1, 18)})]
    late.append(("convolution", {"kernel": np.ones((1, 1, 3))}))
    assert network_report(from_layers((1, 16), late)).says[0].startswith("It sees 3 of the last 4 steps, and is causal")


def test_behind_what_sees_all_steps_no_field_is_longer_than_the_input():
    past = [("attention", {"causal": True, "inputs": [below] * 3, "name": name}) for below, name in ["xa", "ab"]]
    ahead = ("convolution", {"kernel": np.ones((1, 1, 3)), "pads": 1, "name": "c"})
    report = network_report(from_layers((1, 6), [("activation", {"function": "tanh", "name": "x"}), *past, ahead]))
    for name in "ab":
        assert [report[name, key].value for key in ("field", "stride", "start")] == [(6,), (1,), (-5,)]
    assert (report["c", "field"].value, report["c", "field"].kind) == ((6,), "assumed")  # or fewer
    assert not report["total", "field"].note


def test_layers_of_several_axes_in_a_causal_network_are_told_without_lags():
    graph = from_layers(
        (2, 6),
        [
            ("convolution", {"kernel": np.ones((4, 2, 2)), "pads": [(1, 0)]}),
            ("reshape", {"shape": (2, 2, 6)}),
            ("dense", {"kernel": np.ones((3, 2)), "axis": 0, "name": "grouped"}),
            ("reshape", {"shape": (6, 6)}),
        ],
    )
    report = network_report(graph)
    assert "is causal" in report.says[0]
    number = report["grouped", "lags 90 %"]
    assert (number.value, number.note) == (None, "it has several axes of positions")


def test_a_unit_is_named_by_its_step_wherever_the_axis_of_steps_is():
    causal = ("convolution", {"kernel": np.ones((3, 2, 2)), "pads": [(1, 0)]})
    turned = network_report(from_layers((2, 6), [causal, ("transpose", {"permutation": (1, 0)})]))
    assert turned.title.endswith("channel 1 at position 2")  # of unit (2, 1)
    assert network_report(from_layers((2, 6), [causal])).title.endswith("channel 0 at position 5")


def test_of_several_inputs_each_is_told_for_itself():
    def convolution(source, before, after):
        kernel = {"kernel": np.ones((2, 1, 1 + before + after)), "pads": [(before, after)]}
        return make_node(f"{source} read", "convolution", [source], **kernel)

    def report(after):
        x, c = (make_node(name, "input", shape=(1, 16)) for name in "xc")
        read = [convolution(x, 2, 0), convolution(c, 1, after)]
        return network_report(Graph((x, c, *read, make_node("y", "add", read)), ("y",)))

    causal, ahead = report(0), report(1)
    told = "it sees the last {} steps, and is causal: no path leads to an output from a later step."
    assert causal.says[0] == f"Of 'x' {told.format(3)} Of 'c' {told.format(2)}"
    assert ahead.says[0].startswith(f"Of 'x' {told.format(3)} Of 'c' it is not causal: it looks 1 step ahead, which")
    assert ahead["total", "future"].note == "no path from later steps of 'x' to any output"


def test_what_the_first_screen_leaves_out_is_computed_once_it_is_looked_at(monkeypatch):
    attention = ("attention", {"heads": 2, "inputs": ["norm"] * 3})
    layers = [("normalize", {"name": "norm"}), attention, ("convolution", {"kernel": np.ones((3, 4, 2))})]
    graph = from_layers((4, 6), layers)
    whole = network_report(graph, rng=np.random.default_rng(0))  # at once, since others draw from a generator, too
    begun, first, looked = network_report(graph, rng=0), whole.text(), []

    def counted(*arguments):
        looked.append(arguments)
        if len(looked) == 1:
            raise MemoryError
        return capacity(*arguments)

    capacity = nonlinear._flows
    monkeypatch.setattr(nonlinear, "_flows", counted)
    assert begun.text() == str(begun) == first
    assert not looked
    assert (begun.title, begun.says, begun.first, begun.step) == (whole.title, whole.says, whole.first, whole.step)
    with pytest.raises(AttributeError, match="'Report' object has no attribute 'row'"):
        begun.row  # noqa: B018
    with pytest.raises(MemoryError):  # and nothing is half done
        begun.text(full=True)
    assert begun.text() == first
    assert begun.text(full=True) == whole.text(full=True)
    assert begun.to_dict() == whole.to_dict()
    assert begun.text() == first
    assert len(looked) == 2


def test_totals_of_the_capacity_stand_between_the_field_and_what_is_of_time():
    names = list(network_report(STACK).totals)
    held = [name for name in names if name.startswith(("pseudo-random", "linear"))]
    start = names.index("field") + 1
    assert held == names[start : names.index("past")]
    assert len(held) == 2 * len(SHARES)


def test_a_report_on_data_does_not_change_with_them_afterwards():
    data = np.random.default_rng(0).standard_normal((5, *STACK[STACK.inputs[0]].shape))
    report, whole = (network_report(STACK, data=data) for _ in range(2))
    found = whole.to_dict()
    data[:] = 0.0
    assert report.to_dict() == found
