"""A linear model without a layer loses what only this layer could do."""

import numpy as np
import pytest

from capacity import DilatedConvolution, FunctionModel, GaussianProcess, fit
from capacity.tasks import PrescribedTask
from capacity.tasks.autocovariances import white
from capacity_inspection.reports.left_out_layers import LOSSES, layers_out, together

WHITE = GaussianProcess(white())
LONG = GaussianProcess()


def values(found):
    return {name: [each.losses[column].value for column in LOSSES] for name, each in found.items()}


def test_without_the_only_layer_that_reaches_some_lags_their_variance_is_lost():
    model, point = DilatedConvolution([1, 2]), np.array([2.0, 0.5, 3.0, -1.0])
    target = model.coefficients(point)  # the second layer alone reaches the two oldest lags
    found = values(layers_out(model, point, PrescribedTask(WHITE, target), rng=np.random.default_rng(0)))
    np.testing.assert_allclose(found["layer 2"], np.square(target[:2]).sum())


def test_a_layer_that_repeats_another_costs_nothing_after_a_new_fit():
    pattern = np.array([[1, 2, 0, 1], [0, 1, 1, 3]])
    model = FunctionModel(lambda a, b: (a + b) @ pattern, {"one": 2, "the same": 2})
    point = fit(model, LONG, rng=0).parameters
    loss = fit(model, LONG, initial=point).loss
    for without, refitted in values(layers_out(model, point, LONG, starts=0)).values():
        assert without > 1.5 * loss > 0.01
        assert refitted == pytest.approx(loss, rel=1e-9)


def test_the_taps_that_go_are_the_older_ones():
    model = DilatedConvolution([1, 3, 2], channels=[2, 3], taps=[2, 3, 2], components=2)
    point, task = model.initial(0), _TwoComponents(np.ones(model.n_inputs))
    for index, name in enumerate(model.layers):
        cut = point.copy()
        cut[model.layers[name]].reshape(model.shapes[index])[:, 1:] = 0
        wanted = np.square(model.coefficients(cut) - 1).sum()
        found = layers_out(model, point, task, starts=0)[name].before.value
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
    found = values(layers_out(model, whole.parameters, LONG, starts=1, rng=np.random.default_rng(0)))
    assert list(found) == list(model.layers)
    assert all(whole.loss < refitted <= without for without, refitted in found.values())
    smaller = fit(DilatedConvolution([1, 2, 4], channels=2), LONG, restarts=5, rng=0)
    lags = LONG.residual_variance(8) - LONG.residual_variance(16)  # that the layer alone reaches
    assert found["layer 4"][1] == pytest.approx(smaller.loss + lags, rel=1e-6)


def test_without_its_only_layer_a_model_predicts_nothing():
    model = FunctionModel(lambda a: a, {"all": 3})
    target = LONG.optimal_coefficients(3)
    found = values(layers_out(model, target, LONG))
    np.testing.assert_allclose(found["all"], target @ LONG.covariance(3) @ target)


def test_a_layer_of_one_tap_has_nothing_to_lose():
    model = DilatedConvolution([1, 2], channels=2, taps=[2, 1])
    found = layers_out(model, model.initial(0), LONG, starts=0)
    assert "reads one position" in found["layer 2"].refitted.note
    assert found["layer 1"].refitted.value > 0


def test_layers_go_together_until_the_last_one_costs_more_and_each_loss_is_that_of_a_fit_without_all_of_them():
    model = FunctionModel(lambda a, b, c, d: np.concatenate([a + b, c + d]), {"a": 2, "b": 2, "c": 2, "d": 2})
    target = np.array([0.1, 0.1, 1.0, 2.0])
    task = PrescribedTask(WHITE, target)
    found = layers_out(model, fit(model, task, rng=0).parameters, task, starts=0)
    assert all(each.refitted.value == pytest.approx(0, abs=1e-20) for each in found.values())  # none is missed alone
    gone = dict(together(found, task, 0.05, 4, starts=0))
    first, second, third, last = gone
    assert {first, second} in [{one, other} for one in "ab" for other in "cd"]
    assert [gone[first], gone[second]] == pytest.approx([0, 0], abs=1e-20)
    assert {third, last} == set("abcd") - {first, second}
    assert [gone[third], gone[last]] == pytest.approx([0.02, 5.02])
    assert list(together(found, task, 0.01, 4, starts=0)) == list(gone.items())[:3]


def test_stacks_without_several_layers_are_fitted_to_all_lags():
    model = DilatedConvolution([1, 2, 4], channels=2)
    found = layers_out(model, fit(model, LONG, restarts=3, rng=0).parameters, LONG, starts=0)
    (first, _), (second, loss) = together(found, LONG, np.inf, 8, starts=2, rng=np.random.default_rng(0))[:2]
    kept = int(({"layer 1", "layer 2", "layer 3"} - {first, second}).pop()[-1]) - 1
    lags = [0, 2**kept]  # that one layer of two taps is left to read
    covariance, target = LONG.covariance(8)[::-1, ::-1], LONG.optimal_coefficients(8)[::-1]
    wanted = covariance @ target
    explained = wanted[lags] @ np.linalg.solve(covariance[np.ix_(lags, lags)], wanted[lags])
    assert loss == pytest.approx(target @ wanted - explained)
