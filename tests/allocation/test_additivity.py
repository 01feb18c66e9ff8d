import numpy as np
import pytest

from capacity.allocation import ConstraintSpace, additivity_excess, constraint_space, model_constraints
from capacity.linalg import orthonormal_basis
from capacity.models import DilatedConvolution


def space(columns):
    return ConstraintSpace(orthonormal_basis(columns))


@pytest.fixture
def pair():
    """Spaces of dimensions 4 and 3 in R^9 that share one direction."""
    rng = np.random.default_rng(0)
    first = rng.standard_normal((9, 4))
    return space(first), space(np.c_[first @ rng.standard_normal(4), rng.standard_normal((9, 2))])


def test_excess_is_the_difference_of_capacities_along_any_subspace(pair):
    first, second = pair
    found = additivity_excess(first, second)
    for size in (1, 2, 9):
        vectors = orthonormal_basis(np.random.default_rng(size).standard_normal((9, size))).vectors
        excess = first.capacity(vectors) + second.capacity(vectors) - (first + second).capacity(vectors)
        assert np.trace(vectors.T @ found.operator @ vectors) == pytest.approx(excess, abs=1e-12)
    assert np.allclose(found.spatial(), first.spatial() + second.spatial() - (first + second).spatial())


def test_eigenvalues_of_the_excess_are_plus_and_minus_the_cosines_of_the_angles(pair):
    found = additivity_excess(*pair)
    inclined = np.cos(found.angles[found.angles > 1e-6])
    expected = np.r_[np.ones(found.intersection), inclined, -inclined]
    expected = np.sort(np.r_[expected, np.zeros(9 - expected.size)])
    assert np.allclose(np.linalg.eigvalsh(found.operator), expected, atol=1e-10)
    assert found.largest == pytest.approx(1)


def test_capacities_add_up_everywhere_exactly_for_orthogonal_spaces():
    basis = np.linalg.qr(np.random.default_rng(1).standard_normal((6, 6)))[0]
    orthogonal = additivity_excess(space(basis[:, :2]), space(basis[:, 2:5]))
    assert np.abs(orthogonal.operator).max() < 1e-14
    assert orthogonal.largest < 1e-14
    inclined = additivity_excess(space(basis[:, :2]), space(basis[:, [2]] + 0.1 * basis[:, [0]]))
    assert inclined.intersection == 0  # a direct sum, and yet the capacities do not add up
    assert np.abs(np.linalg.eigvalsh(inclined.operator)).max() == pytest.approx(0.1 / np.hypot(1, 0.1))


@pytest.mark.parametrize("angle", [1e-2, 1e-4, 1e-6])
def test_a_small_angle_is_not_a_common_direction(angle):
    basis = np.linalg.qr(np.random.default_rng(2).standard_normal((7, 7)))[0]
    inclined = np.cos(angle) * basis[:, [0]] + np.sin(angle) * basis[:, [4]]
    found = additivity_excess(space(basis[:, :2]), space(np.c_[inclined, basis[:, 5]]))
    assert found.intersection == 0
    assert found.spatial().sum() == pytest.approx(0, abs=1e-9)
    assert found.angles == pytest.approx([angle, np.pi / 2], rel=1e-6)
    eigenvalues = np.linalg.eigvalsh(found.operator)
    assert eigenvalues[[0, -1]] == pytest.approx([-np.cos(angle), np.cos(angle)], abs=1e-9)
    assert eigenvalues[1:-1] == pytest.approx(np.zeros(5), abs=1e-9)


def test_directions_up_to_the_tolerance_are_common():
    basis = np.eye(5)
    for angle, common in [(0.09, 1), (0.11, 0)]:
        inclined = np.cos(angle) * basis[:, [0]] + np.sin(angle) * basis[:, [4]]
        assert additivity_excess(space(basis[:, :2]), space(inclined), atol=0.1).intersection == common


def test_an_empty_space_overlaps_with_nothing():
    empty = model_constraints(DilatedConvolution.hierarchical(2), np.ones(4), np.eye(4), layers=[])
    found = additivity_excess(empty, constraint_space(np.eye(4), np.eye(4)[:, :2]))
    assert (found.intersection, found.largest) == (0, 0.0)
    assert not found.operator.any()
