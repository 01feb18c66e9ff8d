"""Gauss-Newton steps in the space of coefficients."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from linear_models import stacks
from scipy import linalg

from capacity.fitting import Objective, fit, fit_many, stationarity
from capacity.fitting.gauss_newton import _Tall, _Wide, gauss_newton
from capacity.models import DilatedConvolution, FullyConnected, FunctionModel
from capacity.tasks import GaussianProcess, PrescribedTask

PROCESS = GaussianProcess()


def starts_of(model, count, seed=0):
    return np.random.default_rng(seed).standard_normal((count, model.n_parameters))


def targets(model, count, seed=0):
    """Tasks of the same inputs, each with a target of its own."""
    drawn = np.random.default_rng(seed).standard_normal((count, model.n_inputs))
    return [PrescribedTask(PROCESS, target) for target in drawn]


@given(stacks().filter(lambda model: model.components == 1), st.integers(0, 2**16), st.booleans())
@settings(max_examples=20)
def test_after_some_steps_a_stack_of_fits_is_where_each_is_alone(model, seed, shared):
    starts, tasks = starts_of(model, 3, seed), [PROCESS] * 3 if shared else targets(model, 3, seed)
    for start, task, found in zip(starts, tasks, fit_many(model, tasks, starts, max_iterations=4)):
        alone = fit(model, task, initial=start, max_iterations=4)
        np.testing.assert_allclose(found.losses, alone.losses, rtol=1e-6, atol=1e-12)
        np.testing.assert_allclose(found.coefficients, model.coefficients(found.parameters), atol=1e-13)
        assert (found.converged, found.message, found.loss) == (alone.converged, alone.message, found.losses[-1])


def test_fits_of_a_stack_end_where_each_ends_alone():
    model = DilatedConvolution([1, 2, 3], channels=2)
    starts, tasks = starts_of(model, 12), targets(model, 12)
    found = fit_many(model, tasks, starts)
    assert all(one.converged for one in found)
    alone = [fit(model, task, initial=start) for start, task in zip(starts, tasks)]
    np.testing.assert_allclose([one.loss for one in found], [one.loss for one in alone], rtol=1e-9, atol=1e-20)
    assert len({one.iterations for one in found}) > 3  # each in its own time


class Counting(DilatedConvolution):
    """Notes how many tangents it is asked for at once, and fails at some parameters."""

    def tangent_factors(self, parameters):
        SIZES.append(len(parameters) if parameters.ndim > 1 else 1)
        if (parameters == 7.0).any():
            raise np.linalg.LinAlgError("no tangent here")
        return super().tangent_factors(parameters)


SIZES = []


def test_a_fit_that_has_ended_leaves_the_stack():
    SIZES.clear()
    model = Counting([1, 2, 3])
    found = fit_many(model, targets(model, 12), starts_of(model, 12))
    assert SIZES[0] == 12
    assert SIZES[-1] < 4
    assert sum(SIZES) <= sum(one.iterations + 1 for one in found)  # one for each step, and one to see that it ends


@pytest.mark.parametrize("held_at_once", [1, 2, 5])
def test_a_fit_that_fails_or_cannot_move_leaves_the_others_alone_and_each_says_how_it_ended(monkeypatch, held_at_once):
    model, whole = Counting([1, 2, 3]), DilatedConvolution([1, 2, 3])
    monkeypatch.setattr("capacity.fitting.gauss_newton._ENTRIES", held_at_once * model.n_inputs * model.n_parameters)
    starts, tasks = starts_of(model, 5), targets(model, 5)
    starts[1], starts[3] = 7.0, 0.0
    found = fit_many(model, tasks, starts)
    assert (found[1].converged, found[1].message, found[1].iterations) == (False, "no tangent here", 0)
    assert (found[3].converged, found[3].iterations) == (True, 0)
    np.testing.assert_array_equal(found[1].parameters, starts[1])
    for i in (0, 2, 4):
        assert found[i].converged
        assert found[i].loss == pytest.approx(fit(whole, tasks[i], initial=starts[i]).loss, rel=1e-9)
    with pytest.raises(np.linalg.LinAlgError, match="no tangent here"):  # of a single fit there are no others
        fit(model, tasks[1], initial=starts[1])
    assert fit_many(model, tasks[1], starts[1:2])[0].message == "no tangent here"
    short = fit_many(whole, tasks, starts, max_iterations=1)[0]
    assert (short.converged, short.message, short.iterations) == (False, "the iterations ran out", 1)


class Infinite(DilatedConvolution):
    """Has no finite tangents at some parameters."""

    def tangent_factors(self, parameters):
        size = np.where((parameters == 7.0).any(axis=-1), np.inf, 1.0)[..., None, None]
        return {name: size * np.abs(found) for name, found in super().tangent_factors(parameters).items()}


def test_a_fit_whose_tangents_are_not_finite_ends_and_leaves_the_others_alone():
    model = Infinite([1, 2, 3])
    starts, tasks = starts_of(model, 4), targets(model, 4)
    starts[2] = 7.0
    found, message = fit_many(model, tasks, starts, max_iterations=3), "the tangent space is not finite"
    assert [one.message == message for one in found] == [False, False, True, False]
    assert all(one.iterations for one in found if one.message != message)
    alone = fit(model, tasks[2], initial=starts[2])
    assert (alone.converged, alone.message, alone.iterations) == (False, message, 0)


class Redundant(DilatedConvolution):
    """Gives some factors twice, here and there."""

    def tangent_factors(self, parameters):
        found = super().tangent_factors(parameters)
        again = [min(found), *([max(found)] if parameters.flat[0] > 0.2 else [])]
        return found | {f"{name} again": found[name] for name in again}


def test_the_number_of_tangent_factors_may_change_on_the_way():
    model, start = Redundant([1, 2, 4]), np.full(6, 0.3)
    sizes = [sum(f.shape[-1] for f in model.tangent_factors(w).values()) for w in (start, -start)]
    assert sizes[0] > sizes[1]
    task = PrescribedTask(PROCESS, np.linspace(-2, 1, 8))
    found, plain = (fit(kind([1, 2, 4]), task, initial=start) for kind in (Redundant, DilatedConvolution))
    assert (found.parameters[0] > 0.2) != (start[0] > 0.2)
    assert found.loss == pytest.approx(plain.loss, rel=1e-9)


def test_a_fit_that_ends_at_its_last_iteration_has_ended_all_the_same():
    model = DilatedConvolution.hierarchical(4, channels=4)
    whole = fit(model, PROCESS, rng=0)
    assert (whole.converged, whole.message) == (True, "the loss is at the rounding error")
    assert whole.loss <= Objective.of_task(model, PROCESS).rounding_error < whole.losses[-2]
    last = fit(model, PROCESS, rng=0, max_iterations=whole.iterations)
    assert (last.converged, last.message) == (True, whole.message)
    assert not fit(model, PROCESS, rng=0, max_iterations=whole.iterations - 1).converged


def nielsen(residual, jacobian, start, steps):
    """Losses by Algorithm 3.16 of Madsen, Nielsen and Tingleff, the damping in units of the largest square."""
    x, damping, growth, gains = start, 1e-3, 2.0, []
    losses = [np.sum(residual(x) ** 2)]
    while len(losses) <= steps:
        matrix, rest = jacobian(x), residual(x)
        mu = damping * np.linalg.norm(matrix, 2) ** 2
        step = -np.linalg.solve(matrix.T @ matrix + mu * np.eye(x.size), matrix.T @ rest)
        loss, linear = np.sum(residual(x + step) ** 2), np.sum((rest + matrix @ step) ** 2)
        gains.append((losses[-1] - loss) / (losses[-1] - linear))
        if gains[-1] > 0:
            x = x + step
            losses.append(loss)
            damping, growth = damping * max(1 / 3, 1 - (2 * gains[-1] - 1) ** 3), 2.0
        else:
            damping, growth = damping * growth, 2 * growth
    return losses, np.array(gains)


def test_the_damping_follows_nielsen():
    model = FunctionModel(lambda w: np.array([w[0], 10 * (w[1] - w[0] ** 2), w[0] * w[1]]), {"w": 2})
    start, task = np.array([-2.0, 1.0]), PrescribedTask(PROCESS, np.array([1.0, 0.0, 3.0]))
    objective = Objective.of_task(model, task)
    expected, gains = nielsen(objective.residual, lambda w: objective.root @ model.jacobian(w), start, 9)
    refused = gains <= 0
    assert (refused[2:] & refused[1:-1] & refused[:-2]).any()  # in a row, so that the growth of the damping doubles
    assert (gains > 0.95).any()
    assert ((gains > 0) & (gains < 0.4)).any()
    ((_, found),) = gauss_newton(objective, start[None], 9, 1e-12, raises=True)
    np.testing.assert_allclose(found.losses, expected, rtol=1e-7)


@pytest.mark.parametrize("unit", [1e-3, 1.0, 1e3])
def test_a_fit_ends_where_its_stationarity_is_the_tolerance_in_any_unit(unit):
    model = DilatedConvolution([1, 2, 4])
    start, task = unit * model.initial(0), PrescribedTask(PROCESS, unit**3 * np.linspace(-1, 2, 8))
    cosine = stationarity(model, start, task)
    for factor, steps in ((1.001, 0), (0.999, 1)):
        assert fit(model, task, initial=start, tolerance=factor * cosine, max_iterations=1).iterations == steps


def test_a_linear_least_squares_problem_takes_few_steps():
    assert fit(FullyConnected(64), PROCESS, rng=0).losses.size <= 10


def linearised(tangents, residuals):
    """The linear problems of a stack of runs, in which the last ones have moved on."""
    count, rows, columns = np.shape(tangents)
    linear = (_Wide if columns >= rows else _Tall)(count, rows, columns)
    linear.tangents[:], members = tangents[0], np.arange(count)
    linear.put(members, np.array([residuals[0]] * count))
    linear.tangents[1:] = tangents[1:]
    linear.put(members[1:], np.array(residuals[1:]))
    return linear


@pytest.mark.parametrize("shape", [(30, 12), (12, 30), (12, 12), (1, 3)])
def test_damped_steps_are_those_of_the_normal_equations_whatever_the_shape(shape):
    rng, dampings = np.random.default_rng(0), np.array([1e-6, 1e-2, 1e3])
    tangents = rng.standard_normal((3, shape[0], 8)) @ rng.standard_normal((3, 8, shape[1]))
    residuals = rng.standard_normal((3, shape[0]))
    linear = linearised(tangents, residuals)
    order = np.array([2, 0, 1])
    found = zip(order, *linear.damped(order, dampings[order]), linear.projection(order))
    for i, weights, explained, lowered, projection in found:
        tangent, residual = tangents[i], residuals[i]
        gram, basis = tangent @ tangent.T, linalg.orth(tangent)
        mu = dampings[i] * linalg.norm(tangent, 2) ** 2
        wanted = linalg.solve(gram + mu * np.eye(shape[0]), residual)
        np.testing.assert_allclose(basis.T @ weights, basis.T @ wanted, rtol=0, atol=1e-8 * linalg.norm(wanted))
        step = tangent.T @ wanted
        assert explained == pytest.approx(linalg.norm(tangent @ step))
        assert lowered == pytest.approx(residual @ residual - np.square(residual - tangent @ step).sum())
        assert projection == pytest.approx(linalg.norm(basis.T @ residual))
        assert explained < projection


@pytest.mark.parametrize("exponent", [-400, 600])
def test_steps_of_wide_problems_have_no_square_that_leaves_the_range_of_a_double(exponent):
    rng, members, damping = np.random.default_rng(0), np.arange(2), np.full(2, 1e-3)
    tangent, residual = rng.standard_normal((5, 9)), rng.standard_normal(5)
    linear = linearised([tangent, np.ldexp(tangent, exponent)], [residual, residual])
    weights, explained, lowered = linear.damped(members, damping)
    assert explained[0] == explained[1]
    assert lowered[0] == lowered[1]
    np.testing.assert_array_equal(weights[1], np.ldexp(weights[0], -2 * exponent))


@pytest.mark.parametrize("shape", [(6, 3), (3, 6)])
def test_where_nothing_can_move_nothing_is_explained(shape):
    linear, only = linearised(np.zeros((1, *shape)), np.ones((1, shape[0]))), np.arange(1)
    assert (linear.damped(only, np.full(1, 1e-3))[1], linear.projection(only)) == (0.0, 0.0)
