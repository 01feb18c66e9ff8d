"""Shares of the layers are those of the package at the fitted parameters."""

import numpy as np
import pytest

from capacity import DilatedConvolution, GaussianProcess, independent_shares, layer_chain, marginal_shares
from capacity.inspection.reports import layer_shares_report

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


def test_a_division_needs_a_task():
    with pytest.raises(ValueError, match="process: expected a process or data, got neither"):
        layer_shares_report(MODEL)
