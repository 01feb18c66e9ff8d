"""Nodes with the shape that their operator gives, and chains of layers."""

from collections.abc import Iterable, Sequence
from typing import Any

from capacity._validation import as_list, check_instance
from capacity_inspection.graphs.graph import Graph, Node
from capacity_inspection.graphs.operators.by_name import OPERATORS, completed

__all__ = ["from_layers", "make_node"]


def make_node(name: str, operator: str, inputs: Any = (), **arguments: Any) -> Node:
    """A node whose shape follows from its operator and the nodes that it takes values from.

    Parameters
    ----------
    name : str
        Unique in its graph.
    operator : str
        One of `OPERATORS`.
    inputs : Node or sequence of Node
        In order.
    **arguments
        Arrays and options of the operator, as listed below.

    Returns
    -------
    Node

    Notes
    -----
    Shapes leave out the batch and list channels first. A convolution is a cross-correlation, as in all deep-learning
    libraries. Strides, dilations and windows are one number, or one per axis of positions; pads are one number, or a
    pair (before, after) per axis. The operators and their arguments are

    - ``input``: ``shape``.
    - ``convolution``: ``kernel`` of shape (outputs, inputs/groups, taps along each axis), ``bias``, ``strides``,
      ``dilations``, ``pads``, ``groups``.
    - ``transposed_convolution``: ``kernel`` of shape (inputs, outputs/groups, taps along each axis), ``output_pads``,
      and else the same arguments.
    - ``interpolate``: ``coordinates`` in the input, for each axis those of the output, or None where it stays; between
      entries lines, or ``cubic`` ones.
    - ``dense``: ``kernel`` of shape (outputs, inputs), ``bias``; ``axis``, or None for the flattened input.
    - ``scale``, such as a normalisation at inference: ``factor`` and ``shift``, one number per channel, or arrays that
      broadcast.
    - ``add``, of inputs of one shape; ``accumulate``, the running sums along an ``axis``, from its end on if
      ``reverse``; ``concatenate`` along an ``axis``.
    - ``average_pool`` and ``max_pool``: ``window``, or None for all positions, ``strides``, ``pads``; ``count_pads`` of
      the first, whether pads count in the mean, and ``dilations`` of the second.
    - ``pad``: ``pads`` of all axes, ``value``. ``slice``: ``begin``, ``end`` and ``step`` of all axes.
    - ``reshape``: ``shape``, entries staying in C order; ``expand``: ``shape``, in which axes of one entry are longer.
      ``transpose``: ``permutation``.
    - ``activation``: ``function``, one of `FUNCTIONS`; ``slope`` of a leaky ReLU or an ELU; ``slopes`` of a PReLU, one
      number per channel.
    - ``normalize``: ``axes``, by default that of the channels, ``centred``, ``epsilon``.
    - ``attention`` of queries, keys and values: ``heads``, ``causal``, ``scale``, ``cap``; ``bias`` of scores, shape
      (heads or 1, queries, keys), which hides keys where it is -1e9 or less.
    - ``product`` of a signal and a gain that broadcasts against it; ``matmul``, whose factor ``gain``, 0 or 1, is the
      gain, with a zero in ``read`` where a mask makes it zero; ``softmax`` along an ``axis``.
    - ``recurrent``, of a sequence, and perhaps of the states before its first step: ``kind``, one of "simple", "gru"
      and "lstm"; ``hidden``; ``direction``, one of "forward", "reverse" and "bidirectional"; ``kernel`` of shape (rows,
      inputs), ``recurrent_kernel`` of shape (rows, hidden), ``bias`` and ``recurrent_bias``, with a row for each unit
      of each gate, in the order of ONNX; ``function`` of a simple one, tanh or relu; ``reset_after`` of a GRU, whether
      the product with the recurrent kernel comes first; ``cells`` of an LSTM, whether they follow its hidden states.

    Examples
    --------
    >>> series = make_node("series", "input", shape=(1, 32))
    >>> make_node("first", "convolution", series, kernel=[[[0.5, -1.0]]], dilations=4).shape
    (1, 28)
    """
    remedy = "pass the nodes themselves"
    nodes = (inputs,) if isinstance(inputs, Node) else tuple(check_instance(inputs, "inputs", Iterable, remedy))
    for node in nodes:
        check_instance(node, "inputs", Node, remedy)
    known = OPERATORS[operator].arrays if operator in OPERATORS else ()
    arrays = {key: value for key, value in arguments.items() if key in known}
    options = {key: value for key, value in arguments.items() if key not in known}
    try:
        shape, arrays, options = completed(operator, [node.shape for node in nodes], arrays, options)
    except (TypeError, ValueError) as error:
        raise ValueError(f"node {name!r}: {error}") from error
    return Node(name, operator, tuple(node.name for node in nodes), shape, arrays, options)


def from_layers(shape: Sequence[int], layers: Any) -> Graph:
    """A graph from layers, each of which takes the value of the one before, unless it names others.

    Parameters
    ----------
    shape : tuple of int
        Of the input, (channels, positions); the node is called "input".
    layers : sequence of (str, dict)
        Operator and arguments of each layer. Two arguments are for the graph itself: `name`, by default the operator
        and the number of the layer, counted from 1, such as "convolution 1"; and `inputs`, names of nodes above.

    Returns
    -------
    Graph

    Examples
    --------
    >>> block = [("convolution", {"kernel": [[[1.0, 2.0, 1.0]]], "pads": 1}), ("activation", {"function": "relu"})]
    >>> from_layers((1, 8), [*block, ("add", {"inputs": ["activation 2", "input"]})]).outputs
    ('add 3',)
    """
    nodes = {"input": make_node("input", "input", shape=shape)}
    for i, layer in enumerate(as_list(layers, "layers", "pass pairs (operator, arguments)"), start=1):
        try:
            operator, arguments = layer
            arguments = dict(arguments)
        except (TypeError, ValueError) as error:
            raise ValueError(f"layers[{i - 1}]: expected (operator, arguments), got {layer!r}; pass a pair") from error
        name = arguments.pop("name", f"{operator} {i}")
        sources = arguments.pop("inputs", list(nodes)[-1:])
        sources = [sources] if isinstance(sources, str) else list(sources)
        if name in nodes or (unknown := [source for source in sources if source not in nodes]):
            found = f"{name!r} again" if name in nodes else f"inputs {unknown}"
            raise ValueError(
                f"layers[{i - 1}]: expected a new name and inputs above it, got {found}; rename or reorder"
            )
        nodes[name] = make_node(name, operator, [nodes[source] for source in sources], **arguments)
    return Graph(tuple(nodes.values()))
