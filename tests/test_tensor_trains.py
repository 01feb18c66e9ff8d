import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from capacity.allocation import model_constraints
from capacity.convolutions import DilatedConvolution
from capacity.finite_field import PRIME, exact_capacity, rank_modulo
from capacity.tensor_trains import (
    tensor_train_allocation,
    tensor_train_capacity,
    tensor_train_parameters,
    unfolding_singular_values,
)


def reached(target, taps, channels):
    model = DilatedConvolution.hierarchical(len(taps), channels, taps)
    return model.coefficients(tensor_train_parameters(target, taps, channels))


@pytest.mark.parametrize(
    ("taps", "channels"), [((2, 3, 2), (2, 2)), ((3, 2, 2, 2), (3, 4, 2)), ((2, 2, 2), (7, 9)), ((5,), ())]
)
def test_enough_channels_reach_any_coefficients(taps, channels):
    target = np.random.default_rng(0).standard_normal(np.prod(taps))
    np.testing.assert_allclose(reached(target, taps, channels), target, atol=1e-12)


def test_coefficients_of_a_narrow_model_are_recovered():
    model = DilatedConvolution.hierarchical(5, 2)
    target = model.coefficients(model.initial(1))
    np.testing.assert_allclose(reached(target, model.taps, model.channels), target, atol=1e-12)
    assert all(
        np.count_nonzero(values > 1e-12 * values[0]) <= 2 for values in unfolding_singular_values(target, model.taps)
    )


def test_the_error_of_a_cut_lies_between_the_largest_and_the_summed_tails_of_the_unfoldings():
    target = np.random.default_rng(2).standard_normal(32)
    tails = [np.square(values[2:]).sum() for values in unfolding_singular_values(target, [2] * 5)]
    error = np.square(reached(target, [2] * 5, [2] * 4) - target).sum()
    assert max(tails) <= error * (1 + 1e-12)
    assert error <= sum(tails) * (1 + 1e-12)


def test_wrong_sizes_are_refused():
    with pytest.raises(ValueError, match="coefficients: expected shape"):
        tensor_train_parameters(np.ones(7), [2, 2, 2], [2, 2])
    with pytest.raises(ValueError, match="channels: expected 2 entries"):
        tensor_train_parameters(np.ones(8), [2, 2, 2], [2])
    with pytest.raises(ValueError, match=r"channels\[1\]: expected an integer >= 1"):
        tensor_train_parameters(np.ones(8), [2, 2, 2], [2, 0])


@pytest.mark.parametrize("channels", [3, 4, 8, 11])
def test_every_layer_keeps_its_generic_capacity_where_there_are_idle_channels(channels):
    model = DilatedConvolution.hierarchical(5, channels)
    point = tensor_train_parameters(np.random.default_rng(3).standard_normal(32), model.taps, model.channels)
    ranks = {name: np.linalg.matrix_rank(t, rtol=1e-10) for name, t in model.tangent_factors(point).items()}
    assert ranks == {name: exact_capacity(model, layers=[name]).total for name in model.layers}


def test_components_count_as_digits_below_the_first_layer():
    model = DilatedConvolution.hierarchical(3, (6, 2), components=5)
    target = np.random.default_rng(4).standard_normal(40)
    point = tensor_train_parameters(target, model.taps, (10, 2), components=5)
    wide = DilatedConvolution.hierarchical(3, (10, 2), components=5)
    np.testing.assert_allclose(wide.coefficients(point), target, atol=1e-12)
    narrow = model.coefficients(model.initial(0))
    point = tensor_train_parameters(narrow, model.taps, model.channels, components=5)
    np.testing.assert_allclose(model.coefficients(point), narrow, atol=1e-12)
    assert [values.size for values in unfolding_singular_values(target, model.taps, components=5)] == [4, 2]


def test_tensor_train_formula_gives_the_totals_of_the_default_model():
    assert [tensor_train_capacity([2] * 6, c) for c in (1, 2, 4, 8, 512)] == [7, 20, 48, 64, 64]
    assert [exact_capacity(DilatedConvolution.hierarchical(6, channels=c)).total for c in (1, 2, 4, 8)] == [
        7,
        20,
        48,
        64,
    ]


@given(st.data())
def test_tensor_train_formula_is_the_generic_rank(data):
    n_layers = data.draw(st.integers(1, 5))
    taps = data.draw(st.lists(st.integers(1, 3), min_size=n_layers, max_size=n_layers))
    channels = data.draw(st.lists(st.integers(1, 6), min_size=n_layers - 1, max_size=n_layers - 1))
    model = DilatedConvolution.hierarchical(n_layers, channels=channels, taps=taps)
    point = np.random.default_rng(0).integers(0, PRIME, model.n_parameters)
    full = rank_modulo(model.jacobian(point, modulus=PRIME))  # of the model itself, not of the minimal one
    assert tensor_train_capacity(taps, channels) == full == exact_capacity(model).total


@pytest.mark.parametrize(
    ("taps", "channels"), [([3, 1, 2], [2, 1]), ([2, 1, 3], [1, 2]), ([4, 1, 1, 2], [3, 3, 2]), ([1, 5, 1], [3, 3])]
)
def test_tensor_train_formula_caps_the_ranks_from_both_sides(taps, channels):
    model = DilatedConvolution.hierarchical(len(taps), channels=channels, taps=taps)
    point = np.random.default_rng(0).integers(0, PRIME, model.n_parameters)
    assert tensor_train_capacity(taps, channels) == rank_modulo(model.jacobian(point, modulus=PRIME))


@given(st.data())
def test_one_channel_stacks_have_the_capacity_of_footnote_6(data):
    taps = data.draw(st.lists(st.integers(2, 4), min_size=1, max_size=4))
    expected = sum(n - 1 for n in taps) + 1
    assert tensor_train_capacity(taps, 1) == expected
    dilations = data.draw(st.lists(st.integers(1, 5), min_size=len(taps), max_size=len(taps)))
    assert exact_capacity(DilatedConvolution(dilations, 1, taps)).total == expected


def white_capacity(model, parameters):
    return model_constraints(model, parameters, np.eye(model.n_inputs)).spatial()


@pytest.mark.parametrize("channels", [1, 2, 3, 4, 8, (2, 1, 4, 3, 2)])
def test_allocation_for_white_inputs_is_that_of_the_constraints(channels):
    model = DilatedConvolution.hierarchical(6, channels)
    parameters = model.initial(0)
    found = tensor_train_allocation(model.coefficients(parameters), model.taps, channels)
    np.testing.assert_allclose(found, white_capacity(model, parameters), atol=1e-9)
    assert found.sum() == pytest.approx(tensor_train_capacity(model.taps, channels))


@pytest.mark.parametrize(
    ("taps", "channels", "components"), [((3, 2, 4), (2, 3), 1), ((2, 3, 2), (5, 2), 3), ((5,), (), 2)]
)
def test_allocation_of_other_taps_and_of_components(taps, channels, components):
    model = DilatedConvolution.hierarchical(len(taps), channels, taps, components)
    parameters = model.initial(1)
    found = tensor_train_allocation(model.coefficients(parameters), taps, channels, components=components)
    np.testing.assert_allclose(found, white_capacity(model, parameters), atol=1e-9)


def test_one_channel_allocates_to_products_of_digits():
    model = DilatedConvolution.hierarchical(5)
    parameters = model.initial(2)
    lag = np.arange(model.n_inputs)[::-1]
    shares = [np.square(w[0, :, 0]) / np.square(w).sum() for w in model.filters(parameters)]
    parts = np.array([share[lag // d % 2] for share, d in zip(shares, model.dilations)])
    expected = np.prod(parts, axis=0) * (1 + ((1 - parts) / parts).sum(axis=0))
    found = tensor_train_allocation(model.coefficients(parameters), model.taps, 1)
    np.testing.assert_allclose(found, expected, atol=1e-12)


def test_coefficients_of_another_model_are_refused():
    wide = DilatedConvolution.hierarchical(4, 3)
    with pytest.raises(ValueError, match="coefficients: expected rank 2 above layer 2, got singular values"):
        tensor_train_allocation(wide.coefficients(wide.initial(0)), wide.taps, 2)
    with pytest.raises(ValueError, match="coefficients: expected rank 1 above layer 1"):
        tensor_train_allocation(np.zeros(16), wide.taps, 1)
    with pytest.raises(ValueError, match="coefficients: expected shape"):
        tensor_train_allocation(np.ones(15), wide.taps, 1)


@pytest.mark.parametrize(
    ("make", "error", "expected"),
    [
        (lambda: tensor_train_capacity([], 2), ValueError, "taps: expected at least one layer"),
        (lambda: tensor_train_capacity(3, 2), TypeError, "taps: expected a sequence"),
        (lambda: tensor_train_capacity([2, 0], 2), ValueError, r"taps\[1\]: expected an integer >= 1"),
        (lambda: tensor_train_capacity([2, 2], 2.0), TypeError, "channels: expected an integer"),
        (lambda: tensor_train_capacity([2, 2], True), TypeError, "channels: expected an integer"),
        (lambda: tensor_train_capacity([2, 2], [1, 1]), ValueError, "channels: expected 1 entries, got 2"),
    ],
)
def test_bad_arguments_of_the_capacity_are_named(make, error, expected):
    with pytest.raises(error, match=expected):
        make()
