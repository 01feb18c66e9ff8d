"""An oracle: capacity of the inputs with gains that are drawn, without the approximation of the two-part rule."""

import math

import numpy as np

from capacity._validation import as_generator
from capacity_inspection.graphs.backward import input_weights
from capacity_inspection.graphs.fields import output_position
from capacity_inspection.graphs.gains import node_gains
from capacity_inspection.graphs.operators.boxes import whole_box

__all__ = ["drawn_input_capacity"]


def drawn_input_capacity(graph, output=None, at="centre", *, coupling=0.0, draws=100, rng=None):
    """Estimate of what `dense_input_capacity` computes, from networks whose gains are drawn, and its standard errors.

    Every unit has a gain a + b or a - b with a^2 = nu rho and b^2 = (1 - nu) rho, and every entry of a window of a max
    pool likewise: the squared weight of an input entry then has the mean of the recursion of second moments.
    """
    name, at = output_position(graph, output, at)
    part, rng = graph.up_to(name), as_generator(rng)
    gains = node_gains(part, coupling, graph)

    def through(node, array):
        nu, power = gains[node.name]
        mean, spread = np.sqrt(nu * power), np.sqrt((1 - nu) * power)
        if node.rule.gains == "unit":
            return array * (mean + spread * _signs(rng, array.shape))
        shape = part[node.inputs[0]].shape
        below = np.zeros((1, *shape))
        for _, above, read in node.rule.slices(node, whole_box(node.shape), whole_box(shape)):
            chosen = array * (mean + spread * _signs(rng, array.shape))
            below[read] += chosen[above]
        return below

    sums = {key: np.zeros((3, *part[key].shape)) for key in part.inputs}  # of q, of q^2 and of q times the total
    totals, size = np.empty(draws), 0.0  # of the first weights that are not all zero: their units, which cancel
    for i in range(draws):
        weights = input_weights(part, name, at, through)
        size = size or max(float(np.abs(values).max()) for values in weights.values())
        squares = {key: np.ldexp(values[0], -math.frexp(size)[1]) ** 2 for key, values in weights.items()}
        totals[i] = sum(values.sum() for values in squares.values())
        for key, values in squares.items():
            sums[key] += values, values**2, values * totals[i]
    estimate = {key: np.zeros(graph[key].shape) for key in graph.inputs}
    error = {key: np.zeros(graph[key].shape) for key in graph.inputs}
    for key, (values, squares, products) in sums.items():
        share = values / totals.sum()
        variance = np.maximum(squares - 2 * share * products + share**2 * (totals**2).sum(), 0) / (draws - 1)
        estimate[key], error[key] = share, np.sqrt(variance / draws) / totals.mean()
    return estimate, error


def _signs(rng, shape):
    return rng.integers(0, 2, shape, dtype=np.int8) * 2.0 - 1
