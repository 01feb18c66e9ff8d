import numpy as np

from capacity.activations import relu
from capacity.networks import DenseNetwork, Layer, parameter_vector, with_parameter_vector


def test_vector_of_the_layers_of_a_dense_network_is_its_parameter_vector():
    network = DenseNetwork((3, 4, 2), relu())
    parameters = np.random.default_rng(0).standard_normal((5, network.n_parameters))
    layers = network.with_parameters(parameters)
    np.testing.assert_array_equal(parameter_vector(layers), parameters)
    for found, layer in zip(with_parameter_vector(network.with_parameters(parameters[0]), parameters), layers):
        np.testing.assert_array_equal(found.weights, layer.weights)
        assert (found.bias is None) == (layer.bias is None)
        assert found.bias is None or (found.bias == layer.bias).all()
        assert found.activation is layer.activation


def test_one_bias_for_many_networks_is_repeated_and_kernels_are_kept_whole():
    layer = Layer(np.arange(12.0).reshape(2, 2, 3), [7.0, 8.0])
    np.testing.assert_array_equal(parameter_vector([layer])[:, 6:], [[7.0, 8.0]] * 2)
    kernel = Layer(np.arange(12.0).reshape(2, 2, 3), [7.0, 8.0], dimensions=1)
    np.testing.assert_array_equal(
        with_parameter_vector([kernel], parameter_vector([kernel]))[0].weights, kernel.weights
    )
