"""Measures of memory are those of their definitions, and of closed forms where there are some."""

import numpy as np
import pytest
from scipy import linalg
from small_sequence_layers import drawn, some

from capacity import DilatedConvolution, model_constraints, standard_process
from capacity_inspection.models import DiagonalStateSpace
from capacity_studies.memory_measures import (
    delay_line_memory,
    effective_state_size,
    fisher_memory,
    half_lag,
    held_allocation,
    memory_function,
    operator_block,
    oscillating_states,
    squared_gradient,
)


@pytest.mark.parametrize("model", [DilatedConvolution([1, 2, 4], 2), DiagonalStateSpace(8, 1)])
def test_the_held_allocation_of_a_linear_model_is_that_of_paper_1(model):
    parameters = model.initial(0)
    covariance = standard_process("power law").covariance(8)
    expected = model_constraints(model, parameters, covariance).spatial()
    found = held_allocation(np.broadcast_to(model.jacobian(parameters), (3, 8, model.n_parameters)), covariance)
    np.testing.assert_allclose(found, expected, atol=1e-10)


@drawn
def test_held_capacity_is_a_projection_on_constraints_of_all_samples(model, size):
    parameters, windows = some(model, size)
    covariance = standard_process("power law").covariance(9)
    jacobians = model.coefficient_jacobian(parameters, windows)
    basis = linalg.orth((covariance @ jacobians).reshape(-1, parameters.size))
    expected = np.square(basis).reshape(len(windows), 9, -1).sum(axis=(0, 2))
    found = held_allocation(jacobians, covariance)
    np.testing.assert_allclose(found, expected, rtol=1e-7)
    assert found.sum() == pytest.approx(parameters.size)


def test_the_effective_state_size_of_a_recurrence_is_its_number_of_states_and_that_of_a_window_what_is_left_of_it():
    lags = np.subtract.outer(np.arange(12), -np.arange(12)[::-1])  # output t after input s: t + (11 - s)
    poles = np.array([0.9, 0.5, -0.4])
    recurrent = (poles[:, None, None] ** lags).sum(axis=0)
    assert effective_state_size(recurrent, rtol=1e-10)[:8].tolist() == [3] * 8
    window = np.where(lags < 5, 1.0 + lags, 0.0)
    assert effective_state_size(window, rtol=1e-10).tolist() == [5, 4, 3, 2, 1] + [0] * 7


@pytest.mark.parametrize(("samples", "m"), [(4, 1), (7, 2), (9, 7)])
def test_memory_is_the_share_of_variance_that_regression_explains_adjusted_for_its_features(samples, m):
    rng = np.random.default_rng(samples)
    features, inputs = rng.standard_normal((samples, m)) + 3, rng.standard_normal((samples, 5)) - 1
    design = np.column_stack([np.ones(samples), features])
    left = np.square(inputs - design @ np.linalg.lstsq(design, inputs)[0]).sum(axis=0) / (samples - 1 - m)
    expected = 1 - left / inputs.var(axis=0, ddof=1)
    np.testing.assert_allclose(memory_function(features, inputs), expected, rtol=1e-10)
    np.testing.assert_allclose(memory_function(np.c_[features, features @ np.ones(m)], inputs), expected, rtol=1e-9)


def test_the_fisher_memory_of_a_delay_line_and_of_normal_networks_are_those_of_ganguli_huh_and_sompolinsky():
    n = 6
    shift, first = np.eye(n, k=-1), np.eye(n)[0]
    curve = fisher_memory(np.broadcast_to(shift, (1, 20, n, n)), np.broadcast_to(first, (1, 20, n)))
    np.testing.assert_allclose(curve[:n], delay_line_memory(n), rtol=1e-12)
    np.testing.assert_allclose(curve[n:], 0, atol=1e-12)
    poles, into = np.array([0.9, -0.5, 0.3]), np.array([0.6, 0.0, 0.8])
    normal = fisher_memory(np.broadcast_to(poles, (1, 300, 3)), np.broadcast_to(into, (1, 300, 3)))
    k = np.arange(300)[:, None]
    np.testing.assert_allclose(normal, (into**2 * poles ** (2 * k) * (1 - poles**2)).sum(axis=1), atol=1e-12)
    assert normal.sum() == pytest.approx(1)


def test_fisher_memory_of_states_that_turn_from_step_to_step_is_that_of_responses_against_noise():
    rng = np.random.default_rng(0)
    transitions, inputs = rng.standard_normal((3, 4, 2, 2)), rng.standard_normal((3, 4, 2))
    expected = np.zeros((3, 4))
    for sample, (steps, into) in enumerate(zip(transitions, inputs)):
        later = [np.linalg.multi_dot([np.eye(2), np.eye(2), *steps[:s:-1]]) for s in range(4)]  # what is done after s
        noise = sum(matrix @ matrix.T for matrix in later)
        for s in range(4):
            response = later[s] @ into[s]
            expected[sample, 3 - s] = response @ np.linalg.inv(noise) @ response
    np.testing.assert_allclose(fisher_memory(transitions, inputs), expected.mean(axis=0), rtol=1e-10)


@drawn
def test_squared_gradients_are_finite_differences(model, size):
    parameters, windows = some(model, size)
    expected = []
    for s in range(windows.shape[1]):
        step = 1e-6 * np.eye(windows.shape[1])[s]
        difference = model.output(parameters, windows + step) - model.output(parameters, windows - step)
        expected.append(np.mean((difference / 2e-6) ** 2))
    np.testing.assert_allclose(squared_gradient(model, parameters, windows), expected, rtol=1e-5, atol=1e-12)


@drawn
def test_the_block_of_the_operator_has_the_derivatives_of_later_outputs_with_gains_held(model, size):
    parameters, _ = some(model, size)
    series = np.random.default_rng(2).standard_normal(15)
    block = operator_block(model, parameters, series)
    for row in range(5):
        held = model.coefficients(parameters, series[None, row : row + 10])[0]
        for column in range(5):  # the input at time 5 + column, of the window that begins at `row`
            assert block[row, column] == pytest.approx(held[5 + column - row], rel=1e-12)


def test_damped_rotations_are_the_states_of_a_state_space_model():
    poles = np.array([0.9 * np.exp(0.4j), 0.5j])
    transitions, inputs = oscillating_states(poles, 400)
    response, k = np.linalg.matrix_power(transitions[0, 0], 3) @ inputs[0, 0], 3
    np.testing.assert_allclose(response[0::2] + 1j * response[1::2], poles**k / np.sqrt(2))
    assert fisher_memory(transitions, inputs).sum() == pytest.approx(1)  # normal networks (Ganguli et al. 2008)


def test_half_of_a_measure_lies_within_the_half_lag():
    assert half_lag([3, 1, 1, 1]) == 1
    assert half_lag([1, 1, 1, 1]) == 2
    assert half_lag([0, 0, 0, 1]) == 4
