"""The passes against plain loops over units, finite differences, and each other."""

from itertools import pairwise

import numpy as np
import pytest

from capacity.activations import leaky, tanh
from capacity.networks import Layer, backward_pass, forward_pass, tangent_pass


def random(*shape, seed=0):
    return np.random.default_rng(seed).standard_normal(shape)


def network(
    activation, *, sizes=(3, 4, 4, 2), taps=(), residual=None, batch_norm=False, bias=True, networks=(), seed=0
):
    """Linear layer, hidden layers with everything that is asked for, readout without a residual branch."""
    rng, layers = np.random.default_rng(seed), []
    for i, (below, above) in enumerate(pairwise(sizes)):
        weights, offset = rng.standard_normal((*networks, above, below, *taps)), rng.standard_normal((*networks, above))
        branch = residual if i and above == below else None
        f, normalised = (activation, batch_norm) if i else (None, False)
        layers.append(Layer(weights, offset if bias else None, f, branch, normalised, len(taps)))
    return layers


DENSE = {
    "plain": {},
    "without bias": {"bias": False},
    "residual": {"residual": 0.7},
    "normalised": {"batch_norm": True},
    "residual, normalised": {"residual": 0.7, "batch_norm": True},
}
KINDS = DENSE | {
    "convolution": {"taps": (3,)},
    "convolution in two dimensions, residual, normalised": {"taps": (3, 2), "residual": 0.7, "batch_norm": True},
}
POSITIONS = (4, 3)


@pytest.fixture(params=KINDS)
def kind(request):
    return KINDS[request.param]


def some_inputs(kind, samples=5, seed=1):
    return 0.5 + random(samples, 3, *POSITIONS[: len(kind.get("taps", ()))], seed=seed)


def output(layers, inputs):
    return forward_pass(layers, inputs).outputs


@pytest.mark.parametrize("name", DENSE)
def test_outputs_are_those_of_loops_over_units(name):
    """The definition, written out unit by unit; convolutions stand in the tests of the linear maps."""
    layers, inputs = network(tanh(), **DENSE[name]), some_inputs({})
    states = [list(row) for row in inputs]
    for layer in layers:
        columns = list(zip(*states))
        means = [sum(column) / 5 for column in columns]
        variances = [sum((x - m) ** 2 for x in column) / 5 for column, m in zip(columns, means)]
        above = []
        for state in states:
            arguments = [(x - m) / v**0.5 for x, m, v in zip(state, means, variances)] if layer.batch_norm else state
            activities = [x if layer.activation is None else np.tanh(x) for x in arguments]
            sums = [sum(w * a for w, a in zip(row, activities)) for row in layer.weights]
            sums = [x + (0 if layer.bias is None else layer.bias[unit]) for unit, x in enumerate(sums)]
            above.append(sums if layer.residual is None else [x + layer.residual * y for x, y in zip(state, sums)])
        states = above
    np.testing.assert_allclose(output(layers, inputs), states, atol=1e-13)


@pytest.mark.parametrize("activation", [tanh(), leaky(0.3)], ids=lambda a: a.name)
def test_gradients_by_inputs_and_sums_are_limits_of_finite_differences(kind, activation):
    """The sums are moved through the biases of single samples, added to the states by hand. True statistics."""
    layers, inputs = network(activation, **kind), some_inputs(kind)
    forward = forward_pass(layers, inputs)
    cotangents = random(*forward.outputs.shape, seed=2)
    backward = backward_pass(forward, cotangents)
    value = lambda x: np.vdot(cotangents, output(layers, x))  # noqa: E731
    for index in np.ndindex(*inputs.shape):
        step = np.zeros_like(inputs)
        step[index] = 1e-6
        assert (value(inputs + step) - value(inputs - step)) / 2e-6 == pytest.approx(backward.inputs[index], abs=2e-7)
    for k, (layer, by_sums) in enumerate(zip(layers, backward.sums)):
        step = random(*by_sums.shape, seed=3)
        scale = 1 if layer.residual is None else layer.residual

        def beyond(t, k=k, scale=scale, step=step):
            state = forward.states[k + 1] + t * scale * step
            return np.vdot(cotangents, output(layers[k + 1 :], state) if layers[k + 1 :] else state)

        assert (beyond(1e-6) - beyond(-1e-6)) / 2e-6 == pytest.approx(np.vdot(by_sums, step), abs=1e-6)


def rest(layer):
    return layer.bias, layer.activation, layer.residual, layer.batch_norm, layer.dimensions


@pytest.mark.parametrize("fixed_statistics", [False, True])
@pytest.mark.parametrize("fixed_gains", [False, True])
def test_tangents_and_cotangents_agree(kind, fixed_gains, fixed_statistics):
    layers, inputs = network(tanh(), **kind), some_inputs(kind)
    forward, held = forward_pass(layers, inputs), {"fixed_gains": fixed_gains, "fixed_statistics": fixed_statistics}
    tangents, cotangents = random(*inputs.shape, seed=2), random(*forward.outputs.shape, seed=3)
    one = np.vdot(cotangents, tangent_pass(forward, tangents, **held)[-1])
    assert np.vdot(backward_pass(forward, cotangents, **held).inputs, tangents) == pytest.approx(one, rel=1e-10)


def test_tangents_are_limits_of_finite_differences_in_every_layer(kind):
    layers, inputs = network(tanh(), **kind), some_inputs(kind)
    tangents = random(*inputs.shape, seed=2)
    high, low = (forward_pass(layers, inputs + s * tangents).states for s in (1e-6, -1e-6))
    for one, other, found in zip(high, low, tangent_pass(forward_pass(layers, inputs), tangents)):
        np.testing.assert_allclose((one - other) / 2e-6, found, atol=1e-6)


@pytest.mark.parametrize("residual", [None, 0.7])
def test_fixed_statistics_are_those_of_a_network_that_has_them_as_numbers(residual):
    """Shift and scale of each layer are taken from the pass and built into a network without normalisation."""
    layers, inputs = network(tanh(), residual=residual, batch_norm=True), some_inputs({})
    forward, tangents = forward_pass(layers, inputs), random(*inputs.shape, seed=2)

    def outputs(states):
        for layer, below, deviations in zip(layers, forward.states, forward.deviations):
            arguments = (states - below.mean(axis=0)) / deviations if layer.batch_norm else states
            activities = arguments if layer.activation is None else np.tanh(arguments)
            sums = activities @ layer.weights.T + layer.bias
            states = sums if layer.residual is None else states + layer.residual * sums
        return states

    held, true = (tangent_pass(forward, tangents, fixed_statistics=fixed)[-1] for fixed in (True, False))
    np.testing.assert_allclose(
        (outputs(inputs + 1e-6 * tangents) - outputs(inputs - 1e-6 * tangents)) / 2e-6, held, atol=1e-7
    )
    assert np.abs(held - true).max() > 0.01


def test_fixed_gains_reproduce_the_activities_along_the_arguments():
    """Without biases the outputs are linear in the inputs at fixed gains: the tangent of the inputs is the output."""
    layers, inputs = network(tanh(), bias=False, residual=0.7), some_inputs({})
    forward = forward_pass(layers, inputs)
    np.testing.assert_allclose(tangent_pass(forward, inputs, fixed_gains=True)[-1], forward.outputs, atol=1e-13)


def test_many_networks_at_once_are_the_networks_one_at_a_time(kind):
    layers, inputs = network(tanh(), networks=(2, 3), **kind), some_inputs(kind)
    forward = forward_pass(layers, inputs)  # one set of samples for all of them
    cotangents = random(*forward.outputs.shape, seed=2)
    backward, tangents = backward_pass(forward, cotangents), tangent_pass(forward, inputs)[-1]
    for index in np.ndindex(2, 3):
        own = [
            Layer(each.weights[index], None if each.bias is None else each.bias[index], *rest(each)[1:])
            for each in layers
        ]
        alone = forward_pass(own, inputs)
        np.testing.assert_allclose(forward.outputs[index], alone.outputs, atol=1e-12)
        np.testing.assert_allclose(tangents[index], tangent_pass(alone, inputs)[-1], atol=1e-12)
        back = backward_pass(alone, cotangents[index])
        np.testing.assert_allclose(backward.inputs[index], back.inputs, atol=1e-12)
        for together, single in zip(backward.sums, back.sums):
            np.testing.assert_allclose(together[index], single, atol=1e-12)


def test_a_part_of_a_pass_is_the_pass_through_these_layers(kind):
    layers, inputs = network(tanh(), **kind), some_inputs(kind)
    forward = forward_pass(layers, inputs)
    cotangents = random(*forward.outputs.shape, seed=2)
    upper = backward_pass(forward.part(1, 3), cotangents)
    lower = backward_pass(forward.part(0, 1), upper.inputs)
    np.testing.assert_allclose(lower.inputs, backward_pass(forward, cotangents).inputs, atol=1e-13)
    np.testing.assert_array_equal(forward.part(0, 2).outputs, output(layers[:2], inputs))
