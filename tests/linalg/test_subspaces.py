import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import linalg

from capacity.linalg import (
    Basis,
    complement,
    is_orthonormal,
    jacobian_basis,
    orthonormal_basis,
    principal_angles,
    subspace_sum,
)
from capacity.linalg.subspaces import left_singular, rescaled_basis, singular_value_decomposition

seeds = st.integers(0, 2**32 - 1)


def random_of_rank(rng, n, p, rank):
    return rng.standard_normal((n, rank)) @ rng.standard_normal((rank, p))


@given(seeds, st.integers(1, 9), st.integers(1, 9), st.integers(0, 9))
def test_basis_is_orthonormal_and_spans_exactly_the_columns(seed, n, p, rank):
    rank = min(rank, n, p)
    matrix = random_of_rank(np.random.default_rng(seed), n, p, rank)
    basis = orthonormal_basis(matrix, rtol=1e-12)
    assert basis.rank == rank == basis.vectors.shape[1]
    np.testing.assert_allclose(basis.vectors.T @ basis.vectors, np.eye(rank), atol=1e-14)
    scale = max(np.abs(matrix).max(), 1e-300)
    np.testing.assert_allclose(basis.vectors @ (basis.vectors.T @ matrix) / scale, matrix / scale, atol=1e-13)
    assert basis.singular_values.size == min(n, p)


def test_scales_of_the_rows_change_neither_the_rank_nor_the_accuracy_of_any_row():
    matrix = random_of_rank(np.random.default_rng(0), 6, 5, 3)
    scales = 10.0 ** np.array([-20, 0, -7, -40, -3, -12])
    basis = rescaled_basis(matrix, scales)
    assert basis.rank == 3
    assert is_orthonormal(basis.vectors, atol=1e-14)
    normals, rows = complement(orthonormal_basis(matrix)), basis.vectors / scales[:, None]
    assert (np.abs(normals.T @ rows) <= 1e-14 * np.abs(normals.T) @ np.abs(rows)).all()


def test_default_tolerance_finds_the_rank_of_rounded_products():
    rng = np.random.default_rng(0)
    for n, p, rank in [(1, 1, 1), (50, 20, 7), (20, 50, 7), (64, 64, 63), (5, 300, 4)]:
        basis = orthonormal_basis(random_of_rank(rng, n, p, rank))
        assert basis.rank == rank
        assert basis.gap == np.inf if rank == min(n, p) else basis.gap > 1e10


def test_threshold_and_gap_say_where_the_cut_was_made():
    basis = orthonormal_basis(np.diag([8.0, 4.0, 1e-3, 0.0]), rtol=0.25)
    assert (basis.rank, basis.threshold, basis.gap) == (2, 2.0, 4000.0)
    assert orthonormal_basis(np.diag([8.0, 4.0, 0.0])).gap == np.inf
    assert orthonormal_basis(np.eye(3)).gap == np.inf
    nothing = orthonormal_basis(np.zeros((3, 2)))
    assert nothing.rank == 0
    assert np.isnan(nothing.gap)
    assert orthonormal_basis(np.zeros((3, 0))).vectors.shape == (3, 0)


@given(seeds, st.integers(1, 8), st.integers(0, 8), st.integers(0, 8))
def test_dimension_formula_of_the_sum_of_two_subspaces(seed, n, j, k):
    # dim(U + V) = min(n, j + k) for independent random subspaces
    rng = np.random.default_rng(seed)
    first, second = (orthonormal_basis(rng.standard_normal((n, min(size, n)))) for size in (j, k))
    both = subspace_sum(first, second.vectors)
    assert both.rank == min(n, first.rank + second.rank)
    for part in (first, second):
        np.testing.assert_allclose(both.vectors @ (both.vectors.T @ part.vectors), part.vectors, atol=1e-7)
    assert subspace_sum(first, first).rank == first.rank


def test_directions_closer_than_twice_the_tolerance_count_as_one():
    for angle in (1e-6, 1e-3, 0.3):
        first, second = np.array([[1.0], [0.0]]), np.array([[np.cos(angle)], [np.sin(angle)]])
        cut = np.tan(angle / 2)
        assert subspace_sum(first, second, rtol=cut * 1.001).rank == 1
        assert subspace_sum(first, second, rtol=cut * 0.999).rank == 2


@given(seeds, st.integers(1, 8), st.integers(0, 8))
def test_complement_completes_the_basis(seed, n, k):
    basis = orthonormal_basis(np.random.default_rng(seed).standard_normal((n, min(k, n))))
    whole = np.hstack([basis.vectors, complement(basis)])
    np.testing.assert_allclose(whole.T @ whole, np.eye(n), atol=1e-14)


def test_principal_angles_are_those_that_were_built_in():
    angles = np.array([0.0, 1e-5, 0.4, np.pi / 2])
    turn = linalg.qr(np.random.default_rng(3).standard_normal((8, 8)))[0]
    first = turn @ np.eye(8)[:, :4]
    second = turn @ np.vstack([np.diag(np.cos(angles)), np.diag(np.sin(angles))])
    np.testing.assert_allclose(principal_angles(first, second), angles, atol=1e-14)
    np.testing.assert_allclose(principal_angles(second, Basis(first, np.ones(4), 0.0)), angles, atol=1e-14)
    np.testing.assert_allclose(principal_angles(first, first @ np.triu(np.ones((4, 4)))), 0, atol=1e-14)
    assert principal_angles(first, second[:, :2]).shape == (2,)


def test_orthonormality_is_judged_by_the_largest_entry():
    vectors = np.eye(3)[:, :2]
    assert is_orthonormal(vectors)
    assert not is_orthonormal(vectors * (1 + 1e-7))
    assert is_orthonormal(vectors * (1 + 1e-7), atol=1e-6)
    assert is_orthonormal(np.zeros((3, 0)))


def test_principal_angles_need_no_orthonormal_bases_and_no_full_rank():
    rng = np.random.default_rng(4)
    first, second = rng.standard_normal((7, 3)), rng.standard_normal((7, 2))
    expected = np.arccos(linalg.svdvals(linalg.orth(first).T @ linalg.orth(second)))
    np.testing.assert_allclose(principal_angles(first, second), expected, rtol=1e-12)
    np.testing.assert_allclose(principal_angles(second, np.hstack([first, first])), expected, rtol=1e-12)
    assert principal_angles(np.zeros((7, 0)), first).size == 0


@pytest.mark.parametrize("shape", [(3, 8), (8, 3), (4, 4)])
def test_left_singular_vectors_rebuild_the_gram_matrix(shape):
    matrix = np.random.default_rng(0).standard_normal(shape)
    vectors, values = left_singular(matrix)
    np.testing.assert_allclose((vectors * values**2) @ vectors.T, matrix @ matrix.T, atol=1e-12)
    np.testing.assert_allclose(values, np.linalg.svd(matrix, compute_uv=False), rtol=1e-12)


def test_decomposition_falls_back_when_divide_and_conquer_fails(monkeypatch):
    matrix, decompose = np.arange(12.0).reshape(4, 3), linalg.svd

    def failing(*args, lapack_driver="gesdd", **kwargs):
        if lapack_driver == "gesdd":
            raise linalg.LinAlgError("SVD did not converge")
        return decompose(*args, lapack_driver=lapack_driver, **kwargs)

    monkeypatch.setattr(linalg, "svd", failing)
    left, values, right = singular_value_decomposition(matrix)
    np.testing.assert_allclose(left * values @ right, matrix, atol=1e-13)
    assert orthonormal_basis(matrix).rank == 2


def test_default_tolerances_are_those_that_the_docstrings_name():
    plane = lambda angle: np.array([[1.0, np.cos(angle)], [0.0, np.sin(angle)]])  # noqa: E731
    assert [subspace_sum(*plane(angle).T[:, :, None]).rank for angle in (1e-7, 1e-9)] == [2, 1]
    assert [jacobian_basis(plane(angle)).rank for angle in (1e-8, 1e-10)] == [2, 1]
    for shape in ((3, 40), (40, 3)):  # max(n, p) times the machine epsilon
        assert orthonormal_basis(np.eye(*shape)).threshold == pytest.approx(40 * np.finfo(float).eps)


def test_single_precision_has_no_further_directions_in_whatever_it_is_hidden():
    rng = np.random.default_rng(0)
    matrix = (rng.standard_normal((30, 3)) @ rng.standard_normal((3, 20))).astype(np.float32)
    for value in (matrix, list(matrix), [list(row) for row in matrix], np.array(matrix.tolist(), np.float32)):
        assert orthonormal_basis(value).rank == jacobian_basis(value).rank == 3
        assert principal_angles(value, np.eye(30)).size == 3
    columns = {i: column if i % 2 else column.astype(float) for i, column in enumerate(matrix.T)}
    scalars = np.empty(matrix.shape, dtype=object)
    for at, number in np.ndenumerate(matrix):
        scalars[at] = number
    for value in (pd.DataFrame(matrix), pd.DataFrame(columns), pd.DataFrame(matrix, dtype="Float32"), scalars):
        assert orthonormal_basis(value).rank == jacobian_basis(value).rank == 3
