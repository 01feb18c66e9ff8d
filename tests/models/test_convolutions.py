"""Stacks of dilated convolutions, their impulse responses, and the fully connected model."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from linear_models import stacks
from scipy import linalg, signal

from capacity.allocation import exact_capacity
from capacity.linalg import PRIME
from capacity.models import DilatedConvolution
from capacity.models._responses import ImpulseResponses

seeds = st.integers(0, 2**32 - 1)


def filtered(model, parameters, series):
    """Output of the stack for an input series of shape (time, components), layer by layer (eq. 19)."""
    for weights, dilation in zip(model.filters(parameters), model.dilations):
        stretched = np.zeros((weights.shape[0], weights.shape[2], (weights.shape[1] - 1) * dilation + 1))
        stretched[:, :, ::dilation] = weights.transpose(0, 2, 1)
        series = np.stack([sum(signal.lfilter(b, [1.0], x) for b, x in zip(row, series.T)) for row in stretched], 1)
    return series[:, 0]


@given(stacks(), seeds)
def test_coefficients_predict_the_output_of_the_stack(model, seed):
    rng = np.random.default_rng(seed)
    parameters, series = model.initial(rng), rng.standard_normal((model.n_positions + 5, model.components))
    output, coefficients = filtered(model, parameters, series), model.coefficients(parameters)
    for end in range(model.n_positions, series.shape[0] + 1):
        window = series[end - model.n_positions : end]  # oldest first, components together
        assert coefficients @ window.ravel() == pytest.approx(output[end - 1], abs=1e-12)


def test_parameters_of_any_integer_type_are_reduced_without_wrapping_around():
    model = DilatedConvolution([1, 2])
    large = np.full(4, 2**64 - 1, dtype=np.uint64)
    small = np.full(4, (2**64 - 1) % PRIME, dtype=np.int64)
    np.testing.assert_array_equal(model.jacobian(large, modulus=PRIME), model.jacobian(small, modulus=PRIME))
    narrow_type = model.jacobian(np.full(4, -3, dtype=np.int8), modulus=PRIME)
    np.testing.assert_array_equal(narrow_type, model.jacobian(np.full(4, PRIME - 3), modulus=PRIME))


@pytest.mark.parametrize("components", [1, 2])
def test_tangent_factors_do_not_grow_with_wide_channels(components):
    wide, wider = (DilatedConvolution.hierarchical(4, channels=c, components=components) for c in (20, 40))
    sizes = [[f.shape for f in model.tangent_factors(model.initial(0)).values()] for model in (wide, wider)]
    assert sizes[0] == sizes[1]
    parameters = wider.initial(1)
    jacobian = wider.jacobian(parameters)
    tangent = np.hstack(list(wider.tangent_factors(parameters).values()))
    np.testing.assert_allclose(tangent @ tangent.T, jacobian @ jacobian.T, atol=1e-12)


def test_one_number_stands_for_all_layers_and_models_are_values():
    assert DilatedConvolution([1, 2, 4], 3, 2) == DilatedConvolution((1, 2, 4), np.array([3, 3]), [2, 2, 2])
    assert hash(DilatedConvolution([1, 2], 3)) == hash(DilatedConvolution((1, 2), (3,)))


def test_initial_weights_have_unit_gain():
    model = DilatedConvolution([1, 2, 4], [30, 50], [2, 3, 2], components=4)
    weights = model.filters(model.initial(6))
    for filter_, (_, taps, inputs) in zip(weights, model.shapes):
        scaled = filter_.ravel() * np.sqrt(taps * inputs)
        assert abs(np.mean(scaled**2) - 1) < 4.5 * np.sqrt(2 / scaled.size)
    np.testing.assert_array_equal(model.initial(7), model.initial(np.random.default_rng(7)))


def reduced(model, parameters):
    """Parameters of the minimal model with the same coefficients: channels projected on the span of the responses."""
    filters, paths = model.filters(parameters), ImpulseResponses(model.dilations, model.taps)
    for upwards in (True, False):
        for layer in range(1, model.n_layers) if upwards else range(model.n_layers - 1, 0, -1):
            if upwards:
                response = paths.below(filters)[layer].reshape(filters[layer].shape[2], -1)
            else:
                response = paths.above(filters)[layer]
            lags = paths.lags_below if upwards else paths.lags_above
            width = min(response.shape[0], lags[layer].size * (model.components if upwards else 1))
            limit = filters[layer - 1][0].size if upwards else filters[layer][:, :, 0].size
            basis = linalg.svd(response)[0][:, : min(width, limit)]
            filters[layer - 1] = np.einsum("ij,itk->jtk", basis, filters[layer - 1])
            filters[layer] = filters[layer] @ basis
    return filters


@given(stacks(), seeds)
def test_minimal_model_reaches_the_same_coefficients(model, seed):
    model = replace(model, channels=tuple(3 * c for c in model.channels))
    parameters, minimal = model.initial(seed), model.minimal()
    filters = reduced(model, parameters)
    assert [weights.shape for weights in filters] == minimal.shapes
    same = minimal.coefficients(np.concatenate([weights.ravel() for weights in filters]))
    np.testing.assert_allclose(same, model.coefficients(parameters), atol=1e-12)
    assert minimal.minimal() == minimal


@given(stacks(hierarchical=True))
@settings(max_examples=20)
def test_generic_columns_of_a_tensor_train_are_as_many_as_its_capacity(model):
    minimal = model.minimal()
    assert minimal.generic_columns.size == exact_capacity(model).total


def convolve_causally(weights, dilations, signal):
    """Response to a signal (channels, time) as deep-learning libraries compute it: pad the past, correlate."""
    for w, dilation in zip(weights, dilations):
        reach = (w.shape[2] - 1) * dilation
        padded = np.pad(signal, ((0, 0), (reach, 0)))
        windows = [padded[:, k * dilation : k * dilation + signal.shape[1]] for k in range(w.shape[2])]
        signal = sum(w[:, :, k] @ window for k, window in enumerate(windows))
    return signal


@given(stacks())
@settings(max_examples=20)
def test_weights_of_other_libraries_give_the_model_that_they_compute(model):
    rng = np.random.default_rng(0)
    weights = [rng.standard_normal((o, i, k)).astype(np.float32) for o, k, i in model.shapes]
    read, parameters = DilatedConvolution.from_weights(weights, model.dilations)
    assert read == model
    signal = rng.standard_normal((model.components, model.n_positions))
    output = convolve_causally([w.astype(float) for w in weights], model.dilations, signal)[0, -1]
    np.testing.assert_allclose(read.coefficients(parameters) @ signal.T.ravel(), output, rtol=1e-12)


@given(stacks())
@settings(max_examples=20)
def test_a_unit_of_a_layer_sees_the_positions_that_weight_one_alone_would_reach(model):
    for number, name in enumerate(model.layers, 1):
        below = DilatedConvolution(model.dilations[:number], taps=model.taps[:number])
        reached = np.flatnonzero(below.coefficients(np.ones(below.n_parameters)))
        assert model.field(name) == np.ptp(reached) + 1
