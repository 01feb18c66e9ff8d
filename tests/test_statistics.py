import numpy as np
import pytest
from scipy import stats

from capacity.statistics import (
    autocorrelation,
    fit_exponential,
    fit_power_law,
    mean_curve,
    mean_interval,
    power_law_misfit,
    power_spectrum,
)


@pytest.mark.parametrize("points", [3, 7])
def test_a_fit_is_a_regression_line_of_logarithms_with_the_error_of_its_slope(points):
    rng, x = np.random.default_rng(points), np.geomspace(1, 50, points) ** 1.5
    curves = x * np.exp(rng.standard_normal((2, points)))
    law, misfits = fit_power_law(x, curves), power_law_misfit(x, curves)
    np.testing.assert_allclose(power_law_misfit(3 * x, 7 * curves**-2.5), misfits)
    for k, logs in enumerate(np.log(curves)):
        line = stats.linregress(np.log(x), logs)
        found = (law.exponent[k], law.standard_error[k], law.log_prefactor[k])
        assert found == pytest.approx((line.slope, line.stderr, line.intercept), rel=1e-11)
        assert law.prefactor[k] == pytest.approx(np.exp(line.intercept))
        heights = line.intercept + line.slope * np.log(x)
        np.testing.assert_allclose(law(x)[k], np.exp(heights))
        assert misfits[k] == pytest.approx(np.abs(logs - heights).max() / np.ptp(logs))


@pytest.mark.parametrize("rows", [2, 3, 7])
def test_means_have_the_errors_of_so_many_rows(rows):
    values, level = np.random.default_rng(rows).standard_normal((rows, 5)), 0.9
    mean, error = values.mean(axis=0), stats.sem(values)
    curve, (centre, ends) = mean_curve(np.arange(5), values), mean_interval(values, level=level)
    np.testing.assert_allclose([curve.mean, centre], [mean, mean], rtol=1e-12)
    np.testing.assert_allclose(curve.standard_error, error, rtol=1e-12)
    np.testing.assert_allclose(ends, stats.t.interval(level, rows - 1, mean, error), rtol=1e-12)
    assert np.isnan(mean_curve(np.arange(5), values[:1]).standard_error).all()


@pytest.mark.parametrize(("rows", "points"), [(1, 4), (2, 5), (3, 8), (2, 9)])
def test_autocorrelations_and_spectra_are_their_sums(rows, points):
    series = np.random.default_rng(points).standard_normal((rows, points)) + 3
    centred = series - series.mean(axis=1, keepdims=True)
    sums = [[row[: points - lag] @ row[lag:] / (row @ row) for lag in range(points)] for row in centred]
    found = autocorrelation(series, points - 1)
    np.testing.assert_allclose(found.mean, np.mean(sums, axis=0), atol=1e-13)
    np.testing.assert_array_equal(autocorrelation(series, 2).mean, found.mean[:3])
    k, t = np.arange(1, points // 2 + 1), np.arange(points)
    power = np.abs(centred @ np.exp(-2j * np.pi * np.outer(t, k) / points)) ** 2
    spectrum, law = power_spectrum(series)
    np.testing.assert_allclose(spectrum.x, k / points)
    np.testing.assert_allclose(spectrum.mean, (power / power.sum(axis=1, keepdims=True)).mean(axis=0), atol=1e-13)
    assert law.exponent == fit_power_law(spectrum.x, spectrum.mean).exponent


def test_an_exponential_is_a_power_law_of_the_exponential_of_its_argument():
    rng, x = np.random.default_rng(3), np.array([0.0, 1.0, 2.0, 4.0, 5.0])
    y = np.exp(rng.standard_normal((3, 5)))
    law, power = fit_exponential(x, y), fit_power_law(np.exp(x), y)
    np.testing.assert_allclose(law.rate, power.exponent)
    np.testing.assert_allclose(law.standard_error, power.standard_error)
    np.testing.assert_allclose(law(x), power(np.exp(x)))
    np.testing.assert_allclose(fit_exponential(x, 3 * 2.0**x).rate, np.log(2))
    assert fit_exponential(x, 3 * 2.0**x).standard_error < 1e-14


def test_misfit_tells_a_power_law_from_an_exponential_over_three_doublings():
    x = np.array([1.0, 2.0, 4.0, 8.0])
    assert power_law_misfit(x, 5 * x**-3) < 1e-12
    assert power_law_misfit(x, np.exp(-x)) > 0.12
    with pytest.raises(ValueError, match="curves that vary"):
        power_law_misfit(x, np.ones(4))


@pytest.mark.parametrize("unit", [1e-200, 1e200])
def test_autocorrelations_and_spectra_do_not_depend_on_the_unit(unit):
    series = np.random.default_rng(0).standard_normal((3, 16))
    np.testing.assert_allclose(autocorrelation(unit * series, 4).mean, autocorrelation(series, 4).mean)
    np.testing.assert_allclose(power_spectrum(unit * series)[0].mean, power_spectrum(series)[0].mean)
    for function in (power_spectrum, lambda rows: autocorrelation(rows, 2)):
        with pytest.raises(ValueError, match="series: "):
            function(np.full((2, 10), 0.1))


def test_curves_far_from_zero_are_followed_where_their_prefactor_leaves_the_range_of_a_double():
    years = np.arange(2000, 2011)
    for rate in (0.5, -0.5):
        curve = np.exp(rate * (years - 2000))
        np.testing.assert_allclose(fit_exponential(years, curve)(years), curve)
        assert power_law_misfit(years, curve) == pytest.approx(power_law_misfit(years / 2000, curve))


def test_two_points_have_no_standard_error():
    assert np.isnan(fit_power_law([1, 2], [1, 4]).standard_error)
