"""The estimate of an allocation: paths and their weights by enumeration, random constraints of given mean squares."""

import itertools

import numpy as np
import pytest

from capacity.allocation import constraint_space
from capacity_inspection.design import expected, expected_allocation, path_counts, trained_sizes


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


def test_lags_without_a_path_have_none_and_equal_lags_have_equal_shares():
    np.testing.assert_allclose(expected_allocation([1, 0, 1, 1], 1.5), [0.5, 0, 0.5, 0.5])


def test_no_capacity_and_hardly_any_are_what_they_are():
    sizes = [4.0, 1.0, 0.0, 1e-3]
    assert not expected_allocation(sizes, 0).any()
    for total in (1e-200, 1e-13, 1e-3):
        linear = total * np.array(sizes) / np.sum(sizes)
        np.testing.assert_allclose(expected_allocation(sizes, total), linear, rtol=max(1e-9, total))
    np.testing.assert_array_equal(expected_allocation(np.ones((2, 3)), [0, 3]), [[0, 0, 0], [1, 1, 1]])


def test_a_sum_that_does_not_come_close_is_told(monkeypatch):
    monkeypatch.setattr(expected, "_logistic", lambda logs: np.full_like(logs, 0.25))
    with pytest.raises(RuntimeError, match=r"rtol: expected sums within 1e-10 .* got 0\.5; pass a larger rtol"):
        expected_allocation([1, 1], 1)


def test_sizes_after_training_are_sums_of_squares_over_paths_without_one_layer():
    coefficients = np.random.default_rng(0).standard_normal(12)
    squares = coefficients**2 / np.max(coefficients**2)
    for dilations, taps in (([1, 2, 4], [2, 2, 2]), ([1, 3, 1], [3, 2, 4]), ([2, 2], [3, 3]), ([5], [2])):
        sizes = np.zeros(1 + sum((n - 1) * d for n, d in zip(taps, dilations)))
        for ts in itertools.product(*map(range, taps)):
            weights = [squares[t * d] for t, d in zip(ts, dilations)]
            lag = sum(t * d for t, d in zip(ts, dilations))
            sizes[lag] += sum(np.prod(weights[:i] + weights[i + 1 :]) for i in range(len(taps)))
        np.testing.assert_allclose(trained_sizes(dilations, taps, coefficients), sizes, rtol=1e-12)


def test_equal_coefficients_count_paths_and_reached_lags_keep_a_size():
    counts = path_counts([1, 2, 1], 3)
    np.testing.assert_array_equal(trained_sizes([1, 2, 1], 3, np.ones(9)), 3 * counts)
    np.testing.assert_array_equal(trained_sizes([1, 2, 1], 3, [1.0]) > 0, counts > 0)


def test_many_stacks_are_those_one_by_one():
    dilations = np.array([[1, 2], [3, 1], [4, 4]])
    coefficients = 0.8 ** np.arange(9)
    for found, one in (
        (path_counts(dilations, [2, 3]), lambda each: path_counts(each, [2, 3])),
        (trained_sizes(dilations, [2, 3], coefficients), lambda each: trained_sizes(each, [2, 3], coefficients)),
    ):
        for row, each in zip(found, dilations):
            np.testing.assert_array_equal(row[: one(each).size], one(each))
            assert not row[one(each).size :].any()
    sizes = path_counts(dilations, [2, 3])
    totals = [2, 3, 4]
    rows = [expected_allocation(each, total) for each, total in zip(sizes, totals)]
    np.testing.assert_allclose(expected_allocation(sizes, totals), rows, rtol=1e-9)
