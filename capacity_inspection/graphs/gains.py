"""What an activation does to capacity: the mean and the mean square of its gains, assumed or measured on data.

The gain of an activation is eta(z) = (f(z) - f(0))/z. Its coupling nu = E[eta]^2/E[eta^2] says how far paths through
different units stay in step, its power E[eta^2] how much passes.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from capacity._validation import as_array, check_finite, check_real
from capacity_inspection.graphs.evaluation import as_inputs, values_by_sample
from capacity_inspection.graphs.graph import Graph
from capacity_inspection.graphs.operators.functions import function_gain

__all__ = ["Gain", "measured_couplings", "node_gains"]


@dataclass(frozen=True, eq=False)
class Gain:
    """Coupling and power of an activation.

    Attributes
    ----------
    coupling : float or ndarray, shape (channels,)
        nu = E[eta]^2/E[eta^2], in [0, 1].
    power : float or ndarray, shape (channels,)
        E[eta^2].

    Examples
    --------
    >>> from capacity_inspection.graphs import from_layers
    >>> graph = from_layers((1, 4), [("activation", {"function": "relu"})])
    >>> measured_couplings(graph, [[[1.0, 2.0, 3.0, -1.0]]])["activation 1"].power
    0.75
    """

    coupling: float | np.ndarray
    power: float | np.ndarray


def measured_couplings(graph: Graph, data: Any, *, channels: bool = False) -> dict[str, Gain]:
    """Coupling and power of each activation on data.

    Parameters
    ----------
    graph : Graph
    data : array_like, shape (samples, channels, positions), or mapping of str to array_like
        Of the inputs, as for `forward`.
    channels : bool, optional
        Measure every channel by itself; of a PReLU, whose slopes are learned by channel, this is always done.

    Returns
    -------
    dict of str to Gain
        By the name of the activation; means over samples and positions.

    Raises
    ------
    ValueError
        If an activation passes nothing on for any sample.

    Examples
    --------
    >>> from capacity_inspection.graphs import from_layers
    >>> graph = from_layers((1, 4), [("activation", {"function": "relu"})])
    >>> measured_couplings(graph, [[[1.0, 2.0, 3.0, -1.0]]])["activation 1"].coupling
    0.75
    """
    inputs = as_inputs(graph, data, "data")
    sums: dict[str, Any] = {}
    for values in values_by_sample(graph, inputs):
        for node in graph.nodes:
            if node.rule.gains == "unit":
                gain = function_gain(node, values[node.inputs[0]])
                axes = tuple(range(2, gain.ndim))
                first, second = sums.get(node.name, (0.0, 0.0))
                sums[node.name] = first + gain.mean(axis=axes)[0], second + (gain**2).mean(axis=axes)[0]
    count, found = len(next(iter(inputs.values()))), {}
    for name, (first, second) in sums.items():
        check_finite(second, "data", f"gains of {name!r}", "scale the data")
        mean, square = first / count, second / count
        if not (channels or "slopes" in graph[name].arrays):
            mean, square = mean.mean(), square.mean()
        if not np.any(square > 0):
            raise ValueError(
                f"data: expected samples for which something passes {name!r}, got none; the node is dead on these data"
            )
        ratio = np.divide(mean**2, square, out=np.ones_like(square), where=square > 0)
        found[name] = Gain(float(ratio), float(square)) if np.ndim(ratio) == 0 else Gain(ratio, square)
    return found


def node_gains(graph, coupling, whole=None):
    """Coupling and power of every node with gains, arrays that broadcast against its shape.

    The coupling is one number for all, "own" for what Gaussian arguments of variance one give each function, or a
    mapping by name, in which those that are not listed have their own. Its names are those of the graph or of a `whole`
    that it is a part of.
    """
    listed = {}
    if isinstance(coupling, Mapping):
        listed, coupling = dict(coupling), "own"
        known = {node.name for node in (whole or graph).nodes if node.rule.gains}
        if unknown := [name for name in listed if name not in known]:
            raise ValueError(f"coupling: expected names of activations, got {unknown}; leave these out")
    elif isinstance(coupling, str):
        if coupling != "own":
            raise ValueError(f"coupling: expected a number, 'own' or a dictionary, got {coupling!r}; pass one of these")
    else:
        coupling = check_real(coupling, "coupling", minimum=0, maximum=1, remedy="pass a coupling in [0, 1]")
    if at := next((node for node in graph.nodes if node.rule.gains == "sample"), None):
        raise ValueError(
            f"node {at.name!r}: expected gains of a known law, got those of {at.operator}, which follow from data; use "
            "sampled_input_capacity"
        )
    found, known = {}, {}
    for node in graph.nodes:
        given = listed.get(node.name)
        if not node.rule.gains:
            continue
        if isinstance(given, Gain) and node.rule.gains == "unit":
            own = given.coupling, given.power
        else:
            shapes = graph.shapes_below(node)
            kind = node.name if node.arrays else repr((node.operator, node.options, shapes))
            if kind not in known:
                known[kind] = node.rule.own_gain(node, shapes)
            own = known[kind]
        if given is None:
            given = own[0] if coupling == "own" or node.rule.is_linear(node) else coupling
        nu = _by_channel(given.coupling if isinstance(given, Gain) else given, node, "coupling")
        if nu.max() > 1 + 1e-12:
            raise ValueError(f"coupling of {node.name!r}: expected numbers <= 1, got {nu.max():g}; divide by E[eta^2]")
        found[node.name] = np.minimum(nu, 1.0), _by_channel(own[1], node, "power")
    return found


def _by_channel(value, node, name):
    array = as_array(value, f"{name} of {node.name!r}", minimum=0)
    if array.ndim == 1 and array.size in (1, node.shape[0]):
        array = array.reshape(-1, *[1] * (len(node.shape) - 1))
    if array.ndim not in (0, len(node.shape)) or any(n not in (1, m) for n, m in zip(array.shape, node.shape)):
        raise ValueError(
            f"{name} of {node.name!r}: expected a number or one per channel, got shape {array.shape}; take means"
        )
    return array
