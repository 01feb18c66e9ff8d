"""Capacity at a temperature."""

import numpy as np
import pytest
from scipy import linalg

from capacity import constraint_space, orthonormal_basis
from capacity_studies.bridge import effective_dimension, shared_matrix, soft_capacity

RNG = np.random.default_rng(0)
CONSTRAINTS = RNG.standard_normal((7, 4)) @ np.diag([3.0, 1.0, 0.3, 0.0])
TEMPERATURES = np.array([[1e-3, 0.1], [1.0, 30.0]])
WHITE = np.sqrt(20) * np.linalg.qr(RNG.standard_normal((20, 7)))[0]


def test_it_is_by_how_much_noisy_constraints_lower_the_variance_of_errors():
    for temperature in TEMPERATURES.flat:
        left = np.linalg.inv(np.eye(7) + CONSTRAINTS @ CONSTRAINTS.T / temperature)  # covariance given the constraints
        np.testing.assert_allclose(soft_capacity(CONSTRAINTS, temperature), 1 - np.diag(left), atol=1e-12)


def test_the_limit_of_low_temperature_is_the_capacity_of_paper_1():
    space, directions = constraint_space(np.eye(7), CONSTRAINTS), orthonormal_basis(RNG.standard_normal((7, 3)))
    np.testing.assert_allclose(soft_capacity(CONSTRAINTS, 0.0, directions), space.along(directions), atol=1e-12)
    np.testing.assert_allclose(soft_capacity(CONSTRAINTS, 0.0), space.spatial(), atol=1e-12)
    np.testing.assert_allclose(soft_capacity(CONSTRAINTS, 1e-12), space.spatial(), atol=1e-10)


@pytest.mark.parametrize("shape", [(3, 40), (40, 3)])
def test_at_the_temperature_0_the_rank_is_that_of_the_default_tolerance(shape):
    for factor in (39, 41):
        matrix = np.eye(*shape) * [1.0, factor * np.finfo(float).eps, *[0.0] * (shape[1] - 2)]
        assert soft_capacity(matrix, 0.0).sum() == orthonormal_basis(matrix).rank == 1 + (factor > 40)


def test_it_sums_to_the_effective_dimension_and_falls_with_the_temperature():
    eigenvalues = np.linalg.eigvalsh(CONSTRAINTS.T @ CONSTRAINTS)
    shares = soft_capacity(CONSTRAINTS, TEMPERATURES)
    assert shares.shape == (2, 2, 7)
    np.testing.assert_allclose(shares.sum(axis=-1), effective_dimension(eigenvalues, TEMPERATURES))
    assert (np.diff(shares.reshape(4, 7), axis=0) < 0).all()


def test_effective_dimension_is_a_trace_and_at_the_temperature_0_a_rank():
    gram = CONSTRAINTS.T @ CONSTRAINTS
    expected = [[np.trace(gram @ np.linalg.inv(gram + t * np.eye(4))) for t in row] for row in TEMPERATURES]
    np.testing.assert_allclose(effective_dimension(np.linalg.eigvalsh(gram), TEMPERATURES), expected)
    assert effective_dimension(np.linalg.eigvalsh(gram), 0.0) == 3
    for rtol, options in ((0.1, {"rtol": 0.1}), (2 * np.finfo(float).eps, {})):
        assert [effective_dimension([1.0, factor * rtol], 0.0, **options) for factor in (0.9, 1.1)] == [1, 2]
    many = effective_dimension([[4.0, 1.0, -1e-17], [0.0, 0.0, 0.0]], [0.0, 1.0])  # two spectra at once
    np.testing.assert_allclose(many, [[2.0, 0.0], [1.3, 0.0]])


def test_rows_of_the_shared_matrix_are_capacities_and_its_columns_are_leverages():
    jacobian = WHITE @ CONSTRAINTS
    for temperature in (0.0, 0.5):
        squares = np.square(shared_matrix(WHITE, CONSTRAINTS, temperature))
        np.testing.assert_allclose(squares.sum(axis=1), soft_capacity(CONSTRAINTS, temperature), atol=1e-12)
        np.testing.assert_allclose(squares.sum(axis=0), soft_capacity(jacobian / 20**0.5, temperature), atol=1e-12)
    hat = jacobian @ linalg.pinv(jacobian, rtol=1e-10)
    np.testing.assert_allclose(np.square(shared_matrix(WHITE, CONSTRAINTS)).sum(axis=0), np.diag(hat), atol=1e-12)


@pytest.mark.parametrize("scale", [1e-200, 1e155, 1e300])
def test_scales_whose_squares_leave_the_range_of_a_double_do_not_matter(scale):
    np.testing.assert_array_equal(soft_capacity([[scale]], [0.0, 1.0]), [[1.0], [float(scale > 1)]])


def test_where_there_are_no_constraints_nothing_is_held():
    np.testing.assert_array_equal(soft_capacity(np.zeros((3, 0)), [0.0, 1.0]), np.zeros((2, 3)))
    np.testing.assert_array_equal(shared_matrix(WHITE, np.zeros((7, 0))), np.zeros((7, 20)))
