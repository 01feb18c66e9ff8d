from itertools import pairwise

import numpy as np

from capacity.activations import leaky
from capacity.networks import DenseNetwork, Layer, parameter_jacobian
from capacity_studies.geometry import tangent_kernel


def test_tangent_kernel_is_the_jacobian_times_its_transpose_layer_by_layer():
    network = DenseNetwork((3, 5, 4, 2), leaky(0.2))
    parameters, inputs = network.initial(0), np.random.default_rng(1).standard_normal((6, 3))
    layers = [*network.with_parameters(parameters)]
    layers[-1] = Layer(layers[-1].weights, [1.0, 2.0], leaky(0.2))  # a bias at the end too
    jacobian, ends = parameter_jacobian(layers, inputs), np.cumsum([0, 20, 24, 10])
    expected = [j @ j.T for j in (jacobian[:, a:b] for a, b in pairwise(ends))]
    np.testing.assert_allclose(tangent_kernel(layers, inputs, by_layer=True), expected, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(tangent_kernel(layers, inputs), jacobian @ jacobian.T, rtol=1e-12, atol=1e-12)
