import numpy as np
import pytest

from capacity.activations import leaky, relu, tanh
from capacity.depth import (
    gradient_correlations,
    gradients_on_grid,
    input_gradients,
    normalised_gradient_correlations,
    sampled_gradient_correlation,
)
from capacity.statistics import autocorrelation


def test_gradient_on_a_grid_is_the_slope_of_the_output():
    """A network without hidden layers has the constant slope w.v; one layer adds kinks and nothing else."""
    flat = gradients_on_grid(0, relu(), width=30, points=20, realisations=3, rng=0)
    np.testing.assert_allclose(flat, flat[:, :1] * np.ones(20), rtol=1e-12)
    bent = gradients_on_grid(1, leaky(0.5), width=4, points=400, realisations=3, rng=0)
    assert (np.count_nonzero(np.abs(np.diff(bent, axis=1)) > 1e-12, axis=1) <= 4).all()


@pytest.mark.parametrize("batch_norm", [False, True])
@pytest.mark.parametrize("residual", [None, 0.7])
def test_gradient_on_a_grid_is_the_limit_of_finite_differences(residual, batch_norm):
    """The same network written out naively, its normalisation taken from the grid and held fixed off it.

    The grid is even: normalisation over it puts all the kinks of the first layer at its centre, x = 0.
    """
    found = gradients_on_grid(
        3, relu(), residual=residual, batch_norm=batch_norm, width=5, points=8, realisations=1, rng=7
    )[0]
    rng, grid = np.random.default_rng(7), np.linspace(-2, 2, 8)
    slope, offset, readout = rng.standard_normal((3, 5))
    weights = [rng.standard_normal((5, 5)) * np.sqrt(2 / 5) for _ in range(3)]

    def outputs(x):
        state, reference = np.outer(x, slope) + offset, np.outer(grid, slope) + offset
        for matrix in weights:
            mean, scale = (reference.mean(axis=0), reference.std(axis=0)) if batch_norm else (0, 1)
            state, reference = (
                np.maximum((values - mean) / scale, 0) @ matrix * (residual or 1) + (values if residual else 0)
                for values in (state, reference)
            )
        return state @ readout / np.sqrt(5)

    np.testing.assert_allclose(found, (outputs(grid + 1e-6) - outputs(grid - 1e-6)) / 2e-6, atol=1e-7)


@pytest.mark.parametrize("residual", [None, 0.7])
def test_input_gradients_are_the_limit_of_finite_differences(residual):
    rng = np.random.default_rng(8)
    inputs, weights, readout = rng.standard_normal((3, 4)), rng.standard_normal((3, 4, 4)), rng.standard_normal(4)

    def outputs(state):
        for matrix in weights:
            branch = np.maximum(state, 0.2 * state) @ matrix
            state = branch if residual is None else state + residual * branch
        return state @ readout

    expected = [(outputs(inputs + step) - outputs(inputs - step)) / 2e-6 for step in 1e-6 * np.eye(4)]
    found = input_gradients(inputs, weights, leaky(0.2), readout, residual=residual)
    np.testing.assert_allclose(found, np.transpose(expected), atol=1e-7)


def test_normalised_gradients_are_those_of_a_network_with_the_batch_statistics_built_in():
    rng = np.random.default_rng(9)
    inputs, weights, readout = (
        3 * rng.standard_normal((5, 4)) + 1,
        rng.standard_normal((1, 4, 4)),
        rng.standard_normal(4),
    )
    mean, scale = inputs.mean(axis=0), inputs.std(axis=0)
    expected = leaky(0.2).derivative(inputs - mean) * (weights[0] @ readout) / scale
    np.testing.assert_allclose(input_gradients(inputs, weights, leaky(0.2), readout, batch_norm=True), expected)


def test_slopes_of_a_residual_network_keep_their_scale_without_normalisation():
    gradients = gradients_on_grid(6, relu(), residual=0.5, width=300, points=5, realisations=60, rng=1)
    squares = gradients**2
    error = squares.mean(axis=1).std() / np.sqrt(60)
    assert abs(squares.mean() - 1.25**6) < 4 * error


@pytest.mark.parametrize(("residual", "seed"), [(None, 0), (1.0, 1), (0.3, 2)])
def test_gradient_correlation_of_wide_networks_agrees_with_theory(residual, seed):
    found = sampled_gradient_correlation(5, relu(), residual=residual, width=200, realisations=60, rng=seed)
    expected = gradient_correlations(relu(), 5, residual=residual)[1:]
    assert (np.abs(found.mean - expected) < 4.5 * found.standard_error + 1 / 200).all()
    assert found.standard_error.max() < 0.02


@pytest.mark.parametrize("residual", [None, 1.0])
def test_gradient_correlation_of_normalised_networks_agrees_with_theory(residual):
    found = sampled_gradient_correlation(
        4, relu(), residual=residual, batch_norm=True, width=200, batch=150, realisations=12, rng=3
    )
    expected = normalised_gradient_correlations(relu(), 4, residual=residual)[1:]
    assert np.abs(found.mean - expected).max() < 0.025


def test_white_noise_needs_depth_and_normalisation_without_a_residual_branch():
    settings = {"width": 100, "points": 128, "realisations": 8, "rng": 4}
    lag_one = {
        name: autocorrelation(gradients_on_grid(layers, relu(), residual=beta, batch_norm=norm, **settings), 1).mean[1]
        for name, layers, beta, norm in [
            ("deep plain normalised", 24, None, True),
            ("shallow plain normalised", 2, None, True),
            ("deep plain", 24, None, False),
            ("deep residual normalised", 24, 0.1, True),
        ]
    }
    assert abs(lag_one.pop("deep plain normalised")) < 0.15
    assert min(lag_one.values()) > 0.6


def test_bad_arguments_are_named():
    with pytest.raises(ValueError, match="piecewise-linear"):
        gradients_on_grid(2, tanh(), width=4, points=4, realisations=1)
    with pytest.raises(ValueError, match="residual"):
        gradients_on_grid(2, relu(), residual=-1.0)
    with pytest.raises(ValueError, match="constant"):
        autocorrelation(np.ones((2, 5)), 2)
    with pytest.raises(ValueError, match="lags"):
        autocorrelation(np.ones((2, 5)), 5)
    with pytest.raises(ValueError, match="batch"):
        sampled_gradient_correlation(2, relu(), batch=1)
