"""Sequence layers are those of their formulas, and linear maps of what is held."""

import numpy as np
import pytest
from small_sequence_layers import drawn, some

from capacity import DilatedConvolution
from capacity_inspection.models import DiagonalStateSpace
from capacity_studies.sequence_layers import (
    GRU,
    LinearAttention,
    LinearLayer,
    Selective,
    SoftmaxAttention,
    split_windows,
    time_scales,
)


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
def test_what_is_held_is_a_choice_that_the_output_does_not_show(model, size):
    parameters, windows = some(model, size)
    held = np.sum(model.coefficients_of_states_held(parameters, windows) * windows, axis=1)
    np.testing.assert_allclose(held, model.output(parameters, windows), rtol=1e-10, atol=1e-12)
    parts = model.coefficient_jacobian(parameters, windows, states_held=True) * windows[..., None]
    np.testing.assert_allclose(parts.sum(axis=1), model.jacobian(parameters, windows), atol=1e-12)


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


@pytest.mark.parametrize(("size", "n", "cut"), [(30, 4, 20), (11, 2, 7), (7, 1, 5)])
def test_the_last_third_of_a_series_is_held_out_in_units_of_the_rest(size, n, cut):
    series = np.random.default_rng(0).standard_normal(size).cumsum()
    scaled = (series - np.mean(series[:cut])) / np.std(series[:cut])
    for (inputs, targets), ends in zip(split_windows(series, n), (range(n, cut), range(cut, size))):
        np.testing.assert_allclose(targets, scaled[list(ends)], atol=1e-14)
        np.testing.assert_allclose(inputs, [scaled[end - n : end] for end in ends], atol=1e-14)


def test_time_scales_are_a_progression_from_two_on():
    np.testing.assert_allclose(time_scales(4, 16), [2, 4, 8, 16])
