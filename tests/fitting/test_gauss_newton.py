"""Gauss-Newton steps in the space of coefficients."""

import numpy as np
import pytest
from scipy import linalg

from capacity.fitting import fit
from capacity.fitting.gauss_newton import _linearised
from capacity.models import FullyConnected
from capacity.tasks import GaussianProcess

PROCESS = GaussianProcess()


def test_a_linear_least_squares_problem_takes_few_steps():
    assert fit(FullyConnected(64), PROCESS, rng=0).losses.size <= 10


@pytest.mark.parametrize("damping", [1e-6, 1e-2, 1e3])
@pytest.mark.parametrize("shape", [(30, 12), (12, 30), (12, 12), (1, 3)])
def test_damped_steps_are_those_of_the_normal_equations_whatever_the_shape(shape, damping):
    rng = np.random.default_rng(0)
    tangent = rng.standard_normal((shape[0], 8)) @ rng.standard_normal((8, shape[1]))
    residual = rng.standard_normal(shape[0])
    gram, basis = tangent @ tangent.T, linalg.orth(tangent)
    mu = damping * linalg.norm(tangent, 2) ** 2
    wanted = linalg.solve(gram + mu * np.eye(shape[0]), residual)
    linear = _linearised(tangent, residual)
    weights, explained, lowered = linear.damped(damping)
    np.testing.assert_allclose(basis.T @ weights, basis.T @ wanted, rtol=0, atol=1e-8 * linalg.norm(wanted))
    step = tangent.T @ wanted
    assert explained == pytest.approx(linalg.norm(tangent @ step))
    assert lowered == pytest.approx(residual @ residual - np.square(residual - tangent @ step).sum())
    assert linear.projection() == pytest.approx(linalg.norm(basis.T @ residual))
    assert explained < linear.projection()


@pytest.mark.parametrize("exponent", [-400, 600])
def test_steps_of_wide_problems_have_no_square_that_leaves_the_range_of_a_double(exponent):
    rng = np.random.default_rng(0)
    tangent, residual = rng.standard_normal((5, 9)), rng.standard_normal(5)
    weights, *others = _linearised(tangent, residual).damped(1e-3)
    far = _linearised(np.ldexp(tangent, exponent), residual).damped(1e-3)
    assert far[1:] == tuple(others)
    np.testing.assert_array_equal(far[0], np.ldexp(weights, -2 * exponent))


@pytest.mark.parametrize("shape", [(6, 3), (3, 6)])
def test_where_nothing_can_move_nothing_is_explained(shape):
    linear = _linearised(np.zeros(shape), np.ones(shape[0]))
    assert (linear.damped(1e-3)[1], linear.projection()) == (0.0, 0.0)
