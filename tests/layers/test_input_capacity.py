import numpy as np
import pytest
import small_layers
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from small_layers import CORNER

from capacity import activations as act
from capacity.activations import coupling
from capacity.depth import stack_capacity
from capacity.layers import (
    augmented_capacity,
    coupled_capacity,
    coupled_covariance,
    coupling_crossover,
    gaussian_capacity,
    gaussian_covariance,
    interpolation_problem,
    linear_capacity,
    pseudo_random_capacity,
)
from capacity.linalg import orthonormal_basis


def random_layer(seed, n=4, m=6, p=3):
    return small_layers.random_layer(seed, n, m, p, unit=False)


def square_root(matrix):
    values, vectors = np.linalg.eigh(matrix)
    return vectors * np.sqrt(values) @ vectors.T


@pytest.mark.parametrize("whitened", [False, True])
@pytest.mark.parametrize("nu", [0.0, 0.05, 0.5, 0.95])
def test_fast_capacity_equals_the_dense_definition(nu, whitened):
    covariance, projection, jacobian = random_layer(0)
    dense = coupled_covariance(covariance, 6, nu)
    expected = augmented_capacity(square_root(dense) if whitened else dense, projection, jacobian)
    found = coupled_capacity(projection, jacobian, nu, covariance, whitened=whitened)
    np.testing.assert_allclose(found.copies, expected.copies, atol=1e-11)
    assert found.total == expected.total == 3


def test_linear_end_is_the_capacity_of_the_linear_model():
    """Eqs 16-18: capacities in the augmented space, with the subspace S repeated in each copy, are those of Y."""
    covariance, projection, jacobian = random_layer(1)
    basis = orthonormal_basis(covariance @ projection @ jacobian).vectors
    dense = augmented_capacity(coupled_covariance(covariance, 6, 1.0), projection, jacobian, rtol=1e-9)
    for found in (
        linear_capacity(projection, jacobian, covariance),
        coupled_capacity(projection, jacobian, 1.0, covariance, rtol=1e-9),
        dense,
    ):
        np.testing.assert_allclose(found.spatial(), np.sum(basis**2, axis=1), atol=1e-10)
        np.testing.assert_allclose(found.copies, np.outer(np.sum(basis**2, axis=1), np.full(6, 1 / 6)), atol=1e-10)


def test_linear_capacity_is_bounded_by_the_number_of_inputs():
    _, projection, _ = random_layer(2)
    assert linear_capacity(projection, np.eye(6)).total == 4
    assert coupled_capacity(projection, np.eye(6), 1.0, rtol=1e-9).total == 4
    assert coupled_capacity(projection, np.eye(6), 0.99).total == 6


def test_pseudo_random_end_has_the_dense_definition():
    covariance, projection, jacobian = random_layer(3)
    expected = augmented_capacity(coupled_covariance(covariance, 6, 0.0), projection, jacobian)
    found = pseudo_random_capacity(projection, jacobian, covariance)
    np.testing.assert_allclose(found.copies, expected.copies, atol=1e-12)
    np.testing.assert_allclose(coupled_capacity(projection, jacobian, 0, covariance).copies, found.copies, atol=1e-12)


def test_unequal_columns_reweight_the_capacity_of_the_outputs():
    """Footnote 4 does not: with norms (1, 2, 3) and equal features the shares are as 4 : 4 : 9, not as 4 : 1 : 1."""
    found = pseudo_random_capacity(CORNER * [1, 2, 3], [[2], [1], [1]])
    np.testing.assert_allclose(found.copies.sum(axis=0), np.array([4, 4, 9]) / 17)
    np.testing.assert_allclose(found.spatial(), [0.5, 0.5])


def test_capacity_of_one_input_can_exceed_one():
    projection = np.array([[0.99, 0.98, 0.97], [0.1, 0.2, 0.3]])
    assert pseudo_random_capacity(projection, np.eye(3)).spatial()[0] > 2


@pytest.mark.parametrize("slope", [0.5, 0.0, -0.6, -1.0])
def test_exact_gaussian_capacity_equals_the_dense_definition(slope):
    covariance, projection, jacobian = random_layer(5)
    activation = act.leaky(slope)
    expected = augmented_capacity(gaussian_covariance(covariance, projection, activation), projection, jacobian)
    found = gaussian_capacity(projection, jacobian, activation, covariance)
    np.testing.assert_allclose(found.copies, expected.copies, atol=1e-12)
    assert found.total == expected.total


@pytest.mark.parametrize(
    "capacity",
    [
        pseudo_random_capacity,
        lambda *layer: coupled_capacity(*layer, 0.0),
        lambda *layer: coupled_capacity(*layer, 0.3),
        lambda *layer: coupled_capacity(*layer, 0.3, whitened=True),
        lambda *layer: gaussian_capacity(*layer, act.relu()),
    ],
)
def test_outputs_hand_down_all_their_capacity_whatever_the_norms_of_their_weights(capacity):
    """A span of two directions, each on one output: the norms do not move it, nor can they change its rank."""
    weights, jacobian = np.eye(3)[:, :2] + 0.1, np.array([[1.0, 1.0], [1.0, -1.0]])
    expected = capacity(weights, jacobian)
    found = capacity(weights * [1e-20, 1.0], jacobian)
    assert found.total == expected.total == 2
    np.testing.assert_allclose(found.copies, expected.copies, rtol=1e-12)


@pytest.mark.parametrize("weights", [[[0.3], [0.0], [-0.1]], [[0.3, 1.0], [0.0, 0.0], [-0.1, 0.0]]])
def test_an_output_whose_variance_vanishes_up_to_rounding_is_refused(weights):
    covariance, jacobian = np.outer([1, 2, 3], [1, 2, 3]), np.eye(len(weights[0]))
    for capacity in (
        lambda: pseudo_random_capacity(weights, jacobian, covariance),
        lambda: coupled_capacity(weights, jacobian, 0.5, covariance),
        lambda: coupled_capacity(weights, jacobian, 0.5, covariance, whitened=True),
        lambda: gaussian_capacity(weights, jacobian, act.relu(), covariance),
        lambda: gaussian_covariance(covariance, weights, act.relu()),
        lambda: stack_capacity([weights], jacobian, covariance),
    ):
        with pytest.raises(ValueError, match="covariance: expected every output to vary, got variance 0 for output 0"):
            capacity()


def test_known_capacities_of_three_outputs_on_two_inputs():
    for nu, expected in [(0, 0.75), (0.5, 0.71910212), (1, 0.7154822)]:
        assert coupled_capacity(CORNER, [[2], [1], [1]], nu).spatial()[0] == pytest.approx(expected, abs=5e-9)
    found = gaussian_capacity(CORNER, [[2], [1], [1]], act.relu()).spatial()
    np.testing.assert_allclose(found, [0.64346048, 0.35653952], atol=5e-9)


def test_abs_has_zero_coupling_and_yet_is_not_pseudo_random():
    assert coupling(act.absolute()) == 0
    projection, jacobian = interpolation_problem("local", inputs=16, outputs=48, parameters=6, rng=0)
    exact = gaussian_capacity(projection, jacobian, act.absolute()).spatial()
    assert np.abs(exact - pseudo_random_capacity(projection, jacobian).spatial()).sum() > 0.5


@given(st.integers(1, 6), st.integers(1, 8), st.integers(1, 10), st.floats(0, 1), st.integers(0, 10**6))
def test_capacities_are_nonnegative_and_add_up_to_the_total(n, m, p, nu, seed):
    covariance, projection, jacobian = random_layer(seed, n + 1, m, p)
    for whitened in (False, True):
        found = coupled_capacity(projection, jacobian, nu, covariance, whitened=whitened, rtol=1e-9)
        assert found.spatial().sum() == pytest.approx(found.total)
        assert found.copies.min() > -1e-12


@pytest.mark.parametrize("whitened", [False, True])
@pytest.mark.parametrize("features", ["random", "smooth"])
def test_features_spread_over_all_outputs_turn_linear_at_the_crossover(features, whitened):
    projection, jacobian = interpolation_problem(features, rng=0)
    ends = [f(projection, jacobian).spatial() for f in (pseudo_random_capacity, linear_capacity)]

    def position(factor):
        nu = coupling_crossover(256, whitened=whitened) * factor
        found = coupled_capacity(projection, jacobian, nu, whitened=whitened).spatial()
        far = [np.abs(found - end).sum() for end in ends]
        return far[0] / sum(far)

    assert position(0.8) < 0.5 < position(1.3)


def test_paper_scale_problem_needs_no_dense_matrix():
    projection, jacobian = interpolation_problem(rng=0)
    assert projection.shape == (64, 256)
    for features in ("random", "smooth", "local"):
        projection, jacobian = interpolation_problem(features, rng=0)
        assert coupled_capacity(projection, jacobian, 0.5).total == 16
        assert gaussian_capacity(projection, jacobian, act.relu()).total == 16


def test_bad_arguments_are_named():
    with pytest.raises(ValueError, match="nu"):
        coupled_capacity(CORNER, np.eye(3), -0.1)
    parallel = CORNER[:, [0, 0, 1]] * [1, -1, 1]
    for function in (pseudo_random_capacity, lambda *a: coupled_capacity(*a, 0.5)):
        with pytest.raises(ValueError, match="columns 0 and 1"):
            function(parallel, np.eye(3))
    assert linear_capacity(parallel, np.eye(3)).total == 2
    with pytest.raises(ValueError, match="column 1"):
        linear_capacity(CORNER * [1, 0, 1], np.eye(3))
    with pytest.raises(ValueError, match="jacobian"):
        pseudo_random_capacity(CORNER, np.eye(2))
    with pytest.raises(ValueError, match="jacobian"):
        linear_capacity(CORNER, np.zeros((3, 1)))
    with pytest.raises(ValueError, match="covariance"):
        linear_capacity(CORNER, np.eye(3), np.eye(3))
    with pytest.raises(ValueError, match="gain"):
        coupling_crossover(3, -1.0)
    with pytest.raises(ValueError, match="features"):
        interpolation_problem("other")


def test_local_weights_have_a_gaussian_window_of_standard_deviation_two():
    projection, _ = interpolation_problem(inputs=12, outputs=24, parameters=2, rng=3)
    windows = [stats.norm(j / 2, 2).pdf(np.arange(12)) for j in range(24)]
    expected = np.transpose(windows) * np.random.default_rng(3).standard_normal((12, 24))
    np.testing.assert_allclose(projection, expected / np.linalg.norm(expected, axis=0), rtol=1e-10)
