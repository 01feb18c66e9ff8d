import numpy as np

from capacity.activations import relu, tanh
from capacity.networks import forward_pass
from capacity_studies.expressivity import one_network, random_layers


def test_all_weights_have_the_variance_over_the_width_and_all_hidden_biases_that_of_biases():
    layers = random_layers(3, 20, 4, tanh(), sigma_w=1.7, sigma_b=0.3, outputs=2, networks=400, rng=0)
    assert [layer.weights.shape for layer in layers] == [(400, 20, 3), *[(400, 20, 20)] * 3, (400, 2, 20)]
    for layer in layers:
        count = layer.weights.size
        assert abs(layer.weights.var() - 1.7**2 / 20) < 4 * np.sqrt(2 / count) * 1.7**2 / 20
        assert abs(layer.weights.mean()) < 4 * 1.7 / np.sqrt(20 * count)
    for layer in layers[:-1]:
        assert abs(layer.bias.var() - 0.09) < 4 * np.sqrt(2 / layer.bias.size) * 0.09
    assert layers[-1].bias is None
    assert [layer.activation is None for layer in layers] == [True, False, False, False, False]


def test_the_networks_are_independent_and_the_same_for_the_same_seed():
    first, again = (random_layers(2, 3, 1, relu(), sigma_w=1.0, networks=5, rng=7) for _ in range(2))
    assert np.unique(first[0].weights).size == first[0].weights.size
    np.testing.assert_array_equal(first[1].weights, again[1].weights)
    assert all(layer.bias is None for layer in first)
    assert forward_pass(first, np.ones((4, 2))).outputs.shape == (5, 4, 1)


def test_one_network_computes_what_it_does_among_many():
    many, points = random_layers(2, 3, 2, tanh(), sigma_w=1.0, sigma_b=0.5, networks=5, rng=7), np.ones((4, 2))
    one = one_network(many, 3)
    np.testing.assert_allclose(forward_pass(one, points).outputs, forward_pass(many, points).outputs[3], rtol=1e-12)
