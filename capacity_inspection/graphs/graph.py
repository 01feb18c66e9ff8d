"""A network as a graph of operators: nodes that compute arrays from those of other nodes."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from graphlib import CycleError, TopologicalSorter
from typing import Any

import numpy as np

from capacity._validation import as_list, check_instance
from capacity_inspection.graphs.operators.by_name import OPERATORS, completed

__all__ = ["Graph", "Node", "check_graph", "needed", "signal_path"]


@dataclass(frozen=True, eq=False)
class Node:
    """One operator with its weights; `make_node` makes one and infers its shape.

    Attributes
    ----------
    name : str
        Unique in its graph.
    operator : str
        One of `OPERATORS`.
    inputs : tuple of str
        Names of the nodes whose values it takes, in order.
    shape : tuple of int
        Of its value, without the batch: (channels, positions).
    arrays : mapping of str to ndarray
        Weights of type float32 or float64, read only.
    options : mapping of str to object
        All other arguments of the operator.
    sources : mapping of str to int, optional
        Where arrays are computed from others, such as a kernel from its norm and direction, or shared by several nodes:
        names of these parameters, and their sizes.

    Examples
    --------
    >>> from capacity_inspection.graphs import make_node
    >>> node = make_node("series", "input", shape=(1, 32))
    >>> node.operator, node.shape, node.n_parameters
    ('input', (1, 32), 0)
    """

    name: str
    operator: str
    inputs: tuple[str, ...]
    shape: tuple[int, ...]
    arrays: Mapping[str, np.ndarray] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)
    sources: Mapping[str, int] | None = None

    @property
    def rule(self) -> Any:
        """What the operator does."""
        return OPERATORS[self.operator]

    @property
    def parameters(self) -> Mapping[str, int]:
        """Sizes of the parameters by name."""
        if self.sources is not None:
            return self.sources
        return {f"{self.name}.{key}": array.size for key, array in self.arrays.items()}

    @property
    def n_parameters(self) -> int:
        """Number of parameters."""
        return sum(self.parameters.values())


@dataclass(frozen=True, eq=False)
class Graph:
    """A network: nodes in an order in which each comes after those that it takes values from.

    Attributes
    ----------
    nodes : tuple of Node
    outputs : tuple of str, optional
        Names of the nodes that are asked for. Default: the last node.
    notes : tuple of str, optional
        What whoever made the graph of something else left out or assumed, a sentence each.
    drawn : str, optional
        The scale of weights that are random, as before training, one of those of `redrawn_weights`: reports then tell
        what other draws give. Empty for weights that are not.
    counted : str, optional
        What is taken for parameters, where that is an assumption; reports then mark how many there are.
    axes : mapping of str to tuple of str, optional
        Of each input what its axes were taken for where it was read from: batch, channels, and time or positions.
    zeros : tuple of str, optional
        Nodes with zeros among their weights of which it is not known whether a mask or training made them.

    Examples
    --------
    >>> from capacity_inspection.graphs import make_node
    >>> series = make_node("series", "input", shape=(1, 32))
    >>> graph = Graph((series, make_node("first", "convolution", series, kernel=[[[0.5, -1.0]]], dilations=4)))
    >>> graph.n_parameters, graph["first"].shape
    (2, (1, 28))
    """

    nodes: tuple[Node, ...]
    outputs: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    drawn: str = ""
    counted: str = ""
    axes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    zeros: tuple[str, ...] = ()

    def __post_init__(self):
        listed = as_list(self.nodes, "nodes", "pass the nodes of a network, inputs first")
        nodes = [check_instance(node, "nodes", Node, "make them with make_node") for node in listed]
        names = [check_instance(node.name, "name of a node", str, "pass a text") for node in nodes]
        if repeated := {name for name in names if names.count(name) > 1} if len(set(names)) < len(names) else ():
            raise ValueError(f"nodes: expected names that differ, got {sorted(repeated)[:4]} repeatedly; rename them")
        _check_order(nodes)
        shapes, checked = {}, []
        for node in nodes:
            given = node.options if node.inputs else {"shape": node.shape} | dict(node.options)
            try:
                shape, arrays, options = completed(
                    node.operator, [shapes[name] for name in node.inputs], node.arrays, given
                )
            except (TypeError, ValueError) as error:
                raise ValueError(f"node {node.name!r}: {error}") from error
            if tuple(node.shape) != shape:
                raise ValueError(
                    f"node {node.name!r}: expected shape {shape}, which its operator gives, got {tuple(node.shape)}; "
                    "make it with make_node, which infers the shape"
                )
            shapes[node.name] = shape
            checked.append(replace(node, inputs=tuple(node.inputs), shape=shape, arrays=arrays, options=options))
        outputs = (self.outputs,) if isinstance(self.outputs, str) else tuple(self.outputs) or (names[-1],)
        object.__setattr__(self, "nodes", tuple(checked))
        object.__setattr__(self, "outputs", tuple(self[name].name for name in outputs))
        object.__setattr__(self, "notes", tuple(self.notes))

    def __getitem__(self, name: str) -> Node:
        """The node of a name."""
        if name not in self._by_name:
            raise ValueError(
                f"name: expected a node of the graph, got {name!r}; the last one is {self.nodes[-1].name!r}"
            )
        return self._by_name[name]

    @cached_property
    def _by_name(self):
        return {node.name: node for node in self.nodes}

    @cached_property
    def inputs(self) -> tuple[str, ...]:
        """Names of the inputs, in order."""
        return tuple(node.name for node in self.nodes if not node.inputs)

    @property
    def layers(self) -> tuple[Node, ...]:
        """The nodes with a kernel, in order."""
        return tuple(node for node in self.nodes if "kernel" in node.arrays)

    @property
    def n_parameters(self) -> int:
        """Number of parameters of all nodes, those that several share counted once."""
        return sum({key: size for node in self.nodes for key, size in node.parameters.items()}.values())

    def up_to(self, name: str) -> "Graph":
        """The part of the graph that a node is computed from, the node being its output.

        Parameters
        ----------
        name : str
            Of the node.

        Returns
        -------
        Graph
        """
        nodes = needed(self.nodes, [self[name].name])
        whole = len(nodes) == len(self.nodes) and self.outputs == (name,)
        zeros = tuple(node.name for node in nodes if node.name in self.zeros)
        return self if whole else replace(self, nodes=nodes, outputs=(name,), zeros=zeros)

    def above(self, *names: str) -> "Graph":
        """The part of the graph above some nodes, whose values become its inputs.

        Parameters
        ----------
        *names : str
            Of the nodes.

        Returns
        -------
        Graph
            With the same outputs; inputs that these still need beside the nodes stay.
        """
        new = {self[name].name: Node(name, "input", (), self[name].shape) for name in names}
        return replace(self, nodes=needed([new.get(node.name, node) for node in self.nodes], self.outputs))

    def by_structure(self) -> "Graph":
        """The graph in which the zeros that nothing explains are paths, as the least numbers that there are.

        Returns
        -------
        Graph
        """

        def read(array):
            return np.where(array == 0, np.finfo(array.dtype).tiny, array)

        nodes = (
            replace(node, arrays={key: read(array) for key, array in node.arrays.items()})
            if node.name in self.zeros
            else node
            for node in self.nodes
        )
        return replace(self, nodes=tuple(nodes), zeros=())

    def shapes_below(self, node: Node) -> list[tuple[int, ...]]:
        """Shapes of the inputs of a node, in order."""
        return [self[name].shape for name in node.inputs]


def needed(nodes, names):
    """The nodes, inputs first, that some of them are computed from, and these themselves."""
    wanted, found = set(names), []
    for node in reversed(nodes):
        if node.name in wanted:
            wanted.update(node.inputs)
            found.append(node)
    return tuple(reversed(found))


def check_graph(graph):
    """Refuse what is no graph."""
    return check_instance(graph, "graph", Graph, "make one with from_layers, or read one from a file")


def _check_order(nodes):
    """Refuse inputs that are unknown, cycles, and nodes that come before what they take values from."""
    names = {node.name for node in nodes}
    for node in nodes:
        if unknown := [name for name in node.inputs if name not in names]:
            raise ValueError(
                f"node {node.name!r}: expected inputs that are nodes of the graph, got {unknown[:4]}; add them"
            )
    try:
        TopologicalSorter({node.name: node.inputs for node in nodes}).prepare()
    except CycleError as error:
        cycle = [*error.args[1][:4], "..."] if len(error.args[1]) > 5 else error.args[1]
        raise ValueError(f"nodes: expected no cycle, got {' <- '.join(cycle)}; unroll the recurrence") from error
    seen = set()
    for node in nodes:
        if later := [name for name in node.inputs if name not in seen]:
            raise ValueError(
                f"node {node.name!r}: expected inputs that come before it, got {later}; list the inputs first"
            )
        seen.add(node.name)


def signal_path(graph, names):
    """Names of the nodes that some of them are computed from where gains are held: what makes gains is left out."""
    found = set(names)
    for node in reversed(graph.nodes):
        if node.name in found:
            found.update(node.inputs[index] for index in node.rule.signals(node))
    return found
