"""What capacity is worth on held-out data: masks, choices of architectures, verdicts."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from capacity.activations import relu
from capacity.allocation import model_constraints
from capacity.fitting import fit
from capacity.models import DilatedConvolution
from capacity.networks import Layer, forward_pass
from capacity.tasks import GaussianProcess, autoregressive
from capacity_studies.data import LabelledImages, RowPrediction
from capacity_studies.usefulness.held_out import (
    choose_architecture,
    even_channels,
    fitted_losses,
    image_masking,
    initial_capacities,
    lag_demand,
    masking_losses,
    random_architectures,
    refitted,
    row_masking,
    unmet_demand,
    verdict,
)


@pytest.fixture
def task():
    return RowPrediction.from_rows(GaussianProcess().sample(400, 2, rng=0), 6)


def test_masked_are_those_of_least_score_and_of_random_ones_the_mean_over_all_choices():
    sizes = np.array([4.0, 1.0, 2.0, 8.0])
    found = masking_losses(
        lambda mask: np.exp(mask @ sizes), {"size": sizes, "age": [0, 1, 2, 3]}, [1, 2], draws=4000, rng=0
    )
    np.testing.assert_allclose(found["size"], [1, 3])
    np.testing.assert_allclose(found["age"], [4, 5])
    np.testing.assert_allclose(found["random"], np.array([1, 2]) * sizes.mean(), rtol=0.03)  # five standard errors


def test_refitting_is_least_squares_on_what_is_kept(task):
    kept = np.array([True, False, True, True, False, True])
    found = refitted(task, kept)
    assert not found[~kept].any()
    np.testing.assert_allclose(refitted(task, np.ones(6, bool)), task.optimal_coefficients(6), rtol=1e-9)
    moved = found + 1e-3 * np.vstack([np.eye(6)[kept], -np.eye(6)[kept]])
    assert np.all(task.training_loss(moved) > task.training_loss(found))


def test_rows_are_masked_by_capacity_by_coefficient_and_by_age(task):
    model = DilatedConvolution((1, 2, 2), 2)
    found = row_masking(task, model, shares=(1 / 3, 1.0), draws=5, restarts=2, iterations=60, rng=1)
    result = fit(model, task, restarts=2, max_iterations=60, tolerance=1e-3, rng=1)
    np.testing.assert_array_equal(found.coefficients, result.coefficients)
    scores = {
        "capacity": model_constraints(model, result.parameters, task.covariance(6)).spatial(),
        "gradient": np.abs(result.coefficients) * np.sqrt(np.diag(task.covariance(6))),
        "recency": [1, 2, 3, 4, 5, 6],
    }
    for name, values in scores.items():
        kept = np.ones(6)
        kept[np.argsort(values)[:2]] = 0
        assert found.losses[name][0] == pytest.approx(np.log(task.held_out_loss(result.coefficients * kept)))
        assert found.refitted[name][0] == pytest.approx(np.log(task.held_out_loss(refitted(task, kept > 0))))
        assert found.losses[name][1] == pytest.approx(0, abs=1e-12)  # nothing is left to predict from


def test_demand_is_what_each_lag_adds_to_the_more_recent_ones(task):
    explained = [(1 - task.training_loss(task.optimal_coefficients(n))) * task.train[-1, -1] for n in range(1, 7)]
    np.testing.assert_allclose(lag_demand(task, 6)[::-1], np.diff([0, *explained]), rtol=1e-9)


def test_random_architectures_are_different_and_keep_to_the_budget():
    models = random_architectures(20, parameters=32, fields=(8, 32), rng=0)
    assert len(set(models)) == 20
    for model in models:
        assert sum(k * a * b for k, (a, b) in zip(model.taps, pairwise((1, *model.channels, 1)))) == 32
        assert 8 <= 1 + sum((k - 1) * d for k, d in zip(model.taps, model.dilations)) <= 32
    assert {model.n_layers for model in models} >= {2, 3}
    assert random_architectures(3, parameters=32, fields=(8, 32), rng=0) == models[:3]
    assert {model.n_inputs for model in random_architectures(2, parameters=32, fields=(22, 22), rng=0)} == {22}


def test_even_channels_give_the_parameters_with_the_least_variance():
    channels = even_channels(8, 66)
    assert DilatedConvolution((1,) * 8, channels).n_parameters == 66
    nearby = [c for c in np.ndindex((3,) * 7) if 2 * sum(a * b for a, b in pairwise((1, *np.add(c, 1), 1))) == 66]
    assert np.var(channels) == pytest.approx(min(np.var(c) for c in nearby))


def test_fits_are_the_best_of_their_starts(task):
    models = [DilatedConvolution.hierarchical(2, 1), DilatedConvolution((1, 2), 2, 3)]
    train, test = fitted_losses(models[:1], task, restarts=4, iterations=200, rng=3)
    single = [fit(models[0], task, rng=seed).coefficients for seed in range(8)]
    assert train[0] == pytest.approx(min(task.training_loss(a) for a in single), rel=1e-4)
    with pytest.raises(ValueError, match="n: "):
        fitted_losses(models[1:], task, restarts=1, iterations=5, rng=0)
    assert test.shape == (1,)


def test_initial_capacity_is_a_mean_over_weights_and_zero_beyond_the_field(task):
    model = DilatedConvolution.hierarchical(2, 1)
    rng = np.random.default_rng(5)
    by_hand = [model_constraints(model, model.initial(rng), task.covariance(4)).spatial() for _ in range(3)]
    ((found,),) = initial_capacities([model], [task], 6, draws=3, rng=5)
    np.testing.assert_allclose(found, [0, 0, *np.mean(by_hand, axis=0)])
    assert found.sum() == pytest.approx(3)  # two layers of two taps, less one for the scale between them


def test_capacity_chosen_for_one_lag_reaches_it():
    models = random_architectures(12, parameters=32, fields=(8, 32), rng=0)
    for lag in (10, 20):
        process = GaussianProcess(autoregressive([0.0] * (lag - 1) + [0.8]))
        task = RowPrediction(*[process.covariance(33)] * 2)
        demand = lag_demand(task, 32)
        np.testing.assert_allclose(demand, 0.64 * (np.arange(32) == 32 - lag), atol=1e-12)
        found = choose_architecture(models, task, draws=3, restarts=2, iterations=40, rng=0)
        met = [
            initial_capacities([m], [task], 32, draws=3, rng=rng)[0, 0, 32 - lag]
            for rng in [np.random.default_rng(0)]
            for m in models
        ]
        np.testing.assert_allclose(found.unmet, 0.64 * (1 - np.array(met)))
        assert found.held_out[np.argmin(found.unmet)] == pytest.approx(0.36, rel=1e-3)
        assert found.held_out.max() > 0.99
        np.testing.assert_allclose(found.training, found.held_out)


@pytest.fixture(scope="module")
def stripes():
    """Images of four pixels: the second decides the class, the third is noise, the first varies little, one never."""
    rng = np.random.default_rng(0)
    inputs = rng.standard_normal((600, 4)) * [0.1, 1.0, 1.0, 0.0] + 0.5
    labels = (inputs[:, 1] > 0.5).astype(int)
    return LabelledImages(inputs[:400], labels[:400], inputs[400:], labels[400:], (2, 2), "stripes")


def test_masking_the_pixel_that_decides_costs_most(stripes):
    found = image_masking(
        stripes, hidden=(16, 8), networks=3, steps=300, learning_rate=0.01, shares=(1 / 3, 2 / 3), draws=40, rng=0
    )
    assert found.scores["capacity"].shape == (3, 3)  # the constant pixel is left out
    np.testing.assert_allclose(found.scores["capacity"].sum(axis=1), 8)  # one unit for each input of the readout
    assert np.all(found.accuracy > 0.9)
    for name in ("gradient", "capacity"):
        assert np.all(found.scores[name].argmax(axis=1) == 1)
        assert np.all(found.losses[name][:, 1] < found.losses["random"][:, 1] - 0.3)
    assert np.all(found.scores["variance"].argmin(axis=1) == 0)
    for name, losses in found.losses.items():
        assert losses.shape == (3, 2), name
    assert np.all(found.losses["random"] > found.unmasked[:, None])
    for measure in (found.accuracies, found.refitted):  # without the second pixel there is nothing to tell classes by
        assert np.all(measure["capacity"][:, 1] > measure["random"][:, 1] + 0.15)
        assert np.all(measure["oracle"] >= np.max([measure[k] for k in ("capacity", "gradient", "variance")], axis=0))
        assert np.all(measure["variance"][:, 0] > 0.9)


def test_test_images_are_judged_one_by_one_and_change_nothing_that_is_learnt(stripes):
    def of(part):
        images = replace(stripes, test_inputs=stripes.test_inputs[part], test_labels=stripes.test_labels[part])
        options = {"hidden": (6,), "networks": 2, "steps": 20, "learning_rate": 0.01, "shares": (1 / 3,), "draws": 2}
        return image_masking(images, **options, rng=0)

    order, half = np.argsort(stripes.test_inputs.sum(axis=1)), len(stripes.test_labels) // 2
    dark, light, both = of(order[:half]), of(order[half : 2 * half]), of(order[: 2 * half])
    for name, scores in both.scores.items():
        np.testing.assert_array_equal(scores, dark.scores[name])
    np.testing.assert_allclose(np.exp(both.unmasked), (np.exp(dark.unmasked) + np.exp(light.unmasked)) / 2)
    np.testing.assert_allclose(both.accuracy, (dark.accuracy + light.accuracy) / 2)


def test_a_new_readout_is_least_squares_on_what_the_units_make_of_masked_images():
    from capacity_studies.usefulness import held_out

    rng = np.random.default_rng(3)
    layers = [
        Layer(rng.standard_normal((6, 3))),
        Layer(rng.standard_normal((2, 6)), activation=relu()),
    ]
    inputs, labels = rng.standard_normal((50, 3)), rng.integers(2, size=50)
    mask = np.array([False, True, False])
    units = np.maximum(inputs * ~mask @ layers[0].weights.T, 0)
    design = np.column_stack([units, np.ones(50)])
    fitted = design @ np.linalg.pinv(design, rtol=1e-10) @ np.eye(2)[labels]
    loss, plain, again = held_out._judged(layers, (inputs, labels), (inputs, labels), mask)
    outputs = units @ layers[1].weights.T
    assert again == np.mean(fitted.argmax(axis=1) == labels)
    assert plain == np.mean(outputs.argmax(axis=1) == labels)
    chance = np.exp(outputs)[np.arange(50), labels] / np.exp(outputs).sum(axis=1)
    assert loss == pytest.approx(np.log(np.mean(-np.log(chance))), rel=1e-9, abs=0)


def test_gradients_of_pixels_are_differences_in_units_of_their_deviation(stripes):
    from capacity_studies.usefulness import held_out

    rng = np.random.default_rng(2)
    layers = [Layer(rng.standard_normal((5, 3))), Layer(rng.standard_normal((2, 5)), activation=None)]
    inputs = rng.standard_normal((7, 3))
    step, base = 1e-6, forward_pass(layers, inputs).outputs
    by_hand = [
        np.mean(np.sum(((forward_pass(layers, inputs + step * unit).outputs - base) / step) ** 2, axis=1))
        for unit in np.eye(3)
    ]
    np.testing.assert_allclose(held_out._pixel_gradients(layers, inputs), by_hand, rtol=1e-5)


@pytest.mark.parametrize(
    ("ends", "word"),
    [
        ((-0.05, 0.05), "no difference"),
        ((-0.04, -0.01), "no difference"),
        ((-0.06, -0.01), "yes"),
        ((0.01, 0.06), "no"),
        ((-0.06, 0.01), "undecided"),
        ((-0.06, 0.0), "undecided"),
        ((0.0, 0.06), "undecided"),
    ],
)
def test_verdicts_follow_the_protocol(ends, word):
    assert verdict(ends, 0.05) == word


def test_demand_is_unmet_where_capacity_is_missing():
    np.testing.assert_array_equal(unmet_demand([[0.25, 0.0], [1.0, 1.0]], [4.0, 1.0]), [4, 0])
