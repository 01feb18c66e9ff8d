import json

import numpy as np
import pytest
from scipy import linalg

from capacity.allocation import model_constraints
from capacity.fitting import fit
from capacity.models import DilatedConvolution
from capacity.tasks import (
    FeatureMap,
    FeatureProcess,
    GaussianProcess,
    IndependentProcesses,
    feature_covariance,
    fourier_features,
    hermite_features,
    monomial_features,
    power_law,
)


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


def test_functions_that_combine_to_a_constant_are_refused():
    process = GaussianProcess()
    constant = FeatureMap((np.ones_like, lambda y: y, np.square))
    for features, named in (
        (constant, [1, 0, 0]),
        (FeatureMap((np.sin, lambda y: 2 * np.sin(y))), [1, -0.5]),
        (FeatureMap((lambda y: np.sin(y) ** 2, lambda y: np.cos(y) ** 2)), [1, 1]),
    ):
        assert np.linalg.eigvalsh(feature_covariance(features, process.covariance(3)))[0] < 1e-12
        with pytest.raises(ValueError, match="no combination is constant") as refused:
            FeatureProcess(process, features)
        combination = np.array(json.loads(str(refused.value).split("got ")[1].split(" times")[0]))
        np.testing.assert_allclose(combination / combination[0], named, atol=1e-5)
    rank = np.linalg.matrix_rank(feature_covariance(constant, process.covariance(3)))
    assert rank == 3 * 2 + 1


def test_bad_arguments_are_named():
    with pytest.raises(ValueError, match="weights"):
        FeatureProcess(GaussianProcess(), monomial_features(2), weights=[1.0])
    with pytest.raises(TypeError, match="rtol: expected a real number"):
        FeatureProcess(GaussianProcess(), monomial_features(2), rtol="small")
