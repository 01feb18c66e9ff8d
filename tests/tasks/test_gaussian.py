import numpy as np
import pytest
from prediction_tasks import UnitNoise
from scipy import linalg

from capacity.tasks import (
    PROCESSES,
    GaussianProcess,
    autoregressive,
    gaussian,
    power_law,
    similar_power_laws,
    standard_process,
)

NAMES = list(PROCESSES)


def test_a_process_of_another_autocovariance_is_not_called_a_power_law():
    assert GaussianProcess().name == GaussianProcess(power_law(0.7)).name == "power law"
    assert GaussianProcess(autoregressive([0.5])).name == "autoregressive"
    assert GaussianProcess(lambda lags: 0.5**lags).name == "stationary process"
    assert GaussianProcess(autoregressive([0.5]), "Yule").name == "Yule"


@pytest.mark.parametrize("process", [GaussianProcess(), similar_power_laws(3)])
def test_samples_are_reproducible(process):  # and components have noise of their own, whatever is passed
    np.testing.assert_array_equal(process.sample(9, 2, rng=3), process.sample(9, 2, rng=np.random.default_rng(3)))
    assert not np.array_equal(process.sample(9, rng=3), process.sample(9, rng=4))


def test_sequences_that_are_not_positive_definite_are_refused():
    impossible = GaussianProcess(lambda lags: np.select([lags == 0, lags == 1], [1.0, 0.9]))
    with pytest.raises(ValueError, match=r"autocovariances: expected a positive definite sequence"):
        impossible.optimal_coefficients(4)
    with pytest.raises(ValueError, match=r"autocovariance: expected a positive definite matrix"):
        impossible.sample(4, rng=0)


@pytest.mark.parametrize("n", [7, 2500])
@pytest.mark.parametrize("name", NAMES)
def test_root_is_a_factor_of_the_covariance(name, n):
    process = standard_process(name)
    root, vectors = process.root(n), np.random.default_rng(0).standard_normal((n, 3))
    assert isinstance(root, np.ndarray) == (n == 7 or name == "seasonal")  # its cycles outlast the circulant
    np.testing.assert_allclose(root.T @ (root @ vectors), process.operator(n) @ vectors, rtol=0, atol=1e-11)


def test_root_of_a_long_process_without_a_circulant_is_a_cholesky_factor(monkeypatch):
    monkeypatch.setattr(gaussian, "LARGE", 4)
    process = GaussianProcess(lambda lags: np.where(lags == 0, 1.0, 0.5 * np.cos(lags)))
    np.testing.assert_array_equal(process.root(5), linalg.cholesky(process.covariance(5)))
    draws = process.sample(5, 5, rng=UnitNoise())  # a root, too
    np.testing.assert_allclose(draws.T @ draws, process.covariance(5), atol=1e-14)


@pytest.mark.parametrize("name", NAMES)
def test_long_predictions_solve_the_normal_equations(name):
    process, n = standard_process(name), 5000
    optimal, c = process.optimal_coefficients(n), process.autocovariances(n)
    np.testing.assert_allclose(process.operator(n) @ optimal, c[:0:-1], rtol=0, atol=1e-12)
    assert process.residual_variance(n) == pytest.approx(1 - c[:0:-1] @ optimal, rel=1e-12)


def test_more_samples_than_fit_into_memory_are_refused_with_their_number():
    process, n = GaussianProcess(), 10**9
    for call, wrong in ((process.residual_variance, n), (process.operator, n - 1), (process.sample, n - 1)):
        with pytest.raises(ValueError, match=r"n: expected an integer .*<= 16777216, got .*; take fewer"):
            call(wrong)
    with pytest.raises(
        ValueError, match=r"n: expected a dense matrix of at most 1073741824 numbers, got 1099511627776"
    ):
        process.covariance(2**20)
