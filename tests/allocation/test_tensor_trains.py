"""Capacity of tensor trains in closed form."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from linear_models import stacks

from capacity.allocation import exact_capacity, model_constraints, tensor_train_allocation, tensor_train_capacity
from capacity.linalg import PRIME, rank_modulo
from capacity.models import DilatedConvolution


@given(st.data())
def test_tensor_train_formula_is_the_generic_rank(data):
    n_layers = data.draw(st.integers(1, 5))
    taps = data.draw(st.lists(st.integers(1, 3), min_size=n_layers, max_size=n_layers))
    channels = data.draw(st.lists(st.integers(1, 6), min_size=n_layers - 1, max_size=n_layers - 1))
    model = DilatedConvolution.hierarchical(n_layers, channels=channels, taps=taps)
    point = np.random.default_rng(0).integers(0, PRIME, model.n_parameters)
    full = rank_modulo(model.jacobian(point, modulus=PRIME))  # of the model itself, not of the minimal one
    assert tensor_train_capacity(taps, channels) == full == exact_capacity(model).total


@given(st.data())
def test_one_channel_stacks_have_the_capacity_of_footnote_6(data):
    taps = data.draw(st.lists(st.integers(2, 4), min_size=1, max_size=4))
    expected = sum(n - 1 for n in taps) + 1
    assert tensor_train_capacity(taps, 1) == expected
    dilations = data.draw(st.lists(st.integers(1, 5), min_size=len(taps), max_size=len(taps)))
    assert exact_capacity(DilatedConvolution(dilations, 1, taps)).total == expected


@given(stacks(hierarchical=True), st.integers(0, 2**16))
@settings(max_examples=30)
def test_allocation_for_white_inputs_is_that_of_the_constraints(model, seed):
    parameters, components = model.initial(seed), model.components
    found = tensor_train_allocation(model.coefficients(parameters), model.taps, model.channels, components=components)
    space = model_constraints(model, parameters, np.eye(model.n_inputs))
    np.testing.assert_allclose(found, space.spatial(), atol=1e-7)
    assert found.sum() == pytest.approx(exact_capacity(model).total)


def test_with_one_unfolding_below_its_size_a_place_lacks_what_its_row_and_its_column_both_leave_free():
    rng = np.random.default_rng(3)
    unfolding = rng.standard_normal((8, 3)) @ rng.standard_normal((3, 8))
    left, _, right = np.linalg.svd(unfolding)
    rows, columns = np.square(left[:, :3]).sum(axis=1), np.square(right[:3]).sum(axis=0)
    found = tensor_train_allocation(unfolding.ravel()[::-1], [2] * 6, [2, 4, 3, 4, 2])[::-1].reshape(8, 8)
    np.testing.assert_allclose(found, 1 - np.outer(1 - rows, 1 - columns), atol=1e-12)


@pytest.mark.parametrize("size", [1e-9, 1e-3])
def test_coefficients_that_are_nearly_those_of_a_model_are_refused(size):
    model = DilatedConvolution.hierarchical(4, channels=1)
    rng = np.random.default_rng(0)
    coefficients = model.coefficients(model.initial(rng))
    assert tensor_train_allocation(coefficients, model.taps, 1).sum() == pytest.approx(5)
    moved = coefficients + size * np.abs(coefficients).max() * rng.standard_normal(16)
    for wrong, channels in ((moved, 1), (coefficients, 2)):  # of a higher rank, and of a lower one
        with pytest.raises(ValueError, match="coefficients: "):
            tensor_train_allocation(wrong, model.taps, channels)
