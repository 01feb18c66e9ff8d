"""Capacity and gradients at the slopes that activations have on data, by one pass backwards for each sample."""

import numpy as np

from capacity.inspection.graphs.backward import input_weights
from capacity.inspection.graphs.evaluation import as_inputs, node_values
from capacity.inspection.graphs.fields import output_position

__all__ = ["sampled_input_capacity", "squared_gradient"]


def squared_gradient(graph, data, output=None, at="centre"):
    """Mean squared gradient of one output unit by each input entry: the gradient receptive field.

    Parameters
    ----------
    graph : Graph
    data : array_like, shape (samples, channels, positions), or mapping of str to array_like
        Of the inputs, as for `forward`.
    output, at : optional
        The unit, as in `receptive_fields`.

    Returns
    -------
    dict of str to ndarray, shape of the input
        In squared units of the output by squared units of the input.

    Notes
    -----
    The gradient of a max pool goes to the first of the entries that hold the maximum, in the order of its taps.

    Examples
    --------
    >>> from capacity.inspection.graphs import from_layers
    >>> graph = from_layers((1, 2), [("convolution", {"kernel": [[[1.0, 2.0]]]}), ("activation", {"function": "relu"})])
    >>> squared_gradient(graph, [[[1.0, 1.0]], [[1.0, -1.0]]])["input"]
    array([[0.5, 2. ]])
    """
    return _mean_square(graph, data, output, at, held=False)


def sampled_input_capacity(graph, data, output=None, at="centre"):
    """Capacity of the inputs with the gains that a network has on data, instead of independent random ones.

    Parameters
    ----------
    graph : Graph
    data, output, at
        As in `squared_gradient`.

    Returns
    -------
    dict of str to ndarray, shape of the input
        Mean over samples of the squared weight of each entry in the output; all inputs together have the capacity one.

    Raises
    ------
    ValueError
        If the output depends on no input for any sample.

    Notes
    -----
    Of activations that are linear on either side of zero the gain is the slope, so that in a network of these this is
    the squared gradient divided by its sum. Weights of attention, standard deviations of normalisations and
    gates of recurrent layers are held.
    """
    found = _mean_square(graph, data, output, at, held=True)
    total = sum(values.sum() for values in found.values())
    if not total > 0:
        raise ValueError(
            "data: expected a sample for which the output depends on an input, got none; all paths pass units that are "
            "dead on these data"
        )
    return {key: values / total for key, values in found.items()}


def _mean_square(graph, data, output, at, *, held):
    name, at = output_position(graph, output, at)
    inputs = as_inputs(graph, data, "data")
    part = graph.up_to(name)
    total = {key: np.zeros(graph[key].shape) for key in graph.inputs}
    samples = len(next(iter(inputs.values())))
    for i in range(samples):
        weights = _weights(part, {key: inputs[key][i : i + 1] for key in part.inputs}, name, at, held)
        for key, array in weights.items():
            total[key] += array[0] ** 2 / samples
    if not all(np.isfinite(array).all() for array in total.values()):
        raise ValueError(
            "data: expected gradients within the range of a double, got an overflow or a NaN; scale the data"
        )
    return total


def _weights(graph, inputs, name, at, held):
    """Weight of each input entry in the output: the product of weights and gains, or slopes, along all paths."""
    values = node_values(graph, inputs)

    def through(node, array):
        return node.rule.handed_back(node, array, [values[key] for key in node.inputs], held)

    return input_weights(graph, name, at, through)
