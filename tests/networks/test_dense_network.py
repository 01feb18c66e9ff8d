import numpy as np
import pytest

from capacity import activations as act
from capacity.depth import path_features, path_inputs
from capacity.linalg import jacobian_basis
from capacity.networks import DenseNetwork, forward_pass


def name(value):
    return getattr(value, "name", None)


def random_network(sizes, activation, *, bias=True, seed=0, samples=200):
    network = DenseNetwork(sizes, activation, bias)
    rng = np.random.default_rng(seed)
    return network, network.initial(rng), rng.standard_normal((samples, sizes[0]))


@pytest.mark.parametrize("activation", [act.tanh(), act.leaky(0.2), act.pseudo_random()], ids=name)
def test_jacobian_at_fixed_gains_is_the_derivative_of_the_path_coefficients(activation):
    """Its rows are the path copies times the derivative of the path coefficients (paper 2, eqs 5-9)."""
    network, parameters, inputs = random_network((2, 3, 3, 1), activation, bias=False, samples=30)

    def coefficients(values):
        first, second, last = (weights.T for weights, _ in network.unpack(values))
        return path_features([first, second], last).ravel()

    # Copies, since an activation that hashes bits wants products of matrices that lie alike in memory.
    projections = [np.ascontiguousarray(weights.T) for weights, _ in network.unpack(parameters)[:2]]
    copies = path_inputs(inputs, projections, [activation] * 2).reshape(30, -1)
    step = 0.5 * np.eye(parameters.size)  # central differences are exact: linear in each parameter
    derivative = np.transpose([coefficients(parameters + d) - coefficients(parameters - d) for d in step])
    np.testing.assert_allclose(network.jacobian(parameters, inputs, fixed_gains=True), copies @ derivative, atol=1e-12)
    covariance = copies.T @ copies / 30
    fixed = jacobian_basis(network.jacobian(parameters, inputs, fixed_gains=True))
    assert jacobian_basis(covariance @ derivative).rank == fixed.rank


def test_outputs_are_those_of_the_matrices():
    network, parameters, inputs = random_network((3, 4, 5, 2), act.tanh(), samples=6)
    (first, b1), (second, b2), (last, none) = network.unpack(parameters)
    assert [w.shape for w in (first, second, last)] == [(4, 3), (5, 4), (2, 5)]
    expected = np.tanh(np.tanh(inputs @ first.T + b1) @ second.T + b2) @ last.T
    np.testing.assert_allclose(network.outputs(parameters, inputs), expected, atol=1e-14)
    np.testing.assert_array_equal(none, 0)
    assert (network.n_parameters, network.hidden_units) == (parameters.size, 4 + 5)
    layers = network.with_parameters(parameters)
    np.testing.assert_array_equal(forward_pass(layers, inputs).outputs, network.outputs(parameters, inputs))


def test_initial_parameters_are_normal_numbers_drawn_input_by_input():
    network, rng = DenseNetwork((3, 4, 2), act.tanh()), np.random.default_rng(5)
    first, bias, last = rng.standard_normal((3, 4)), rng.standard_normal(4), rng.standard_normal((4, 2))
    (w1, b1), (w2, _) = network.unpack(network.initial(5))
    np.testing.assert_allclose(w1, first.T * np.sqrt(2 / 3), rtol=1e-15)
    np.testing.assert_array_equal(b1, bias)
    np.testing.assert_allclose(w2, last.T * np.sqrt(2 / 4), rtol=1e-15)


def test_many_parameter_vectors_at_once_are_the_networks_one_at_a_time():
    network, inputs = DenseNetwork((3, 4, 5, 2), act.tanh()), np.random.default_rng(0).standard_normal((6, 3))
    parameters = np.array([[network.initial(10 * i + j) for j in range(3)] for i in range(2)])
    outputs, jacobians = network.outputs(parameters, inputs), network.jacobian(parameters, inputs)
    for index in np.ndindex(2, 3):
        np.testing.assert_allclose(outputs[index], network.outputs(parameters[index], inputs), atol=1e-13)
        np.testing.assert_allclose(jacobians[index], network.jacobian(parameters[index], inputs), atol=1e-13)
