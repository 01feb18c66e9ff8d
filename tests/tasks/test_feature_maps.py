import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from prediction_tasks import FEATURES, feature_moments

from capacity import tasks
from capacity.tasks import (
    FeatureMap,
    fourier_features,
    hermite_features,
    monomial_features,
    quadrature_moments,
)


@given(FEATURES, st.lists(st.floats(-1, 1), min_size=1, max_size=4))
@settings(max_examples=25)
def test_moments_are_gaussian_means_by_closed_form_and_by_quadrature(features, correlations):
    expected = [feature_moments(features, rho) for rho in correlations]
    for found in (tasks.feature_moments(features, correlations), quadrature_moments(features, correlations)):
        np.testing.assert_allclose(found, expected, rtol=1e-10, atol=1e-10)
    few = quadrature_moments(features, 1.0, points=3)
    np.testing.assert_allclose(tasks.feature_covariance(features, [[1.0]], points=3), few)
    np.testing.assert_array_equal(found, found.swapaxes(1, 2))  # by quadrature they would not be by themselves


@given(FEATURES)
@settings(max_examples=10)
def test_features_are_ordered_by_position_then_by_function(features):
    inputs = np.array([[2.0, -3.0, 0.5], [1.0, 0.0, 4.0]])
    expected = [[f(np.array(x)) for x in row for f in features.functions] for row in inputs]
    np.testing.assert_allclose(features(inputs), expected, rtol=1e-14)


def test_closed_forms_are_of_the_functions_of_their_names():
    y = np.linspace(-2, 2, 9)
    for functions, expected in (
        (hermite_features(4), [y, (y**2 - 1) / 2**0.5, (y**3 - 3 * y) / 6**0.5, (y**4 - 6 * y**2 + 3) / 24**0.5]),
        (monomial_features(3), [y, y**2, y**3]),
        (fourier_features([2.0, 0.5]), [np.sin(2 * y), np.cos(2 * y), np.sin(y / 2), np.cos(y / 2)]),
    ):
        np.testing.assert_allclose(functions(y[:, None]).T, expected, atol=1e-14)


def test_moments_out_of_the_range_of_a_double_are_refused():
    assert np.isfinite(tasks.feature_moments(hermite_features(170), 0.5)).all()
    assert np.isfinite(tasks.feature_moments(monomial_features(150), 1.0)).all()
    for features in (hermite_features, monomial_features):
        with pytest.raises(ValueError, match="degree: expected an integer"):
            features(171)
    with pytest.raises(ValueError, match="feature_map: expected moments within the range"):
        tasks.feature_moments(fourier_features([1e200]), 0.5)
    with (
        np.errstate(invalid="ignore"),
        pytest.raises(ValueError, match=r"functions\[0\]: expected finite numbers, got nan"),
    ):
        tasks.feature_moments(FeatureMap((np.log,)), 0.5)
