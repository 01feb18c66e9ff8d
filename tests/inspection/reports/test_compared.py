"""Reports side by side keep all numbers and each reason once; draws of weights are those that one makes by hand."""

import re

import numpy as np
import pytest

from capacity import DilatedConvolution, GaussianProcess
from capacity_inspection.graphs import redrawn_weights
from capacity_inspection.readers import cnn, tcn
from capacity_inspection.reports import Quantity, comparison, linear_report, network_report, redrawn_report
from capacity_inspection.reports.compared import _middle

RELU = tcn([1, 2, 4], channels=3, activation="relu", residual=True)
LINEAR = DilatedConvolution([1, 2, 4])
PROCESS = GaussianProcess()


def test_draws_are_reported_by_their_middle_and_ends():
    rng = np.random.default_rng(3)
    by_hand = [network_report(redrawn_weights(RELU, rng=rng)) for _ in range(5)]
    report = redrawn_report(RELU, draws=5, rng=3)
    for column in ("linear, lags 50 %", "pseudo-random, lags 90 %", "field"):
        values = sorted(each["total", column].value for each in by_hand)
        found = report["total", column]
        assert found.value == values[2]
        assert (found.interval or (found.value,) * 2) == (values[0], values[-1])
    for rule, curve in report.allocation.items():
        curves = np.array([each.allocation[rule] for each in by_hand])
        np.testing.assert_allclose(curve, curves.mean(axis=0), atol=1e-15)
        np.testing.assert_array_equal(report.bands[f"{rule}, 5 draws"], [curves.min(axis=0), curves.max(axis=0)])


def test_the_middle_of_several_ranks_has_no_gap_of_one_of_them():
    found = _middle([Quantity(rank, "numerical", gap=10.0 * rank) for rank in (5, 3, 4)])
    assert (found.value, found.interval, found.gap) == (4, (3, 5), None)


def test_boxes_of_several_draws_have_ends_too():
    images = cnn((12, 12), channels=[3, 4], activation="relu")
    found = [redrawn_report(images, draws=8, rng=seed)["total", "linear, box 50 %"] for seed in range(4)]
    low, high = next(number.interval for number in found if number.interval)
    assert len(low) == len(high) == 2
    assert low < high


def test_a_linear_model_before_training_has_random_parameters():
    model = DilatedConvolution([1, 2, 4], channels=2)
    report = redrawn_report(model, process=PROCESS, draws=3, rng=0)
    rng = np.random.default_rng(0)
    losses = [
        linear_report(model, process=PROCESS, parameters=model.initial(rng))["total", "loss"].value for _ in range(3)
    ]
    assert report["total", "loss"].value == sorted(losses)[1]
    assert report["total", "loss"].interval == (min(losses), max(losses))


@pytest.fixture(scope="module")
def reports():
    return {
        "linear": linear_report(LINEAR),
        "fitted": linear_report(LINEAR, process=PROCESS, optima=1),
        "relu": network_report(RELU, process=PROCESS),
        "drawn": redrawn_report(RELU, process=PROCESS, draws=3),
    }


def test_shares_by_lag_are_sums_of_the_allocation_and_lag_1_is_the_step_of_the_unit():
    graph = tcn([1, 2, 4], channels=3, activation="relu")
    last, middle = network_report(graph), network_report(graph, at=(0, 5))
    text = comparison({"last": last, "middle": middle})
    lines = {line.split("  ")[0]: line for line in text.splitlines() if line.startswith("%")}
    assert list(lines) == ["% ahead", "% at lag 1", "% at lag 2", "% at lag 3-4", "% at lag 5-8"]
    for name, parts in {"% at lag 3-4": [(-4, -2), (2, 4)], "% at lag 5-8": [(0, 4), (0, 2)]}.items():
        shares = [
            100 * curve[slice(*part)].sum()
            for report, part in zip((last, middle), parts)
            for curve in map(report.allocation.get, ("linear", "pseudo-random"))
        ]
        found = re.findall(r"\*([\d.]+)", lines[name])
        assert [float(each) for each in found] == pytest.approx(shares, abs=0.051)
    assert "*0" in lines["% ahead"]
