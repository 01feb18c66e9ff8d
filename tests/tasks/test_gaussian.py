import numpy as np
import pytest
from scipy import linalg

from capacity.tasks import PROCESSES, GaussianProcess, autoregressive, power_law, standard_process

NAMES = list(PROCESSES)


@pytest.mark.parametrize("name", NAMES)
def test_optimal_coefficients_solve_the_normal_equations(name):
    process, n = standard_process(name), 40
    c = process.autocovariances(n)
    sigma = linalg.toeplitz(c[:n])
    np.testing.assert_array_equal(process.covariance(n), sigma)
    optimal = process.optimal_coefficients(n)
    target = c[:0:-1]  # covariance of the next sample with the samples, oldest first
    np.testing.assert_allclose(sigma @ optimal, target, atol=1e-13)
    np.testing.assert_allclose(optimal, linalg.solve(sigma, target), atol=1e-11)
    assert process.residual_variance(n) == pytest.approx(1 - target @ linalg.solve(sigma, target), rel=1e-11)


def test_last_coefficient_belongs_to_the_most_recent_sample():
    process = GaussianProcess(autoregressive([1.5, -0.7]))
    np.testing.assert_allclose(process.optimal_coefficients(5), [0, 0, 0, -0.7, 1.5], atol=1e-12)
    np.testing.assert_allclose(GaussianProcess().optimal_coefficients(1), [2**-0.5])


def test_numbers_of_the_default_process():
    process = GaussianProcess()
    assert process.residual_variance(64) == pytest.approx(0.47515730, abs=5e-9)
    assert np.linalg.cond(process.covariance(64)) == pytest.approx(86, abs=0.5)


def test_a_process_of_another_autocovariance_is_not_called_a_power_law():
    assert GaussianProcess().name == GaussianProcess(power_law(0.7)).name == "power law"
    assert GaussianProcess(autoregressive([0.5])).name == "autoregressive"
    assert GaussianProcess(lambda lags: 0.5**lags).name == "stationary process"
    assert GaussianProcess(autoregressive([0.5]), "Yule").name == "Yule"


def test_the_residual_variance_never_grows_with_the_memory():
    for name in NAMES:
        variances = [standard_process(name).residual_variance(n) for n in range(12)]
        assert variances[0] == 1
        assert np.all(np.diff(variances) <= 1e-15)


@pytest.mark.parametrize(("name", "embeds"), [("power law", True), ("white", True), ("autoregressive", False)])
def test_samples_have_the_covariance_of_the_process(name, embeds):
    process, n, size = standard_process(name), 6, 40_000
    c = process.autocovariances(n - 1)
    assert (np.fft.fft(np.r_[c, c[-2:0:-1]]).real.min() > -1e-12) == embeds
    draws = process.sample(n, size, rng=1)
    sigma = process.covariance(n)
    # A product of two normals has variance sigma_ii sigma_jj + sigma_ij^2.
    error = np.sqrt((1 + sigma**2) / size)
    assert np.all(np.abs(draws.T @ draws / size - sigma) < 4.5 * error)
    assert np.all(np.abs(draws.mean(axis=0)) < 4.5 / np.sqrt(size))
    assert abs(np.mean(draws**4) - 3) < 4.5 * np.sqrt(96 / size)


def test_long_samples_have_the_autocovariance_at_long_lags():
    n, size = 257, 2000
    draws = GaussianProcess().sample(n, size, rng=2)
    products = draws[:, 0] * draws[:, -1]
    assert abs(products.mean() - 257**-0.5) < 4.5 * products.std() / np.sqrt(size)


@pytest.mark.parametrize("n", [1, 2, 3])
def test_shortest_samples_and_covariances(n):
    for name in NAMES:
        process = standard_process(name)
        assert process.sample(n, rng=0).shape == (n,)
        assert process.sample(n, 4, rng=0).shape == (4, n)
        assert process.sample(n, 0, rng=0).shape == (0, n)
        assert process.optimal_coefficients(n).shape == (n,)


def test_samples_are_reproducible():
    process = GaussianProcess()
    np.testing.assert_array_equal(process.sample(9, 2, rng=3), process.sample(9, 2, rng=np.random.default_rng(3)))
    assert not np.array_equal(process.sample(9, rng=3), process.sample(9, rng=4))


def test_operator_and_covariance_are_the_same_matrix():
    process = standard_process("fractional noise")
    np.testing.assert_array_equal(process.operator(9).dense(), process.covariance(9))


@pytest.mark.parametrize(
    ("make", "expected"),
    [
        (lambda: standard_process("pink"), "name: expected one of 'power law', .* got 'pink'"),
        (lambda: GaussianProcess().covariance(0), "n: expected an integer >= 1"),
        (lambda: GaussianProcess().sample(0), "n: expected an integer >= 1"),
        (lambda: GaussianProcess().sample(3, -1), "size: expected an integer >= 0"),
        (lambda: GaussianProcess().autocovariances(-1), "n: expected an integer >= 0"),
        (
            lambda: GaussianProcess(lambda lags: 2.0 * (lags == 0)).covariance(3),
            "autocovariance: expected unit variance",
        ),
        (lambda: GaussianProcess(lambda lags: np.ones(2)).covariance(3), r"autocovariance: expected shape \(3,\)"),
        (lambda: GaussianProcess(lambda lags: np.nan * lags).covariance(3), "autocovariance: expected finite"),
    ],
)
def test_bad_arguments_are_named(make, expected):
    with pytest.raises(ValueError, match=expected):
        make()


def test_wrong_types_are_named():
    with pytest.raises(TypeError, match=r"autocovariance: expected a function of the lag, got ndarray"):
        GaussianProcess(np.ones(3))
    with pytest.raises(TypeError, match=r"n: expected an integer"):
        GaussianProcess().covariance(3.0)


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
    assert isinstance(root, np.ndarray) == (n == 7)
    np.testing.assert_allclose(root.T @ (root @ vectors), process.operator(n) @ vectors, rtol=0, atol=1e-11)


def test_root_of_a_long_process_without_a_circulant_is_a_cholesky_factor():
    process = GaussianProcess(lambda lags: np.where(lags == 0, 1.0, 0.5 * np.cos(lags)))
    root = process.root(2100)
    np.testing.assert_array_equal(root, linalg.cholesky(process.covariance(2100)))


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
