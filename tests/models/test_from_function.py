"""Linear models given by a function."""

import numpy as np
import pytest

from capacity.allocation import exact_capacity
from capacity.fitting import fit
from capacity.models import FunctionModel
from capacity.tasks import Samples


def test_the_derivative_keeps_all_digits_where_differences_have_none():
    model = FunctionModel(lambda w: w**8, {"w": 1})
    assert model.jacobian([1e-20])[0, 0] == pytest.approx(8e-140, rel=1e-14)


@pytest.mark.parametrize(
    ("function", "degree"),
    [(lambda w: w * 0, 0), (lambda w: w * 0 + 3, 0), (lambda w: w + 1, 1), (lambda w: w**5 - w, 5)],
)
def test_the_degree_is_that_of_the_polynomial(function, degree):
    assert FunctionModel(function, {"w": 2}).degree == degree


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


def test_parameters_may_have_units_far_apart():
    lags = np.arange(8)
    decay = FunctionModel(lambda a, t: a * np.exp(-lags * 1e-6 / t), {"a": 1, "t": 1})
    assert decay.jacobian([1.0, 1e-5]).shape == (8, 2)
    assert FunctionModel(lambda w: np.array([w[0], np.tanh(w[1])]), {"w": 2}).jacobian([1e6, 0.5])[0, 0] == 1


def test_checks_call_a_smooth_function_four_times_and_three_more_for_each_jacobian():
    calls = []
    model = FunctionModel(lambda w: calls.append(w) or w**2, {"w": 5})
    assert len(calls) == 4
    model.jacobian(model.initial(0))
    assert len(calls) == 4 + 3 + model.n_parameters
