"""What an output loses on data when a node is held constant, a convolution cut to one of its taps, or the past cut."""

from typing import Any

import numpy as np
from tqdm import tqdm

from capacity._validation import as_list, check_real
from capacity_inspection.graphs.evaluation import as_inputs, node_values
from capacity_inspection.graphs.fields import output_position
from capacity_inspection.graphs.graph import Graph
from capacity_inspection.graphs.unit_values import UnitValues

__all__ = ["needed_lags", "variance_lost"]

_ROUNDING = 1e-12  # deviation of outputs beside their size that is not told from none


def variance_lost(
    graph: Graph,
    data: Any,
    output: str | None = None,
    at: Any = "centre",
    *,
    nodes: Any = None,
    beside: Any = (),
    one_tap: bool = False,
    newest: bool = False,
    progress: bool = False,
) -> dict[str, float]:
    r"""Share of an output's variance that changes when one node is taken out and all others stay as they are.

    Parameters
    ----------
    graph : Graph
    data : array_like, shape (samples, channels, positions), or mapping of str to array_like
        Of the inputs, as for `forward`.
    output, at : optional
        The node and the position of which all channels are looked at, as in `receptive_fields`.
    nodes : sequence of str, optional
        Which to take out, each by itself. Default: all that the output depends on.
    beside : sequence of str, optional
        Nodes that are taken out as well each time.
    one_tap : bool, optional
        Instead of being held at its mean over the samples, a convolution keeps the tap in the middle of its kernel, and
        what the other taps add is held at its mean. Nodes without another tap are left out.
    newest : bool, optional
        Keep the last tap instead, as a causal network does without a dilation.
    progress : bool, optional
        Show a progress bar over the nodes.

    Returns
    -------
    dict of str to float
        :math:`\sum_c \mathrm{var}(f_c' - f_c) / \sum_c \mathrm{var}(f_c)` over the samples, with the outputs f before
        and f' after. A shift of an output by a constant counts for nothing, since a bias would undo it: 1 where
        everything passes through the node, 0 where nothing does; more than 1 where what is left swings further.

    Raises
    ------
    ValueError
        If the output is the same for all samples.

    Examples
    --------
    >>> from capacity_inspection.graphs import from_layers
    >>> graph = from_layers((1, 2), [("convolution", {"kernel": [[[2.0, 1.0]]]})])
    >>> samples = [[[1.0, 1.0]], [[1.0, -1.0]], [[-1.0, 1.0]], [[-1.0, -1.0]]]
    >>> variance_lost(graph, samples), variance_lost(graph, samples, one_tap=True, newest=True)
    ({'input': 1.0, 'convolution 1': 1.0}, {'convolution 1': 0.8})
    """
    name, at = output_position(graph, output, at)
    part = graph.up_to(name)
    values = node_values(
        part, {key: array for key, array in as_inputs(graph, data, "data").items() if key in part.inputs}
    )
    place = (slice(None), slice(None), *at[1:])
    before = values[name][place]
    whole = _variance(before)
    known = [node.name for node in part.nodes]
    nodes = known if nodes is None else [part[key].name for key in as_list(nodes, "nodes", "pass names of nodes")]
    beside = [part[key].name for key in beside and as_list(beside, "beside", "pass names of nodes")]
    found = {}
    for key in tqdm(nodes, desc="layers", leave=False, disable=not progress):
        if one_tap and any(part[each].rule.with_one_tap(part[each], newest) is None for each in (key, *beside)):
            continue
        changed = _changed(part, values, {key, *beside}, one_tap, newest)
        if name in changed:
            found[key] = float((changed[name][place] - before).var(axis=0).sum() / whole)
    return found


def _changed(part, values, out, one_tap, newest):
    """Values of the nodes that differ once some nodes are taken out."""
    changed = {}

    def value(node):
        return node.rule.value(node, [changed.get(source, values[source]) for source in node.inputs])

    for node in part.nodes:
        if node.name in out:
            known = values[node.name]
            if one_tap:
                kept = node.rule.with_one_tap(node, newest)
                rest = known - kept.rule.value(kept, [values[source] for source in kept.inputs])
                changed[node.name] = value(kept) + rest.mean(axis=0, keepdims=True)
            else:
                changed[node.name] = np.broadcast_to(known.mean(axis=0, keepdims=True), known.shape)
        elif not changed.keys().isdisjoint(node.inputs):
            changed[node.name] = value(node)
    return changed


def needed_lags(graph: Graph, data: Any, output: str | None = None, at: Any = "last", *, lost: float = 0.01) -> int:
    """How many of the most recent inputs an output needs on data: all others may be held at their mean.

    Parameters
    ----------
    graph : Graph
        Of which the first input is a sequence.
    data, output, at
        As in `variance_lost`.
    lost : float, optional
        The largest share of the output's variance, as in `variance_lost`, that may change.

    Returns
    -------
    int
        By bisection: with one input less, more than that share changes. Where the share does not fall with every
        input that is kept, there may be other such numbers.

    Examples
    --------
    >>> from capacity_inspection.graphs import from_layers
    >>> graph = from_layers((1, 3), [("convolution", {"kernel": [[[0.1, 0.0, 2.0]]]})])
    >>> samples = [[[a, b, c]] for a in (-1, 1) for b in (-1, 1) for c in (-1, 1)]
    >>> needed_lags(graph, samples), needed_lags(graph, samples, lost=1e-3)
    (1, 3)
    """
    name, at = output_position(graph, output, at)
    part, lost = graph.up_to(name), check_real(lost, "lost", above=0, below=1)
    given = {key: array for key, array in as_inputs(graph, data, "data").items() if key in part.inputs}
    source = part.inputs[0]
    units = UnitValues(part, {name: at[1:2] or (0,)})
    mean, steps = given[source].mean(axis=0, keepdims=True), given[source].shape[2]

    def kept(count):
        inputs = given | {source: np.where(np.arange(steps) < steps - count, mean, given[source])}
        return units.taken(units(inputs), name, at[1:])

    before, low, high = kept(steps), 0, steps
    whole = _variance(before)
    while high - low > 1:
        middle = (low + high) // 2
        if (kept(middle) - before).var(axis=0).sum() > lost * whole:
            low = middle
        else:
            high = middle
    return high


def _variance(outputs):
    """The sum over channels, refused where it is that of rounding errors or beyond the range of a double."""
    with np.errstate(over="ignore", invalid="ignore"):
        whole, size = outputs.var(axis=0).sum(), np.square(outputs).mean(axis=0).sum()
    if not np.isfinite(size):
        raise ValueError("data: expected outputs whose squares are doubles, got larger ones; scale the samples down")
    if not whole > (_ROUNDING**2) * size:
        raise ValueError("data: expected samples that give different outputs, got the same output for all; pass others")
    return whole
