"""Couplings are E[eta]^2/E[eta^2]: of Gaussian arguments, and on data as NumPy counts them."""

import numpy as np
import pytest
from small_graphs import RELU, dense_chain, random_inputs, random_projections, varied_image

from capacity import activations
from capacity.activations import coupling
from capacity_inspection.graphs import (
    Gain,
    capacity_flow,
    dense_input_capacity,
    forward,
    from_layers,
    measured_couplings,
)
from capacity_inspection.graphs.gains import node_gains
from capacity_inspection.graphs.operators.functions import function_gain


def own(function, **arguments):
    graph = from_layers((1, 3), [("activation", {"function": function, **arguments})])
    return [float(value.squeeze()) for value in node_gains(graph, "own")["activation 1"]]


@pytest.mark.parametrize(
    ("function", "known"),
    [
        ("identity", activations.linear()),
        ("relu", activations.relu()),
        ("abs", activations.absolute()),
        ("gelu", activations.gelu()),
        ("tanh", activations.tanh()),
        ("erf", activations.erf()),
        ("hard_tanh", activations.hard_tanh()),
    ],
)
def test_the_own_coupling_is_that_of_gaussian_arguments(function, known):
    assert own(function)[0] == pytest.approx(coupling(known), abs=1e-9)


def test_the_own_power_is_that_of_the_slopes():
    assert own("relu") == pytest.approx([0.5, 0.5], abs=1e-12)
    assert own("leaky_relu", slope=0.2) == pytest.approx([coupling(activations.leaky(0.2)), 0.52], abs=1e-12)
    assert own("prelu", slopes=[0.2]) == pytest.approx(own("leaky_relu", slope=0.2))


def test_a_sigmoid_has_the_coupling_of_its_part_without_the_constant():
    gain = np.tanh(np.linspace(1e-9, 6, 200001)) / np.linspace(1e-9, 6, 200001)  # of z = 2 u, a quarter of it
    weight = np.exp(-((2 * np.linspace(1e-9, 6, 200001)) ** 2) / 2)
    mean, square = (gain * weight).sum() / weight.sum(), (gain**2 * weight).sum() / weight.sum()
    assert own("sigmoid") == pytest.approx([mean**2 / square, square / 16], rel=1e-4)


def test_measured_couplings_are_means_over_samples_and_positions():
    graph = varied_image()
    inputs = random_inputs(graph, 5)
    values, found = forward(graph, inputs), measured_couplings(graph, inputs)
    for name, source, axes in (("left", "convolution 5", (0, 1, 2, 3)), ("prelu", "scale 2", (0, 2, 3))):
        gain = function_gain(graph[name], values[source])
        mean, square = gain.mean(axis=axes), (gain**2).mean(axis=axes)
        np.testing.assert_allclose(found[name].coupling, mean**2 / square)
        np.testing.assert_allclose(found[name].power, square)
    assert np.shape(found["prelu"].coupling) == (4,)
    assert set(found) == {"prelu", "left", "activation 15", "soft"}


def test_many_gaussian_samples_give_the_own_coupling():
    graph = from_layers((1, 1), [("activation", {"function": "tanh"})])
    found = measured_couplings(graph, random_inputs(graph, 4000))["activation 1"]
    assert found.coupling == pytest.approx(own("tanh")[0], abs=0.003)


def test_channels_can_be_measured_one_by_one():
    graph = from_layers((2, 1), [RELU])
    found = measured_couplings(graph, [[[1.0], [1.0]], [[1.0], [-1.0]]], channels=True)["activation 1"]
    np.testing.assert_array_equal(found.coupling, [1, 0.5])
    dead = measured_couplings(graph, [[[1.0], [-1.0]]], channels=True)["activation 1"]
    np.testing.assert_array_equal(dead.power, [1, 0])
    assert not np.isnan(dead.coupling).any()


def test_a_dead_layer_is_an_error():
    graph = from_layers((2, 1), [RELU])
    with pytest.raises(ValueError, match="expected samples for which something passes 'activation 1'"):
        measured_couplings(graph, -np.ones((3, 2, 1)))


def test_a_number_is_for_all_but_what_is_linear_and_powers_stay():
    layers = [RELU, ("activation", {"function": "identity"}), ("max_pool", {"window": 2})]
    found = node_gains(from_layers((1, 4), layers), 0.25)
    assert [float(found[name][0].max()) for name in found] == [0.25, 1, 0.25]
    assert [float(found[name][1].max()) for name in found] == pytest.approx([0.5, 1, 0.5])


def test_a_gain_that_is_given_needs_no_function_that_has_one():
    graph = from_layers((2, 3), [("activation", {"function": "log"})])
    assert [float(value) for value in node_gains(graph, {"activation 1": Gain(0.5, 2.0)})["activation 1"]] == [0.5, 2]
    with pytest.raises(ValueError, match="node 'activation 1': expected a function with a gain, got log"):
        node_gains(graph, 1.0)


def test_couplings_of_a_whole_network_serve_its_parts():
    graph = varied_image()
    gains = measured_couplings(graph, random_inputs(graph, 3))
    assert set(node_gains(graph.up_to("left"), gains, graph)) == {"prelu", "pool", "left"}
    for function in (capacity_flow, dense_input_capacity):
        function(graph, "left", coupling=gains)


def test_a_dictionary_overrides_what_it_names():
    graph = dense_chain(random_projections(3, 3, 3))
    found = node_gains(graph, {"activation 2": Gain(0.1, [2.0, 3.0, 4.0])})
    assert float(found["activation 2"][0]) == 0.1
    np.testing.assert_array_equal(found["activation 2"][1], [2, 3, 4])
    assert float(found["activation 4"][0]) == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (1.1, "coupling: expected a number >= 0 and <= 1"),
        ("some", "coupling: expected a number, 'own' or a dictionary"),
        ({"dense 1": 0.5}, r"expected names of activations, got \['dense 1'\]"),
        ({"activation 2": 1.5}, "coupling of 'activation 2': expected numbers <= 1"),
        ({"activation 2": -0.5}, "coupling of 'activation 2': expected numbers >= 0"),
        ({"activation 2": np.ones((2, 2))}, "expected a number or one per channel"),
        ({"activation 2": Gain(0.5, -1.0)}, "power of 'activation 2': expected numbers >= 0"),
        (None, "coupling: expected a real number"),
    ],
)
def test_couplings_that_are_none_are_refused(given, message):
    with pytest.raises((TypeError, ValueError), match=message):
        node_gains(dense_chain(random_projections(3, 3)), given)
