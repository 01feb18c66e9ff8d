"""The same architecture before training: weights at the usual initialisation."""

import math
from dataclasses import replace

import numpy as np

from capacity._validation import as_generator
from capacity.activations.scalar_functions import SCALAR_FUNCTIONS
from capacity.inspection.graphs.graph import check_graph

__all__ = ["redrawn_weights"]


def redrawn_weights(graph, *, rng=None):
    """The same architecture with weights at the usual initialisation.

    Parameters
    ----------
    graph : Graph
    rng : int, Generator or None
        Source of randomness.

    Returns
    -------
    Graph
        Kernels are Gaussian with variance 2/k (He et al. 2015) where a rectifier follows, perhaps after a
        normalisation, a pool or an addition, and 1/k elsewhere (LeCun), for k weights that an output takes; biases and
        shifts are zero, factors one, slopes of a PReLU a quarter. Numbers that are no parameters, such as a mask, stay.

    Examples
    --------
    >>> from capacity.inspection.graphs import from_layers
    >>> graph = from_layers((1, 16), [("convolution", {"kernel": [[[1.0, 1.0]]]})])
    >>> redrawn_weights(graph, rng=0)["convolution 1"].arrays["kernel"].shape
    (1, 1, 2)
    """
    check_graph(graph)
    rng, rectified, nodes = as_generator(rng), set(), []
    for node in reversed(graph.nodes):
        if node.rule.gains == "unit":
            passed = SCALAR_FUNCTIONS[node.options["function"]].rectifier
        else:
            passed = node.name in rectified and "kernel" not in node.arrays
        if passed:
            rectified.update(node.inputs)
    fixed = {"bias": 0.0, "shift": 0.0, "factor": 1.0, "slopes": 0.25}
    for node in graph.nodes:
        if not node.n_parameters:
            nodes.append(node)
            continue
        arrays = {key: np.full(array.shape, fixed.get(key, 0.0), array.dtype) for key, array in node.arrays.items()}
        for key in [each for each in ("kernel", "recurrent_kernel") if each in node.arrays]:
            kernel = node.arrays[key]
            deviation = math.sqrt((2 if node.name in rectified else 1) / node.rule.fan_in(node, key))
            arrays[key] = (deviation * rng.standard_normal(kernel.shape)).astype(kernel.dtype)
        nodes.append(replace(node, arrays=arrays))
    return replace(graph, nodes=tuple(nodes), drawn=True)
