"""The estimate of an allocation: paths by enumeration, and random constraints of given mean squares."""

import itertools

import numpy as np
import pytest

from capacity.allocation import constraint_space, model_constraints
from capacity.design import expected_allocation, path_counts
from capacity.models import DilatedConvolution


def test_paths_are_counted_as_enumeration_counts_them():
    for dilations, taps in (([1, 2, 4], [2, 2, 2]), ([1, 3, 1], [3, 2, 4]), ([2, 2], [3, 3])):
        lags = [sum(t * d for t, d in zip(ts, dilations)) for ts in itertools.product(*map(range, taps))]
        np.testing.assert_array_equal(path_counts(dilations, taps), np.bincount(lags))


def test_it_is_the_mean_allocation_of_gaussian_constraints_of_these_mean_squares():
    rng = np.random.default_rng(0)
    sizes = np.repeat([4.0, 1.0, 0.1, 0.0], 50)
    draws = (np.sqrt(sizes)[:, None] * rng.standard_normal((200, 60)) for _ in range(40))
    means = np.mean([constraint_space(np.eye(200), draw).spatial() for draw in draws], axis=0)
    expected = expected_allocation(sizes, 60).reshape(4, 50)[:, 0]
    np.testing.assert_allclose(expected, means.reshape(4, 50).mean(axis=1), atol=0.006)


def test_it_solves_its_equation_for_many_totals_at_once():
    sizes = path_counts([1, 2, 4, 8] * 3, 3)
    totals = np.array([[0.5, 7.0], [60.0, sizes.size]])
    allocation = expected_allocation(sizes, totals)
    np.testing.assert_allclose(allocation.sum(axis=-1), totals, rtol=1e-9)
    odds = allocation[:, 0] / (1 - allocation[:, 0]) / sizes
    np.testing.assert_allclose(odds / odds[:, :1], 1, rtol=1e-7)
    np.testing.assert_array_equal(allocation[1, 1], 1)


def test_lags_without_a_path_have_none_and_equal_lags_have_equal_shares():
    np.testing.assert_allclose(expected_allocation([1, 0, 1, 1], 1.5), [0.5, 0, 0.5, 0.5])


def test_stacks_at_random_weights_are_near_the_estimate():
    model = DilatedConvolution([1, 2, 4, 8, 16] * 2, channels=3, taps=2)
    spaces = [model_constraints(model, model.initial(seed), np.eye(model.n_inputs)) for seed in range(10)]
    estimate = expected_allocation(path_counts(model.dilations, model.taps), spaces[0].total)
    found = np.mean([space.spatial()[::-1] for space in spaces], axis=0)
    parts = [values.reshape(7, 9).sum(axis=1) / spaces[0].total for values in (estimate, found)]
    np.testing.assert_allclose(*parts, atol=0.06)


def test_impossible_totals_are_refused():
    with pytest.raises(ValueError, match="totals: "):
        expected_allocation([1, 0, 1, 1], 4)
    with pytest.raises(ValueError, match="totals: "):
        expected_allocation([0.0, 0.0], 1)
    with pytest.raises(ValueError, match="sizes: "):
        expected_allocation([-1.0, 1.0], 1)
    with pytest.raises(ValueError, match="taps: "):
        path_counts([1, 2], [2])
