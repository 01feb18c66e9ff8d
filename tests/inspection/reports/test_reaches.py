"""What a report advises on a series is what least squares on its later half says."""

import numpy as np
import pytest

from capacity import DilatedConvolution, GaussianProcess
from capacity.tasks import autoregressive
from capacity_inspection.graphs import from_layers
from capacity_inspection.look_backs import look_back
from capacity_inspection.readers import tcn
from capacity_inspection.reports import network_report, summary
from capacity_inspection.reports.reaches import Reaches, network_reaches

STEPS = 16


def predictor(weights):
    """A causal network of one convolution, whose taps are those of lags 1, 2, ..., and tiny ones beyond."""
    taps = 1e-6 * np.random.default_rng(0).standard_normal(STEPS)
    taps[: len(weights)] = weights
    return from_layers((1, STEPS), [("convolution", {"kernel": [[taps[::-1]]], "pads": [(STEPS - 1, 0)]})])


def series(*lags, t=4000, seed=0):
    return GaussianProcess(autoregressive(lags)).sample(t, rng=seed)


def advised(graph, data):
    report = network_report(graph, data=data)
    return report["total", "look-back"].value, report


@pytest.mark.parametrize("seed", range(3))
def test_a_network_that_sees_more_than_the_series_tells_is_advised_to_be_as_short_as_that(seed):
    data = series(0.5, 0.3, seed=seed)
    lags, report = advised(predictor([0.5, 0.3]), data)
    assert lags == 2
    assert "a shorter one will do, of about 2 steps" in report.says[-1]
    assert report["total", "loss at the look-back"].value < 1.02 * report["total", "loss"].value


@pytest.mark.parametrize("seed", range(3))
def test_a_network_that_ends_before_a_lag_is_advised_to_reach_it(seed):
    data = series(0.5, *[0.0] * 38, 0.45, seed=seed)
    lags, report = advised(predictor([0.5, 0.3]), data)
    assert 40 <= lags <= 64
    assert "make it longer" in report.says[-1]


@pytest.mark.parametrize(("error", "advised", "decided"), [(0.2, 4, False), (0.04, 4, True), (0.02, 8, True)])
def test_half_as_long_is_advised_where_it_loses_no_more_than_its_error(error, advised, decided):
    found = Reaches(8, np.array([1, 2, 4, 8, 16]), np.array([9, 5, 1.03, 1.005, 1]), np.array([0, 0, error, 0, 0]))
    assert (found.advised, found.shorter, found.decided) == (advised, 4, decided)


def test_what_is_cut_and_not_fitted_anew_is_another_number():
    data = series(0.9)
    weights = [0.9, *[0.3 * (-1) ** k for k in range(STEPS - 1)]]  # the far taps do harm
    _, report = advised(predictor(weights), data)
    own, cut = report["total", "loss as it is"].value, report["total", "loss, cut"].value
    values = np.lib.stride_tricks.sliding_window_view((data - data.mean()) / data.std(), STEPS + 1)[2000:]
    for kept, found in ((STEPS, own), (1, cut)):
        expected = np.mean((values[:, :-1][:, -kept:] @ np.array(weights[:kept])[::-1] - values[:, -1]) ** 2)
        assert found == pytest.approx(expected, rel=0.2)
    assert report["total", "loss"].value < own


def test_what_is_left_is_a_share_and_where_a_network_is_cut_it_sees_the_mean_of_the_earlier_half():
    graph, data = predictor([0.5, 0.3]), np.linspace(0, 3, 300) + series(0.5, 0.3, t=300)
    found, scaled = (network_reaches(graph, graph.outputs[0], (0, STEPS - 1), 2, unit * data) for unit in (1, 1000))
    np.testing.assert_allclose([scaled.held_out, scaled.errors], [found.held_out, found.errors], rtol=1e-6)
    cut = 0.5 * data[149:-1] + 0.3 * data[:150].mean() - data[150:]
    assert found.cut[1] == pytest.approx(np.mean(cut**2) / data.var(), rel=1e-4)


def test_a_network_that_predicts_something_else_is_not_judged():
    report = network_report(predictor([-1.0]), data=series(0.9))
    assert "does not predict the next value" in report.says[1]
    assert "look-back" not in report.totals


def test_a_network_is_read_in_the_unit_in_which_it_predicts():
    layers = [
        ("convolution", {"kernel": [[[1e-6, 0.9]]], "pads": [(1, 0)], "bias": [100.0]}),
        ("activation", {"function": "relu"}),
    ]
    graph, data = from_layers((1, STEPS), layers), 1000 + 50 * series(0.9)
    report = network_report(graph, data=data)
    assert report.title.endswith("of the series, as it is")
    assert report["total", "loss as it is"].value == pytest.approx(0.19, rel=0.1)
    assert network_report(predictor([0.9]), data=data).title.endswith("scaled to mean 0 and variance 1")


@pytest.mark.parametrize("model", [tcn([1, 2, 4], activation="relu"), DilatedConvolution([1, 2, 4])])
def test_an_untrained_network_is_told_what_there_is_to_see(model):
    data = series(0.5, 0.3)
    report, found = summary(model, data=data, optima=1, resamples=0), look_back(data)
    assert report["total", "left"].value == pytest.approx(found.held_out[8])
    assert report["total", "look-back"].value == found.shortest == 2
    assert "a shorter one will do" in report.says[-1]


def test_without_data_a_report_says_that_it_needs_some():
    for model in (tcn([1, 2], activation="relu"), DilatedConvolution([1, 2])):
        assert "depends on the data" in summary(model).says[-1]


def test_a_series_that_is_too_short_to_judge_a_reach_says_so():
    report = network_report(predictor([0.9]), data=series(0.9, t=200))
    assert "takes 256 values to judge, and these are 200" in report.says[1]


def test_what_breaks_causality_is_told_with_its_path():
    wide = ("convolution", {"kernel": np.ones((1, 1, 3)), "pads": 1, "name": "wide"})
    causal = ("convolution", {"kernel": np.ones((1, 1, 2)), "pads": [(1, 0)]})
    report = network_report(from_layers((1, 30), [causal, wide, causal]))
    assert "it looks 1 step ahead, which wide does first (wide -> convolution 3)" in report.says[0]


def test_a_series_not_much_longer_than_the_input_is_not_judged():
    graph = from_layers((1, 200), [("convolution", {"kernel": [[[0.3, 0.5]]], "pads": [(1, 0)]})])
    with pytest.raises(ValueError, match="an input of 200 steps leaves too little of 300 values"):
        network_reaches(graph, graph.outputs[0], (0, 199), 2, series(0.5, 0.3, t=300))
