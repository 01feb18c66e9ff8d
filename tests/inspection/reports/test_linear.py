"""The report on a linear model: what is exact equals the package's own theorems, what is fitted the plain recipe."""

import numpy as np
import pytest

from capacity import (
    DiagonalRecurrence,
    DilatedConvolution,
    FunctionModel,
    GaussianProcess,
    Samples,
    exact_capacity,
    fit,
    independent_shares,
    model_constraints,
    standard_process,
    tensor_train_parameters,
)
from capacity.tasks import IndependentProcesses, autoregressive, empirical
from capacity_inspection.graphs import holding_lags
from capacity_inspection.reports import linear, linear_report

PROCESS = GaussianProcess()
MODEL = DilatedConvolution([1, 2, 4])  # 6 parameters, 4 of them independent, for 8 inputs
LAGS = {"lags 50 %": 0.5, "lags 90 %": 0.9, "lags 99 %": 0.99}


@pytest.fixture(scope="module")
def overlapping():
    model = DilatedConvolution([1, 2, 4, 1, 2], channels=[2, 2, 1, 1])
    return model, linear_report(model, process=PROCESS, optima=2)


def kinds(report):
    return {number.kind for _, _, number in report.numbers()}


def test_independent_parameters_are_exact_ranks(overlapping):
    model, report = overlapping
    assert report["total", "independent"].value == exact_capacity(model).total
    assert report["total", "independent"].kind == "exact"
    for name in model.layers:
        assert report[name, "independent"].value == exact_capacity(model, layers=[name]).total


def test_the_allocation_is_that_of_the_constraints_at_the_best_fit():
    report = linear_report(MODEL, process=PROCESS, optima=1)
    fitted = fit(MODEL, PROCESS, rng=5)
    space = model_constraints(MODEL, fitted.parameters, PROCESS.covariance(8))
    assert fitted.loss == pytest.approx(report["total", "loss"].value, rel=1e-6)
    np.testing.assert_allclose(report.allocation["capacity"], space.spatial(), atol=1e-5)
    assert report["total", "capacity"].value == space.total
    assert report["total", "capacity"].gap == pytest.approx(space.basis.gap, rel=1e3)


def test_each_layer_has_its_share_with_the_others_held_constant():
    point = MODEL.initial(0)
    report = linear_report(MODEL, process=PROCESS, parameters=point)
    shares = independent_shares(MODEL, point, PROCESS.covariance(8))
    for name, share in shares.items():
        assert report[name, "capacity"].value == round(share.sum())
        for column, part in LAGS.items():
            assert report[name, column].value == holding_lags(share, part)


def test_parameters_that_are_given_are_not_fitted_and_their_distance_from_an_optimum_is_told():
    report = linear_report(MODEL, process=PROCESS, parameters=MODEL.initial(0))
    error = MODEL.coefficients(MODEL.initial(0)) - PROCESS.optimal_coefficients(8)
    assert report["total", "loss"].value == pytest.approx(error @ PROCESS.covariance(8) @ error)
    assert report["total", "stationarity"].value > 0.1
    assert "not at an optimum" in report["total", "capacity"].note


def test_a_model_of_full_capacity_spends_one_on_each_input_without_a_fit():
    model = DilatedConvolution([1, 2], channels=4)
    report = linear_report(model, process=PROCESS)
    assert report["total", "capacity"].value == model.n_inputs == 4
    assert report["total", "capacity"].kind == "exact"
    assert np.array_equal(report.allocation["capacity"], np.ones(4))
    assert [report["total", name].value for name in LAGS] == [2, 4, 4]
    sees, full, longer = report.says
    assert sees.startswith("It sees the last 4 steps")
    assert full.startswith("It has as many independent parameters as")
    assert longer.startswith("Linear prediction from twice as many steps")
    fitted = fit(model, PROCESS, rng=0)
    space = model_constraints(model, fitted.parameters, PROCESS.covariance(4))
    np.testing.assert_allclose(space.spatial(), 1, atol=1e-9)


def test_without_a_process_only_counts_are_there_and_the_rest_says_why():
    report = linear_report(MODEL)
    assert kinds(report) == {"exact", "unavailable"}
    assert report["total", "capacity"].note == "needs what the model is to predict: pass a process or data"
    assert report.allocation == {}


def test_data_are_asked_for_only_where_nothing_says_what_is_to_be_predicted():
    task = IndependentProcesses((PROCESS, PROCESS))
    model = DilatedConvolution([1, 2], channels=1, components=2)
    assert len(linear_report(model, process=task).says) == 1
    assert "pass some" in linear_report(model).says[-1]


def test_a_model_that_is_only_a_function_has_no_receptive_field():
    model = FunctionModel(lambda a, b: np.concatenate([a[:1] * a[1:], b]), {"old": 2, "recent": 2})
    report = linear_report(model)
    assert {report["old", column].kind for column in ("field", "stride", "start")} == {"unavailable"}
    assert report["old", "independent"].value == 1


def test_where_nothing_can_be_predicted_there_is_no_capacity_to_hold():
    report = linear_report(MODEL, process=standard_process("white"), parameters=np.zeros(6))
    assert report["total", "capacity"].value == 0
    assert report["total", "lags 50 %"].note == "there is no capacity: nothing is predicted"


def test_a_recurrence_has_two_independent_parameters_per_channel():
    report = linear_report(DiagonalRecurrence(16, 2, bound=1.0), process=standard_process("exponential mixture"))
    assert report["total", "independent"].value == 4
    assert report["recurrence", "field"].value == 16


def test_ranks_that_would_take_minutes_are_not_computed_unasked():
    report = linear_report(DilatedConvolution([2**k for k in range(10)] * 2, channels=8))
    assert report["total", "independent"].kind == "assumed"
    assert "segment_capacity" in report["total", "independent"].note
    assert report["layer 10", "independent"].kind == "unavailable"
    wide = linear_report(DilatedConvolution([1, 3], channels=10**6))
    assert (wide["total", "independent"].value, wide["layer 1", "independent"].kind) == (4, "unavailable")


def test_large_hierarchical_models_are_taken_at_the_nearest_tensor_train():
    model = DilatedConvolution.hierarchical(12, channels=1)
    report = linear_report(model, process=PROCESS)
    near = tensor_train_parameters(PROCESS.optimal_coefficients(4096), model.taps, model.channels)
    error = model.coefficients(near) - PROCESS.optimal_coefficients(4096)
    assert report["total", "loss"].value == pytest.approx(error @ (PROCESS.operator(4096) @ error), rel=1e-6)
    assert "not fitted" in report["total", "loss"].note
    assert report["total", "capacity"].value == report["total", "independent"].value == 13
    assert report["layer 1", "capacity"].kind == "unavailable"


def test_a_model_that_is_no_polynomial_has_no_exact_rank():
    class Bare:
        n_inputs, n_parameters, components, layers = 2, 2, 1, {"all": slice(0, 2)}

        def tangent_factors(self, parameters):
            return {"all": np.eye(2)}

    report = linear_report(Bare())
    assert report["total", "independent"].note == "no exact rank: the coefficients are not known as polynomials"


def test_data_are_taken_for_a_process_with_their_autocovariance():
    series = GaussianProcess(autoregressive([0.6, 0.3])).sample(400, rng=0)
    by_data = linear_report(MODEL, data=series[:, None], optima=1, resamples=0)
    by_process = linear_report(MODEL, process=GaussianProcess(empirical(series)), optima=1)
    np.testing.assert_array_equal(by_data.allocation["capacity"], by_process.allocation["capacity"])
    table = np.column_stack([series, series[::-1]])
    two = DilatedConvolution([1, 2], channels=1, components=2)
    assert linear_report(two, data=table, optima=1)["total", "residual variance"].value == pytest.approx(
        Samples.from_series(table, 4).residual_variance(4)
    )


def test_intervals_of_resampled_data_are_wide_where_data_are_few():
    series = standard_process("exponential mixture").sample(4000, rng=0)
    model = DilatedConvolution([1, 2, 4], channels=1)
    widths = []
    for length in (100, 4000):
        report = linear_report(model, data=series[:length], optima=1, resamples=12)
        low, high = report.bands["90 % of 12 resamples"]
        assert (low <= high).all()
        widths.append(np.mean(high - low))
        low, high = report["total", "lags 50 %"].interval
        assert low <= report["total", "lags 50 %"].value <= high
    assert widths[0] > 2 * widths[1] > 0


def test_a_series_that_is_too_short_has_no_intervals_and_says_so():
    report = linear_report(MODEL, data=PROCESS.sample(60, rng=0), optima=1, resamples=5)
    assert report["total", "intervals"].kind == "unavailable"
    assert "need a series of 64; this one has 60" in report["total", "intervals"].note
    assert report["total", "lags 50 %"].interval is None


def test_intervals_leave_equal_parts_out_at_both_ends(monkeypatch):
    drawn = np.linspace(0, 1, 101)[:, None] * np.ones(8)
    drawn[0] = 1e-9
    monkeypatch.setattr(linear, "_resampled", lambda *_: drawn)
    report = linear_report(MODEL, data=PROCESS.sample(100, rng=0), optima=1, resamples=101, level=0.8)
    low, high = report.bands["80 % of 101 resamples"]
    np.testing.assert_allclose(low, 0.1, atol=1e-9)
    np.testing.assert_allclose(high, 0.9, atol=1e-9)
    assert report["total", "lags 50 %"].interval == (4, 4)
    monkeypatch.setattr(linear, "_resampled", lambda *_: np.eye(8)[[7, 5, 4]])
    report = linear_report(MODEL, data=PROCESS.sample(100, rng=0), optima=1, resamples=3, level=0.8)
    assert report["total", "lags 50 %"].interval == (1, 4)


@pytest.mark.parametrize(
    ("model", "coefficients", "loss"),
    [
        (FunctionModel(lambda w: w**2, {"w": 1}), [-0.5], 0.25),  # at w = 0
        (DilatedConvolution([1, 1]), [0.3, 0, 0.5], 0.0612),  # a double root where the target has none
    ],
)
def test_a_target_that_no_real_parameters_reach_is_fitted_although_the_rank_is_full(model, coefficients, loss):
    report = linear_report(model, process=GaussianProcess(autoregressive(coefficients)))
    assert exact_capacity(model).total == model.n_inputs
    assert report["total", "loss"].kind == "numerical"
    assert report["total", "loss"].value == pytest.approx(loss, abs=1e-4)


def test_the_gap_at_a_number_of_samples_is_that_of_the_optimum_or_unavailable_with_the_reason():
    process, model = GaussianProcess(), DilatedConvolution([1, 2, 4], channels=1)
    report = linear_report(model, process=process, samples=100, optima=2)
    loss = report["total", "loss"].value + process.residual_variance(8)
    assert report["total", "gap"].value == pytest.approx(2 * loss * report["total", "capacity"].value / 100, rel=1e-9)
    assert report["total", "held-out loss"].value == pytest.approx(loss + report["total", "gap"].value / 2, rel=1e-9)
    full = linear_report(DilatedConvolution([1, 2], channels=4), process=process, samples=100)
    assert full["total", "gap"].value == pytest.approx(2 * process.residual_variance(4) * 4 / 100, rel=1e-12)
    unfitted = linear_report(model, process=process, samples=100, parameters=model.initial(0))
    assert "standard errors from one" in unfitted["total", "held-out loss"].note


def test_the_best_optimum_comes_first():
    report = linear_report(DilatedConvolution([1, 2, 4, 8] * 2, channels=2), process=PROCESS, optima=3)
    others = [float(loss) for loss in report["total", "optima"].note.split(": ")[1].split(", ")]
    assert len(others) == 2
    assert report["total", "loss"].value <= min(others) * 1.01
    assert max(others) > 1.1 * report["total", "loss"].value, "all starts end in the same optimum: nothing is tested"
