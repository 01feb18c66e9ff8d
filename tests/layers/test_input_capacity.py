import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from small_layers import (
    dense_capacity,
    layers,
    mixed_covariance,
    rectified_covariance,
    symmetric_root,
)

from capacity import activations as act
from capacity.depth import stack_capacity
from capacity.layers import (
    coupled_capacity,
    coupling_crossover,
    gaussian_capacity,
    gaussian_covariance,
    interpolation_problem,
    linear_capacity,
    pseudo_random_capacity,
)


@given(layers(), st.sampled_from([0.0, 0.05, 0.5, 0.95, 1.0]), st.booleans())
def test_capacity_at_any_coupling_has_the_dense_definition(layer, nu, whitened):
    covariance, projection, jacobian = layer
    m = projection.shape[1]
    dense = mixed_covariance(covariance, m, nu)
    if nu == 1:
        jacobian = jacobian[:, :1]  # more features than inputs depend on each other
    elif whitened:
        dense = symmetric_root(dense)
    copies, total = dense_capacity(dense, projection, jacobian)
    found = coupled_capacity(projection, jacobian, nu, covariance, whitened=whitened and nu < 1, rtol=1e-9)
    np.testing.assert_allclose(found.copies, copies, atol=1e-9)
    np.testing.assert_allclose(found.spatial(), copies.sum(axis=1), atol=1e-9)
    assert found.total == total


@pytest.mark.parametrize(("rule", "nu"), [(pseudo_random_capacity, 0.0), (linear_capacity, 1.0)])
@given(layers())
def test_each_end_has_the_dense_definition(rule, nu, layer):
    covariance, projection, jacobian = layer
    copies, total = dense_capacity(mixed_covariance(covariance, projection.shape[1], nu), projection, jacobian)
    found = rule(projection, jacobian, covariance)
    np.testing.assert_allclose(found.copies, copies, atol=1e-9)
    assert found.total == total


@given(layers(), st.sampled_from([0.5, 0.0, -0.6, -1.0]))
@settings(max_examples=25)
def test_exact_gaussian_capacity_has_the_dense_definition(layer, slope):
    covariance, projection, jacobian = layer
    dense = rectified_covariance(covariance, projection, slope)
    np.testing.assert_allclose(gaussian_covariance(covariance, projection, act.leaky(slope)), dense, atol=1e-10)
    copies, total = dense_capacity(dense, projection, jacobian)
    found = gaussian_capacity(projection, jacobian, act.leaky(slope), covariance)
    np.testing.assert_allclose(found.copies, copies, atol=1e-9)
    assert found.total == total


@given(st.integers(1, 300), st.floats(0.01, 100))
def test_at_the_crossover_a_direction_weighs_the_same_in_both_rules(m, gain):
    nu = coupling_crossover(m, gain)
    assert (1 - nu) ** 2 == pytest.approx(gain * (2 * (1 - nu) * nu + m * nu**2))
    nu = coupling_crossover(m, gain, whitened=True)
    own, shared = np.sqrt(1 - nu), (np.sqrt(1 - nu + m * nu) - np.sqrt(1 - nu)) / m
    assert own**2 == pytest.approx(gain * (2 * own * shared + m * shared**2))


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


def test_paper_scale_problem_needs_no_dense_matrix():
    projection, jacobian = interpolation_problem(rng=0)
    assert projection.shape == (64, 256)
    for features in ("random", "smooth", "local"):
        projection, jacobian = interpolation_problem(features, rng=0)
        assert coupled_capacity(projection, jacobian, 0.5).total == 16
        assert gaussian_capacity(projection, jacobian, act.relu()).total == 16


def test_local_weights_have_a_gaussian_window_of_standard_deviation_two():
    projection, _ = interpolation_problem(inputs=12, outputs=24, parameters=2, rng=3)
    windows = [stats.norm(j / 2, 2).pdf(np.arange(12)) for j in range(24)]
    expected = np.transpose(windows) * np.random.default_rng(3).standard_normal((12, 24))
    np.testing.assert_allclose(projection, expected / np.linalg.norm(expected, axis=0), rtol=1e-10)


def test_features_of_the_problems_are_the_lowest_waves_or_the_middle_outputs():
    options = {"inputs": 4, "outputs": 9, "parameters": 4, "rng": 0}
    smooth, local = (interpolation_problem(kind, **options)[1] for kind in ("smooth", "local"))
    np.testing.assert_array_equal(local.argmax(axis=0), [2, 3, 4, 5])
    assert local.sum() == 4
    np.testing.assert_allclose(smooth, [[np.cos(np.pi * k * (j + 0.5) / 9) for k in range(4)] for j in range(9)])
