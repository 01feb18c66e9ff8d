import numpy as np
import pytest
from scipy import linalg

from capacity import DilatedConvolution, model_constraints, standard_process
from capacity.models import DiagonalStateSpace, ring_poles
from studies.far_back import (
    GRU,
    LinearAttention,
    LinearLayer,
    Selective,
    SoftmaxAttention,
    delay_line_memory,
    effective_state_size,
    fisher_memory,
    half_lag,
    held_allocation,
    memory_function,
    operator_block,
    oscillating_states,
    split_windows,
    squared_gradient,
    time_scales,
)
from studies.memory import memory_by_lag

MODELS = [LinearAttention(3), Selective(3), GRU(2), SoftmaxAttention(3)]
SIZES = [3, 3, 2, 3]
drawn = pytest.mark.parametrize(("model", "size"), list(zip(MODELS, SIZES)), ids=lambda value: type(value).__name__)


def some(model, size, seed=0, samples=7, lags=9):
    rng = np.random.default_rng(seed)
    return model.draw(time_scales(size, 6), rng), rng.standard_normal((samples, lags))


def by_the_formula(model, parameters, x):
    """The layers as their papers write them, one window at a time."""
    if isinstance(model, GRU):
        m, (V, v, b, p, q, U, w, c) = 2, np.split(parameters, np.cumsum([4, 2, 2, 2, 2, 4, 2]))
        h = np.zeros(m)
        for value in x:
            z = 1 / (1 + np.exp(-(V.reshape(m, m) @ h + v * value + b)))
            r = 1 / (1 + np.exp(-(p * value + q)))
            h = z * h + (1 - z) * np.tanh(U.reshape(m, m) @ (r * h) + w * value)
        return c @ h
    one, two, three, four = parameters.reshape(4, -1)
    lags = np.arange(x.size)[::-1]
    if isinstance(model, LinearAttention):
        r = 1 / (1 + np.exp(-one))
        return sum(r**lag @ ((two + three * x[-1]) * (1 + four * value)) * value for lag, value in zip(lags, x))
    if isinstance(model, Selective):
        h = np.zeros(3)
        for value in x:
            step = np.log1p(np.exp(one * value + two))
            h = np.exp(-step) * h + (1 - np.exp(-step)) * value
        return (three + four * x[-1]) @ h
    weights = np.exp([-np.exp(m) * lags + (a + b * x[-1]) * x for m, a, b in zip(one, two, three)])
    return four @ (weights @ x / weights.sum(axis=1))


@drawn
def test_layers_are_those_of_their_formulas(model, size):
    parameters, windows = some(model, size)
    expected = [by_the_formula(model, parameters, x) for x in windows]
    np.testing.assert_allclose(model.output(parameters, windows), expected, rtol=1e-10, atol=1e-12)


@drawn
def test_the_output_is_the_held_map_of_the_inputs(model, size):
    parameters, windows = some(model, size)
    held = np.sum(model.coefficients(parameters, windows) * windows, axis=1)
    np.testing.assert_allclose(held, model.output(parameters, windows), rtol=1e-10, atol=1e-12)


@drawn
def test_jacobians_are_finite_differences(model, size):
    parameters, windows = some(model, size)
    ends = parameters[:, None] + 1e-6 * np.eye(parameters.size)
    starts = parameters[:, None] - 1e-6 * np.eye(parameters.size)
    outputs = [(model.output(e, windows) - model.output(s, windows)) / 2e-6 for e, s in zip(ends.T, starts.T)]
    np.testing.assert_allclose(model.jacobian(parameters, windows), np.stack(outputs, -1), atol=1e-8)
    held = [(model.coefficients(e, windows) - model.coefficients(s, windows)) / 2e-6 for e, s in zip(ends.T, starts.T)]
    np.testing.assert_allclose(model.coefficient_jacobian(parameters, windows), np.stack(held, -1), atol=1e-8)


@drawn
def test_parts_of_the_jacobian_by_input_sum_to_it(model, size):
    """Gains move with the parameters, so that the held map loses none of them."""
    parameters, windows = some(model, size)
    parts = model.coefficient_jacobian(parameters, windows) * windows[..., None]
    np.testing.assert_allclose(parts.sum(axis=1), model.jacobian(parameters, windows), atol=1e-12)


@drawn
def test_features_are_what_a_linear_readout_reads(model, size):
    parameters, windows = some(model, size, samples=50)
    readout = np.linalg.lstsq(model.features(parameters, windows), model.output(parameters, windows), rcond=None)
    if isinstance(model, (GRU, SoftmaxAttention)):  # those whose readout does not depend on the input
        np.testing.assert_allclose(readout[0], parameters[-size:], rtol=1e-8)
    assert model.features(parameters, windows).shape == (50, size)


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


def test_memory_of_the_states_of_a_linear_recurrence_is_the_memory_of_its_poles():
    poles = ring_poles(2, inner=0.5, outer=0.9, rng=0)[0]
    inputs = np.random.default_rng(0).standard_normal((40_000, 30))
    states = (
        inputs @ np.vstack([(poles[:, None] ** np.arange(30)).real, (poles[:, None] ** np.arange(30)).imag])[:, ::-1].T
    )
    expected = memory_by_lag(np.r_[poles, poles.conj()], 30)
    np.testing.assert_allclose(memory_function(states, inputs), expected, atol=0.02)


def test_memory_is_not_flattered_by_the_number_of_features():
    rng = np.random.default_rng(0)
    found = [memory_function(rng.standard_normal((40, 20)), rng.standard_normal((40, 3))).mean() for _ in range(200)]
    assert abs(np.mean(found)) < 0.05


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
def test_a_fit_finds_what_made_the_targets(model, size):
    parameters, windows = some(model, size, samples=300)
    start = parameters + 0.02 * np.random.default_rng(1).standard_normal(parameters.size)
    targets = model.output(parameters, windows)
    found, _ = model.fit(start, windows, targets, 100)
    assert np.sum((model.output(found, windows) - targets) ** 2) < 1e-6 * np.sum(
        (model.output(start, windows) - targets) ** 2
    )


@pytest.mark.parametrize(
    "layer",
    [LinearLayer(DilatedConvolution([1, 2, 4], 2), "layer 3"), LinearLayer(DiagonalStateSpace(8, 1), "weights")],
)
def test_linear_models_have_the_face_of_layers(layer):
    parameters, windows = layer.model.initial(0), np.random.default_rng(0).standard_normal((200, 8))
    targets = windows @ layer.model.coefficients(layer.model.initial(1))
    np.testing.assert_allclose(
        np.sum(layer.coefficients(parameters, windows) * windows, axis=1), layer.output(parameters, windows)
    )
    parts = layer.coefficient_jacobian(parameters, windows) * windows[..., None]
    np.testing.assert_allclose(parts.sum(axis=1), layer.jacobian(parameters, windows), atol=1e-12)
    found, converged = layer.fit(parameters, windows, targets, 500)
    assert converged
    assert np.mean((layer.output(found, windows) - targets) ** 2) < 1e-3 * np.mean(targets**2)
    readout = parameters[layer.model.layers[layer.readout]]
    np.testing.assert_allclose(layer.features(parameters, windows) @ readout, layer.output(parameters, windows))


def test_a_linear_layer_in_a_longer_window_goes_on_as_its_model_does():
    windows = np.ones((2, 20))
    stack, states = DilatedConvolution([1, 2, 4], 1), DiagonalStateSpace(8, 1)
    point = stack.initial(0)
    found = LinearLayer(stack, "layer 3").coefficients(point, windows)
    np.testing.assert_array_equal(found[0], np.r_[np.zeros(12), stack.coefficients(point)])
    point = states.initial(0)
    found = LinearLayer(states, "weights").coefficients(point, windows)
    np.testing.assert_array_equal(found[1], DiagonalStateSpace(20, 1).coefficients(point))


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


def test_targets_of_the_test_are_none_of_the_fit_and_units_are_those_of_the_fit():
    series = np.arange(30.0) ** 2
    (inputs, targets), (others, held_out) = split_windows(series, 4)
    assert len(inputs) + len(others) + 4 == series.size
    assert targets.max() < held_out.min()
    np.testing.assert_array_equal(others[0], [*inputs[-1][1:], targets[-1]])
    values = np.r_[inputs[0], targets]
    assert values.mean() == pytest.approx(0, abs=1e-12)
    assert values.std() == pytest.approx(1)
