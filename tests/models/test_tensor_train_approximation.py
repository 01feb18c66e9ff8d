from itertools import product

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from linear_models import stacks

from capacity.allocation import exact_layer_capacities
from capacity.models import DilatedConvolution, tensor_train_parameters, unfolding_singular_values


def reached(target, taps, channels):
    model = DilatedConvolution.hierarchical(len(taps), channels, taps)
    return model.coefficients(tensor_train_parameters(target, taps, channels, rng=0))


@given(stacks(hierarchical=True), st.integers(0, 2**16))
def test_coefficients_of_a_model_are_recovered_by_parameters_as_generic_as_random_ones(model, seed):
    target = model.coefficients(model.initial(seed))
    taps, channels, components = model.taps, model.channels, model.components
    point = tensor_train_parameters(target, taps, channels, components=components, rng=seed)
    np.testing.assert_allclose(model.coefficients(point), target, atol=1e-12 * max(1, np.abs(target).max()))
    jacobian = model.jacobian(point)
    for name, exact in exact_layer_capacities(model).items():
        assert np.linalg.matrix_rank(jacobian[:, model.layers[name]], rtol=1e-10) == exact.total


@given(stacks(hierarchical=True))
@settings(max_examples=20)
def test_unfoldings_have_the_digits_below_a_cut_as_columns_and_those_above_as_rows(model):
    taps, components = model.taps, model.components
    target = np.random.default_rng(0).standard_normal(model.n_inputs)
    found = unfolding_singular_values(target, taps, components=components)
    assert len(found) == len(taps) - 1
    for cut, values in enumerate(found, start=1):
        matrix = {}
        for *digits, component in product(*(range(n) for n in taps), range(components)):
            position = model.n_positions - 1 - sum(t * d for t, d in zip(digits, model.dilations))
            column = (*digits[:cut], component)
            matrix[tuple(digits[cut:]), column] = target[position * components + component]
        rows, columns = (sorted({key[axis] for key in matrix}) for axis in (0, 1))
        table = [[matrix[row, column] for column in columns] for row in rows]
        np.testing.assert_allclose(values, np.linalg.svd(table, compute_uv=False), atol=1e-12)


def test_the_error_of_a_cut_lies_between_the_largest_and_the_summed_tails_of_the_unfoldings():
    target = np.random.default_rng(2).standard_normal(32)
    tails = [np.square(values[2:]).sum() for values in unfolding_singular_values(target, [2] * 5)]
    error = np.square(reached(target, [2] * 5, [2] * 4) - target).sum()
    assert max(tails) <= error * (1 + 1e-12)
    assert error <= sum(tails) * (1 + 1e-12)
