import numpy as np
import pytest

from capacity.allocation import exact_capacity, tensor_train_capacity
from capacity.fitting import fit
from capacity.models import DilatedConvolution
from capacity.tasks import (
    GaussianProcess,
    IndependentProcesses,
    autoregressive,
    power_law,
    similar_power_laws,
)

PAIR = IndependentProcesses([GaussianProcess(power_law(0.4)), GaussianProcess(autoregressive([0.5]))])


def test_covariance_puts_the_components_of_a_position_together():
    covariance = PAIR.covariance(3)
    assert covariance[0, 2] == pytest.approx(2**-0.4)  # component 0, lag 1
    assert covariance[1, 5] == pytest.approx(0.25)  # component 1, lag 2
    assert not covariance[::2, 1::2].any()


def test_one_component_is_the_process_itself():
    single, process = similar_power_laws(1), GaussianProcess()
    assert np.array_equal(single.covariance(8), process.covariance(8))
    assert np.array_equal(single.optimal_coefficients(8), process.optimal_coefficients(8))
    assert single.residual_variance(8) == process.residual_variance(8)
    assert single.components == 1


def test_optimal_coefficients_solve_the_normal_equations_of_the_sum():
    process, n = similar_power_laws(4), 6
    one_more = process.covariance(n + 1)
    cross = one_more[:-4, -4:].sum(axis=1)  # covariance of the inputs with the sum of the next samples
    expected = np.linalg.solve(process.covariance(n), cross)
    assert np.allclose(process.optimal_coefficients(n), expected)
    assert process.residual_variance(n) == pytest.approx(4 - cross @ expected)


def test_sampled_covariance_agrees_within_its_error():
    draws = PAIR.sample(4, 100_000, rng=0).reshape(100_000, -1)
    assert np.abs(draws.T @ draws / 100_000 - PAIR.covariance(4)).max() < 5 * np.sqrt(2 / 100_000)
    assert PAIR.sample(4, rng=0).shape == (4, 2)


def test_similar_processes_are_neither_equal_nor_far_from_each_other():
    values = np.array([process.autocovariances(10)[10] for process in similar_power_laws(4).processes])
    assert (np.diff(values) < 0).all()
    assert values.max() < 2 * values.min()


@pytest.mark.parametrize("components", [2, 4])
def test_a_model_with_enough_channels_fits_all_components(components):
    model = DilatedConvolution.hierarchical(3, channels=4 * components, components=components)
    assert fit(model, similar_power_laws(components), rng=0).loss < 1e-20


def test_a_product_with_the_covariance_is_that_of_each_component():
    task, x = similar_power_laws(3), np.random.default_rng(0).standard_normal((4, 3))
    expected = np.stack([process.covariance(4) @ x[:, a] for a, process in enumerate(task.processes)], axis=1)
    assert np.allclose(task.covariance(4) @ x.ravel(), expected.ravel())


@pytest.mark.parametrize(("components", "channels", "total"), [(4, 2, 32), (4, 4, 80), (4, 8, 192), (16, 4, 176)])
def test_capacity_with_several_components_is_that_of_a_tensor_train_with_a_wider_end(components, channels, total):
    model = DilatedConvolution.hierarchical(6, channels, components=components)
    assert exact_capacity(model).total == total
    assert tensor_train_capacity([2 * components, 2, 2, 2, 2, 2], channels) == total


def test_bad_arguments_are_named():
    with pytest.raises(ValueError, match="at least one"):
        IndependentProcesses([])
    with pytest.raises(ValueError, match=r"processes\[1\]"):
        IndependentProcesses([GaussianProcess(), PAIR])
    with pytest.raises(ValueError, match="spread"):
        similar_power_laws(2, spread=1.5)
    with pytest.raises(TypeError, match="components"):
        similar_power_laws(2.0)


def test_like_power_laws_have_equally_spaced_exponents_about_their_mean():
    exponents = [-np.log2(p.autocovariances(1)[1]) for p in similar_power_laws(3, 0.6, spread=0.5).processes]
    np.testing.assert_allclose(exponents, [0.3, 0.6, 0.9])
    assert -np.log2(similar_power_laws(1, 0.6).processes[0].autocovariances(1)[1]) == pytest.approx(0.6)
