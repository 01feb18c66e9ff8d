import tracemalloc
from functools import partial

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from linear_models import stacks
from scipy import linalg, sparse

from capacity.allocation import (
    ConstraintSpace,
    constraint_space,
    expected_squared_error,
    model_constraints,
)
from capacity.fitting import Objective
from capacity.linalg import ToeplitzOperator, complement, orthonormal_basis
from capacity.models import DilatedConvolution, FunctionModel
from capacity.tasks import GaussianProcess

seeds = st.integers(0, 2**32 - 1)

MODELS = [
    DilatedConvolution.hierarchical(4, channels=2),
    DilatedConvolution.hierarchical(3, channels=6, taps=[2, 3, 2]),
    DilatedConvolution([1, 2, 1, 2], channels=2),
    DilatedConvolution([1, 1, 2], channels=3, taps=[2, 1, 3]),
]


def random_covariance(rng, n):
    factor = rng.standard_normal((n, n + 3))
    return factor @ factor.T / n


def random_basis(rng, n, k):
    return linalg.qr(rng.standard_normal((n, n)))[0][:, :k]


def random_space(rng, n, k):
    return ConstraintSpace(orthonormal_basis(rng.standard_normal((n, k))))


def three_sizes(draw):
    n = draw(st.integers(1, 8))
    return n, draw(st.integers(0, n)), draw(st.integers(1, n))


def capacity_by_eigenvectors(covariance, jacobian, subspace, noise=1e-10):
    """The recipe of Section 4.3: eigenvectors of the Gram matrix of the constraints, then eq. 18."""
    constraints = covariance @ jacobian
    values, vectors = np.linalg.eigh(constraints @ constraints.T)
    basis = vectors[:, values > noise * values[-1]]
    return np.linalg.norm(basis.T @ subspace) ** 2, basis.shape[1]


@given(stacks(), seeds, st.booleans(), st.sampled_from([(1,), (4,), (2, 2)]))
@settings(max_examples=40)
def test_constraints_of_a_stack_are_those_of_each_alone_ranks_included(model, seed, shared, lead):
    rng, n = np.random.default_rng(seed), model.n_inputs
    parameters = rng.standard_normal((*lead, model.n_parameters)) * rng.choice([1.0, 1e20], (*lead, 1))
    parameters[rng.random(parameters.shape) < 0.4] = 0  # of many different ranks
    matrices = np.array([random_covariance(rng, n) for _ in range(np.prod(lead))]).reshape(*lead, n, n)
    matrices = matrices[(0,) * len(lead)] if shared else matrices
    whole = model_constraints(model, parameters, matrices)
    basis = orthonormal_basis(rng.standard_normal((n, 1)))
    for at in np.ndindex(*lead):
        alone = model_constraints(model, parameters[at], matrices if shared else matrices[at])
        assert (whole.total[at], whole.degrees_of_freedom[at]) == (alone.total, alone.degrees_of_freedom)
        close = partial(np.testing.assert_allclose, rtol=0, atol=1e-13 * n)
        close(whole.spatial(model.components)[at], alone.spatial(model.components))
        close([whole.capacity(basis)[at], *whole.along(basis)[at]], [alone.capacity(basis), *alone.along(basis)])
        close(whole.vectors[at] @ whole.vectors[at].T, alone.vectors @ alone.vectors.T)
        size = alone.basis.singular_values.max(initial=1.0)
        close(whole.basis.singular_values[at] / size, alone.basis.singular_values / size)
        assert whole.basis.threshold[at] == pytest.approx(alone.basis.threshold)
        exact = np.isnan(alone.basis.gap) or alone.basis.gap > 1e10  # what is cut there are rounding errors
        assert exact or whole.basis.gap[at] == pytest.approx(alone.basis.gap, rel=1e-3)


@pytest.mark.parametrize("model", MODELS)
def test_capacity_is_that_of_the_eigenvectors_of_the_gram_matrix(model):
    rng, n = np.random.default_rng(0), model.n_inputs
    parameters, covariance = model.initial(rng), random_covariance(rng, n)
    jacobian = model.jacobian(parameters)
    space = constraint_space(covariance, jacobian)
    for size in (1, n // 2, n):
        subspace = random_basis(rng, n, size)
        expected, total = capacity_by_eigenvectors(covariance, jacobian, subspace)
        assert space.total == total
        assert space.capacity(subspace) == pytest.approx(expected, abs=1e-9)
    expected = [capacity_by_eigenvectors(covariance, jacobian, e[:, None])[0] for e in np.eye(n)]
    np.testing.assert_allclose(space.spatial(), expected, atol=1e-9)


@pytest.mark.parametrize("model", MODELS)
def test_parameters_are_critical_for_exactly_the_targets_whose_error_satisfies_the_constraints(model):
    # Hence the capacity depends on the target only through the parameters.
    rng, n = np.random.default_rng(2), model.n_inputs
    parameters, covariance = model.initial(rng), random_covariance(rng, n)
    space, root = model_constraints(model, parameters, covariance), linalg.cholesky(covariance)
    coefficients = model.coefficients(parameters)
    free = complement(space.basis)
    for error in (free @ rng.standard_normal(free.shape[1]), np.zeros(n)):
        assert linalg.norm(Objective(model, root, coefficients - error).loss_and_gradient(parameters)[1]) < 1e-12
    for error in space.vectors.T:
        assert linalg.norm(Objective(model, root, coefficients - error).loss_and_gradient(parameters)[1]) > 1e-4


def test_full_capacity_is_one_everywhere_and_no_parameters_none():
    model = DilatedConvolution.hierarchical(4, channels=4)
    covariance = GaussianProcess().covariance(16)
    space = model_constraints(model, model.initial(0), covariance)
    assert (space.total, space.degrees_of_freedom) == (16, 0)
    np.testing.assert_allclose(space.spatial(), np.ones(16), atol=1e-12)
    for nothing in (
        model_constraints(model, model.initial(0), covariance, layers=[]),
        model_constraints(model, np.zeros(model.n_parameters), covariance),
    ):
        assert (nothing.total, nothing.degrees_of_freedom) == (0, 16)
        np.testing.assert_array_equal(nothing.spatial(), np.zeros(16))
        assert nothing.capacity(np.eye(16)) == 0


@given(seeds, st.data())
def test_property_1_capacity_belongs_to_the_subspaces_not_to_their_bases(seed, data):
    n, k, m = three_sizes(data.draw)
    rng = np.random.default_rng(seed)
    constraints, subspace = rng.standard_normal((n, k)), random_basis(rng, n, m)
    expected = constraint_space(np.eye(n), constraints).capacity(subspace)
    mixed = constraint_space(np.eye(n), constraints @ random_covariance(rng, k)) if k else random_space(rng, n, 0)
    assert mixed.capacity(subspace @ random_basis(rng, m, m)) == pytest.approx(expected, abs=1e-6)
    turn = random_basis(rng, n, n)  # a rotation of the whole space
    assert constraint_space(np.eye(n), turn @ constraints).capacity(turn @ subspace) == pytest.approx(
        expected, abs=1e-9
    )


@given(seeds, st.data())
def test_properties_2_and_3_capacities_of_orthogonal_subspaces_add_up_to_the_total(seed, data):
    n, k, m = three_sizes(data.draw)
    rng = np.random.default_rng(seed)
    space, whole = random_space(rng, n, k), random_basis(rng, n, n)
    assert space.capacity(whole) == pytest.approx(space.total) == pytest.approx(k)
    assert space.capacity(whole[:, :m]) + space.capacity(whole[:, m:]) == pytest.approx(k)
    np.testing.assert_allclose(space.along(whole), [space.capacity(v[:, None]) for v in whole.T], atol=1e-12)
    assert space.spatial().sum() == pytest.approx(k)
    assert 0 <= space.capacity(whole[:, :m]) <= min(k, m) + 1e-12
    assert np.all((space.along(whole) >= 0) & (space.along(whole) <= 1 + 1e-12))


@given(seeds, st.data())
def test_property_4_constraints_have_capacity_one_and_their_complement_none(seed, data):
    n, k, _ = three_sizes(data.draw)
    rng = np.random.default_rng(seed)
    space = random_space(rng, n, k)
    if k:
        inside = space.vectors @ rng.standard_normal((k, 1))
        assert space.capacity(inside / linalg.norm(inside)) == pytest.approx(1)
    if k < n:
        outside = complement(space.basis) @ rng.standard_normal((n - k, 1))
        assert space.capacity(outside / linalg.norm(outside)) == pytest.approx(0, abs=1e-12)


@given(seeds, st.integers(2, 8), st.data())
def test_property_5_capacities_add_up_if_the_spaces_are_orthogonal(seed, n, data):
    j, rng = data.draw(st.integers(1, n - 1)), np.random.default_rng(seed)
    k, turn = data.draw(st.integers(1, n - j)), random_basis(rng, n, n)
    first, second = (constraint_space(np.eye(n), part) for part in (turn[:, :j], turn[:, j : j + k]))
    directions = random_basis(rng, n, n)
    expected = first.along(directions) + second.along(directions)
    np.testing.assert_allclose((first + second).along(directions), expected, atol=1e-9)


@given(seeds, st.integers(2, 8), st.data())
def test_property_5_capacities_do_not_add_up_if_the_spaces_are_not_orthogonal(seed, n, data):
    # Even if their sum is direct: in the direction of the first that is closest to the second, 1 + cos^2 > 1.
    j, rng = data.draw(st.integers(1, n - 1)), np.random.default_rng(seed)
    first, second = random_space(rng, n, j), random_space(rng, n, data.draw(st.integers(1, n - j)))
    left, cosines, _ = linalg.svd(first.vectors.T @ second.vectors)
    closest = first.vectors @ left[:, :1]
    both = first + second
    assert both.total == first.total + second.total
    assert both.capacity(closest) == pytest.approx(1)
    assert first.capacity(closest) + second.capacity(closest) == pytest.approx(1 + cosines[0] ** 2)


def test_equation_6_holds_on_average_over_errors_and_constraint_spaces():
    rng, n, k, m, draws = np.random.default_rng(5), 6, 2, 2, 4000
    subspace = random_basis(rng, n, m)
    excess, shares = np.empty(draws), np.empty(draws)
    for i in range(draws):
        space = random_space(rng, n, k)
        error = complement(space.basis) @ rng.standard_normal(n - k)  # mean squared error n - k
        excess[i] = linalg.norm(subspace.T @ error) ** 2 - expected_squared_error(space, subspace, squared_error=n - k)
        shares[i] = space.capacity(subspace)
    assert abs(excess.mean()) < 4 * excess.std() / np.sqrt(draws)
    assert abs(shares.mean() - m * k / n) < 4 * shares.std() / np.sqrt(draws)  # isotropy of the spaces
    assert excess.std() < 3
    assert shares.std() > 0.1


@given(seeds, st.integers(1, 8), st.data())
def test_equation_7_is_exact_with_one_degree_of_freedom(seed, n, data):
    rng = np.random.default_rng(seed)
    space, subspace = random_space(rng, n, n - 1), random_basis(rng, n, data.draw(st.integers(1, n)))
    error = complement(space.basis)[:, 0] * rng.standard_normal()
    expected = expected_squared_error(space, subspace, squared_error=error @ error)
    assert linalg.norm(subspace.T @ error) ** 2 == pytest.approx(expected, abs=1e-12)


def test_capacity_per_position_sums_over_components():
    space = random_space(np.random.default_rng(6), 12, 5)
    per_input = space.spatial()
    np.testing.assert_allclose(space.spatial(3), per_input[0::3] + per_input[1::3] + per_input[2::3])
    assert space.spatial(12).tolist() == pytest.approx([5])


def test_tolerance_decides_which_constraints_count():
    jacobian = np.diag([1.0, 1e-3, 1e-9])
    assert constraint_space(np.eye(3), jacobian).total == 3
    assert constraint_space(np.eye(3), jacobian, rtol=1e-6).total == 2
    assert constraint_space(np.eye(3), jacobian, rtol=1e-2).total == 1
    for size, rtol, total in ((1e-12, None, 2), (1e-17, None, 1), (1e-12, 1e-9, 1)):  # of a layer beside the other
        model = FunctionModel(lambda a, b, size=size: np.append(a, size * b), {"a": 1, "b": 1})
        assert model_constraints(model, np.ones(2), np.eye(2), rtol=rtol).total == total


def test_capacity_of_many_inputs_never_takes_a_matrix_of_their_square():
    model, process = DilatedConvolution.hierarchical(14, channels=2), GaussianProcess()
    parameters, n = model.initial(0), model.n_inputs
    tracemalloc.start()
    space = model_constraints(model, parameters, process.operator(n))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert space.total == 52
    assert space.spatial().sum() == pytest.approx(52)
    assert peak < 8 * n * n / 10


def test_a_product_beyond_the_range_of_a_double_is_refused_not_decomposed():
    with pytest.raises(ValueError, match="covariance: "):
        constraint_space(np.diag([1e300, 1.0]), [[1e300], [1.0]])


INDEFINITE = np.array([[1.0, 2.0], [2.0, 1.0]])


@pytest.mark.parametrize(
    "convert",
    [np.asarray, np.matrix, pd.DataFrame, sparse.csr_array, lambda m: ToeplitzOperator(m[0]), np.ndarray.tolist],
)
@pytest.mark.filterwarnings("ignore:the matrix subclass")
def test_a_covariance_is_checked_in_whatever_form_it_comes(convert):
    with pytest.raises(ValueError, match="covariance: "):
        constraint_space(convert(INDEFINITE), np.eye(2))
    regular = np.array([[2.0, 1.0], [1.0, 2.0]])
    np.testing.assert_allclose(constraint_space(convert(regular), [[1.0], [0.0]]).spatial(), [0.8, 0.2])


def test_singular_values_out_of_range_are_refused_and_no_capacity_of_zero():
    with pytest.raises(ValueError, match="matrix: "):
        constraint_space(np.eye(4), 8e307 * (1 + np.eye(4)))
