from itertools import product

import numpy as np
import pytest

from capacity.activations import leaky, relu
from capacity.networks import Layer, forward_pass, parameter_vector, with_parameter_vector
from capacity_studies.generalization import alpha_scaled, expected_sharpness, loss_hessian, scaled_hessian, sharpness
from capacity_studies.training import cross_entropy

RNG = np.random.default_rng(0)
INPUTS, LABELS = RNG.standard_normal((7, 3)), RNG.integers(3, size=7)
LINEAR = [Layer([[0.5, -1.0, 0.2], [0.3, 0.1, -0.4]])]
TWO = [Layer(RNG.standard_normal((4, 3))), Layer(RNG.standard_normal((3, 4)), activation=relu())]

BIASED = [Layer(TWO[0].weights, [0.3, 2.0, -0.7, 0.0]), Layer(TWO[1].weights, [5.0, 0.1, -2.0], TWO[1].activation)]


def loss(layers, labels=LABELS):
    return cross_entropy(forward_pass(layers, INPUTS).outputs, labels)[0]


@pytest.mark.parametrize("biases", [False, True])
def test_the_hessian_is_that_of_second_differences_of_the_loss(biases):
    """The definition."""
    shapes = [(4, 3), (5, 4), (3, 5)]
    layers = [
        Layer(RNG.standard_normal(s), RNG.standard_normal(s[0]) if biases else None, leaky(0.2) if k else None)
        for k, s in enumerate(shapes)
    ]
    found, here, h = loss_hessian(layers, INPUTS, LABELS), parameter_vector(layers), 1e-4
    np.testing.assert_array_equal(found, found.T)
    moves = h * np.eye(here.size)
    for i in range(0, here.size, 7):
        ends = [[here + a * moves[i] + b * moves for b in (1, -1)] for a in (1, -1)]
        values = [[loss(with_parameter_vector(layers, end)) for end in row] for row in ends]
        second = (values[0][0] - values[0][1] - values[1][0] + values[1][1]) / (4 * h**2)
        np.testing.assert_allclose(found[i], second, atol=2e-6)


@pytest.mark.parametrize("alpha", [0.1, 3.0])
@pytest.mark.parametrize("layers", [TWO, BIASED], ids=["weights", "biases"])
def test_rescaling_keeps_the_function_and_moves_the_hessian(layers, alpha):
    moved = alpha_scaled(layers, alpha)
    np.testing.assert_allclose(forward_pass(moved, INPUTS).outputs, forward_pass(layers, INPUTS).outputs, atol=1e-13)
    expected = scaled_hessian(loss_hessian(layers, INPUTS, LABELS), layers, alpha)
    np.testing.assert_allclose(loss_hessian(moved, INPUTS, LABELS), expected, rtol=1e-9, atol=1e-12)


def test_sharpness_of_a_linear_classifier_is_found_at_the_best_corner_of_the_box():
    labels, here = LABELS % 2, parameter_vector(LINEAR)
    signs = np.array(list(product([-1.0, 1.0], repeat=6)))
    corners = with_parameter_vector(LINEAR, here + 0.2 * (np.abs(here) + 1) * signs)
    start = loss(LINEAR, labels)
    expected = (loss(corners, labels).max() - start) / (1 + start)
    assert sharpness(LINEAR, INPUTS, labels, radius=0.2, rng=0) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("draws", [1, 3])
def test_expected_sharpness_is_the_mean_rise_over_steps_and_their_opposites(draws):
    many = [Layer(np.stack([layer.weights, 2 * layer.weights]), activation=layer.activation) for layer in TWO]
    here, start = parameter_vector(many), loss(many, LABELS)
    steps = 0.05 * np.random.default_rng(0).standard_normal((draws, *here.shape))
    moved = [loss(with_parameter_vector(many, here + sign * step), LABELS) for step in steps for sign in (1, -1)]
    found = expected_sharpness(many, INPUTS, LABELS, 0.05, draws=draws, rng=0)
    np.testing.assert_allclose(found, np.mean(moved, axis=0) - start, rtol=1e-9)
    small = expected_sharpness(LINEAR, INPUTS, LABELS % 2, 1e-4, draws=draws, rng=1)
    steps = 1e-4 * np.random.default_rng(1).standard_normal((draws, parameter_vector(LINEAR).size))
    hessian = loss_hessian(LINEAR, INPUTS, LABELS % 2)
    assert small == pytest.approx(np.mean([step @ hessian @ step / 2 for step in steps]), rel=1e-4)
