import numpy as np
import pytest
from scipy import linalg
from statsmodels.tsa.arima_process import arma_acovf
from statsmodels.tsa.stattools import acovf

from capacity.tasks import (
    GaussianProcess,
    autoregressive,
    empirical,
    exponential_mixture,
    fractional_noise,
    power_law,
    white,
)


@pytest.mark.parametrize("hurst", [0.1, 0.5, 0.75, 0.9])
def test_fractional_noise_is_the_increment_of_fractional_brownian_motion(hurst):
    t = np.arange(20.0)
    motion = (t[:, None] ** (2 * hurst) + t ** (2 * hurst) - np.abs(t[:, None] - t) ** (2 * hurst)) / 2
    increments = np.diff(np.diff(motion, axis=0), axis=1)
    expected = linalg.toeplitz(fractional_noise(hurst)(np.arange(19)))
    np.testing.assert_allclose(increments, expected, atol=1e-13)


@pytest.mark.parametrize("hurst", [0.05, 0.3, 0.7, 0.999])
def test_fractional_noise_keeps_its_digits_at_long_lags(hurst):
    lags = np.array([17, 10**4, 10**7])  # c = H (2H - 1) k^(2H - 2) [1 + (2H - 2) (2H - 3) / (12 k^2) + ...]
    leading = hurst * (2 * hurst - 1) * lags ** (2 * hurst - 2.0)
    expected = leading * (1 + (2 * hurst - 2) * (2 * hurst - 3) / (12.0 * lags**2))
    np.testing.assert_allclose(fractional_noise(hurst)(lags), expected, rtol=1e-4 / 17.0**2 * 100)
    np.testing.assert_allclose(fractional_noise(hurst)(lags[1:]), expected[1:], rtol=1e-14)
    ends = fractional_noise(hurst)(np.array([16, 17]))
    assert ends[1] / ends[0] == pytest.approx((17 / 16) ** (2 * hurst - 2), rel=2e-3)


def test_fractional_noise_of_index_one_half_is_white():
    lags = np.arange(10)
    np.testing.assert_allclose(fractional_noise(0.5)(lags), white()(lags), atol=1e-15)
    np.testing.assert_array_equal(white()(lags), np.eye(10)[0])


def test_power_law_and_mixture_are_their_formulas():
    for lag in range(6):
        assert power_law(1.5)(np.array(lag)) == pytest.approx((1 + lag) ** -1.5)
        mixture = exponential_mixture([2.0, 5.0], [1.0, 3.0])(np.array([lag]))[0]
        assert mixture == pytest.approx(0.25 * np.exp(-lag / 2) + 0.75 * np.exp(-lag / 5))
    equal = exponential_mixture()(np.arange(3))
    np.testing.assert_allclose(equal, np.mean([np.exp(-np.arange(3) / t) for t in (1, 4, 16, 64)], axis=0))
    with_memory = GaussianProcess(exponential_mixture([3.0]))
    np.testing.assert_allclose(with_memory.optimal_coefficients(4), [0, 0, 0, np.exp(-1 / 3)], atol=1e-14)


@pytest.mark.parametrize("coefficients", [[0.5], [1.5, -0.7], [0.4, 0.3, -0.2, 0.1], [0.0, 0.0]])
def test_autoregression_has_the_autocovariance_of_statsmodels(coefficients):
    expected = arma_acovf(np.r_[1, -np.array(coefficients)], [1], nobs=30)
    actual = autoregressive(coefficients)(np.arange(30))
    np.testing.assert_allclose(actual, expected / expected[0], atol=1e-12)
    np.testing.assert_allclose(autoregressive(coefficients)(np.array([7, 0, 2])), actual[[7, 0, 2]])


def test_empirical_autocovariance_is_the_biased_estimate():
    series = np.random.default_rng(0).standard_normal(101).cumsum() + 50
    centred = series - series.mean()
    brute = np.array([sum(centred[: 101 - lag] * centred[lag:]) / 101 for lag in range(101)])
    actual = empirical(series)(np.arange(101))
    np.testing.assert_allclose(actual, brute / brute[0], atol=1e-13)
    np.testing.assert_allclose(actual, acovf(series, fft=False) / brute[0], atol=1e-13)
    np.testing.assert_allclose(empirical(3 * series - 7)(np.arange(101)), actual, atol=1e-12)
    assert linalg.eigvalsh(linalg.toeplitz(actual)).min() > 0
    assert GaussianProcess(empirical(series)).residual_variance(100) > 0


@pytest.mark.parametrize(
    ("make", "expected"),
    [
        (lambda: power_law(0), "exponent: expected a number > 0"),
        (lambda: fractional_noise(1), "hurst: expected a number > 0 and < 1"),
        (lambda: fractional_noise(0.0), "hurst"),
        (lambda: exponential_mixture([]), "time_scales"),
        (lambda: exponential_mixture([1, -2]), "time_scales, weights: expected positive"),
        (lambda: exponential_mixture([1, 2], [1, 0]), "time_scales, weights: expected positive"),
        (lambda: exponential_mixture([1, 2], [1]), r"weights: expected shape \(2,\)"),
        (lambda: autoregressive([1.0]), "coefficients: expected a stable recursion, .* modulus 1;"),
        (lambda: autoregressive([0.5, 0.6]), "coefficients: expected a stable recursion"),
        (lambda: empirical(np.ones(5)), "series: expected a series that varies"),
        (lambda: empirical([[1.0, 2.0]]), "series: expected shape"),
        (lambda: empirical([1.0, 2.0, 4.0])(np.arange(4)), "lags: expected lags below the length 3"),
    ],
)
def test_bad_arguments_are_named(make, expected):
    with pytest.raises(ValueError, match=expected):
        make()


def test_wrong_types_are_named():
    with pytest.raises(TypeError, match=r"hurst: expected a real number"):
        fractional_noise("0.9")


def test_lags_are_whole_and_an_autocovariance_is_even():
    for autocovariance in (
        power_law(),
        fractional_noise(),
        exponential_mixture(),
        white(),
        autoregressive([0.5]),
        empirical([1, 3, 2, 7]),
    ):
        np.testing.assert_array_equal(autocovariance([-2, -1, 0]), autocovariance(np.array([2.0, 1.0, 0.0])))
        with pytest.raises(ValueError, match=r"lags: expected whole numbers, got 0\.5; count"):
            autocovariance(0.5)
