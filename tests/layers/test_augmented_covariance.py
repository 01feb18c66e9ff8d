import numpy as np
import pytest
from small_layers import CORNER, random_layer

from capacity import activations as act
from capacity.layers import (
    augmented_inputs,
    coupled_covariance,
    gaussian_covariance,
    mean_field_error,
    sampled_covariance,
)
from capacity.linalg import orthonormal_basis


def test_exact_blocks_of_two_and_three_directions():
    relu = gaussian_covariance(np.eye(2), CORNER, act.relu())
    absolute = gaussian_covariance(np.eye(2), CORNER, act.absolute())
    np.testing.assert_allclose(relu[:2, 2:4], [[0.5, 1 / np.pi], [1 / np.pi, 0.5]], atol=1e-15)
    np.testing.assert_allclose(absolute[:2, 2:4], [[0, 2 / np.pi], [2 / np.pi, 0]], atol=1e-15)
    np.testing.assert_allclose(absolute[:2, 4:], [[0.81830989, 0.31830989], [0.31830989, 0.18169011]], atol=5e-9)


@pytest.mark.parametrize("slope", [0.2, 0.0, -0.6, -1.0])
def test_exact_covariance_agrees_with_samples_within_their_error(slope):
    covariance, projection, _ = random_layer(4)
    sampled = sampled_covariance(covariance, projection, act.leaky(slope), 60_000, rng=5)
    scale = (1 + slope**2) / 2  # E[eta^2] before scaling
    score = (sampled.mean / scale - gaussian_covariance(covariance, projection, act.leaky(slope))) * scale
    score = score[np.triu_indices(15)] / sampled.standard_error[np.triu_indices(15)]
    assert np.abs(score).max() < 4.5
    assert sampled.standard_error.max() < 0.02 * np.abs(sampled.mean).max()


def test_two_covariances_meet_at_the_linear_end():
    covariance, projection, _ = random_layer(6)
    exact = gaussian_covariance(covariance, projection, act.linear())
    np.testing.assert_allclose(exact, coupled_covariance(covariance, 5, 1.0), atol=1e-12)
    np.testing.assert_array_equal(exact[:3, 3:6], exact[:3, :3])


def test_mean_field_error_of_orthogonal_weights_is_the_missing_term():
    """White inputs and rho = 0: the missing term is (2 b^2/pi)(u v^T + v u^T), of Frobenius norm sqrt(2) 2 b^2/pi."""
    projection = orthonormal_basis(np.random.default_rng(0).standard_normal((9, 3))).vectors
    for slope, size in ((0.0, 1 / np.pi), (-1.0, 2 / np.pi), (1.0, 0.0)):
        rms, largest, along = mean_field_error(projection, act.leaky(slope))
        assert (rms, along) == pytest.approx((np.sqrt(2) * size / 9, size), abs=1e-12)
        assert rms <= largest <= size + 1e-12


def test_mean_field_error_is_that_of_the_whole_matrices():
    covariance, projection, _ = random_layer(10)
    error = gaussian_covariance(covariance, projection, act.relu()) - coupled_covariance(covariance, 5, 0.5)
    rms, largest, _ = mean_field_error(projection, act.relu(), covariance)
    assert largest == pytest.approx(np.abs(error).max())
    assert rms == pytest.approx(np.linalg.norm(error) / np.sqrt(5 * 4 * 9))  # the diagonal blocks are exact


def test_both_lines_of_equation_13_need_joint_symmetry():
    """z symmetric and y = 1 + z: E[eta^2 y^2] is 2 + 2 sqrt(2/pi) for a normalised ReLU, not E[y^2] = 2."""
    z = np.random.default_rng(7).standard_normal(1_000_000)
    values = 2 * (z > 0) * (1 + z) ** 2
    assert abs(values.mean() - (2 + 2 * np.sqrt(2 / np.pi))) < 4 * values.std() / 1000


def test_opposite_directions_make_the_covariance_of_abs_singular():
    copies = augmented_inputs(np.random.default_rng(8).standard_normal((50, 2)), [[1, -1], [0, 0]], act.absolute())
    assert np.linalg.matrix_rank(copies) == 2  # of 4
    with pytest.raises(ValueError, match="equal or opposite"):
        gaussian_covariance(np.eye(2), [[1, -1], [0, 0]], act.absolute())


def test_pseudo_random_layer_decouples_its_copies():
    _, projection, _ = random_layer(9)
    sampled = sampled_covariance(np.eye(3), projection, act.pseudo_random(), 60_000, rng=10)
    upper = np.triu_indices(15)
    score = (sampled.mean - np.eye(15))[upper] / sampled.standard_error[upper]
    assert np.abs(score).max() < 4.5


def test_bad_arguments_are_named():
    with pytest.raises(ValueError, match="nu"):
        coupled_covariance(np.eye(2), 3, 1.2)
    with pytest.raises(ValueError, match="zero"):
        gaussian_covariance(np.eye(2), [[0, 1], [0, 1]], act.relu())
    with pytest.raises(ValueError, match="symmetric"):
        coupled_covariance([[1, 1], [0, 1]], 2, 0.5)
    with pytest.raises(ValueError, match="semi-definite"):
        coupled_covariance([[1, 2], [2, 1]], 2, 0.5)
    with pytest.raises(ValueError, match="variance 0"):
        gaussian_covariance(np.diag([1.0, 0]), np.eye(2), act.relu())
    with pytest.raises(ValueError, match="piecewise-linear"):
        gaussian_covariance(np.eye(2), np.eye(2), act.tanh())
    with pytest.raises(ValueError, match="covariance, outputs: expected entries of at most"):
        coupled_covariance(np.eye(2), 10**6, 0.5)
    with pytest.raises(ValueError, match="covariance, projection: expected entries of at most"):
        gaussian_covariance(np.eye(200), np.random.default_rng(0).standard_normal((200, 200)), act.relu())
    with pytest.raises(ValueError, match="projection: expected two columns or more, got 1"):
        mean_field_error([[1.0], [0.0]], act.relu())


def test_standard_errors_are_the_spread_over_seeds():
    covariance, projection, _ = random_layer(11)
    runs = [sampled_covariance(covariance, projection, act.relu(), 250, rng=seed, batch=99) for seed in range(200)]
    spread = np.std([run.mean for run in runs], axis=0, ddof=1)
    ratios = np.sqrt(np.mean([run.standard_error**2 for run in runs], axis=0)) / spread
    assert np.mean(ratios) == pytest.approx(1, abs=0.05)
    assert (np.abs(ratios - 1) < 0.3).all()
