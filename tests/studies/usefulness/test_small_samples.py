"""Moments against the windows themselves, degrees of freedom and gaps against those of least squares."""

import numpy as np
import pytest
from scipy import linalg

from capacity.models import DilatedConvolution
from capacity_studies.usefulness.small_samples import (
    Draw,
    GaussianWindows,
    Windows,
    chosen_losses,
    cross_validation,
    degrees_of_freedom,
    fit_all,
    grid,
    lags_reached,
    library,
    log_losses,
    scores_before_fits,
    start,
    unexplained,
    validation,
)

N, n = 100, 4
FREE = DilatedConvolution.hierarchical(2, channels=2)  # reaches all coefficients of four inputs


@pytest.fixture(scope="module")
def draw():
    covariance = linalg.toeplitz(0.6 ** np.arange(n + 1))
    return GaussianWindows(covariance).draw(N, np.random.default_rng(0))


def least_squares(sample):
    design = np.column_stack([np.ones(len(sample)), sample[:, :-1]])
    return np.linalg.lstsq(design, sample[:, -1])[0]


def test_losses_are_those_of_the_windows_one_by_one():
    rows = np.random.default_rng(1).standard_normal((3, 60)).cumsum(axis=1)
    population = Windows.of_rows(rows, n)
    assert len(population.table) == 3 * (60 - n)
    draw = population.draw(N, np.random.default_rng(2))
    left = population.table[~(population.table[:, None] == draw.sample).all(axis=2).any(axis=1)]
    intercept, *slopes = least_squares(draw.sample)
    by_hand = [np.log(np.mean((w[:, -1] - intercept - w[:, :-1] @ slopes) ** 2)) for w in (draw.sample, left)]
    np.testing.assert_allclose(
        [log_losses(moments, np.array(slopes)) for moments in (draw.task.train, draw.task.test)], by_hand, rtol=1e-9
    )
    fits = fit_all([FREE], [draw], 0, steps=60)
    np.testing.assert_allclose([fits.training[0, 0], fits.held_out[0, 0]], by_hand, rtol=1e-4)
    assert fits.ranks[0, 0] == n
    assert fits.converged.all()


def test_held_out_moments_of_a_process_are_those_of_many_windows(draw):
    covariance = linalg.toeplitz(0.6 ** np.arange(n + 1))
    many = np.random.default_rng(3).standard_normal((400_000, n + 1)) @ linalg.cholesky(covariance)
    np.testing.assert_allclose(Draw.of(draw.sample, many).task.test, draw.task.test, atol=0.01)
    np.testing.assert_allclose(Draw.of(draw.sample, many).task.train, draw.task.train, atol=1e-12)


@pytest.mark.parametrize("fits", [2, 3, 7])
def test_degrees_of_freedom_are_how_fits_follow_noise_of_half_the_deviation(draw, fits):
    parameters = fit_all([FREE], [draw], 0, steps=60).parameters[0]
    found = degrees_of_freedom(FREE, parameters, [draw], np.random.default_rng(1), steps=60, fits=fits)
    inputs = draw.sample[:, :-1] - draw.sample[:, :-1].mean(axis=0)
    noise = np.random.default_rng(1).standard_normal((fits, N))  # whatever its size: least squares is linear in it
    moved = noise @ inputs @ np.linalg.pinv(inputs)
    assert found[0] == pytest.approx(np.mean(np.sum(noise * moved, axis=1)), rel=0.02)


def test_folds_are_left_out_of_the_fits_that_predict_them(draw):
    part = np.arange(20)
    intercept, *slopes = least_squares(draw.sample[20:])
    errors = draw.sample[:20, -1] - intercept - draw.sample[:20, :-1] @ slopes
    starts = start(FREE, 0)[None]
    found = validation(FREE, starts, [draw], [part], steps=60)
    np.testing.assert_allclose(found, np.log(np.mean(errors**2)), rtol=1e-3)
    rng = np.random.default_rng(0)
    parts = np.array_split(np.random.default_rng(0).permutation(N), 3)
    by_fold = [np.exp(validation(FREE, starts, [draw], [fold], steps=60)[0]) for fold in parts]
    np.testing.assert_allclose(
        np.exp(cross_validation(FREE, starts, [draw], rng, steps=60, folds=3)),
        np.sum([loss * len(fold) for loss, fold in zip(by_fold, parts)]) / N,
        rtol=1e-3,
    )


def test_a_pool_of_stacks_has_each_depth_and_size():
    assert [(model.n_layers, model.channels[0]) for model in grid((2, 3), (1, 2))] == [(2, 1), (2, 2), (3, 1), (3, 2)]
    assert [model.n_parameters for model in library(2)] == [16, 24, 32, 48] * 2
    assert lags_reached(DilatedConvolution([2, 3]), 8).tolist() == [False, False, True, False, True, True, False, True]


def test_the_score_of_linear_prediction_is_least_squares_on_what_is_reached(draw):
    model = DilatedConvolution([3])  # two of four lags
    scores = scores_before_fits([model, FREE], [draw.task], N, draws=2, rng=np.random.default_rng(0))
    scores = {name: values[0] for name, values in scores.items()}
    kept = draw.sample[:, [0, 3, 4]]
    intercept, *slopes = least_squares(kept)
    by_hand = np.log(np.mean((kept[:, -1] - intercept - kept[:, :-1] @ slopes) ** 2))
    assert scores["linear"][0] == pytest.approx(by_hand, rel=1e-9, abs=0)
    for name, count in (("kappa", [2, 4]), ("p", [2, 8]), ("min(p, r)", [2, 4])):
        np.testing.assert_allclose(scores[f"linear + {name}"] - scores["linear"], 2 * np.array(count) / N)
    assert scores["total"].tolist() == [-2, -4]
    assert scores["receptive field"].tolist() == [-4, -4]
    assert scores["reach"][1] == 0 < scores["reach"][0]
    assert scores["design"][1] == pytest.approx(0, abs=1e-8)
    assert scores["rule"][1] == pytest.approx(0, abs=1e-8)


def test_the_least_score_of_each_pool_is_chosen():
    losses = np.array([[1.0, 2.0, 3.0]])
    np.testing.assert_array_equal(chosen_losses(-losses, losses, np.array([[0, 1], [2, 0]])), [[2, 3]])


def test_a_predictor_is_judged_by_what_a_line_through_it_leaves():
    x = np.arange(8.0)
    y = np.array([0.0, 2, 1, 3, 5, 4, 6, 7])
    line = np.polyval(np.polyfit(x, y, 1), x)
    assert unexplained(3 * x + 1, y) == pytest.approx(np.log(np.std(y - line) / np.std(y)), rel=1e-9, abs=0)
    assert unexplained(-x, y) == 0
