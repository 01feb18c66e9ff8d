import numpy as np
import pytest

from capacity.allocation import constraint_space
from capacity.models import FullyConnected
from capacity.tasks import (
    FeatureMap,
    GaussianProcess,
    feature_covariance,
    feature_moments,
    fourier_features,
    hermite_features,
    monomial_features,
    quadrature_moments,
)

CLOSED = [hermite_features(4), monomial_features(5), fourier_features([0.5, 1.3])]
CORRELATIONS = np.array([-0.9, -0.3, 0.0, 0.2, 0.7, 1.0])


def name(value):
    return getattr(value, "name", None)


def test_hermite_polynomials_are_orthonormal_under_a_standard_normal_and_of_mean_zero():
    y, weights = np.polynomial.hermite_e.hermegauss(80)
    weights /= weights.sum()
    values = hermite_features(64)(y).reshape(y.size, 64)
    assert np.allclose(values.T @ (weights[:, None] * values), np.eye(64), rtol=0, atol=1e-10)
    assert np.allclose(weights @ values, 0, rtol=0, atol=1e-10)


@pytest.mark.parametrize("features", CLOSED, ids=name)
def test_closed_form_of_the_moments_agrees_with_quadrature(features):
    by_quadrature = quadrature_moments(features, CORRELATIONS)
    assert np.allclose(features.moments(CORRELATIONS), by_quadrature, rtol=1e-10, atol=1e-11)


@pytest.mark.parametrize("features", [*CLOSED[::2], monomial_features(2), FeatureMap((np.tanh, np.sin))], ids=name)
def test_feature_covariance_agrees_with_samples_within_their_error(features):
    process, count = GaussianProcess(), 50_000
    values = features(process.sample(3, count, rng=0))
    products = values[:, :, None] * values[:, None, :]
    error = products.std(axis=0) / np.sqrt(count)
    difference = products.mean(axis=0) - feature_covariance(features, process.covariance(3))
    assert np.abs(difference / np.maximum(error, 1e-12)).max() < 4.5


def test_features_are_ordered_by_position_then_by_function():
    features = monomial_features(3)(np.array([2.0, 3.0]))
    assert np.array_equal(features, [2, 4, 8, 3, 9, 27])


def test_moments_of_powers_are_those_of_isserlis():
    rho = 0.3
    moments = monomial_features(4).moments(rho)
    assert moments[1, 1] == pytest.approx(1 + 2 * rho**2)  # E x^2 y^2
    assert moments[0, 2] == pytest.approx(3 * rho)  # E x y^3
    assert moments[3, 3] == pytest.approx(9 + 72 * rho**2 + 24 * rho**4)  # E x^4 y^4
    assert moments[0, 1] == 0


def test_capacity_of_a_whole_feature_space_is_its_dimension():
    covariance = feature_covariance(fourier_features([1.0, 2.0]), GaussianProcess().covariance(5))
    space = constraint_space(covariance, FullyConnected(20).jacobian(np.zeros(20)))
    assert np.allclose(space.spatial(4), 4)


def test_bad_arguments_are_named():
    with pytest.raises(TypeError, match="functions"):
        FeatureMap(())
    with pytest.raises(ValueError, match="unit variances"):
        feature_covariance(monomial_features(1), 2 * np.eye(2))
    with pytest.raises(ValueError, match="frequencies"):
        fourier_features([1.0, 1.0])
    with pytest.raises(ValueError, match="degree"):
        hermite_features(0)


@pytest.mark.parametrize("points", [None, 8])
@pytest.mark.parametrize("correlation", [1.5, -2.0, np.nan])
def test_correlations_that_cannot_be_are_refused(correlation, points):
    with pytest.raises(ValueError, match=r"correlations: expected (numbers between -1 and 1|finite numbers), got"):
        feature_moments(hermite_features(2), [0.5, correlation], points=points)


def test_moments_by_quadrature_are_symmetric_where_it_converges_slowly_too():
    moments = feature_moments(FeatureMap((np.abs, np.tanh, np.sign)), [0.3, -0.9], points=9)
    np.testing.assert_array_equal(moments, moments.swapaxes(1, 2))


def test_moments_out_of_the_range_of_a_double_are_refused():
    assert np.isfinite(feature_moments(hermite_features(170), 0.5)).all()
    assert np.isfinite(feature_moments(monomial_features(150), 1.0)).all()
    for features in (hermite_features, monomial_features):
        with pytest.raises(ValueError, match="degree: expected an integer"):
            features(171)
    with pytest.raises(ValueError, match="feature_map: expected moments within the range"):
        feature_moments(fourier_features([1e200]), 0.5)
    with (
        np.errstate(invalid="ignore"),
        pytest.raises(ValueError, match=r"functions\[0\]: expected finite numbers, got nan"),
    ):
        feature_moments(FeatureMap((np.log,)), 0.5)
    with pytest.raises(ValueError, match=r"functions\[1\]: expected shape \(2,\), got \(\)"):
        FeatureMap((np.abs, np.sum))(np.ones(2))
