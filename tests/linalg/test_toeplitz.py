import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import fft, linalg

from capacity.linalg import (
    ToeplitzOperator,
    circulant_root,
    durbin,
    implied_autocovariance,
    one_step_predictor,
    toeplitz,
)

reflections = st.lists(st.floats(-0.95, 0.95), min_size=1, max_size=12)


def stable_coefficients(partial_correlations):
    """Coefficients by lag of a stable autoregression, by Levinson's step-up recursion."""
    coefficients = np.zeros(0)
    for value in partial_correlations:
        coefficients = np.r_[coefficients - value * coefficients[::-1], value]
    return coefficients


@pytest.mark.parametrize("n", [1, 2, 3, 64, 200])
def test_operator_is_the_dense_toeplitz_matrix(n):
    rng = np.random.default_rng(n)
    column = (1.0 + np.arange(n)) ** -0.5
    sigma, dense = ToeplitzOperator(column), linalg.toeplitz(column)
    vector, matrix = rng.standard_normal(n), rng.standard_normal((n, 5))
    assert sigma.shape == (n, n)
    np.testing.assert_array_equal(sigma.dense(), dense)
    np.testing.assert_allclose(sigma @ vector, dense @ vector, rtol=0, atol=1e-13 * n)
    np.testing.assert_allclose(sigma @ matrix, dense @ matrix, rtol=0, atol=1e-13 * n)
    np.testing.assert_allclose(sigma.solve(vector), linalg.solve(dense, vector), rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(dense @ sigma.solve(matrix), matrix, rtol=0, atol=1e-12)


@given(reflections)
def test_durbin_solves_the_normal_equations_of_every_order(partial_correlations):
    c = implied_autocovariance(stable_coefficients(partial_correlations)[::-1])
    coefficients, variances = durbin(c)
    n = c.size - 1
    for k in range(n + 1):
        sigma, target = linalg.toeplitz(c[:k]) if k else np.zeros((0, 0)), c[1 : k + 1]
        best = linalg.solve(sigma, target) if k else np.zeros(0)
        assert variances[k] == pytest.approx(c[0] - target @ best, rel=1e-6)
    np.testing.assert_allclose(coefficients, best, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize(
    ("c", "order"), [([0.0], 0), ([-1.0, 0.0], 0), ([1.0, 1.0], 1), ([1.0, 0.9, 0.0], 2), ([1.0, 0.0, -2.0], 2)]
)
def test_durbin_is_the_test_of_positive_definiteness(c, order):
    assert linalg.eigvalsh(linalg.toeplitz(c)).min() < 1e-15
    with pytest.raises(ValueError, match="autocovariances: "):
        durbin(c)


@given(reflections, st.integers(0, 30))
def test_prediction_and_its_inverse_are_a_round_trip(partial_correlations, extra):
    by_lag = stable_coefficients(partial_correlations)
    n = by_lag.size
    c = implied_autocovariance(by_lag[::-1], n_lags=n + extra)
    assert c.shape == (n + extra + 1,)
    assert c[0] == 1
    for k in range(1, n + extra + 1):  # the Yule-Walker equations, one by one
        assert c[k] == pytest.approx(sum(by_lag[j - 1] * c[abs(k - j)] for j in range(1, n + 1)), abs=1e-9)
    coefficients, variances = durbin(c)
    np.testing.assert_allclose(coefficients, np.r_[by_lag, np.zeros(extra)], atol=1e-6)
    assert variances[n] == pytest.approx(np.prod(1 - np.square(partial_correlations)), rel=1e-6)
    np.testing.assert_array_equal(implied_autocovariance(by_lag[::-1], n_lags=n // 2), c[: n // 2 + 1])


def test_unstable_coefficients_still_satisfy_their_equations():
    np.testing.assert_allclose(implied_autocovariance([1.5], n_lags=3), 1.5 ** np.arange(4))
    np.testing.assert_allclose(implied_autocovariance([1.0], n_lags=3), np.ones(4))


def test_singular_equations_are_refused_whatever_the_warning_filter():
    with pytest.raises(ValueError, match="coefficients: "):
        implied_autocovariance([1.0, 0.3])  # a_2 = 1
    with pytest.raises(ValueError, match="coefficients: "):
        implied_autocovariance([1.0 - 1e-16, 0.3])


LARGE_SEQUENCES = {
    "slow": (1.0 + np.arange(3001)) ** -0.5,
    "oscillating": np.exp(-np.arange(3001) / 20) * np.cos(0.3 * np.arange(3001)),
    "white": np.r_[2.0, np.zeros(3000)],
}


@pytest.mark.parametrize("name", LARGE_SEQUENCES)
def test_large_systems_are_solved_like_small_ones(name, monkeypatch):
    c = LARGE_SEQUENCES[name]
    expected, variances = durbin(c)
    monkeypatch.setattr(linalg, "solve_toeplitz", None)  # no recursion
    monkeypatch.setattr(toeplitz, "durbin", None)
    coefficients, variance = one_step_predictor(c)
    np.testing.assert_allclose(coefficients, expected, rtol=0, atol=1e-12)
    assert variance == pytest.approx(variances[-1], rel=1e-12)
    sigma, right = ToeplitzOperator(c[:-1]), np.random.default_rng(0).standard_normal((3000, 2))
    np.testing.assert_allclose(sigma @ sigma.solve(right), right, rtol=0, atol=1e-11)
    np.testing.assert_array_equal(sigma.solve(right[:, 0]), sigma.solve(right)[:, 0])


def test_large_sequences_without_a_positive_circulant_are_left_to_the_recursion():
    c = np.r_[1.0, 0.5 * np.cos(np.arange(1, 3000))]  # c_k stops in the middle of a wave; plus white noise
    assert fft.rfft(np.r_[c, c[-2:0:-1]]).real.min() < 0
    coefficients, variance = one_step_predictor(c)
    expected, variances = durbin(c)
    np.testing.assert_array_equal(coefficients, expected)
    assert variance == variances[-1]
    sigma, right = ToeplitzOperator(c), np.ones(c.size)
    np.testing.assert_allclose(sigma @ sigma.solve(right), right, atol=1e-10)
    with pytest.raises(ValueError, match="autocovariances: "):
        one_step_predictor(np.r_[c[:100], 2.0, c[101:]])


@pytest.mark.parametrize("n", [1, 2, 3, 50, 64])
def test_circulant_root_is_a_factor_of_the_covariance(n):
    c = (1.0 + np.arange(64)) ** -0.5
    root = circulant_root(c, n)
    dense = root @ np.eye(n)
    assert root.shape == dense.shape == (126, n)
    np.testing.assert_allclose(dense.T @ dense, linalg.toeplitz(c[:n]), rtol=0, atol=1e-14)
    right = np.random.default_rng(n).standard_normal((126, 3))
    np.testing.assert_allclose(root.T @ right, dense.T @ right, rtol=0, atol=1e-13)
    np.testing.assert_allclose(root.T @ right[:, 0], dense.T @ right[:, 0], rtol=0, atol=1e-13)
    np.testing.assert_allclose(root @ np.ones(n), dense.sum(axis=1), rtol=0, atol=1e-13)


def test_circulant_root_says_when_there_is_none():
    with pytest.raises(ValueError, match="autocovariances: "):
        circulant_root([1.0, 0.5, -0.9], 3)
    np.testing.assert_allclose(circulant_root([4.0], 1) @ [1.0], [2.0])


def test_products_with_many_columns_are_those_with_each():
    n = 70_000  # 32 columns per chunk
    sigma, columns = ToeplitzOperator(np.exp(-np.arange(n) / 5)), np.random.default_rng(0).standard_normal((n, 70))
    product = sigma @ columns
    for k in (0, 1, 31, 32, 69):
        np.testing.assert_allclose(product[:, k], sigma @ columns[:, k], rtol=0, atol=1e-12)
    near = slice(n // 2 - 400, n // 2 + 401)
    weights = np.exp(-np.abs(np.arange(-400, 401)) / 5)
    np.testing.assert_allclose(product[n // 2], weights @ columns[near], rtol=0, atol=1e-11)
