import numpy as np

from capacity.activations import relu, tanh
from capacity.networks import forward_pass
from capacity_studies.expressivity import he_layers, one_network, random_layers


def test_weights_and_biases_are_scaled_normal_numbers_layer_by_layer():
    """Over the width in all layers, as the papers have it, or with twice the inverse of their inputs (He et al.)."""
    drawn = random_layers(3, 4, 2, tanh(), sigma_w=1.7, sigma_b=0.3, outputs=2, networks=5, rng=0)
    he = he_layers((3, 4, 4, 2), relu(), sigma_b=0.3, networks=5, rng=0)
    for layers, scales in ((drawn, [1.7 / 4**0.5] * 3), (he, [(2 / 3) ** 0.5, (2 / 4) ** 0.5, (2 / 4) ** 0.5])):
        rng = np.random.default_rng(0)
        for layer, scale, inputs, outputs, hidden in zip(layers, scales, (3, 4, 4), (4, 4, 2), (True, True, False)):
            np.testing.assert_allclose(layer.weights, scale * rng.standard_normal((5, outputs, inputs)), rtol=1e-14)
            assert (layer.bias is None) != hidden
            if hidden:
                np.testing.assert_allclose(layer.bias, 0.3 * rng.standard_normal((5, outputs)), rtol=1e-14)
        assert [layer.activation is None for layer in layers] == [True, False, False]


def test_the_networks_are_independent_and_the_same_for_the_same_seed():
    first, again = (random_layers(2, 3, 1, relu(), sigma_w=1.0, networks=5, rng=7) for _ in range(2))
    assert np.unique(first[0].weights).size == first[0].weights.size
    np.testing.assert_array_equal(first[1].weights, again[1].weights)
    assert all(layer.bias is None for layer in (*first, *he_layers((2, 3, 1), relu(), rng=7)))
    assert forward_pass(first, np.ones((4, 2))).outputs.shape == (5, 4, 1)


def test_one_network_computes_what_it_does_among_many():
    many, points = random_layers(2, 3, 2, tanh(), sigma_w=1.0, sigma_b=0.5, networks=5, rng=7), np.ones((4, 2))
    one = one_network(many, 3)
    np.testing.assert_allclose(forward_pass(one, points).outputs, forward_pass(many, points).outputs[3], rtol=1e-12)
