import numpy as np
import pytest
from scipy import linalg

from capacity.tasks import GaussianProcess, autoregressive, empirical
from capacity_inspection.look_backs import LookBack, block_bootstrap, look_back


def test_what_is_left_is_that_of_the_normal_equations_of_each_order():
    series = GaussianProcess(autoregressive([0.6, 0.2])).sample(500, rng=0)
    c = empirical(series)(np.arange(6))
    expected = [1.0, *(1 - c[1 : k + 1] @ linalg.solve_toeplitz(c[:k], c[1 : k + 1]) for k in range(1, 6))]
    np.testing.assert_allclose(look_back(series, 5, rng=0).left, expected, rtol=1e-12)


def test_longer_series_of_a_long_memory_are_worth_looking_further_back():
    series = GaussianProcess().sample(20_000, rng=0)
    assert look_back(series[:500], 30, rng=0).shortest < look_back(series, 200, rng=0).shortest


def test_expectations_add_what_fitted_coefficients_lose():
    found = LookBack(100, np.array([1.0, 0.5, 0.495]), np.zeros(3))
    np.testing.assert_allclose(found.expected, [1.0, 0.5 * np.exp(0.02), 0.495 * np.exp(0.04)])
    assert (found.best, found.shortest) == (1, 1)
    assert LookBack(10_000, found.left, np.array([0.0, 0.1, 0.0])).best == 2
    assert LookBack(10_000, found.left, np.array([0.0, 0.1, 0.0])).shortest == 1


@pytest.mark.parametrize("resamples", [2, 3, 7])
def test_errors_are_the_spread_over_resamples_of_what_is_left_relative_to_the_best(resamples):
    series = GaussianProcess(autoregressive([0.5, 0.3])).sample(64, rng=0)
    found = look_back(series, 3, resamples=resamples, rng=1)
    drawn = block_bootstrap(series, 8, resamples=resamples, rng=1)  # an eighth of the series, less than 4 x 3
    left = np.log([look_back(row, 3, resamples=1).left for row in drawn])
    expected = np.std(left - left[:, [found.best]], axis=0)
    np.testing.assert_allclose(found.errors, expected, rtol=1e-9, atol=1e-15)


def test_units_do_not_matter():
    series = np.random.default_rng(0).standard_normal(400)
    np.testing.assert_allclose(look_back(series, rng=0).left, look_back(1e6 * series + 7, rng=0).left, rtol=1e-6)


@pytest.mark.parametrize("unit", [2.0**1018, 2.0**-1000])
def test_units_at_the_ends_of_the_range_of_doubles_do_not_matter(unit):
    series = GaussianProcess(autoregressive([0.5])).sample(400, rng=0)
    found, scaled = look_back(series, 5, rng=0), look_back(unit * series, 5, rng=0)
    np.testing.assert_array_equal(scaled.left, found.left)
    np.testing.assert_array_equal(scaled.errors, found.errors)


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
