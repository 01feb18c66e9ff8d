import numpy as np
import pytest

from capacity import activations as act
from capacity.depth import path_features, path_inputs
from capacity.linalg import jacobian_basis
from capacity.networks import DenseNetwork

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
def test_frozen_jacobian_is_the_derivative_of_the_path_coefficients(activation):
    """The rows of the frozen Jacobian are the path copies times the derivative of the path coefficients (eqs 5-9)."""
    network, parameters, inputs = random_network((2, 3, 3, 1), activation, bias=False, samples=30)

    def coefficients(values):
        (first, _), (second, _), (last, _) = network.unpack(values)
        return path_features([first, second], last).ravel()

    (first, _), (second, _), _ = network.unpack(parameters)
    copies = path_inputs(inputs, [first, second], [activation] * 2).reshape(30, -1)
    step = 0.5 * np.eye(parameters.size)  # central differences are exact: linear in each parameter
    derivative = np.transpose([coefficients(parameters + d) - coefficients(parameters - d) for d in step])
    np.testing.assert_allclose(network.jacobian(parameters, inputs, frozen=True), copies @ derivative, atol=1e-12)
    covariance = copies.T @ copies / 30
    frozen = jacobian_basis(network.jacobian(parameters, inputs, frozen=True))
    assert jacobian_basis(covariance @ derivative).rank == frozen.rank


@pytest.mark.parametrize("activation", PIECEWISE, ids=name)
@pytest.mark.parametrize(("sizes", "bias", "rank"), [((3, 5, 1), True, 20), ((3, 4, 4, 1), False, 24)])
def test_piecewise_linear_networks_have_one_redundancy_per_hidden_unit(activation, sizes, bias, rank):
    network, parameters, inputs = random_network(sizes, activation, bias=bias, samples=400)
    true, frozen = (jacobian_basis(network.jacobian(parameters, inputs, frozen=frozen)) for frozen in (False, True))
    assert true.rank == frozen.rank == rank == network.parameter_count - network.hidden_units
    assert true.gap > 1e6


@pytest.mark.parametrize("activation", SMOOTH, ids=name)
@pytest.mark.parametrize(("sizes", "bias"), [((3, 5, 1), True), ((3, 4, 4, 1), False)])
def test_freezing_the_gains_loses_one_dimension_per_hidden_unit_of_a_smooth_network(activation, sizes, bias):
    network, parameters, inputs = random_network(sizes, activation, bias=bias, samples=400)
    assert jacobian_basis(network.jacobian(parameters, inputs)).rank == network.parameter_count
    frozen = jacobian_basis(network.jacobian(parameters, inputs, frozen=True))
    assert frozen.rank == network.parameter_count - network.hidden_units
    assert frozen.gap > 1e6


def test_redundancy_is_the_scale_that_a_hidden_unit_trades_between_its_two_sides():
    network, parameters, inputs = random_network((3, 5, 1), act.leaky(0.2))
    direction = np.zeros(network.parameter_count)
    (weights, bias), (last, _) = network.unpack(parameters)
    first, shift, second = np.zeros_like(weights), np.zeros_like(bias), np.zeros_like(last)
    first[:, 2], shift[2], second[2] = weights[:, 2], bias[2], -last[2]
    for part, value in zip(("W1", "b1", "W2"), (first, shift, second)):
        direction[network.slices[part]] = value.ravel()
    np.testing.assert_allclose(network.jacobian(parameters, inputs) @ direction, 0, atol=1e-13)


def test_slices_cover_the_parameters_once():
    network = DenseNetwork((3, 4, 2, 1), act.tanh())
    covered = np.concatenate([np.arange(network.parameter_count)[part] for part in network.slices.values()])
    np.testing.assert_array_equal(covered, np.arange(3 * 4 + 4 + 4 * 2 + 2 + 2))
    assert list(network.slices) == ["W1", "b1", "W2", "b2", "W3"]


def test_bad_arguments_are_named():
    with pytest.raises(ValueError, match="sizes"):
        DenseNetwork((3,), act.tanh())
    network = DenseNetwork((3, 2, 1), act.tanh())
    with pytest.raises(ValueError, match="parameters"):
        network.outputs(np.ones(3), np.ones((1, 3)))
    with pytest.raises(ValueError, match="inputs"):
        network.jacobian(network.initial(0), np.ones((1, 2)))
