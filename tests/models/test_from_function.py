"""Linear models given by a function."""

from functools import reduce

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from capacity.allocation import exact_capacity, model_constraints
from capacity.fitting import fit
from capacity.linalg import PRIME
from capacity.models import DilatedConvolution, FunctionModel
from capacity.tasks import GaussianProcess, Samples


def dilated(taps, dilation):
    return np.kron(taps, np.eye(dilation, dtype=int)[0])[: (len(taps) - 1) * dilation + 1]


def stack(model):
    """The coefficients of a stack of one channel, written as a product of its filters."""
    dilate = lambda *filters: [dilated(w, d) for w, d in zip(filters, model.dilations)]  # noqa: E731
    shapes = {name: part.stop - part.start for name, part in model.layers.items()}
    return FunctionModel(lambda *filters: reduce(np.convolve, dilate(*filters))[::-1], shapes)


@pytest.mark.parametrize("dilations", [(1,), (1, 2, 4), (1, 2, 1, 2), (3, 1)])
def test_a_stack_written_as_a_function_is_the_stack(dilations):
    known = DilatedConvolution(dilations, taps=3)
    model = stack(known)
    parameters, residues = model.initial(0), np.random.default_rng(0).integers(0, PRIME, model.n_parameters)
    assert (model.n_inputs, model.n_parameters, model.degree) == (known.n_inputs, known.n_parameters, known.degree)
    assert model.layers == known.layers
    np.testing.assert_allclose(model.coefficients(parameters), known.coefficients(parameters), atol=1e-15)
    np.testing.assert_allclose(model.jacobian(parameters), known.jacobian(parameters), rtol=1e-13, atol=1e-15)
    np.testing.assert_array_equal(model.jacobian(residues, modulus=PRIME), known.jacobian(residues, modulus=PRIME))
    assert exact_capacity(model).total == exact_capacity(known).total


@given(st.integers(0, 2**32 - 1))
def test_derivatives_are_those_of_differences_and_products_those_with_the_jacobian(seed):
    model = FunctionModel(lambda a, b: np.concatenate([(a @ a @ b) ** 2, b**3]), {"matrix": (3, 3), "vector": 3})
    rng = np.random.default_rng(seed)
    parameters, cotangent = model.initial(rng), rng.standard_normal(model.n_inputs)
    step = 1e-5 * np.eye(model.n_parameters)
    central = [(model.coefficients(parameters + e) - model.coefficients(parameters - e)) / 2e-5 for e in step]
    jacobian = model.jacobian(parameters)
    np.testing.assert_allclose(jacobian, np.transpose(central), atol=1e-6 * np.abs(jacobian).max())
    np.testing.assert_array_equal(model.pullback(parameters, cotangent), jacobian.T @ cotangent)
    np.testing.assert_array_equal(np.hstack(list(model.tangent_factors(parameters).values())), jacobian)


def test_the_derivative_keeps_all_digits_where_differences_have_none():
    model = FunctionModel(lambda w: w**8, {"w": 1})
    assert model.jacobian([1e-20])[0, 0] == pytest.approx(8e-140, rel=1e-14)


@pytest.mark.parametrize(
    ("function", "degree"),
    [(lambda w: w * 0, 0), (lambda w: w * 0 + 3, 0), (lambda w: w + 1, 1), (lambda w: w**5 - w, 5)],
)
def test_the_degree_is_that_of_the_polynomial(function, degree):
    assert FunctionModel(function, {"w": 2}).degree == degree


def test_shared_weights_count_once():
    """Taps that serve two layers, and a weight: a factor moves from the taps to the weight."""
    model = FunctionModel(lambda w, a: np.convolve(w, dilated(w, 2))[::-1] * a, {"taps": 2, "weight": 1})
    assert exact_capacity(model).total == 2
    process = GaussianProcess()
    parameters = fit(model, process, restarts=3, rng=0).parameters
    assert model_constraints(model, parameters, process.covariance(4)).total == 2


def real_array(w):
    values = np.zeros(4)
    values[:2] = w
    return values


def real_entry(w):
    values = np.zeros(4)
    values[0] = w[0]
    return values


@pytest.mark.parametrize("function", [real_array, real_entry, lambda w: w // 2])
def test_functions_that_lose_the_step_are_refused(function):
    with pytest.raises(TypeError, match=r"complex parameters.*dtype=w.dtype"):
        FunctionModel(function, {"w": 2})


@pytest.mark.parametrize("function", [np.abs, np.real, lambda w: w.conj() * w])
def test_functions_without_complex_derivative_are_refused(function):
    with pytest.raises(ValueError, match="do without abs"):
        FunctionModel(function, {"w": 6})


@pytest.mark.parametrize("function", [np.exp, lambda w: w * 0.5, lambda w: 1 / w, lambda w: w @ np.eye(2)])
def test_only_integer_polynomials_have_an_exact_capacity(function):
    model = FunctionModel(function, {"w": 2})
    assert np.linalg.matrix_rank(model.jacobian([1.0, 2.0])) == 2
    with pytest.raises(TypeError, match="function: "):
        exact_capacity(model)


def test_a_degree_has_a_bound():
    with pytest.raises(ValueError, match="degree below 100"):
        _ = FunctionModel(lambda w: w**128, {"w": 1}).degree


def test_bad_arguments_are_named():
    with pytest.raises(TypeError, match="function"):
        FunctionModel(np.ones(2), {"w": 2})
    with pytest.raises(TypeError, match="shapes"):
        FunctionModel(np.negative, 2)
    with pytest.raises(ValueError, match=r"shapes\['w'\]"):
        FunctionModel(np.negative, {"w": 0})
    with pytest.raises(ValueError, match="return one number per input"):
        FunctionModel(lambda w: w, {"w": (2, 2)})
    with pytest.raises(ValueError, match="components"):
        FunctionModel(np.negative, {"w": 3}, components=2)
    with pytest.raises(ValueError, match="parameters"):
        FunctionModel(np.negative, {"w": 3}).jacobian([1.0])
    with pytest.raises(ValueError, match="cotangent"):
        FunctionModel(np.negative, {"w": 3}).pullback(np.ones(3), np.ones(2))


def test_a_function_may_work_in_place():
    def doubled(w):
        w *= 2
        return w

    model, parameters = FunctionModel(doubled, {"w": 3}), np.ones(3)
    np.testing.assert_array_equal(model.coefficients(parameters), [2, 2, 2])
    np.testing.assert_array_equal(model.jacobian(parameters), 2 * np.eye(3))
    np.testing.assert_array_equal(model.jacobian([1, 1, 1], modulus=7), 2 * np.eye(3))
    np.testing.assert_array_equal(parameters, 1)
    assert fit(model, Samples.from_series(np.random.default_rng(0).standard_normal(50), 3), rng=0).loss < 1e-20


@pytest.mark.parametrize("function", [lambda w: np.where(w > 0, w, 0.1 * w), lambda w: np.maximum(w, 0 * w)])
def test_a_kink_is_refused_where_it_is_and_only_there(function):
    model = FunctionModel(function, {"w": 3})
    for parameters in ([0.0, 1.0, 2.0], [0.0, 0.0, 0.0]):
        with pytest.raises(ValueError, match="function: "):
            model.jacobian(parameters)
    assert np.isfinite(model.jacobian([1e-2, 1.0, 2.0])).all()


@pytest.mark.parametrize("function", [lambda w: np.round(3 * w), np.sign, lambda w: np.append(w, np.round(5 * w[0]))])
def test_rounding_is_refused_although_it_has_the_same_derivative_by_both_ways(function):
    with pytest.raises(ValueError, match="function: "):
        FunctionModel(function, {"w": 6})


def test_flat_points_of_smooth_functions_are_none_that_round():
    model = FunctionModel(lambda a, b, c: a * b * c, {"a": 2, "b": 2, "c": 2})
    for scale in (0, 1e-12, 1e-3, 1, 1e6):
        parameters = scale * model.initial(0)
        assert np.isfinite(model.jacobian(parameters)).all()
    assert FunctionModel(lambda w: 0 * w + 1, {"w": 2}).jacobian([1.0, 2.0]).any() == np.False_
    assert FunctionModel(lambda w: np.exp(-(w**2)), {"w": 2}).jacobian([1e3, 0.0]).any() == np.False_


def test_initial_parameters_have_the_variance_of_the_inverse_of_their_last_axis():
    model = FunctionModel(lambda a, b: a.ravel(), {"matrix": (500, 4), "vector": 1000})
    first, second = (model.initial(0)[part] for part in model.layers.values())
    assert np.var(first) == pytest.approx(1 / 4, rel=0.1)
    assert np.var(second) == pytest.approx(1 / 1000, rel=0.2)


def test_a_kink_is_refused_beside_a_coefficient_that_is_much_larger():
    with pytest.raises(ValueError, match="coefficient 1"):
        FunctionModel(lambda a, b: np.concatenate([1e6 * a, b + np.abs(b)]), {"a": 1, "b": 1}).jacobian([1.0, -1.0])


def test_a_parameter_may_be_a_single_number():
    model = FunctionModel(lambda w: np.array([w, w * w]).ravel(), {"w": ()})
    np.testing.assert_array_equal(model.jacobian([3.0]), [[1.0], [6.0]])


def test_as_many_integers_are_expected_as_there_are_parameters():
    model = FunctionModel(lambda a: a**3, {"a": 2})
    for parameters in ([1, 2, 3], [1]):
        with pytest.raises(ValueError, match="parameters: "):
            model.jacobian(parameters, modulus=7)


def test_parameters_may_have_units_far_apart():
    lags = np.arange(8)
    decay = FunctionModel(lambda a, t: a * np.exp(-lags * 1e-6 / t), {"a": 1, "t": 1})
    assert decay.jacobian([1.0, 1e-5]).shape == (8, 2)
    assert FunctionModel(lambda w: np.array([w[0], np.tanh(w[1])]), {"w": 2}).jacobian([1e6, 0.5])[0, 0] == 1
