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


def test_exact_power_laws_are_recovered_without_error():
    x = np.array([1.0, 3.0, 10.0, 40.0])
    law = fit_power_law(x, np.array([2 * x**0.5, 5 * x**-1.3]))
    np.testing.assert_allclose(law.exponent, [0.5, -1.3])
    np.testing.assert_allclose(law.prefactor, [2, 5])
    np.testing.assert_allclose(law.standard_error, 0, atol=1e-14)
    np.testing.assert_allclose(law(x), [2 * x**0.5, 5 * x**-1.3])


def test_standard_error_is_the_spread_of_the_exponents_over_noisy_curves():
    rng, x = np.random.default_rng(0), np.geomspace(1, 100, 12)
    law = fit_power_law(x, x**0.5 * np.exp(0.1 * rng.standard_normal((4000, 12))))
    assert np.sqrt(np.mean(law.standard_error**2)) == pytest.approx(law.exponent.std(), rel=0.05)
    assert law.exponent.mean() == pytest.approx(0.5, abs=0.002)


def test_fit_agrees_with_polyfit():
    rng, x = np.random.default_rng(1), np.geomspace(1, 50, 7)
    y = x * np.exp(rng.standard_normal(7))
    law = fit_power_law(x, y)
    (slope, level), covariance = np.polyfit(np.log(x), np.log(y), 1, cov=True)
    assert (law.exponent, law.prefactor) == pytest.approx((slope, np.exp(level)))
    assert law.standard_error == pytest.approx(np.sqrt(covariance[0, 0]))
    assert law(x[3]) == pytest.approx(np.exp(level) * x[3] ** slope)


def test_an_exponential_is_a_power_law_of_the_exponential_of_its_argument():
    rng, x = np.random.default_rng(3), np.array([0.0, 1.0, 2.0, 4.0, 5.0])
    y = np.exp(rng.standard_normal((3, 5)))
    law, power = fit_exponential(x, y), fit_power_law(np.exp(x), y)
    np.testing.assert_allclose(law.rate, power.exponent)
    np.testing.assert_allclose(law.standard_error, power.standard_error)
    np.testing.assert_allclose(law(x), power(np.exp(x)))
    np.testing.assert_allclose(fit_exponential(x, 3 * 2.0**x).rate, np.log(2))
    assert fit_exponential(x, 3 * 2.0**x).standard_error < 1e-14
    for bad in ([1, 2, 3, 4, -1], [1, 2, 3, 4]):
        with pytest.raises(ValueError, match="y: "):
            fit_exponential(x, bad)


@pytest.mark.parametrize(("x", "y"), [([1], [1]), ([1, 2], [1, 2, 3]), ([0, 1], [1, 2]), ([1, 2], [1, -2])])
def test_bad_points_are_refused(x, y):
    with pytest.raises(ValueError, match="y: "):
        fit_power_law(x, y)


def test_misfit_is_the_largest_residual_of_polyfit_and_ignores_the_units():
    rng, x = np.random.default_rng(2), np.geomspace(1, 50, 6)
    y = np.exp(rng.standard_normal((2, 6)))
    lines = np.array([np.polyval(np.polyfit(np.log(x), np.log(row), 1), np.log(x)) for row in y])
    expected = np.abs(np.log(y) - lines).max(axis=1) / np.ptp(np.log(y), axis=1)
    np.testing.assert_allclose(power_law_misfit(x, y), expected)
    np.testing.assert_allclose(power_law_misfit(3 * x, 7 * y**-2.5), expected)


def test_misfit_tells_a_power_law_from_an_exponential_over_three_doublings():
    x = np.array([1.0, 2.0, 4.0, 8.0])
    assert power_law_misfit(x, 5 * x**-3) < 1e-12
    assert power_law_misfit(x, np.exp(-x)) > 0.12
    with pytest.raises(ValueError, match="curves that vary"):
        power_law_misfit(x, np.ones(4))


def test_autocorrelation_of_known_processes():
    rng = np.random.default_rng(5)
    noise = rng.standard_normal((200, 256))
    white = autocorrelation(noise, 5)
    assert white.mean[0] == 1
    assert (np.abs(white.mean[1:] + 1 / 256) < 4.5 * white.standard_error[1:]).all()
    expected = np.correlate(noise[0] - noise[0].mean(), noise[0] - noise[0].mean(), "full")[255:261]
    np.testing.assert_allclose(autocorrelation(noise[:1], 5).mean, expected / expected[0], atol=1e-12)


def test_spectral_exponents_of_white_and_brown_noise():
    noise = np.random.default_rng(6).standard_normal((300, 256))
    assert power_spectrum(noise)[1].exponent == pytest.approx(0, abs=0.03)
    spectrum, law = power_spectrum(np.cumsum(noise, axis=1))
    assert -1.9 < law.exponent < -1.6
    assert spectrum.mean.sum() == pytest.approx(1)


def test_the_standard_error_of_a_mean_curve_is_that_of_its_rows():
    rows = np.array([[1.0, 2.0], [3.0, 6.0], [2.0, 7.0]])
    curve = mean_curve(np.arange(2), rows)
    np.testing.assert_allclose(curve.mean, [2, 5])
    np.testing.assert_allclose(curve.standard_error, stats.sem(rows))
    assert np.isnan(mean_curve(np.arange(2), rows[:1]).standard_error).all()
    assert np.isnan(mean_curve([0, 1], [[1.0, 2.0]]).standard_error).all()


@pytest.mark.parametrize("unit", [1e-200, 1e200])
def test_autocorrelations_and_spectra_do_not_depend_on_the_unit(unit):
    series = np.random.default_rng(0).standard_normal((3, 16))
    np.testing.assert_allclose(autocorrelation(unit * series, 4).mean, autocorrelation(series, 4).mean)
    np.testing.assert_allclose(power_spectrum(unit * series)[0].mean, power_spectrum(series)[0].mean)
    for function in (power_spectrum, lambda rows: autocorrelation(rows, 2)):
        with pytest.raises(ValueError, match="series: "):
            function(np.full((2, 10), 0.1))


def test_the_interval_covers_the_mean_as_often_as_it_says():
    rng = np.random.default_rng(0)
    mean, (low, high) = mean_interval(rng.normal(3.0, 2.0, (5, 20_000)), level=0.9)
    covered = np.mean((low < 3) & (high > 3))
    assert abs(covered - 0.9) < 4 * np.sqrt(0.09 / 20_000)
    assert np.allclose((low + high) / 2, mean)


def test_the_interval_is_that_of_students_t():
    values = [[1.0, 5.0], [2.0, 7.0], [4.0, 6.0], [3.5, 6.5]]
    mean, ends = mean_interval(values)
    wanted = stats.t.interval(0.95, 3, loc=mean, scale=stats.sem(values))
    assert np.allclose(ends, wanted, rtol=1e-12)


@pytest.mark.parametrize(("values", "level", "name"), [([1.0], 0.95, "values"), ([1.0, 2.0], 1.0, "level")])
def test_an_interval_that_has_no_meaning_is_refused(values, level, name):
    with pytest.raises(ValueError, match=f"{name}: expected"):
        mean_interval(values, level=level)


def test_curves_far_from_zero_are_followed_where_their_prefactor_leaves_the_range_of_a_double():
    years = np.arange(2000, 2011)
    for rate in (0.5, -0.5):
        curve = np.exp(rate * (years - 2000))
        np.testing.assert_allclose(fit_exponential(years, curve)(years), curve)
        assert power_law_misfit(years, curve) == pytest.approx(power_law_misfit(years / 2000, curve))


def test_two_points_have_no_standard_error():
    assert np.isnan(fit_power_law([1, 2], [1, 4]).standard_error)


def test_a_spectrum_needs_four_points():
    with pytest.raises(ValueError, match="series: "):
        power_spectrum([[1.0, 2.0, 4.0]])


def test_a_mean_of_no_rows_is_refused():
    with pytest.raises(ValueError, match="values"):
        mean_curve(np.arange(3.0), np.zeros((0, 3)))
