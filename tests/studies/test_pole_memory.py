import numpy as np
import pytest
from scipy import linalg

from capacity.allocation import model_constraints
from capacity_inspection.models import DiagonalStateSpace, ring_poles, s4d_lin_poles
from capacity_studies.pole_memory import memory_by_lag, memory_capacity


def both(poles):
    return np.r_[poles, np.conj(poles)]


def test_memory_is_the_share_of_each_input_that_regression_on_the_states_explains():
    poles = both(np.array([0.5 + 0.3j, 0.8j, 0.3 - 0.6j]))
    rows = poles[:, None] ** np.arange(400)  # what each state holds of the input at each lag
    second_moments = rows @ rows.conj().T
    explained = np.einsum("mk,mk->k", rows.conj(), np.linalg.solve(second_moments, rows)).real
    np.testing.assert_allclose(memory_by_lag(poles, 400)[::-1], explained, atol=1e-10)


def test_memory_sums_to_the_rank_also_where_the_matrix_is_numerically_singular():
    poles = both(s4d_lin_poles(24, step=0.05)[0][1:])
    memory = memory_capacity(poles)
    assert memory.total == 46
    assert memory_by_lag(poles, 4000).sum() == pytest.approx(46, rel=1e-9)
    close = both(0.9 * np.exp(1j * np.linspace(0.01, 0.2, 20)))
    assert memory_capacity(close).total == 40
    assert memory_capacity(close).numerical < 25
    assert memory_by_lag(close, 4000).sum() == pytest.approx(40, rel=1e-9)


def test_memory_is_the_allocation_of_frozen_poles_to_white_inputs():
    n, poles = 600, ring_poles(5, inner=0.5, outer=0.95, rng=0)[0]
    model = DiagonalStateSpace(n, 5)
    space = model_constraints(model, model.parameters(poles), np.eye(n), layers=["weights"])
    np.testing.assert_allclose(space.spatial(), memory_by_lag(both(poles), n), atol=1e-9)


def test_equal_poles_of_the_cascade_are_a_chain():
    k = np.arange(300)
    chain, _ = np.linalg.qr(np.stack([0.7**k, k * 0.7**k], axis=1))
    np.testing.assert_allclose(memory_by_lag([0.7, 0.7], 300)[::-1], np.square(chain).sum(axis=1), atol=1e-12)


@pytest.mark.parametrize("poles", [[0.5, 0.5, 0.9], [0.0, 0.5], [0.5j, -0.5j, 0.5], [0.4, 0.4, 0.4]])
def test_the_capacity_is_the_rank_of_the_controllability_matrix(poles):
    transition, column = np.diag(np.array(poles, complex)), np.ones(len(poles))
    matrix = np.stack([np.linalg.matrix_power(transition, k) @ column for k in range(len(poles))], axis=1)
    memory = memory_capacity(poles)
    assert memory.total == memory.numerical == np.linalg.matrix_rank(matrix)
    assert memory.gap > 1e3


def test_the_gap_is_that_of_the_singular_values():
    poles = 0.9 * np.exp(1j * np.linspace(0.01, 0.2, 20))
    columns = np.vander(poles, 20, increasing=True)
    values = linalg.svdvals(columns / np.linalg.norm(columns, axis=0))
    memory = memory_capacity(poles)
    assert memory.numerical == np.linalg.matrix_rank(columns / np.linalg.norm(columns, axis=0))
    below = max(values[memory.numerical], values[0] * 20 * np.finfo(float).eps)
    assert memory.gap == pytest.approx(values[memory.numerical - 1] / below)
