"""The same architecture before training: weights at the usual initialisation."""

import math
from dataclasses import replace

import numpy as np

from capacity._typing import Rng
from capacity._validation import as_generator, check_choice
from capacity.activations.scalar_functions import SCALAR_FUNCTIONS
from capacity_inspection.graphs.graph import Graph, check_graph

__all__ = ["SCALES", "redrawn_weights"]

SCALES = {"he": "He's scale", "pytorch": "PyTorch's default scale"}


def redrawn_weights(graph: Graph, *, scale: str | None = None, rng: Rng = None) -> Graph:
    """The same architecture with weights at the usual initialisation.

    Parameters
    ----------
    graph : Graph
    scale : {"he", "pytorch"}, optional
        By default that at which the weights of the graph have been drawn, else "he".
    rng : int, Generator or None
        Source of randomness.

    Returns
    -------
    Graph
        For k weights that an output takes, kernels at the scale "he" are Gaussian with variance 2/k (He et al. 2015)
        where a rectifier follows, perhaps after a normalisation, a pool or an addition, and 1/k elsewhere (LeCun), and
        biases are zero. At the scale "pytorch", the default of its dense, convolutional and recurrent layers, kernels
        and biases are uniform between plus and minus one over the root of k, in recurrences of the states. Shifts are
        zero, factors one, slopes of a PReLU a quarter. Numbers that are no parameters, such as a mask, stay.

    Examples
    --------
    >>> from capacity_inspection.graphs import from_layers
    >>> graph = from_layers((1, 16), [("convolution", {"kernel": [[[1.0, 1.0]]]})])
    >>> redrawn_weights(graph, rng=0)["convolution 1"].arrays["kernel"].shape
    (1, 1, 2)
    """
    check_graph(graph)
    scale = check_choice(scale or graph.drawn or "he", "scale", SCALES)
    rng, rectified, nodes = as_generator(rng), set[str](), []
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
        kernels = [key for key in ("kernel", "recurrent_kernel") if key in node.arrays]
        if scale == "pytorch" and kernels:
            bound = node.rule.fan_in(node, kernels[-1]) ** -0.5
            for key in [each for each in arrays if each.endswith(("kernel", "bias"))]:
                arrays[key] = rng.uniform(-bound, bound, arrays[key].shape).astype(arrays[key].dtype)
        elif kernels:
            variance = 2 if node.name in rectified else 1
            for key in kernels:
                deviation = math.sqrt(variance / node.rule.fan_in(node, key))
                drawn = np.asarray(deviation * rng.standard_normal(arrays[key].shape))
                arrays[key] = drawn.astype(arrays[key].dtype)
        nodes.append(replace(node, arrays=arrays))
    return replace(graph, nodes=tuple(nodes), drawn=scale)
