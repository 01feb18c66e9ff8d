import numpy as np
import pytest

from capacity.models import DilatedConvolution, tensor_train_parameters, unfolding_singular_values


def reached(target, taps, channels):
    model = DilatedConvolution.hierarchical(len(taps), channels, taps)
    return model.coefficients(tensor_train_parameters(target, taps, channels, rng=0))


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
    with pytest.raises(ValueError, match="coefficients: "):
        tensor_train_parameters(np.ones(7), [2, 2, 2], [2, 2], rng=0)
    with pytest.raises(ValueError, match="channels: "):
        tensor_train_parameters(np.ones(8), [2, 2, 2], [2], rng=0)
    with pytest.raises(ValueError, match=r"channels\[1\]: "):
        tensor_train_parameters(np.ones(8), [2, 2, 2], [2, 0], rng=0)


def test_components_count_as_digits_below_the_first_layer():
    model = DilatedConvolution.hierarchical(3, (6, 2), components=5)
    target = np.random.default_rng(4).standard_normal(40)
    point = tensor_train_parameters(target, model.taps, (10, 2), components=5, rng=0)
    wide = DilatedConvolution.hierarchical(3, (10, 2), components=5)
    np.testing.assert_allclose(wide.coefficients(point), target, atol=1e-12)
    narrow = model.coefficients(model.initial(0))
    point = tensor_train_parameters(narrow, model.taps, model.channels, components=5, rng=0)
    np.testing.assert_allclose(model.coefficients(point), narrow, atol=1e-12)
    assert [values.size for values in unfolding_singular_values(target, model.taps, components=5)] == [4, 2]
