"""Parameters that are redundant since a rectified channel can hand a factor on: of a network, and of each layer.

A positive factor of a channel passes a rectifier, and can be taken from the weights that make the channel or given to
those that read it.
"""

from capacity.activations.scalar_functions import SCALAR_FUNCTIONS
from capacity_inspection.reports.quantity import Quantity, unavailable

__all__ = ["bounds_given_others", "independent_in_all"]

_RECTIFIERS = {name for name, row in SCALAR_FUNCTIONS.items() if row.homogeneous} - {"identity"}  # f(cz) = c f(z), bent


def independent_in_all(graph):
    """Parameters less the rescalings of rectified channels, if the network is one for which that is known."""
    if reason := _not_their_own(graph):
        return unavailable(reason)
    readers, redundant = _readers(graph), 0
    for node in graph.layers:
        ends, functions, path = _passed(node, readers)
        if path:
            return unavailable(f"no closed form where {path}")
        if ends and not functions:
            return unavailable(f"no closed form where no activation follows {node.name!r}")
        redundant += node.shape[0] * (bool(ends) and functions <= _RECTIFIERS)
    note = "the only redundancies are the scales of rectified channels"
    return Quantity(graph.n_parameters - redundant, "assumed", note)


def bounds_given_others(graph):
    """Upper bounds of the capacity of each layer given all the others, by name.

    What a layer can do by factors of its output channels those that read it can do, and what it can do by factors of
    its input channels those that make them, its siblings taking the factor back. Without a bias, one factor of all
    weights of a group is both.
    """
    if reason := _not_their_own(graph):
        return {node.name: unavailable(reason) for node in graph.layers}
    readers = _readers(graph)
    above, below = dict.fromkeys((node.name for node in graph.layers), 0), {}
    for node in graph.layers:
        ends, functions, path = _passed(node, readers)
        if ends and not path and functions <= _RECTIFIERS:
            above[node.name] = node.shape[0]
            below |= dict.fromkeys((end.name for end in ends), node.shape[0])
    note = "a bound: at least scales of channels are what other layers can do"
    return {
        node.name: Quantity(
            node.n_parameters
            - above[node.name]
            - below.get(node.name, 0)
            + node.options.get("groups", 1)
            * (above[node.name] > 0 and node.name in below and "bias" not in node.arrays),
            "assumed",
            note,
        )
        for node in graph.layers
    }


def _not_their_own(graph):
    """Why rescalings are not counted, if weights are not each a parameter."""
    for node in graph.nodes:
        if node.n_parameters != sum(array.size for array in node.arrays.values()):
            return f"no closed form where weights are computed, as those of {node.name!r}"
    if graph.n_parameters < sum(node.n_parameters for node in graph.nodes):
        return "no closed form where layers share weights"
    return ""


def _readers(graph):
    readers: dict[str, list] = {node.name: [] for node in graph.nodes}
    for node in graph.nodes:
        for source in node.inputs:
            readers[source].append(node)
    return readers


def _passed(node, readers):
    """Layers that read a layer, through which activations, and what stands between them that is not known."""
    functions, ends, open_ = set(), [], [node]
    if "recurrent_kernel" in node.arrays:
        return ends, functions, f"states of {node.name!r} return"
    if node.options.get("axis"):
        return ends, functions, f"{node.name!r} acts along positions"
    while open_:
        for reader in readers[open_.pop().name]:
            if "kernel" in reader.arrays and not reader.options.get("axis"):
                ends.append(reader)
                continue
            if reader.rule.gains == "unit":
                functions.add(reader.options["function"])
            elif not reader.rule.keeps_channels(reader):
                return ends, functions, f"{reader.operator} follows {node.name!r}"
            open_.append(reader)
    return ends, functions, ""
