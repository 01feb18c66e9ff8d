import numpy as np
import pytest

from capacity.activations import Activation, leaky, relu
from capacity.depth import (
    RandomNetwork,
    gradients_on_grid,
    sampled_gradient_correlation,
    sampled_gradients,
)


@pytest.mark.parametrize("batch_norm", [False, True])
@pytest.mark.parametrize("residual", [None, 0.7])
def test_gradient_on_a_grid_is_the_limit_of_finite_differences(residual, batch_norm):
    """The same network written out naively, its normalisation taken from the grid and held fixed off it.

    The grid is even: normalisation over it puts all the kinks of the first layer at its centre, x = 0.
    """
    network = RandomNetwork(3, relu(), 5, residual, batch_norm)
    found = gradients_on_grid(network, points=8, reach=1.5, realisations=1, rng=7)[0]
    rng, grid = np.random.default_rng(7), np.linspace(-1.5, 1.5, 8)
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


@pytest.mark.parametrize("batch_norm", [False, True])
@pytest.mark.parametrize("residual", [None, 0.7])
def test_correlation_is_that_of_the_jacobians_of_a_plain_loop(residual, batch_norm):
    """Inputs, weights of all layers and one readout per depth are drawn in this order, network by network."""
    found = sampled_gradient_correlation(
        RandomNetwork(3, leaky(0.2), 4, residual, batch_norm), batch=5, realisations=6, rng=8
    )
    rng, values = np.random.default_rng(8), []
    scale = np.sqrt(2 / (1 + 0.2**2) / 4)  # the mean square of the gains is (1 + 0.2^2)/2
    for _ in range(6):
        states, weights = rng.standard_normal((5, 4)), rng.standard_normal((3, 4, 4)) * scale
        jacobians = np.array([np.eye(4)] * 5)  # of the states by the inputs, transposed, one for each input
        values.append([])
        for matrix in weights:
            shift, deviation = (states.mean(axis=0), states.std(axis=0)) if batch_norm else (0, np.ones(4))
            arguments = (states - shift) / deviation
            gains = np.where(arguments > 0, 1, 0.2)
            branch, through = gains * arguments @ matrix, jacobians * (gains / deviation)[:, None, :] @ matrix
            states = branch if residual is None else states + residual * branch
            jacobians = through if residual is None else jacobians + residual * through
            gradients = jacobians @ rng.standard_normal(4)
            pairs = [gradients[i] @ gradients[j] for i in range(5) for j in range(5) if i != j]
            values[-1].append(np.mean(pairs) / np.mean(np.sum(gradients**2, axis=1)))
    np.testing.assert_allclose(found.mean, np.mean(values, axis=0), rtol=1e-10)


@pytest.mark.parametrize("numbers", [1, 2**30])
def test_how_many_networks_are_computed_at_once_makes_no_difference(monkeypatch, numbers):
    network = RandomNetwork(3, relu(), 6, 0.5, batch_norm=True)
    expected = (
        gradients_on_grid(network, points=9, realisations=7, rng=0),
        sampled_gradient_correlation(network, batch=4, realisations=7, rng=0).mean,
    )
    monkeypatch.setattr(sampled_gradients, "NUMBERS_AT_ONCE", numbers)
    np.testing.assert_allclose(gradients_on_grid(network, points=9, realisations=7, rng=0), expected[0], atol=1e-12)
    found = sampled_gradient_correlation(network, batch=4, realisations=7, rng=0).mean
    np.testing.assert_allclose(found, expected[1], atol=1e-12)


def test_weights_keep_the_mean_square_whatever_the_slopes():
    double = Activation(
        "2 max(z, 0)", lambda z: 2 * np.maximum(z, 0), lambda z: 2.0 * (z > 0), lambda z: 2.0 * (z > 0), (0.0, 2.0)
    )
    left = Activation(
        "min(z, 0)", lambda z: np.minimum(z, 0), lambda z: 1.0 * (z <= 0), lambda z: 1.0 * (z <= 0), (1, 0)
    )
    assert RandomNetwork(1, left, 50).deviation == pytest.approx(np.sqrt(2 / 50))
    assert RandomNetwork(1, relu(), 50).deviation == pytest.approx(np.sqrt(2 / 50))
    assert RandomNetwork(1, double, 50).deviation == pytest.approx(np.sqrt(2 / 50) / 2)
