"""Values are those of the definitions, written out; a NaN goes wherever an entry is read."""

import numpy as np
import pytest
from small_graphs import RELU, dense_chain, random_inputs, random_projections, two_inputs, varied_image

from capacity_inspection.graphs import Graph, forward, from_layers, make_node
from capacity_inspection.graphs.evaluation import as_inputs, node_values


def test_a_dense_chain_is_a_product_of_matrices_and_rectifiers():
    first, second = random_projections(5, 4, 3)
    x = random_inputs(dense_chain([first, second]), 6)["input"]
    found = forward(dense_chain([first, second]), x)["activation 4"]
    np.testing.assert_allclose(found, np.maximum(np.maximum(x @ first, 0) @ second, 0), atol=1e-12)


def test_a_convolutional_chain_is_its_definition_written_out():
    kernel, bias = np.array([[[1.0, -2.0, 0.5]]]), [0.3]
    layers = [("convolution", {"kernel": kernel, "bias": bias, "dilations": 2, "pads": [(4, 0)]}), RELU]
    x = np.arange(6.0) ** 2 % 7
    found = forward(from_layers((1, 6), layers), x[None, None])["activation 2"][0, 0]
    past = np.concatenate([np.zeros(4), x])
    np.testing.assert_allclose(found, [max(0, past[t] - 2 * past[t + 2] + past[t + 4] / 2 + 0.3) for t in range(6)])


def test_a_bias_of_a_dense_layer_stands_on_its_axis():
    source = make_node("x", "input", shape=(3, 4))
    node = make_node("y", "dense", source, kernel=np.zeros((5, 4)), bias=np.arange(5.0), axis=1)
    np.testing.assert_array_equal(forward(Graph((source, node)), np.zeros((1, 3, 4)))["y"][0], [np.arange(5.0)] * 3)


def test_samples_do_not_see_each_other():
    graph = varied_image()
    x = random_inputs(graph, 3)["input"]
    together = forward(graph, x)["logits"]
    np.testing.assert_allclose(together, np.concatenate([forward(graph, x[i : i + 1])["logits"] for i in range(3)]))


@pytest.mark.parametrize("operator", ["max_pool", "average_pool"])
def test_a_nan_stays_in_the_windows_that_read_it(operator):
    source = make_node("x", "input", shape=(1, 6))
    graph = Graph((source, make_node("y", operator, source, window=2)))
    x = np.zeros((1, 1, 6))
    x[0, 0, 2] = np.nan
    np.testing.assert_array_equal(np.isnan(node_values(graph, {"x": x})["y"][0, 0]), [False, True, True, False, False])


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        (np.zeros((2, 1, 6)), "expected one array for each of"),
        ({"series": np.zeros((2, 1, 6))}, "inputs: expected arrays for"),
        (
            {"series": np.zeros((2, 1, 5)), "constant": np.zeros((2, 2))},
            r"expected shape \('samples', 1, 6\)",
        ),
        ({"series": np.zeros((1, 6)), "constant": np.zeros((2, 2))}, "the first axis counts samples"),
        ({"series": np.zeros((2, 1, 6)), "constant": np.zeros((3, 2))}, "inputs: expected arrays of one length"),
        ({"series": np.zeros((2, 1, 6)) * np.nan, "constant": np.zeros((2, 2))}, "expected finite numbers"),
    ],
)
def test_inputs_that_do_not_fit_are_refused(inputs, message):
    with pytest.raises(ValueError, match=message):
        as_inputs(two_inputs(), inputs)


def test_values_beyond_two_gigabytes_are_refused_before_they_are_computed():
    graph = from_layers((1, 2), [("pad", {"pads": [(0, 0), (0, 10**12)]})])
    with pytest.raises(ValueError, match="inputs: expected values of all nodes of at most 268435456 numbers"):
        forward(graph, np.zeros((1, 1, 2)))
