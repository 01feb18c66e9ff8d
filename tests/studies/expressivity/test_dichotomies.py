import numpy as np
import pytest

from capacity.activations import hard_tanh, relu
from capacity.networks import Layer, forward_pass
from capacity_studies.expressivity import exact_dichotomies, random_layers, sampled_dichotomies

RNG = np.random.default_rng(0)
POINTS = RNG.standard_normal((7, 4))


def network(activation, depth=2, width=8, sigma_b=0.3):
    layers = random_layers(4, width, depth, activation, sigma_w=3.0, sigma_b=sigma_b, rng=1)
    return [Layer(x.weights[0], x.bias if x.bias is None else x.bias[0], x.activation) for x in layers]


def rows(dichotomies):
    return {tuple(row) for row in dichotomies.tolist()}


@pytest.mark.parametrize("level", [0, 1, 2])
@pytest.mark.parametrize("activation", [relu(), hard_tanh()], ids=lambda a: a.name)
def test_sampled_dichotomies_are_signs_of_networks_with_swept_weights(activation, level):
    layers = network(activation)
    second = RNG.standard_normal(layers[level].weights.shape)
    expected = set()
    for t in 2 * np.pi / 500 * np.arange(500):
        weights = layers[level].weights * np.cos(t) + second * np.sin(t)
        swept = Layer(weights, layers[level].bias, layers[level].activation)
        outputs = forward_pass([*layers[:level], swept, *layers[level + 1 :]], POINTS).outputs
        expected.add(tuple((outputs[:, 0] > 0).tolist()))
    assert rows(sampled_dichotomies(layers, POINTS, level + 1, second, 500)) == expected
    assert expected <= rows(exact_dichotomies(layers, POINTS, level + 1, second))


@pytest.mark.parametrize(("activation", "sigma_b"), [(relu(), 0.3), (hard_tanh(), 0.3), (hard_tanh(), 0.0)])
def test_a_fine_sample_finds_all_that_there_are(activation, sigma_b):
    layers = network(activation, depth=4, sigma_b=sigma_b)
    second = 3 / np.sqrt(8) * np.random.default_rng(0).standard_normal(layers[0].weights.shape)
    exact = exact_dichotomies(layers, POINTS, 1, second)
    sampled = sampled_dichotomies(layers, POINTS, 1, second, 30_000)
    assert rows(exact) == rows(sampled)
    assert len(exact) == len(rows(exact)) > 14


@pytest.mark.parametrize("samples", [1, 5, 15])
def test_a_readout_without_bias_divides_inputs_in_two_ways_for_each(samples):
    points = np.random.default_rng(samples).standard_normal((samples, 9))
    layers = [Layer(np.random.default_rng(3).standard_normal((1, 9)))]
    second = np.random.default_rng(4).standard_normal((1, 9))
    assert len(exact_dichotomies(layers, points, 1, second)) == 2 * samples
    repeated = np.concatenate([points, points, -points])
    assert len(exact_dichotomies(layers, repeated, 1, second)) == 2 * samples
