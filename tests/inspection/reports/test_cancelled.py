"""What structure says is exact where it moves outputs, and a bound where its paths cancel."""

from dataclasses import replace

import numpy as np

from capacity_inspection.graphs import Graph, make_node
from capacity_inspection.reports import network_report
from capacity_inspection.reports.cancelled import bound

STEPS, WINDOW = 32, 4


def moving_mean():
    """A causal convolution of sums up to each step less those up to four steps before."""
    x = make_node("x", "input", shape=(1, STEPS))
    total = make_node("sum", "accumulate", x)
    padded = make_node("padded", "pad", total, pads=[(0, 0), (WINDOW, 0)])
    late = make_node("late", "slice", padded, end=(1, STEPS))
    minus = replace(make_node("minus", "scale", late, factor=[-1.0]), sources={})
    mean = make_node("mean", "add", [total, minus])
    last = make_node("last", "convolution", mean, kernel=np.ones((1, 1, 3)), pads=[(2, 0)])
    return Graph((x, total, padded, late, minus, mean, last))


def masked_shares():
    """Shares of all steps, of which those of later ones are masked, over their sum, times the values."""
    x = make_node("x", "input", shape=(2, STEPS))
    turned = make_node("turned", "transpose", x, permutation=(1, 0))
    scores = make_node("scores", "matmul", [turned, x])
    shares = make_node("shares", "softmax", scores, axis=1)
    mask = replace(make_node("mask", "scale", shares, factor=np.tri(STEPS)), sources={})
    total = make_node("total", "average_pool", mask, window=(STEPS,))
    inverse = make_node("inverse", "activation", total, function="reciprocal")
    divided = make_node("divided", "product", [mask, inverse])
    y = make_node("y", "matmul", [divided, turned])
    return Graph((x, turned, scores, shares, mask, total, inverse, divided, y))


def test_a_moving_mean_of_sums_is_told_to_be_bounded():
    report = network_report(moving_mean())
    field = report["total", "field"]
    assert (field.value, field.kind) == ((STEPS,), "assumed")
    assert f"of these, {WINDOW + 2} move it" in field.note
    assert f"of these, {WINDOW + 2} move it" in report["last", "field"].note
    assert report["last", "field"].kind == "assumed"
    past, future = report["total", "past"], report["total", "future"]
    assert (past.value, past.kind, f"of these, {WINDOW + 1} move it" in past.note) == (STEPS - 1, "assumed", True)
    assert (future.value, future.kind) == (0, "exact")
    assert "is causal" in report.says[0]
    assert report.says[0].endswith(f"That is {field.note}.")


def test_masked_shares_over_their_sum_are_not_told_to_look_ahead():
    report = network_report(masked_shares())
    future = report["total", "future"]
    assert (future.value, future.kind) == (STEPS - 1, "assumed")
    assert "of these, 0 move it" in future.note
    latency = report["total", "latency"]
    assert (latency.value, "of these, 0 move it" in latency.note) == (STEPS - 1, True)
    assert "may be causal" in report.says[0]
    assert "Of these, 0 move an output" in report.says[0]


def test_what_moves_as_structure_says_is_exact():
    assert bound((3,), (3,), "why").to_dict() == {"value": [3], "kind": "exact", "note": "why"}
    assert bound(3, 2).kind == "assumed"
