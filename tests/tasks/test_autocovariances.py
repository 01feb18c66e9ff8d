import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from prediction_tasks import AUTOCOVARIANCES
from scipy import linalg
from statsmodels.tsa.stattools import acovf

from capacity.tasks import (
    GaussianProcess,
    empirical,
    exponential_mixture,
    fractional_noise,
)


@given(AUTOCOVARIANCES, st.lists(st.integers(-23, 23), min_size=1, max_size=6))
def test_an_autocovariance_is_the_function_of_its_definition_at_lags_in_any_order(drawn, lags):
    autocovariance, own = drawn
    np.testing.assert_allclose(
        autocovariance([[float(lag)] for lag in lags]), [[own(abs(k))] for k in lags], atol=1e-11
    )


def test_by_default_four_time_scales_have_equal_weights():
    equal = np.mean([np.exp(-np.arange(3) / t) for t in (1, 4, 16, 64)], axis=0)
    np.testing.assert_allclose(exponential_mixture()(np.arange(3)), equal)


@pytest.mark.parametrize("hurst", [0.05, 0.3, 0.7, 0.999])
def test_fractional_noise_keeps_its_digits_at_long_lags(hurst):
    lags = np.array([17, 10**4, 10**7])  # c = H (2H - 1) k^(2H - 2) [1 + (2H - 2) (2H - 3) / (12 k^2) + ...]
    leading = hurst * (2 * hurst - 1) * lags ** (2 * hurst - 2.0)
    expected = leading * (1 + (2 * hurst - 2) * (2 * hurst - 3) / (12.0 * lags**2))
    np.testing.assert_allclose(fractional_noise(hurst)(lags), expected, rtol=1e-4 / 17.0**2 * 100)
    np.testing.assert_allclose(fractional_noise(hurst)(lags[1:]), expected[1:], rtol=1e-14)
    ends = fractional_noise(hurst)(np.array([16, 17]))
    assert ends[1] / ends[0] == pytest.approx((17 / 16) ** (2 * hurst - 2), rel=2e-3)


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
