"""A linear model without a layer loses what only this layer could do."""

import numpy as np
import pytest

from capacity import DilatedConvolution, FunctionModel, GaussianProcess, fit
from capacity.inspection.reports.removal import LOSSES, losses_without
from capacity.tasks import PrescribedTask
from capacity.tasks.autocovariances import white

WHITE = GaussianProcess(white())
LONG = GaussianProcess()


def values(found):
    return {name: [numbers[column].value for column in LOSSES] for name, numbers in found.items()}


def test_without_the_only_layer_that_reaches_some_lags_their_variance_is_lost():
    model, point = DilatedConvolution([1, 2]), np.array([2.0, 0.5, 3.0, -1.0])
    target = model.coefficients(point)  # the second layer alone reaches the two oldest lags
    found = values(losses_without(model, point, PrescribedTask(WHITE, target), rng=np.random.default_rng(0)))
    np.testing.assert_allclose(found["layer 2"], np.square(target[:2]).sum())


def test_a_layer_that_repeats_another_costs_nothing_after_a_new_fit():
    pattern = np.array([[1, 2, 0, 1], [0, 1, 1, 3]])
    model = FunctionModel(lambda a, b: (a + b) @ pattern, {"one": 2, "the same": 2})
    point = fit(model, LONG, rng=0).parameters
    loss = fit(model, LONG, initial=point).loss
    for without, refitted in values(losses_without(model, point, LONG, starts=0)).values():
        assert without > 1.5 * loss > 0.01
        assert refitted == pytest.approx(loss, rel=1e-9)


def test_the_taps_that_go_are_the_older_ones():
    model = DilatedConvolution([1, 3, 2], channels=[2, 3], taps=[2, 3, 2], components=2)
    point, task = model.initial(0), _TwoComponents(np.ones(model.n_inputs))
    for index, name in enumerate(model.layers):
        cut = point.copy()
        cut[model.layers[name]].reshape(model.shapes[index])[:, 1:] = 0
        wanted = np.square(model.coefficients(cut) - 1).sum()
        found = losses_without(model, point, task, starts=0)[name]["loss without"].value
        assert found == pytest.approx(wanted)


class _TwoComponents:
    """White inputs of two components, and a target."""

    components = 2

    def __init__(self, target):
        self.target = target

    def covariance(self, n):
        return np.eye(2 * n)

    def optimal_coefficients(self, n):
        return self.target


def test_a_new_fit_lies_between_what_is_left_and_the_best_without_the_layer():
    model = DilatedConvolution([1, 2, 4, 8], channels=2)
    whole = fit(model, LONG, restarts=3, rng=0)
    found = values(losses_without(model, whole.parameters, LONG, starts=1, rng=np.random.default_rng(0)))
    assert list(found) == list(model.layers)
    assert all(whole.loss < refitted <= without for without, refitted in found.values())
    smaller = fit(DilatedConvolution([1, 2, 4], channels=2), LONG, restarts=5, rng=0)
    lags = LONG.residual_variance(8) - LONG.residual_variance(16)  # that the layer alone reaches
    assert found["layer 4"][1] == pytest.approx(smaller.loss + lags, rel=1e-6)


def test_without_its_only_layer_a_model_predicts_nothing():
    model = FunctionModel(lambda a: a, {"all": 3})
    target = LONG.optimal_coefficients(3)
    found = values(losses_without(model, target, LONG))
    np.testing.assert_allclose(found["all"], target @ LONG.covariance(3) @ target)


def test_a_layer_of_one_tap_has_nothing_to_lose():
    model = DilatedConvolution([1, 2], channels=2, taps=[2, 1])
    found = losses_without(model, model.initial(0), LONG, starts=0)
    assert "reads one position" in found["layer 2"]["refitted"].note
    assert found["layer 1"]["refitted"].value > 0
