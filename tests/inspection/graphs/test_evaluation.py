"""Values are those of the definitions, written out; a NaN goes wherever an entry is read."""

import numpy as np
import pytest
from small_graphs import two_inputs

from capacity_inspection.graphs import Graph, forward, from_layers, make_node
from capacity_inspection.graphs.evaluation import as_inputs, node_values


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
