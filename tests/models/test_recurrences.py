import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from capacity.allocation import constraint_space, exact_capacity
from capacity.fitting import fit
from capacity.models import DiagonalRecurrence, scaled_exponentials
from capacity.tasks import GaussianProcess

MODELS = [DiagonalRecurrence(9, 3), DiagonalRecurrence(9, 3, bound=0.9), DiagonalRecurrence(5, 8)]


@pytest.mark.parametrize("model", MODELS, ids=str)
def test_directions_span_the_columns_of_the_jacobian(model):
    parameters = model.initial(3)
    spaces = [
        constraint_space(np.eye(model.n_inputs), columns)
        for columns in (model.jacobian(parameters), model.directions(parameters))
    ]
    assert spaces[0].total == spaces[1].total
    assert np.allclose(spaces[0].spatial(), spaces[1].spatial(), atol=1e-8)


@pytest.mark.parametrize(("n", "c"), [(5, 1), (5, 2), (5, 3), (64, 1), (64, 8), (64, 31), (64, 32), (64, 256)])
def test_exact_capacity_is_twice_the_channels_until_it_is_full(n, c):
    for bound in (None, 1.0):
        assert exact_capacity(DiagonalRecurrence(n, c, bound)).total == min(2 * c, n)


def test_weights_at_the_input_have_the_directions_of_those_at_the_output_and_poles_have_others():
    found = [exact_capacity(DiagonalRecurrence(64, 8), layers=[name, "output"]) for name in ("input", "recurrence")]
    assert [one.total for one in found] == [8, 16]


def test_an_input_weight_sees_one_position_and_what_is_above_it_all():
    model = DiagonalRecurrence(6, 2)
    assert {name: model.field(name) for name in model.layers} == {"input": 1, "recurrence": 6, "output": 6}


def test_as_many_real_poles_as_inputs_reach_all_coefficients():
    assert [DiagonalRecurrence(6, c).minimal().channels for c in (2, 5, 6, 9)] == [2, 5, 6, 6]


def test_a_bound_holds_all_poles():
    model = DiagonalRecurrence(64, 8, bound=0.95)
    assert np.abs(model.poles(100 * model.initial(0))).max() <= 0.95
    free = fit(DiagonalRecurrence(64, 4), GaussianProcess(), method="gauss-newton", rng=0)
    bounded = fit(
        DiagonalRecurrence(64, 4, bound=1.0), GaussianProcess(), method="gauss-newton", rng=0, max_iterations=200
    )
    assert np.abs(DiagonalRecurrence(64, 4).poles(free.parameters)).max() > 1.05
    assert np.abs(DiagonalRecurrence(64, 4, bound=1.0).poles(bounded.parameters)).max() <= 1
    assert free.loss < bounded.loss


@given(st.floats(-1e4, 1e4), st.integers(2, 70))
def test_scaled_exponentials_are_powers_over_the_largest_one(z, n):
    powers, slopes = (part[:, 0] for part in scaled_exponentials(np.array([z]), n))
    largest = z ** (n - 1) if abs(z) > 1 else 1.0
    assert np.abs(powers).max() == 1
    assert np.allclose(powers * largest, [z**k for k in range(n)], rtol=1e-10, atol=1e-300)
    assert np.allclose(slopes * largest, [k * z ** max(k - 1, 0) for k in range(n)], rtol=1e-10, atol=1e-300)


@pytest.mark.parametrize("bound", [None, 0.5])
def test_initial_parameters_have_the_distribution_that_is_documented(bound):
    model = DiagonalRecurrence(4, 4000, bound)
    parameters = model.initial(0)
    inputs, _, outputs = parameters.reshape(3, -1)
    assert np.var(inputs) == pytest.approx(1, rel=0.1)
    assert np.var(outputs) == pytest.approx(1 / 4000, rel=0.1)
    poles = model.poles(parameters) / (bound or 1)
    assert stats.kstest(poles, stats.uniform(-1, 2).cdf).pvalue > 0.01
