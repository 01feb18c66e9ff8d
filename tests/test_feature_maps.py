import numpy as np
import pytest
from scipy import linalg

from capacity.allocation import constraint_space, model_constraints
from capacity.autocovariances import power_law
from capacity.convolutions import DilatedConvolution
from capacity.feature_maps import (
    FeatureMap,
    feature_covariance,
    feature_moments,
    fourier_features,
    hermite_features,
    monomial_features,
    quadrature_moments,
)
from capacity.feature_processes import FeatureProcess
from capacity.fitting import fit
from capacity.models import FullyConnected
from capacity.multivariate import IndependentProcesses
from capacity.processes import GaussianProcess

CLOSED = [hermite_features(4), monomial_features(5), fourier_features([0.5, 1.3])]
CORRELATIONS = np.array([-0.9, -0.3, 0.0, 0.2, 0.7, 1.0])


def name(value):
    return getattr(value, "name", None)


@pytest.mark.parametrize("features", CLOSED, ids=name)
def test_closed_form_of_the_moments_agrees_with_quadrature(features):
    by_quadrature = quadrature_moments(features, CORRELATIONS)
    assert np.allclose(features.moments(CORRELATIONS), by_quadrature, rtol=1e-10, atol=1e-11)


@pytest.mark.parametrize("features", [*CLOSED[::2], monomial_features(2), FeatureMap((np.tanh, np.sin))], ids=name)
def test_feature_covariance_agrees_with_samples_within_their_error(features):
    process, count = GaussianProcess(), 200_000
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


def test_the_identity_recovers_the_linear_setting():
    process = GaussianProcess()
    task = FeatureProcess(process, monomial_features(1))
    assert np.allclose(task.covariance(8), process.covariance(8))
    assert np.allclose(task.optimal_coefficients(8), process.optimal_coefficients(8))
    assert task.residual_variance(8) == pytest.approx(process.residual_variance(8))


def test_hermite_features_are_independent_processes_of_powered_autocovariance():
    task = FeatureProcess(GaussianProcess(), hermite_features(3))
    equivalent = IndependentProcesses([GaussianProcess(power_law(0.5 * k)) for k in (1, 2, 3)])
    assert np.allclose(task.covariance(6), equivalent.covariance(6))
    assert np.allclose(task.optimal_coefficients(6), equivalent.optimal_coefficients(6))
    assert task.residual_variance(6) == pytest.approx(equivalent.residual_variance(6))


def test_optimal_coefficients_minimise_the_sampled_error():
    task = FeatureProcess(GaussianProcess(), fourier_features([1.0]), weights=[1.0, 0.5])
    draws = GaussianProcess().sample(5, 400_000, rng=1)
    past, target = task.feature_map(draws[:, :4]), task.feature_map(draws[:, 4:]) @ [1.0, 0.5]
    regression = linalg.lstsq(past, target)[0]
    assert np.allclose(regression, task.optimal_coefficients(4), atol=0.02)
    assert np.mean((target - past @ regression) ** 2) == pytest.approx(task.residual_variance(4), rel=0.01)


def test_the_largest_capacity_of_an_input_is_the_number_of_functions():
    task = FeatureProcess(GaussianProcess(), monomial_features(3))
    small, wide = (DilatedConvolution.hierarchical(4, channels, components=3) for channels in (2, 12))
    partial = model_constraints(small, fit(small, task, rng=0).parameters, task.covariance(16)).spatial(3)
    full = model_constraints(wide, fit(wide, task, rng=0).parameters, task.covariance(16)).spatial(3)
    assert np.allclose(full, 3)
    assert partial.max() <= 3 + 1e-12
    assert partial[-1] > 2.9 > 1.5 > partial[:8].max()


def test_capacity_of_a_whole_feature_space_is_its_dimension():
    covariance = feature_covariance(fourier_features([1.0, 2.0]), GaussianProcess().covariance(5))
    space = constraint_space(covariance, FullyConnected(20).jacobian(np.zeros(20)))
    assert np.allclose(space.spatial(4), 4)


def test_functions_that_combine_to_a_constant_are_refused():
    process = GaussianProcess()
    constant = FeatureMap((np.ones_like, lambda y: y, np.square))
    for features in (
        constant,
        FeatureMap((np.sin, lambda y: 2 * np.sin(y))),
        FeatureMap((lambda y: np.sin(y) ** 2, lambda y: np.cos(y) ** 2)),
    ):
        assert np.linalg.eigvalsh(feature_covariance(features, process.covariance(3)))[0] < 1e-12
        with pytest.raises(ValueError, match="no combination is constant"):
            FeatureProcess(process, features)
    rank = np.linalg.matrix_rank(feature_covariance(constant, process.covariance(3)))
    assert rank == 3 * 2 + 1


def test_bad_arguments_are_named():
    with pytest.raises(TypeError, match="functions"):
        FeatureMap(())
    with pytest.raises(ValueError, match="unit variances"):
        feature_covariance(monomial_features(1), 2 * np.eye(2))
    with pytest.raises(ValueError, match="frequencies"):
        fourier_features([1.0, 1.0])
    with pytest.raises(ValueError, match="weights"):
        FeatureProcess(GaussianProcess(), monomial_features(2), weights=[1.0])
    with pytest.raises(ValueError, match="degree"):
        hermite_features(0)


@pytest.mark.parametrize("points", [None, 8])
@pytest.mark.parametrize("correlation", [1.5, -2.0, np.nan])
def test_correlations_that_cannot_be_are_refused(correlation, points):
    with pytest.raises(ValueError, match="correlations: expected numbers between -1 and 1, got"):
        feature_moments(hermite_features(2), [0.5, correlation], points=points)
