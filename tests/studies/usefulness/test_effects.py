"""The protocol's effects on studies that are made up, whose answers are known, and on a small one that is computed."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import linalg, stats

from capacity.fitting import fit
from capacity.models import DilatedConvolution
from capacity.tasks import Samples
from capacity_inspection.reports import sampling_variance
from capacity_studies.data import RowPrediction
from capacity_studies.usefulness import effects
from capacity_studies.usefulness.effects import (
    chosen_before,
    chosen_by_criteria,
    forecast_study,
    gap_effects,
    gaussian_gap,
    judge,
    slopes,
    small_study,
)
from capacity_studies.usefulness.small_samples import GaussianWindows, grid

COUNT = 100


@pytest.fixture(scope="module")
def study():
    covariance = linalg.toeplitz(0.6 ** np.arange(9))
    populations = {"first": GaussianWindows(covariance), "second": GaussianWindows(covariance)}
    others = [DilatedConvolution([d], 1, t) for d in (1, 2) for t in (2, 3)]
    own = effects.validation

    def a_fifth_is_left_out(model, starts, draws, parts, **options):
        assert [np.unique(part).size for part in parts] == [COUNT // 5] * len(draws)
        return own(model, starts, draws, parts, **options)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(effects, "validation", a_fifth_is_left_out)
        return small_study(populations, grid((2, 3), (1, 2)), others, COUNT, 4, few=2, noise_fits=3, random_weights=2)


@pytest.fixture
def made_up(study):
    """One whose gap is 2 kappa/N exactly, and whose training loss falls by less than that."""
    training = np.zeros_like(study.training) - study.kappa / COUNT
    return replace(study, training=training, held_out=training + 2 * study.kappa / COUNT)


def test_a_study_has_a_number_for_each_set_draw_and_stack(study):
    assert study.gap.shape == study.ranks.shape == study.traces.shape == (2, 4, 8)
    assert study.validation.shape == (2, 4, 4)
    assert study.freedom.shape == study.folds.shape == (2, 2, 6)
    assert all(values.shape == (2, 4, 4) for values in study.scores.values())
    np.testing.assert_array_equal(study.ranks, np.broadcast_to(study.kappa, (2, 4, 8)))
    assert not np.array_equal(study.training[0], study.training[1])
    np.testing.assert_array_equal(study.reached, [4, 4, 8, 8, 2, 3, 2, 3])


def test_the_trace_of_the_scores_is_that_of_the_package_where_the_model_is_not_bent():
    model = DilatedConvolution([1], 1, 3)
    draw = GaussianWindows(linalg.toeplitz(0.6 ** np.arange(4))).draw(COUNT, np.random.default_rng(0))

    samples = Samples(draw.sample[:, :-1], draw.sample[:, -1])
    parameters = fit(model, samples, rng=0).parameters
    found = effects._traces(model, parameters[None], [draw.sample - draw.sample.mean(axis=0)])[0]
    assert found == pytest.approx(sampling_variance(model, parameters, samples).trace, rel=1e-6, abs=0)


@pytest.mark.parametrize("draws", [slice(None), slice(1, 3)])
def test_effects_are_what_lines_through_capacity_leave_beyond_their_rivals(study, draws):
    def left(predictor, values):
        return np.log1p(-(max(np.corrcoef(predictor, values)[0, 1], 0) ** 2)) / 2

    own = replace(study, weights=study.weights + np.arange(8) ** 2, reached=study.reached - 1)
    found = gap_effects(own, [1, 0], draws)
    few = [k for k in range(4)[draws] if k < 2]  # those with costly rivals
    for row, i in enumerate([1, 0]):
        gap = own.gap[i]
        even, odd = gap[0::2].mean(axis=0), gap[1::2].mean(axis=0)
        rivals = {"p": (own.weights, gap[draws], 8), "min(p, r)": (np.minimum(own.weights, own.reached), gap[draws], 8)}
        rivals["Ye"] = own.freedom[i, few].mean(axis=0), gap[few], 6
        rivals["cross-validation"] = (own.folds[i, few] - own.training[i, few, :6]).mean(axis=0), gap[few], 6
        assert found.keys() == rivals.keys()
        for name, (rival, gaps, n) in rivals.items():
            mean = gaps[:, :n].mean(axis=0)
            capacity = left(own.kappa[:n], mean) - left(rival, mean)
            oracle = left(even[:n], odd[:n]) - left(rival, odd[:n])
            np.testing.assert_allclose(found[name][:, row], [capacity, oracle], atol=1e-12)


def test_a_gap_in_proportion_to_capacity_is_explained_by_it_alone(made_up):
    own = replace(made_up, held_out=made_up.held_out + 1e-6 * np.random.default_rng(0).random(made_up.gap.shape))
    assert np.all(gap_effects(own, [0, 1])["p"] < -3)
    expected = np.broadcast_to(np.reshape([1, 1, 0], (3, 1, 1)), (3, 2, 4))
    np.testing.assert_allclose(slopes(made_up, [0, 1]), expected, atol=1e-9)


def test_the_gaussian_gap_is_that_of_least_squares_in_expectation():
    """N - k - 1 is left of N squares; on new normal inputs coefficients lose what an inverse Wishart matrix has."""
    for kappa, count in ((0, 4), (4, 16), (3, 7)):
        training = (count - kappa - 1) / count
        held_out = (count + 1) / count * (count - 2) / (count - kappa - 2)
        assert gaussian_gap(kappa, count) == pytest.approx(np.log(held_out / training), rel=1e-12, abs=1e-15)


def test_each_criterion_chooses_the_least_of_its_sum(study):
    training = 0.3 * np.random.default_rng(0).random(study.training.shape)  # of the size of the penalties
    own = replace(study, training=training, weights=study.weights + np.arange(8), reached=study.reached - 1)
    some, count = slice(own.grid), own.count
    kappa, p = own.kappa[some], own.weights[some]
    exact = [np.log((count + 1) / (count - k - 2) * (count - 2) / (count - k - 1)) for k in kappa]
    penalties = {
        "kappa": 2 * kappa / count,
        "p": 2 * p / count,
        "min(p, r)": 2 * np.minimum(p, own.reached[some]) / count,
        "kappa ln N": kappa * np.log(count) / count,
        "kappa, exact": np.array(exact),
        "training": np.zeros(4),
    }
    sums = {name: own.training[..., some] + penalty for name, penalty in penalties.items()}
    sums |= {"validation": own.validation, "oracle": own.held_out[..., some], "cross-validation": own.folds[..., some]}
    found = chosen_by_criteria(own)
    assert found.keys() == sums.keys()
    for name, values in sums.items():
        for at in np.ndindex(values.shape[:2]):
            losses = own.held_out[at][some]
            spread = own.held_out[at[0], :, some].mean(axis=0).std()
            expected = (losses[values[at].argmin()] - losses.mean()) / spread
            assert found[name][at] == pytest.approx(expected, abs=1e-12), name


def test_scores_choose_in_each_pool(study):
    pools = np.array([[0, 1, 2], [3, 2, 1]])
    found = chosen_before(replace(study, scores={"worst": -study.held_out[..., 4:]}), pools)
    losses = study.held_out[..., 4:][..., pools]
    spread = study.held_out[..., 4:].mean(axis=1).std(axis=1)[:, None]
    for name, best in (("worst", losses.max(axis=3)), ("oracle", losses.min(axis=3))):
        np.testing.assert_allclose(found[name], (best - losses.mean(axis=3)).mean(axis=2) / spread)


def test_forecasts_are_of_the_last_third_of_each_row():
    waves = np.random.default_rng(0).standard_normal((2, 300)).cumsum(axis=1)
    others = grid((2, 3), (2,))
    found = forecast_study({"waves": waves}, others, 8, random_weights=2)
    assert found.count.ravel().tolist() == [2 * (200 - 8)]
    task = RowPrediction.from_rows(waves, 8)
    free = np.log(task.held_out_loss(task.optimal_coefficients(4)) * task.test[-1, -1])
    np.testing.assert_allclose(found.held_out[0, 0, 0], free, rtol=1e-3)
    np.testing.assert_allclose(
        found.scores["linear + kappa"] - found.scores["linear"], 2 * found.kappa / found.count, rtol=1e-9
    )


@pytest.mark.parametrize("count", [2, 3, 7])
def test_a_mean_is_judged_by_students_t(count):
    values, level = np.random.default_rng(count).standard_normal(count) - 1, 0.9
    found = judge(values, -np.ones(count) - values**2, level=level, margin=0.1)
    error = stats.sem(values)
    np.testing.assert_allclose(found.ends, stats.t.interval(level, count - 1, values.mean(), error), rtol=1e-12)
    needed = (stats.t.ppf(0.95, count - 1) + stats.t.ppf(0.8, count - 1)) * error  # found four times in five
    assert (found.mean, found.detectable) == pytest.approx((values.mean(), needed), rel=1e-12)
    assert judge(values, values + 9, level=level, margin=0.1).word == "undecided"  # where the oracle finds nothing
