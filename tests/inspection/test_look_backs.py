from itertools import pairwise

import numpy as np
import pytest

from capacity.tasks import GaussianProcess, autoregressive
from capacity_inspection.look_backs import LookBack, block_bootstrap, look_back, season_of, without_season


def errors_of_least_squares(series, k, fitted, tested):
    """Squared errors at tested steps of what is fitted at others, from 1 and the k values before."""
    rows = np.array([[1, *series[i - k : i]] for i in (*fitted, *tested)])
    weights = np.linalg.lstsq(rows[: len(fitted)], series[list(fitted)])[0]
    return (series[list(tested)] - rows[len(fitted) :] @ weights) ** 2


@pytest.mark.parametrize(("t", "n"), [(500, 6), (333, 20), (32, 2)])
def test_what_is_left_is_that_of_least_squares_on_what_came_before(t, n):
    series = GaussianProcess(autoregressive([0.6, 0.2])).sample(t, rng=0) + 5
    found, unit = look_back(series, n), series.std() ** 2
    edges = np.linspace(t // 2, t, 17).astype(int)
    apart = [edges[0], *(edges[4::4])]
    held = [
        np.concatenate([errors_of_least_squares(series, k, range(n, a), range(a, b)) for a, b in pairwise(apart)])
        for k in range(n + 1)
    ]
    np.testing.assert_allclose(found.held_out, np.mean(held, axis=1) / unit, rtol=1e-9)
    whole = [errors_of_least_squares(series, k, range(n, t), range(n, t)).sum() for k in range(n + 1)]
    np.testing.assert_allclose(found.left, np.divide(whole, (t - n) * unit), rtol=1e-9)
    worse = np.array(held) - held[found.best]
    means = np.array([block.mean(axis=1) for block in np.split(worse, edges[1:-1] - edges[0], axis=1)]) / unit
    np.testing.assert_allclose(found.errors, means.std(axis=0, ddof=1) / 4, rtol=1e-7, atol=1e-15)


def test_longer_series_of_a_long_memory_are_worth_looking_further_back():
    series = GaussianProcess().sample(20_000, rng=0)
    assert look_back(series[:500], 30).shortest < look_back(series, 200).shortest


def test_the_shortest_is_within_one_error_of_the_best():
    left, held_out = np.array([1.0, 0.5, 0.495]), np.array([1.0, 0.5, 0.49])
    assert LookBack(100, left, held_out, np.array([0.1, 0.02, 0.0])).shortest == 1
    found = LookBack(100, left, held_out, np.array([0.1, 0.005, 0.0]))
    assert (found.best, found.shortest) == (2, 2)
    np.testing.assert_allclose(found.expected, [1.0, 0.5 * np.exp(0.02), 0.495 * np.exp(0.04)])


@pytest.mark.parametrize("period", [7, 24])
def test_a_season_is_followed_to_its_end_and_no_further(period):
    found = look_back(np.arange(1500.0) % period)
    assert found.shortest == found.best == period - 1  # as many in a row have a known sum
    assert found.held_out[period - 2] > 1e6 * found.held_out[period - 1]


@pytest.mark.parametrize("seed", range(4))
def test_a_season_is_told_beside_noise_and_a_trend_and_none_where_there_is_none(seed):
    rng, steps = np.random.default_rng(seed), np.arange(1200)
    noise = GaussianProcess(autoregressive([0.7])).sample(1200, rng=rng)
    shape = rng.standard_normal(12)
    period, share = season_of(2 * shape[steps % 12] + noise + steps / 50)
    assert period == 12
    assert share > 0.5
    assert season_of(noise) == season_of(noise.cumsum()) == season_of(steps) == (0, 0.0)


def test_a_season_that_is_removed_takes_nothing_of_the_later_half():
    series = np.random.default_rng(0).standard_normal(240)
    later = series + np.where(np.arange(240) < 120, 0.0, 100.0)
    np.testing.assert_allclose(without_season(later, 10)[120:] - without_season(series, 10)[120:], 100)
    np.testing.assert_allclose(without_season(np.arange(240) % 10, 10), 4.5)  # its level stays


def test_units_do_not_matter():
    series = np.random.default_rng(0).standard_normal(400)
    np.testing.assert_allclose(look_back(series).held_out, look_back(1e6 * series + 7).held_out, rtol=1e-6)


@pytest.mark.parametrize("unit", [2.0**1018, 2.0**-1000])
def test_units_at_the_ends_of_the_range_of_doubles_do_not_matter(unit):
    series = GaussianProcess(autoregressive([0.5])).sample(400, rng=0)
    found, scaled = look_back(series, 5), look_back(unit * series, 5)
    np.testing.assert_array_equal(scaled.left, found.left)
    np.testing.assert_array_equal(scaled.errors, found.errors)


def test_what_drew_resamples_once_is_without_effect():
    series = np.random.default_rng(0).standard_normal(400)
    with pytest.warns(DeprecationWarning, match="have no effect"):
        found = look_back(series, 5, resamples=7, rng=1)
    np.testing.assert_array_equal(found.errors, look_back(series, 5).errors)


@pytest.mark.parametrize(("length", "t"), [(3, 25), (5, 40)])
def test_block_bootstrap_centres_what_its_weights_of_mean_one_leave(length, t):
    series = np.tile([0.0, 1.0], t)[:t]
    for row in block_bootstrap(series, length, resamples=3, rng=0):  # root w times (x - mean)
        pairs = row[:-1] / (row[:-1] - row[1:])  # in one block, the mean or one minus it
        mean = np.median(np.where(series[:-1] == 0, pairs, 1 - pairs))
        roots = row / (series - mean)
        assert np.mean(roots**2) == pytest.approx(1, rel=1e-12)
        assert np.sum(roots * row) == pytest.approx(0, abs=1e-12)
        assert np.unique(roots.round(9)).size <= -(-t // length) + 1


@pytest.mark.parametrize("t", [8, 10, 24])
def test_weights_of_single_steps_are_those_of_the_bayesian_bootstrap(t):
    signs = np.tile([1.0, -1.0], t // 2)  # a mean of them under Dirichlet weights has the variance 1 / (t + 1)
    means = 1 - (block_bootstrap(signs, 1, resamples=20_000, rng=2) ** 2).mean(axis=1)
    assert abs(means.mean() - 1 / (t + 1)) < 4 * means.std() / np.sqrt(means.size)


def test_block_bootstrap_leaves_autocovariances_in_place_but_for_the_seams():
    series = np.random.default_rng(0).standard_normal(800).cumsum()
    series -= series.mean()
    lag, length = 10, 40
    drawn = block_bootstrap(series, length, resamples=4000, rng=1)
    wanted = np.sum(series[:-lag] * series[lag:]) * (1 - (1 - np.pi / 4) * lag / length)
    assert np.mean(np.sum(drawn[:, :-lag] * drawn[:, lag:], axis=1)) == pytest.approx(wanted, rel=0.1)


def test_block_bootstrap_draws_where_its_blocks_begin():
    length = 5
    drawn = block_bootstrap(np.tile([1.0, -1.0], 40), length, resamples=300, rng=0)
    changes = ~np.isclose(drawn[:, 2:], drawn[:, :-2], rtol=1e-9)  # two steps and one before a block begins
    begins = [(np.flatnonzero(row[1:] & row[:-1]) + 2) % length for row in changes]
    assert all(np.unique(places).size == 1 for places in begins)
    assert {int(places[0]) for places in begins} == set(range(length))
