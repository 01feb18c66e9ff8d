"""Architectures by name are the models and graphs that they describe."""

import inspect

import numpy as np
import pytest
from numpydoc.docscrape import FunctionDoc

from capacity.models import DiagonalRecurrence, DilatedConvolution
from capacity_inspection.models import DiagonalStateSpace
from capacity_inspection.readers import cnn, recurrent, ssm, tcn


def test_a_linear_stack_is_the_model_of_the_repeated_dilations():
    assert tcn([1, 2, 4], stacks=2, channels=3, taps=2, components=2) == DilatedConvolution([1, 2, 4] * 2, 3, 2, 2)


def test_a_recurrence_is_a_stable_one():
    assert recurrent(32, channels=4) == DiagonalRecurrence(32, 4, bound=1.0)


def test_a_state_space_has_a_pair_of_poles_for_two_states():
    assert ssm(32, states=8) == DiagonalStateSpace(32, 4)


def test_a_stack_with_activations_has_the_parameters_and_the_field_of_the_linear_one():
    linear, graph = tcn([1, 3], stacks=2, taps=3), tcn([1, 3], stacks=2, taps=3, activation="tanh")
    assert graph.n_parameters == linear.n_parameters
    assert graph["input"].shape == (1, linear.n_positions)
    assert [node.operator for node in graph.nodes] == ["input", *["convolution", "activation"] * 3, "convolution"]


def test_padding_keeps_the_past_on_the_left():
    (first, *_) = tcn([4], taps=3, channels=[], activation="relu").layers
    assert first.options["pads"] == ((8, 0),)


def test_residuals_add_the_input_of_a_layer_through_one_tap_where_channels_differ():
    graph = tcn([1, 2], channels=5, residual=True)
    assert [node.name for node in graph.nodes] == ["input", "layer 1", "skip 1", "sum 1", "layer 2", "sum 2", "readout"]
    assert graph["skip 1"].arrays["kernel"].shape == (5, 1, 1)
    assert graph["sum 2"].inputs == ("layer 2", "sum 1")


def test_strides_make_a_convolutional_network_smaller_and_nothing_else_does():
    graph = cnn((9, 8), channels=[2, 3, 3], kernel=[3, 5, 2], strides=[1, 2, 1], components=2, residual=True, classes=4)
    assert graph["layer 1"].shape == (2, 9, 8)
    assert graph["layer 2"].shape == graph["skip 2"].shape == (3, 5, 4)
    assert graph["layer 3"].shape == (3, 5, 4)
    assert graph[graph.outputs[0]].shape == (4,)


def test_weights_keep_the_variance():
    wide = cnn((1,), channels=[400, 400], components=400, kernel=1)
    assert [np.var(node.arrays["kernel"]) * 400 for node in wide.layers] == pytest.approx([2, 2], rel=0.02)
    linear = cnn((1,), channels=[400], components=400, kernel=1, activation=None)
    assert np.var(linear.layers[0].arrays["kernel"]) * 400 == pytest.approx(1, rel=0.02)


def test_a_seed_gives_the_same_weights_again():
    one, same, other = (cnn((4,), channels=[2], rng=seed).layers[0].arrays["kernel"] for seed in (1, 1, 2))
    assert np.array_equal(one, same)
    assert not np.array_equal(one, other)


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (lambda: tcn([]), "dilations"),
        (lambda: tcn([1, 2], stacks=0), "stacks"),
        (lambda: tcn([1, 2], stacks=5001), "dilations: expected at most 10000 layers, got 10002"),
        (lambda: cnn([8], channels=[1] * 10_001), "channels: expected at most 10000 layers"),
        (lambda: tcn([1, 2], activation="step"), "activation: expected 'identity' or "),
        (lambda: cnn((8, 8), channels=[4], activation=["relu"]), "activation: expected 'identity' or "),
        (lambda: cnn((), channels=[4]), "size: expected positions along at least one axis"),
        (lambda: cnn((8, 8), channels=[]), "layers"),
        (lambda: cnn((8, 8), channels=[4], strides=[1, 2]), "strides"),
        (lambda: cnn((8, 8), channels=[4], classes=0), "classes"),
        (lambda: recurrent(0), "n_inputs"),
        (lambda: ssm(8, states=3), "states: expected an even number, got 3"),
    ],
)
def test_numbers_that_make_no_network_are_refused(make, told):
    with pytest.raises(ValueError, match=told):
        make()


def test_one_number_of_channels_makes_a_network_of_one_layer():
    assert cnn((8,), channels=2).layers[-1].shape == cnn((8,), channels=[2]).layers[-1].shape == (2, 8)


@pytest.mark.parametrize("build", [tcn, cnn])
def test_what_may_be_one_number_for_each_layer_is_annotated_so(build):
    documented = {
        name for part in FunctionDoc(build)["Parameters"] if "sequence" in part.type for name in part.name.split(", ")
    }
    annotated = {
        name for name, part in inspect.signature(build).parameters.items() if "Sequence" in str(part.annotation)
    }
    assert annotated == documented
