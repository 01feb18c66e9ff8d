import numpy as np
import pytest

from capacity import activations as act
from capacity.depth import path_features, path_inputs
from capacity.linalg import jacobian_basis
from capacity.networks import DenseNetwork, forward_pass

SMOOTH = [act.tanh(), act.sigmoid(), act.gelu(), act.softplus()]
PIECEWISE = [act.leaky(0.2), act.absolute(), act.leaky(-0.3)]


def name(value):
    return getattr(value, "name", None)


def random_network(sizes, activation, *, bias=True, seed=0, samples=200):
    network = DenseNetwork(sizes, activation, bias)
    rng = np.random.default_rng(seed)
    return network, network.initial(rng), rng.standard_normal((samples, sizes[0]))


@pytest.mark.parametrize("activation", [*SMOOTH, *PIECEWISE], ids=name)
@pytest.mark.parametrize("bias", [True, False])
def test_jacobian_is_the_limit_of_finite_differences(activation, bias):
    network, parameters, inputs = random_network((3, 4, 5, 2), activation, bias=bias, samples=6)
    step = 1e-6 * np.eye(parameters.size)
    expected = [
        (network.outputs(parameters + d, inputs) - network.outputs(parameters - d, inputs)).ravel() / 2e-6 for d in step
    ]
    np.testing.assert_allclose(network.jacobian(parameters, inputs), np.transpose(expected), atol=1e-7)


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


@pytest.mark.parametrize("activation", PIECEWISE, ids=name)
@pytest.mark.parametrize(("sizes", "bias", "rank"), [((3, 5, 1), True, 20), ((3, 4, 4, 1), False, 24)])
def test_piecewise_linear_networks_have_one_redundancy_per_hidden_unit(activation, sizes, bias, rank):
    network, parameters, inputs = random_network(sizes, activation, bias=bias, samples=400)
    true, fixed = (jacobian_basis(network.jacobian(parameters, inputs, fixed_gains=gains)) for gains in (False, True))
    assert true.rank == fixed.rank == rank == network.n_parameters - network.hidden_units
    assert true.gap > 1e6


@pytest.mark.parametrize("activation", SMOOTH, ids=name)
@pytest.mark.parametrize(("sizes", "bias"), [((3, 5, 1), True), ((3, 4, 4, 1), False)])
def test_fixing_the_gains_loses_one_dimension_per_hidden_unit_of_a_smooth_network(activation, sizes, bias):
    network, parameters, inputs = random_network(sizes, activation, bias=bias, samples=400)
    assert jacobian_basis(network.jacobian(parameters, inputs)).rank == network.n_parameters
    fixed = jacobian_basis(network.jacobian(parameters, inputs, fixed_gains=True))
    assert fixed.rank == network.n_parameters - network.hidden_units
    assert fixed.gap > 1e6


def test_outputs_are_those_of_the_matrices():
    network, parameters, inputs = random_network((3, 4, 5, 2), act.tanh(), samples=6)
    (first, b1), (second, b2), (last, none) = network.unpack(parameters)
    assert [w.shape for w in (first, second, last)] == [(4, 3), (5, 4), (2, 5)]
    expected = np.tanh(np.tanh(inputs @ first.T + b1) @ second.T + b2) @ last.T
    np.testing.assert_allclose(network.outputs(parameters, inputs), expected, atol=1e-14)
    np.testing.assert_array_equal(none, 0)
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
