import numpy as np
import pytest

from capacity.activations import tanh
from capacity.networks import (
    DenseNetwork,
    Layer,
    backward_pass,
    forward_pass,
    output_gradients,
    parameter_jacobian,
    parameter_vector,
    sample_gradients,
    second_moment,
    with_parameter_vector,
)


def random(*shape, seed=0):
    return np.random.default_rng(seed).standard_normal(shape)


@pytest.mark.parametrize(("taps", "positions"), [((), ()), ((3,), (5,)), ((2, 3), (3, 4))])
def test_gradients_of_each_sample_are_limits_of_finite_differences(taps, positions):
    weights, bias, readout = (
        random(2, 3, *taps),
        random(2, seed=1),
        Layer(random(1, 2, *taps, seed=2), None, tanh(), dimensions=len(taps)),
    )
    inputs = random(4, 3, *positions, seed=3)

    def outputs(parameters):
        layer = Layer(
            parameters[: weights.size].reshape(weights.shape), parameters[weights.size :], dimensions=len(taps)
        )
        return forward_pass([layer, readout], inputs)

    at = np.r_[weights.ravel(), bias]
    forward = outputs(at)
    cotangents = random(*forward.outputs.shape, seed=4)
    backward = backward_pass(forward, cotangents)
    found = sample_gradients(forward.activities[0], backward.sums[0], taps=taps, bias=True)
    value = lambda w: (cotangents * outputs(w).outputs).reshape(4, -1).sum(axis=1)  # noqa: E731
    expected = [(value(at + step) - value(at - step)) / 2e-6 for step in 1e-6 * np.eye(at.size)]
    np.testing.assert_allclose(found, np.transpose(expected), atol=1e-7)
    np.testing.assert_array_equal(
        sample_gradients(forward.activities[0], backward.sums[0], taps=taps), found[:, : weights.size]
    )


def test_second_moment_of_gradients_is_the_mean_of_outer_products_of_the_rows_of_the_jacobian():
    network, inputs = DenseNetwork((3, 4, 2, 1), tanh()), random(6, 3)
    parameters = network.initial(0)
    forward = forward_pass(network.with_parameters(parameters), inputs)
    backward = backward_pass(forward, np.ones((6, 1)))
    jacobian = network.jacobian(parameters, inputs)
    for k, names in enumerate((("W1", "b1"), ("W2", "b2"), ("W3",))):
        gradients = sample_gradients(forward.activities[k], backward.sums[k], bias=len(names) == 2)
        rows = jacobian[:, network.layers[names[0]].start : network.layers[names[-1]].stop]
        expected = sum(np.outer(row, row) for row in rows) / 6
        np.testing.assert_allclose(second_moment(gradients), expected, atol=1e-13)


def test_jacobian_of_layers_is_the_limit_of_finite_differences_also_with_a_bias_at_the_end():
    layers = [
        Layer(random(3, 2), random(3, seed=1)),
        Layer(random(3, 3, seed=2), None, tanh(), residual=0.5),
        Layer(random(2, 3, seed=3), random(2, seed=4), tanh()),
    ]
    inputs, at = random(4, 2, seed=5), parameter_vector(layers)
    value = lambda vectors: forward_pass(with_parameter_vector(layers, vectors), inputs).outputs  # noqa: E731
    steps = 1e-5 * np.eye(at.size)
    expected = (value(at + steps) - value(at - steps)).reshape(at.size, -1).T / 2e-5
    np.testing.assert_allclose(parameter_jacobian(layers, inputs), expected, atol=1e-8)


def test_layers_with_positions_or_a_normalisation_have_no_output_gradients():
    convolution, normalising = Layer(random(2, 3, 1), dimensions=1), Layer(random(2, 3), batch_norm=True)
    for layer, inputs in ((convolution, random(4, 3, 5)), (normalising, random(4, 3))):
        with pytest.raises(ValueError, match="layers: expected dense layers without normalisation"):
            output_gradients(forward_pass([layer], inputs))
