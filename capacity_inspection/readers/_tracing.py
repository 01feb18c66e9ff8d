"""A graph that grows operator by operator, while axes are only renamed as long as that will do.

Files and modules move axes about: they put a batch first, keep channels last, insert axes of one entry and drop them. A
`Value` is a node of the graph together with where its axes are among those of the file, so that none of this costs a
node. Where an operator needs its input in order, with channels first, a `transpose` or `reshape` is added.
"""

import math
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial, reduce
from itertools import accumulate, chain, count, pairwise
from typing import Any

import numpy as np

from capacity_inspection.graphs import OPERATORS, Graph, Node, make_node
from capacity_inspection.graphs.fields import spans_of
from capacity_inspection.graphs.graph import needed, signal_path
from capacity_inspection.graphs.operators.softmax_attention import hidden_scores
from capacity_inspection.graphs.operators.spans import FAR
from capacity_inspection.readers._bounded import declared_bytes, quoted

__all__ = ["Trace", "Value", "activated", "affine_parts", "product", "with_fewer_moves"]


@dataclass(frozen=True)
class Value:
    """What a file computes at a point: a node, and where the axes of the file are in it.

    The shape is that in the file, with a batch of one. Axes of one entry that the node does not have are None.
    """

    node: Node
    shape: tuple[int, ...]
    axes: tuple[int | None, ...]

    @property
    def order(self):
        """Axes of the node in the order of the file, without those of one entry."""
        return tuple(axis for axis, size in zip(self.axes, self.shape) if size > 1)

    def transposed(self, permutation: Sequence[int]):
        """The value with its axes in another order."""
        return replace(
            self, shape=tuple(self.shape[k] for k in permutation), axes=tuple(self.axes[k] for k in permutation)
        )


class Trace:
    """Nodes that are added one by one; what nothing needs is left out in the end.

    The value of a node may have so many bytes of `memory`, in double precision; `dtype` is that of the weights, if not
    their own. Arrays of nodes are computed from the parameters that `sources` names, with their sizes. Of two factors
    that are both computed, one is a gain: a node of the names `gains`, or what a softmax, a sigmoid or a divisor gives.
    """

    def __init__(self, memory: int, dtype: Any = None, gains: Collection[str] = ()):
        self.memory, self.dtype, self.gains = memory, dtype, gains
        self.real = np.dtype(dtype or np.float32).type  # of numbers without one
        self.nodes: dict[str, Node] = {}
        self.notes: list[str] = []
        self.sources: Mapping[str, int] = {}
        self.axes: dict[str, tuple[str, ...]] = {}  # what those of inputs are taken for
        self.tokens: frozenset[str] = frozenset()  # inputs that are whole numbers
        self.unexplained = False  # whether among constants of what is added are zeros that nothing explains
        self._zeros: set[str] = set()  # nodes with such
        self._made: dict[tuple, Node] = {}
        self._means: dict[str, tuple[Value, tuple]] = {}  # by their nodes: of which values along which axes
        self._centred: dict[str, tuple[Value, tuple]] = {}  # values less these means
        self._scores: dict[str, tuple[Value, Value, Value]] = {}  # products of matrices, with their factors
        self._named: set[str] = set()  # factors that were given as gains
        self._undecided: dict[str, tuple[str, str]] = {}  # products in which it is not known which factor is the gain
        self._activated: dict[str, str] = {}  # gains, by their products, that are activations but of no kind of shares

    def graph(self, outputs: Iterable[Value]) -> Graph:
        """The graph of what some values are computed from, without a softmax at the end."""
        nodes = dict(self.nodes)
        names = tuple(dict.fromkeys(self._before_softmax(value.node, nodes) for value in outputs))
        if unknown := [name for name in self.gains if name not in self._named]:
            raise ValueError(
                f"gain: expected names of nodes that multiply others, got {quoted(unknown)}; take those that a message "
                "names"
            )
        found, names = _with_biases(needed(nodes.values(), names), names)
        if chosen := [node.name for node in found if node.name in self._activated]:
            gain = self._activated[chosen[0]]
            self.note(
                f"Of products such as {quoted(chosen[0])} the activation, {quoted(gain)}, is taken as the gain, "
                "which is an assumption: the option gain names others."
            )
        axes = {node.name: self.axes[node.name] for node in found if node.name in self.axes}
        zeros = tuple(node.name for node in found if node.name in self._zeros)
        graph = Graph(found, names, tuple(self.notes), axes=axes, zeros=zeros)
        self._check_signal(graph)
        return graph

    @property
    def rearrangements(self) -> int:
        """Number of transposes, needed or not, and of reshapes that turn what a windowed or recurrent layer takes."""
        return sum(_rearrangements(self.nodes.values()))

    def _before_softmax(self, node, nodes):
        """Name of an output, or, if that is a softmax or its logarithm, moved or not, of what goes into it."""
        last, ending = None, node
        while ending.operator in ("reshape", "transpose"):
            last, ending = ending, nodes[ending.inputs[0]]
        if _function(self, ending)[0] == "log":
            ending = nodes[ending.inputs[0]]
        if ending.operator != "softmax":
            return node.name
        self.note(f"Softmax {quoted(ending.name)} at the end is left out: the output is what goes into it.")
        if last is None:
            return ending.inputs[0]
        nodes[last.name] = replace(last, inputs=ending.inputs)
        return node.name

    def _check_signal(self, graph):
        """Refuse products on the way of the signal for which it is not known which factor is the gain."""
        path = signal_path(graph, graph.outputs)
        for node in reversed(graph.nodes):
            if node.name not in path:
                continue
            if node.operator == "softmax":
                raise ValueError(
                    f"gain: expected a softmax that multiplies what else is computed, or the last operator, got "
                    f"{quoted(node.name)}, whose shares are passed on as they are; read up to what goes into it"
                )
            if node.name in self._undecided:
                pair = self._undecided[node.name]
                held = pair[0] if pair[0] in self._undecided else pair[1]  # scores rather than what they weight
                raise ValueError(
                    f"gain: expected one factor of the product {quoted(node.name)} that a softmax, a sigmoid, a "
                    f"division or another activation makes, got both or neither, {quoted(pair[0])} and "
                    f"{quoted(pair[1])}; name the one that is to be held, as in gain=[{quoted(held)}] "
                    f"(--gain {quoted(held)})"
                )

    def add(self, name: str, operator: str, inputs: Sequence[Node] = (), **arguments) -> Node:
        """Add a node and return it."""
        given, weights = {key: each for key, each in arguments.items() if each is not None}, OPERATORS[operator].arrays
        arguments = {key: self._typed(each) if key in weights else each for key, each in given.items()}
        node = make_node(self._unique(name), operator, inputs, **arguments)
        if node.arrays:
            node = replace(node, sources=dict(self.sources))
            self._zeros.update([node.name] * self.unexplained)
        declared_bytes(node.shape, 8, "path", f"the value of node {node.name!r}", self.memory)
        self.nodes[node.name] = node
        return node

    def note(self, text: str) -> None:
        """Say once what was left out or assumed."""
        if text not in self.notes:
            self.notes.append(text)

    def _typed(self, value):
        if not isinstance(value, np.ndarray):
            return value
        if value.dtype.kind == "c":
            raise ValueError("expected real weights, got complex ones; write them as pairs of real numbers")
        if value.dtype not in (np.float32, np.float64):
            value = value.astype(np.float32)
        if self.dtype is None or value.dtype == self.dtype:
            return value
        if not any(value.strides) and value.size:  # one number, repeated
            return np.broadcast_to(value.reshape(-1)[:1].astype(self.dtype)[0], value.shape)
        return value.astype(self.dtype)

    def _unique(self, name):
        short = name.split(";")[0] or "node"  # of a name that lists what was merged into one operator
        candidates = chain([short, name or "node"], (f"{short} {k}" for k in count(2)))
        return next(candidate for candidate in candidates if candidate not in self.nodes)

    def input(self, name: str, shape: Sequence[int], *, channels: Any = 0) -> Value:
        """Add an input whose first axis of one entry is the batch; channels are its first axis, or its last one, -1.

        With None there is one channel, and all axes are of positions. A function chooses, of the shape and the batch.
        """
        shape = tuple(shape)
        batch = shape.index(1) if len(shape) > 1 and 1 in shape else None
        channels = channels(shape, batch) if callable(channels) else channels
        kept = [k for k in range(len(shape)) if k != batch]
        single = (1,) * (channels is None)
        if channels == -1 and len(kept) > 1:
            kept = kept[-1:] + kept[:-1]
        node = self.add(name, "input", shape=(*single, *(shape[k] for k in kept)))
        places = {k: place for place, k in enumerate(kept, start=len(single))}
        along = "time" if len(node.shape) == 2 else "positions"
        found = ["batch" if k == batch else "channels" if places[k] == 0 else along for k in range(len(shape))]
        self.axes[node.name] = tuple(found)
        return Value(node, shape, tuple(map(places.get, range(len(shape)))))

    def embedding(self, name: str, tokens: Value, table: np.ndarray) -> Value:
        """A new input in place of the rows of a table that an input of tokens chooses."""
        if table.ndim != 2 or tokens.node.operator != "input":
            raise ValueError(
                f"expected rows of a matrix, chosen by an input, got those of shape {table.shape} or computed indices"
            )
        self.note(
            f"The embedding {quoted(name)} is the input: positions are those of its tokens, and its {table.size} "
            "weights are not counted."
        )
        positions = [k for k, size in enumerate(tokens.shape) if size > 1]
        shape = (table.shape[1], *(tokens.shape[k] for k in positions or [0]))
        axes = [1 + positions.index(k) if k in positions else None for k in range(len(tokens.shape))]
        return Value(self.add(name, "input", shape=shape), (*tokens.shape, table.shape[1]), (*axes, 0))

    def placed(self, value: Value, axes: Sequence[int | None], shape: Sequence[int]) -> Node:
        """Return a node of a given shape in which the axes of the value are where they should be."""
        node, shape = value.node, tuple(shape)
        order = value.order
        target = [axis for axis, size in zip(axes, value.shape) if axis is not None and size > 1]
        key = (node.name, tuple(axis for _, axis in sorted(zip(target, order))), shape)
        if key in self._made:
            return self._made[key]
        wanted = list(key[1])
        if wanted != sorted(wanted):
            ones = [k for k in range(len(node.shape)) if k not in wanted]
            permutation = []
            for size in shape:  # axes of one entry go where they are wanted, as far as they will do
                if size > 1:
                    permutation.append(wanted.pop(0))
                elif ones:
                    permutation.append(ones.pop(0))
            node = self.add(f"{node.name} moved", "transpose", [node], permutation=(*permutation, *ones))
        self._made[key] = node = self._reshaped(f"{node.name} reshaped", node, shape)
        return node

    def arranged(self, value: Value) -> Node:
        """Return a node whose axes are those of the file without the batch, in this order."""
        axes, shape = _without_batch(value.shape)
        return self.placed(value, axes, shape)

    def reshape(self, name: str, value: Value, shape: Sequence[int]) -> Value:
        """The same entries in another shape of the file."""
        shape = tuple(shape)
        if shape == value.shape:
            return value
        if [size for size in shape if size > 1] == [size for size in value.shape if size > 1]:
            order = iter(value.order)
            return Value(value.node, shape, tuple(next(order) if size > 1 else None for size in shape))
        found = _regrouped(value, shape)
        if found is not None:
            return Value(self._reshaped(name, value.node, found[0]), shape, found[1])
        axes, inner = _without_batch(shape)
        return Value(self._reshaped(name, self.arranged(value), inner), shape, axes)

    def _reshaped(self, name, node, shape):
        """The entries of a node in another shape; of several shapes in a row only the last one counts."""
        while node.shape != shape and node.operator == "reshape":
            node = self.nodes[node.inputs[0]]
        return node if node.shape == shape else self.add(name, "reshape", [node], shape=shape)

    def follow(self, value: Value, name: str, operator: str, **arguments) -> Value:
        """An operator that keeps all axes."""
        return replace(value, node=self.add(name, operator, [value.node], **arguments))

    def scale(self, name: str, value: Value, factor: Any = None, shift: Any = None) -> Value:
        """The value times a factor, plus a shift, both broadcast against it in the file. Two in a row become one."""
        shapes = [np.shape(array) for array in (factor, shift) if array is not None]
        value = self.expanded(name, value, np.broadcast_shapes(value.shape, *shapes))
        if shift is not None and np.isneginf(shift).any():  # of scores of what is not read
            shift = np.where(np.isneginf(shift), np.float32(_LOWEST), shift)
        factor, shift = (self._along(value, array) for array in (factor, shift))
        node = value.node
        if node.operator == "scale" and not self._masked(node, factor, shift):
            dtype = np.result_type(*(array for array in (factor, shift, *node.arrays.values()) if array is not None))
            inner, offset = (
                None if a is None else a.astype(np.float64) for a in map(node.arrays.get, ("factor", "shift"))
            )
            shift = _combined(np.add, shift, None if offset is None else _combined(np.multiply, factor, offset))
            factor = _combined(np.multiply, factor, inner)
            factor, shift = (None if array is None else array.astype(dtype) for array in (factor, shift))
            node = self.nodes[node.inputs[0]]
        learned = self.sources or (value.node is not node and value.node.parameters)
        one = factor is None or (factor.size == 1 and not learned and np.isclose(factor.item(), 1, rtol=1e-6))
        if shift is None and one:
            return replace(value, node=node)
        scale = self.add(name, "scale", [node], factor=factor, shift=shift)
        if value.node is not node:
            self._zeros.update([scale.name] * (value.node.name in self._zeros))
            scale = self.nodes[scale.name] = replace(scale, sources={**value.node.parameters, **scale.parameters})
        return replace(value, node=scale)

    def masked(self, name: str, value: Value, read: np.ndarray) -> Value:
        """The value where it is read, and zero elsewhere."""
        sources, self.sources = self.sources, {}
        found = self.scale(name, value, read.astype(np.float32))
        self.sources = sources
        return found

    def _masked(self, node, factor, shift):
        """Whether of two factors in a row one is a mask and the other has parameters, of which zeros would be read."""
        if bool(node.parameters) == bool(self.sources):
            return False
        if self.sources:
            factor, shift = node.arrays.get("factor"), node.arrays.get("shift")
        if factor is None or not factor.any():
            return False
        return bool(((factor == 0) & ((0 if shift is None else shift) > _CLOSED)).any())

    def _along(self, value, array):
        """A constant of the file with its axes where those of the value are."""
        if array is None:
            return None
        array = np.asarray(array)
        if array.ndim > len(value.shape) or np.broadcast_shapes(array.shape, value.shape) != value.shape:
            raise ValueError(
                f"expected a constant that broadcasts against {value.shape}, got one of shape {array.shape}"
            )
        array = array.reshape((1,) * (len(value.shape) - array.ndim) + array.shape)
        shape = [1] * len(value.node.shape)
        kept = sorted((axis, k) for k, axis in enumerate(value.axes) if array.shape[k] > 1)
        for axis, k in kept:
            shape[axis] = array.shape[k]
        order = [k for _, k in kept]
        order += [k for k in range(array.ndim) if k not in order]
        return array.transpose(order).reshape(shape)

    def slopes(self, name: str, value: Value, slopes: Any) -> Value:
        """A PReLU with slopes that broadcast against the value in the file."""
        return self.follow(value, name, "activation", function="prelu", slopes=self._along(value, slopes))

    def channels_first(self, name: str, value: Value, operator: str, **arguments) -> Value:
        """An operator with channels first, such as a convolution or a pool, of a value (1, channels, positions)."""
        self._check_batch(value)
        return _batched(self.add(name, operator, [self.arranged(value)], **arguments))

    def interpolate(self, name: str, value: Value, places: Sequence[Any], *, cubic: bool = False) -> Value:
        """Values at coordinates along each axis of the file; None leaves one as it is."""
        value, inner = self._by_axis(value, places)
        node = self.add(name, "interpolate", [value.node], coordinates=tuple(inner), cubic=cubic)
        shape = tuple(n if each is None else len(each) for n, each in zip(value.shape, places))
        return Value(node, shape, value.axes)

    def _by_axis(self, value, given):
        """What is given for axes of the file, by those of the node, None for nothing; and the value with these."""
        lost = [k for k, each in enumerate(given) if each is not None and value.axes[k] is None]
        value = self._complete(value) if lost else value
        if any(value.axes[k] is None for k in lost):
            raise ValueError("expected a batch of one, got one that is enlarged; leave the batch as it is")
        inner = dict(zip(value.axes, given))
        return value, [inner.get(axis) for axis in range(len(value.node.shape))]

    def reduce(self, name: str, value: Value, operator: str, axes: Sequence[int], *, keep: bool) -> Value:
        """Averages or maxima over whole axes of the file."""
        axes = sorted({axis % len(value.shape) for axis in axes})
        kept = [k for k in range(len(value.shape)) if k not in axes]
        moved = value.transposed([*kept, *axes])
        outer = [value.shape[k] for k in kept if value.shape[k] > 1] or [1]
        inner = [value.shape[k] for k in axes if value.shape[k] > 1]
        node = self.placed(moved, _numbered(moved.shape, start=int(outer == [1])), (*outer, *inner))
        node = self.add(name, operator, [node], window=(*[1] * (len(outer) - 1), *inner)) if inner else node
        if operator == "average_pool" and inner:
            self._means[node.name] = value, tuple(axes)
        shape = tuple(1 if k in axes else size for k, size in enumerate(value.shape))
        reduced = Value(node, shape, _numbered(shape))
        return reduced if keep else self.reshape(name, reduced, [value.shape[k] for k in kept])

    def dense(self, name: str, value: Value, kernel: Any, bias: Any = None, axis: int = -1) -> Value:
        """A matrix (out, in) along an axis of the file."""
        axis %= len(value.shape)
        kernel = np.asarray(kernel)
        shape = (*value.shape[:axis], kernel.shape[0], *value.shape[axis + 1 :])
        if value.shape[axis] == math.prod(value.shape):  # nothing else: of the entries of the node, in order
            node = value.node
            while node.operator == "reshape":
                node = self.nodes[node.inputs[0]]
            node = self.add(name, "dense", [node], kernel=kernel, bias=bias)
            return Value(node, shape, tuple(0 if k == axis else None for k in range(len(shape))))
        if value.axes[axis] is None:
            rest = [size for k, size in enumerate(value.shape) if k != axis and size > 1]
            axes = _numbered(value.shape, start=1)
            axes = (*axes[:axis], 0, *axes[axis + 1 :])
            value = Value(self.placed(value, axes, (1, *rest)), value.shape, axes)
        node = self.add(name, "dense", [value.node], kernel=kernel, bias=bias, axis=value.axes[axis])
        return Value(node, shape, value.axes)

    def recurrent(self, name: str, value: Value, states: Sequence[Value], **arguments) -> Value:
        """A recurrent layer of a value (steps, 1, features), from states (ways, 1, hidden): (steps, 1, all units)."""
        if len(value.shape) != 3 or value.shape[1] != 1:
            raise ValueError(
                f"expected (steps, 1, features), a batch of one, got {value.shape}; give the sizes of the input with a "
                "batch of one"
            )
        first = [self.arranged(state.transposed([1, 2, 0])) for state in states]
        node = self.add(name, "recurrent", [self.arranged(value.transposed([1, 2, 0])), *first], **arguments)
        return _batched(node).transposed([2, 0, 1])

    def sum(self, name: str, values: Sequence[Value]) -> Value:
        """The sum of values of one shape."""
        shape = np.broadcast_shapes(*(value.shape for value in values))
        first = next((value for value in values if value.shape == shape), None)
        first = self.expanded(name, values[0], shape) if first is None else first
        full = [self.expanded(name, value, shape, first) for value in values]
        nodes = [self.placed(value, first.axes, first.node.shape) for value in full]
        return replace(first, node=self.add(name, "add", nodes))

    def difference(self, name: str, first: Value, second: Value) -> Value:
        """One value less another."""
        result = self.sum(name, [first, self.scale(f"{name} minus", second, np.float32(-1))])
        if (found := self._mean_of(second, first)) is not None:
            self._centred[result.node.name] = first, found
        return result

    def expanded(self, name: str, value: Value, shape: Sequence[int], like: Value | None = None) -> Value:
        """A value that is repeated to a shape of the file, with its axes as those of another one, if that is given."""
        shape = tuple(shape)
        value = self.reshape(name, value, (1,) * (len(shape) - len(value.shape)) + value.shape)
        if value.shape == shape:
            return value
        axes, inner = _without_batch(shape) if like is None else (like.axes, like.node.shape)
        node = self.add(f"{name} expanded", "expand", [self._small(value, axes, inner)], shape=inner)
        return Value(node, shape, axes)

    def repeated(self, name: str, value: Value, axis: int, times: int) -> Value:
        """Each entry along an axis of the file several times."""
        before, size, after = value.shape[:axis], value.shape[axis], value.shape[axis + 1 :]
        parted = self.reshape(name, value, (*before, size, 1, *after))
        full = self.expanded(name, parted, (*before, size, times, *after))
        return self.reshape(name, full, (*before, size * times, *after))

    def _small(self, value, axes, inner):
        """The node of a value of the same or fewer entries, with ones in place of the others."""
        small = [1] * len(inner)
        for axis, n in zip(axes, value.shape):
            if axis is not None:
                small[axis] = n
        return self.placed(value, axes, small)

    def product(self, name: str, first: Value, second: Value) -> Value:
        """The product of two values, of which one is the gain of the other."""
        shape, gain = np.broadcast_shapes(first.shape, second.shape), self._gain_of(first, second)
        signal, factor = (second, first) if gain == 0 else (first, second)
        if (normalized := self._normalized(name, signal, factor)) is not None:
            return normalized
        signal = self.expanded(name, signal, shape, factor if factor.shape == shape else None)
        factor = self.reshape(name, factor, (1,) * (len(shape) - len(factor.shape)) + factor.shape)
        one, other = signal.node, self._small(factor, signal.axes, signal.node.shape)
        pair = [self._behind(name, one, self._hidden(other)), self._behind(name, other, self._hidden(one))]
        node = self.add(name, "product", pair)
        self._note_gain(node, first, second, gain)
        return replace(signal, node=node)

    def _gain_of(self, first, second):
        """Which of two factors is the gain, if one is rather than the other."""
        for is_gain in (self._is_named, self._is_share, self._is_activation):
            found = [is_gain(value.node) for value in (first, second)]
            if any(found):
                return None if all(found) else found.index(True)
        return None

    def _note_gain(self, node, first, second, gain):
        """Keep of a product what there is to say of its gain."""
        factors = first.node, second.node
        origins = [list(self._before_moves(node))[-1] for node in factors]
        if gain is None:
            one, other = factors if origins[0] is origins[1] else origins
            self._undecided[node.name] = one.name, other.name
        elif not (self._is_named(factors[gain]) or self._is_share(factors[gain])):
            self._activated[node.name] = origins[gain].name

    def _before_moves(self, node):
        """A node, and what it was before each of its moves."""
        yield node
        while node.rule.rearranges and len(node.inputs) == 1:
            yield (node := self._below(node))

    def _is_named(self, node):
        """Whether a node, or what it was before it was moved, has a name that was given."""
        name = next((each.name for each in self._before_moves(node) if each.name in self.gains), None)
        self._named.update([] if name is None else [name])
        return name is not None

    def _is_share(self, node):
        """Whether a node is a softmax, a sigmoid, one over what is computed, or a product of these, moved or not."""
        if node.operator == "softmax" or (node.operator == "activation" and node.options["function"] in _SHARES):
            return True
        kept = node.rule.rearranges or node.operator == "product"
        return kept and all(self._is_share(self.nodes[name]) for name in node.inputs)

    def _is_activation(self, node):
        """Whether a node is an activation, but for moves and constants."""
        return node.operator == "activation" or (node.rule.rearranges and self._is_activation(self._below(node)))

    def _hidden(self, node):
        """Entries of a factor that are zero whatever the input, as a mask makes them; None without any."""
        found = None
        if node.operator == "softmax":
            found = None if "read" not in node.arrays else node.arrays["read"] == 0
        elif node.options.get("function") == "sigmoid":
            shift = self._below(node).arrays.get("shift") if self._below(node).operator == "scale" else None
            found = None if shift is None else shift <= _CLOSED
        elif node.operator in ("reshape", "transpose", "slice", "expand"):
            found = self._hidden(self._below(node))
            found = None if found is None else node.rule.value(node, [found[None].astype(float)])[0] > 0
        elif node.operator in ("scale", "product") and "shift" not in node.arrays:
            masks = [self._hidden(self.nodes[name]) for name in node.inputs]
            masks += [node.arrays["factor"] == 0] if "factor" in node.arrays and not node.parameters else []
            found = reduce(partial(_combined, np.logical_or), masks)
        return None if found is None or not found.any() else np.broadcast_to(found, node.shape)

    def _behind(self, name, node, hidden):
        """A factor of which nothing is read where the other one is hidden, whatever it is."""
        if hidden is None:
            return node
        shared = tuple(k for k, (n, m) in enumerate(zip(node.shape, hidden.shape)) if n < m)
        read = 1.0 - hidden.all(axis=shared, keepdims=True)
        return node if read.all() else self._without_parameters(self.add(f"{name} mask", "scale", [node], factor=read))

    def _without_parameters(self, node):
        """The node, of which the arrays are masks."""
        self.nodes[node.name] = node = replace(node, sources={}) if node.arrays else node
        return node

    def _below(self, node):
        return self.nodes[node.inputs[0]]

    def _mean_of(self, mean, value):
        """Axes along which a value is the mean of another one, these kept with one entry; or None."""
        found, axes = self._means.get(mean.node.name, (None, ()))
        if found is None or (found.node, found.axes, found.shape) != (value.node, value.axes, value.shape):
            return None
        return axes if mean.shape == tuple(1 if k in axes else n for k, n in enumerate(value.shape)) else None

    def _normalized(self, name, value, factor):
        """A value over the root of the mean of its squares, if the factor is one over that; else None."""
        function, root = _function(self, factor.node)
        inner, argument = _function(self, root) if function == "reciprocal" else (None, None)
        if inner != "sqrt":
            return None
        mean, times, shift = affine_parts(self, argument)
        square, _ = self._means.get(mean.name, (None, None))
        if times.size != 1 or shift.size != 1 or square is None or _function(self, square.node)[0] != "square":
            return None
        axes = self._mean_of(replace(factor, node=mean), square)
        if axes is None or self._below(square.node) is not value.node or square.order != value.order:
            return None
        source, centred = self._centred.get(value.node.name, (value, None))
        if centred != axes:
            source, centred = value, None
        epsilon = float(shift.item() / times.item())
        normalized = self.normalize(name, source, axes, centred=centred is not None, epsilon=epsilon)
        return self.scale(f"{name} times", normalized, self.real(times.item() ** -0.5))

    def normalize(self, name: str, value: Value, axes: Sequence[int], *, centred: bool, epsilon: float) -> Value:
        """Centring and division by the root of the mean square along axes of the file."""
        axes = sorted({axis % len(value.shape) for axis in axes})
        if all(value.axes[axis] is None for axis in axes):
            value = self._complete(value)
        inner = [value.axes[axis] for axis in axes if value.axes[axis] is not None]
        return self.follow(value, name, "normalize", axes=inner, centred=centred, epsilon=epsilon)

    def softmax(self, name: str, value: Value, axis: int) -> Value:
        """Shares along an axis of the file."""
        if value.axes[axis] is None:
            value = self._complete(value)
        hidden, inner = self._hidden_scores(value.node, value.axes[axis]), value.axes[axis]
        found = self.follow(value, name, "softmax", axis=inner, read=None if hidden is None else 1.0 - hidden)
        return replace(found, node=self._without_parameters(found.node))

    def _hidden_scores(self, node, axis):
        """Which scores, along an axis, a constant that is added to them hides; None without any."""
        shift = node.arrays.get("shift") if node.operator == "scale" else None
        if shift is None or not (hidden := hidden_scores(shift, axis)).any():
            return None
        if shift.min() > _CLOSED:
            self.note(
                f"Scores that {quoted(node.name)} lowers by {-(shift[hidden]).max():.3g} or more are hidden: a softmax "
                "leaves nothing of them."
            )
        if np.ptp(shift[~hidden]) == 0:
            self._without_parameters(node)
        return hidden

    def matmul(self, name: str, first: Value, second: Value) -> Value:
        """Products of matrices (..., n, k) and (..., k, m), both computed: the scores of attention, or a gain's."""
        rank = max(len(first.shape), len(second.shape))
        if min(len(first.shape), len(second.shape)) < 2:
            raise ValueError(f"expected two matrices, got shapes {first.shape} and {second.shape}")
        lead = np.broadcast_shapes(first.shape[:-2], second.shape[:-2])
        gain = self._gain_of(first, second)
        first, second = (self.expanded(name, each, (*lead, *each.shape[-2:])) for each in (first, second))
        if gain == 0 and (found := self._attention(name, first, second)) is not None:
            return found
        axes: tuple = tuple(range(rank))
        if rank > 2 and first.shape[0] == 1:
            axes = (None, *axes[:-1])
        nodes = [self.placed(each, axes, each.shape[rank - len(set(axes) - {None}) :]) for each in (first, second)]
        hidden = None if gain is None else self._hidden(nodes[gain])
        hidden = None if hidden is None else hidden.reshape(-1, *hidden.shape[-2:]).all(axis=0)
        read = None if hidden is None or not hidden.any() else 1.0 - hidden
        node = self._without_parameters(self.add(name, "matmul", nodes, gain=gain or 0, read=read))
        result = Value(node, (*first.shape[:-1], second.shape[-1]), axes)
        self._note_gain(node, first, second, gain)
        if gain is None:
            self._scores[node.name] = first, second, result
        return result

    def _attention(self, name, weights, values):
        """Attention, where the weights are a softmax of scores that are scaled, biased and masked; else None."""
        if weights.node.operator != "softmax" or weights.node.options["axis"] != weights.axes[-1]:
            return None
        argument = self._below(weights.node)
        scores, factor, shift = affine_parts(self, argument)
        function, inner = _function(self, scores)
        capped = function == "tanh"
        scores, within = self._parted(inner) if capped else (scores, 1.0)
        if scores.name not in self._scores:
            return None
        queries, keys, given = self._scores[scores.name]
        if (weights.axes, weights.shape) != (given.axes, given.shape):
            return None
        queries, of_queries = self._unscaled(queries)
        keys, of_keys = self._unscaled(keys)
        scale, bias, causal, sources = factor.reshape(-1)[0], None, False, {}
        if factor.size > 1 or shift.size > 1:
            times, bias = (_matrices(array, given.node.shape) for array in (factor, shift))
            read = ~hidden_scores(bias)
            times, of = np.broadcast_arrays(times, read)
            times = times[of]
            if not np.allclose(times, times[0], rtol=1e-6):
                return None
            scale = times[0]
            rows, columns = bias.shape[-2:]
            causal = rows <= columns and bool((read == np.tri(rows, columns, columns - rows, dtype=bool)).all())
            if not bias[read].any():
                bias = None if causal or read.all() else bias
            else:
                sources = argument.parameters
        keys = keys.transposed([*range(len(keys.shape) - 2), -1, -2])
        cap, scale = float(scale) if capped else 0.0, float(scale) * within * of_queries * of_keys
        return self.attention(name, queries, keys, values, scale, bias, cap=cap, causal=causal, sources=sources)

    def _unscaled(self, value):
        """A value without a factor that all its entries have, and this factor."""
        node, factor = self._parted(value.node)
        return replace(value, node=node), factor

    def _parted(self, node):
        inner, factor, shift = affine_parts(self, node)
        return (node, 1.0) if factor.size > 1 or shift.any() else (inner, float(factor.item()))

    def attention(
        self,
        name: str,
        queries: Value,
        keys: Value,
        values: Value,
        scale: float | None = None,
        bias: np.ndarray | None = None,
        *,
        cap: float = 0.0,
        causal: bool = False,
        sources: Mapping[str, int] | None = None,
    ) -> Value:
        """Softmax attention of values (..., positions, channels), in which all axes before these count heads."""
        lead = queries.shape[:-2]
        several, heads, inputs = [n for n in lead if n > 1], math.prod(lead), []
        axes = (*_numbered(lead), len(several) + 1, len(several))
        for value in (queries, keys, values):
            size, width = value.shape[-2:]
            node = self.placed(value, axes, (*several, width, size))
            inputs.append(self._reshaped(f"{node.name} of heads", node, (heads * width, size)))
        node = self.add(name, "attention", inputs, heads=heads, causal=causal, scale=scale, cap=cap, bias=bias)
        if sources is not None and node.arrays:
            node = self.nodes[node.name] = replace(node, sources=dict(sources))
        size, width = queries.shape[-2], values.shape[-1]
        parted = self._reshaped(f"{name} of heads", node, (*several, width, size))
        return Value(parted, (*lead, size, width), axes)

    def accumulate(self, name: str, value: Value, axis: int, *, reverse: bool = False) -> Value:
        """Running sums along an axis of the file."""
        if value.axes[axis] is None:
            return value
        return self.follow(value, name, "accumulate", axis=value.axes[axis], reverse=reverse)

    def concatenate(self, name: str, values: Sequence[Value], axis: int) -> Value:
        """Values one after the other along an axis of the file."""
        axis %= len(values[0].shape)
        shape = (*values[0].shape[:axis], sum(v.shape[axis] for v in values), *values[0].shape[axis + 1 :])
        first = next((value for value in values if value.axes[axis] is not None), values[0])
        axes, inner, place = first.axes, list(first.node.shape), first.axes[axis]
        if place is None:  # of one entry each: they become channels
            axes = tuple(0 if k == axis else None if a is None else a + 1 for k, a in enumerate(axes))
            inner, place = [1, *inner], 0
        nodes = [self.placed(v, axes, (*inner[:place], v.shape[axis], *inner[place + 1 :])) for v in values]
        return Value(self.add(name, "concatenate", nodes, axis=place), shape, axes)

    def pad(
        self, name: str, value: Value, pads: Sequence[tuple[int, int]], number: float = 0.0, mode: Any = "constant"
    ) -> Value:
        """Entries before and after those along each axis of the file; negative ones cut off. Modes are NumPy's."""
        if any(pad < 0 for pair in pads for pad in pair):
            ranges = [range(max(-low, 0), n - max(-high, 0)) for n, (low, high) in zip(value.shape, pads)]
            value = self.slice(f"{name} cut", value, ranges)
            pads = [(max(low, 0), max(high, 0)) for low, high in pads]
        if not any(pad for pair in pads for pad in pair):
            return value
        if mode != "constant":
            places = [
                np.pad(np.arange(n), pair, mode=mode) if any(pair) else None for n, pair in zip(value.shape, pads)
            ]
            return self.interpolate(name, value, places)
        value, inner = self._by_axis(value, [tuple(pair) if any(pair) else None for pair in pads])
        inner = [pair or (0, 0) for pair in inner]
        node = self.add(name, "pad", [value.node], pads=tuple(inner), value=float(number))
        return Value(node, tuple(n + sum(pair) for n, pair in zip(value.shape, pads)), value.axes)

    def pad_along(self, name: str, value: Value, axis: int, before: int, after: int) -> Value:
        """Entries before and after those along one axis of the file."""
        return self.pad(name, value, [(before, after) if k == axis else (0, 0) for k in range(len(value.shape))])

    def slice(self, name: str, value: Value, ranges: Sequence[range]) -> Value:
        """Some of the entries along each axis of the file."""
        shape = tuple(len(kept) for kept in ranges)
        if 0 in shape:
            raise ValueError(f"expected a slice with at least one entry, got shape {shape}; enlarge the input")
        turned = [list(kept) if kept.step < 0 and len(kept) > 1 else None for kept in ranges]
        if any(turned):
            value = self.interpolate(f"{name} turned", value, turned)
            ranges = [range(len(kept)) if kept.step < 0 else kept for kept in ranges]
        inner = [range(n) for n in value.node.shape]
        for axis, kept in zip(value.axes, ranges):
            if axis is not None:
                inner[axis] = kept
        if all(kept == range(n) for kept, n in zip(inner, value.node.shape)):
            return replace(value, shape=shape)
        node = self.add(
            name,
            "slice",
            [value.node],
            begin=tuple(kept[0] for kept in inner),
            end=tuple(kept[-1] + 1 for kept in inner),
            step=tuple(abs(kept.step) for kept in inner),
        )
        return Value(node, shape, value.axes)

    def split(self, name: str, value: Value, axis: int, sizes: Sequence[int]) -> list[Value]:
        """Parts of these sizes, one after the other along an axis of the file."""
        ends = list(accumulate(sizes, initial=0))
        return [self.cut(f"{name} {k}", value, axis, range(*part)) for k, part in enumerate(pairwise(ends), start=1)]

    def cut(self, name: str, value: Value, axis: int, kept: range) -> Value:
        """Some of the entries along one axis of the file."""
        ranges = [range(n) for n in value.shape]
        ranges[axis] = kept
        return self.slice(name, value, ranges)

    def _complete(self, value):
        axes, inner = _without_batch(value.shape)
        return Value(self.placed(value, axes, inner), value.shape, axes)

    def _check_batch(self, value):
        if len(value.shape) < 3 or value.shape[0] != 1:
            raise ValueError(
                f"expected a batch of one, channels and positions, got shape {value.shape}; give input sizes with a "
                "batch of one"
            )


def _with_biases(nodes, outputs):
    """Nodes in which what is only added to a dense layer, that nothing else reads, is its bias; and their outputs."""
    by_name = {node.name: node for node in nodes}
    count = Counter(chain(outputs, *(node.inputs for node in nodes)))
    merged: dict[str, str] = {}
    for node in nodes:
        layer = by_name[node.inputs[0]] if node.operator == "scale" and "factor" not in node.arrays else None
        if layer is None or layer.operator != "dense" or "bias" in layer.arrays or count[layer.name] > 1:
            continue
        shift, axis = node.arrays["shift"], layer.options["axis"] or 0
        if shift.size == shift.shape[axis] == node.shape[axis] and shift.dtype == layer.arrays["kernel"].dtype:
            arrays = {"kernel": layer.arrays["kernel"], "bias": shift.reshape(-1)}
            by_name[layer.name] = replace(layer, arrays=arrays, sources=layer.parameters | node.parameters)
            del by_name[node.name]
            merged[node.name] = layer.name
    kept = (
        replace(node, inputs=tuple(merged.get(name, name) for name in node.inputs)) if node.inputs else node
        for node in by_name.values()
    )
    return tuple(kept), tuple(merged.get(name, name) for name in outputs)


def with_time_axis(traced: Callable, time_axis: int | None) -> Graph:
    """The graph in which that axis of each input is time, or, if none is given, that with the fewest moves.

    Where no layer tells the order of what was then taken for time, as one does that slides or recurs along it, or a
    mask of attention, a note tells what to give.
    """
    if time_axis is None:
        graph = with_fewer_moves(traced)
        ordered = _runs_along_time(graph, ordered=True)
        return graph if ordered else replace(graph, notes=graph.notes + _other_axis(graph))

    def beside(shape, batch):
        """Which axis is that of channels."""
        wanted = time_axis + len(shape) if time_axis < 0 else time_axis
        kept = [k for k in range(len(shape)) if k != batch]
        if wanted not in kept or len(kept) > 2:
            raise ValueError(
                f"time_axis: expected one of two axes beside the batch, got {time_axis} for an input of shape {shape}; "
                "leave it out, or count axes from 0, that of the batch"
            )
        return None if len(kept) == 1 else -1 if wanted == kept[0] else 0

    trace, outputs = traced(channels=beside)
    return trace.graph(outputs)


def with_fewer_moves(traced: Callable) -> Graph:
    """The graph with the fewest transposes, of an input whose channels come first, or last, or that is one channel.

    So the positions of the input are those along which its first windowed or recurrent layer slides, wherever the file
    has them; an input of one axis is a series where such a layer reads it, and one that gets its axis of channels in
    the network, as by an unsqueeze, is one channel. A function of `channels`, as `Trace.input` has it, gives the trace
    and the values of its outputs. One in which no layer slides along what is taken for time, or which has one step
    only, comes after all others. Of graphs with as many moves the first is taken, but tokens that attend to each other,
    or are passed through dense layers one by one, have their channels last, as every library has them. One in which the
    units of a layer at different positions see different channels of the input comes after all others: what it takes
    for channels are positions. So does one channel of several axes whose first layer reads one of them as features.
    """
    trace, outputs = traced(channels=0)
    graph = trace.graph(outputs)
    shares = any(node.operator in ("attention", "softmax") for node in graph.nodes)
    one_by_one = any(map(_along_axis, graph.nodes)) and not any(node.rule.equivariant for node in graph.layers)
    tokens = shares or one_by_one
    if not trace.rearrangements and not tokens and not _is_turned(graph):
        return graph
    several = any(len(graph[name].shape) > 1 for name in graph.inputs)
    single = any(1 in graph[name].shape for name in graph.inputs)  # which is that of channels
    found = [graph]
    for channels in [-1] * several + [None] * (not single):
        trace, outputs = traced(channels=channels)
        found.insert(0 if tokens and channels else len(found), trace.graph(outputs))
    return min(
        found,
        key=lambda each: (
            any(math.prod(each[name].shape[1:]) == 1 < each[name].shape[0] for name in each.inputs),  # no series
            not _runs_along_time(each),
            _is_turned(each),
            _reads_features(each),
            _rearrangements(each.nodes),
        ),
    )


def _reads_features(graph):
    """Whether the first layer of a graph of several axes of positions is dense along one of them."""
    return any(len(graph[name].shape) > 2 for name in graph.inputs) and any(map(_along_axis, graph.layers[:1]))


def _is_turned(graph):
    """Whether units of a layer that differ in their positions see different channels of an input.

    Of dense layers along positions that is so wherever channels stay apart, so they tell nothing where others slide.
    """
    along_time = _runs_along_time(graph)
    for source in (name for name in graph.inputs if len(graph[name].shape) > 1):
        for node, spans in spans_of(graph, source, 0):
            if along_time and _along_axis(node) and node.options["axis"]:
                continue
            if node.inputs and ("kernel" in node.arrays or node.operator == "attention"):
                channels = node.options.get("axis", 0)
                if any(_differ(spans.ends, axis + 1) for axis in range(len(node.shape)) if axis != channels):
                    return True
    return False


def _differ(ends, axis):
    """Whether of the units in the middle of an axis, away from pads, those that see anything see different entries."""
    n = ends.shape[axis]
    ends = ends.take(range(n // 4, n - n // 4), axis=axis)
    most = np.where(ends < FAR, ends, -FAR).max(axis=axis)
    return bool(((most > -FAR) & (most != ends.min(axis=axis))).any())


def _runs_along_time(graph, *, ordered=False):
    """Whether a layer slides, recurs or attends along the axis of steps of the first input, or what came of it.

    These are the axes along which units see different steps, and those that a dense layer has in their place. With
    `ordered` attention without a mask is none, since it does the same in whatever order steps are.
    """
    source, varying = graph.inputs[0], {}
    graph = replace(graph, nodes=tuple(map(_without_steps, graph.nodes)))
    for node, spans in spans_of(graph, source, 1) if len(graph[source].shape) > 1 else ():
        kept, shapes = {axis for axis in range(len(node.shape)) if spans.size(axis) > 1}, graph.shapes_below(node)
        told = kept or not ordered or node.operator not in ("attention", "softmax")
        if told and any(axis in varying.get(key, ()) for key in node.inputs for axis in _along(node, graph)):
            return True
        for index, key in enumerate(node.inputs):
            for axis in varying.get(key, ()):
                dense = node.operator == "dense" and node.options["axis"] == axis
                own = axis if dense else (node.rule.window(node, axis, index, shapes) or [None])[0]
                kept |= {own} - {None}
        varying[node.name] = kept
    return False


def _without_steps(node):
    """A node, or an input in its place if it is one number for all steps, as a mean that is taken away from each."""
    alone = node.operator in ("average_pool", "max_pool", "slice") and math.prod(node.shape[1:]) == 1
    return make_node(node.name, "input", shape=node.shape) if alone else node


def _along(node, graph):
    """Axes along which a node does the same everywhere, of more than one entry at once."""
    if node.operator in ("attention", "recurrent"):
        return (1,)
    if node.operator == "softmax":  # of scores, which are products of what is at two positions
        below = graph[node.inputs[0]]
        while len(below.inputs) == 1:
            below = graph[below.inputs[0]]
        return (node.options["axis"],) * (below.operator == "matmul")
    if node.operator == "accumulate":
        return (node.options["axis"],)
    if not (node.rule.equivariant or node.operator == "average_pool"):
        return ()
    axes = [axis for axis in range(1, len(node.shape)) if node.shape[axis] > 1]
    windows = {axis: node.rule.window(node, axis, 0, graph.shapes_below(node)) for axis in axes}
    return [axis for axis, (_, stride, offsets) in windows.items() if stride != 1 or len(offsets) > 1]


def _other_axis(graph):
    """A note on which axis of the first input was taken for time, and how to take the other one, if it may be time."""
    source = graph.inputs[0]
    axes, (channels, *steps) = graph.axes.get(source, ()), graph[source].shape
    if channels == 1 or not {"batch", "channels", "time"} >= set(axes) > {"channels"}:
        return ()
    turned = {"channels": "time", "time": "channels"}
    other, axis = tuple(turned.get(each, each) for each in axes), axes.index("channels")
    found = [(axes, channels, steps), (other, *(steps or [1]), [channels])]
    readings = [
        f"({', '.join(each)}), {count} channel{'s' * (count > 1)}"
        + "".join(f" of {n} step{'s' * (n > 1)}" for n in along)
        for each, count, along in found
    ]
    reason = (
        f"No layer slides along an axis of the input, so that none decides {'which' if steps else 'whether it'} is time"
    )
    if _runs_along_time(graph):
        reason = "Only attention runs along an axis of the input, and its tokens may be steps or variates"
    return (f"{reason}. It is read as {readings[0]}; with time_axis={axis} (--time-axis {axis}) as {readings[1]}.",)


def _along_axis(node):
    """Whether a node is a dense layer along one of several axes."""
    return node.operator == "dense" and node.options["axis"] is not None and len(node.shape) > 1


def _rearrangements(nodes):
    """Number of transposes, and of reshapes that turn what a windowed or recurrent layer takes."""
    turned = {node.inputs[0] for node in nodes if node.rule.equivariant}
    moved = Counter(node.operator for node in nodes if node.operator == "transpose" or node.name in turned)
    return moved["transpose"], moved["reshape"]


def activated(trace: Trace, name: str, value: Value, function: str) -> Value:
    """An activation without weights."""
    if function == "identity":
        return value
    return trace.follow(value, name, "activation", function=function)


def product(trace: Trace, name: str, first: Value, second: Value) -> Value:
    """The product of two values, of which one may be a function of the other, as some activations are written out."""
    if first.shape == second.shape and first.order == second.order:
        for value, gate in [(first, second), (second, first)]:
            if gate.node is value.node:
                return activated(trace, name, value, "square")
            if (way := _way(trace, value.node, gate.node)) in _GATED:
                return activated(trace, name, value, _GATED[way])
            found = _gelu(trace, value, gate)
            if found is not None:
                argument, times = found
                return trace.scale(name, activated(trace, f"{name} gelu", argument, "gelu"), trace.real(times))
    return trace.product(name, first, second)


_GATED = {
    ("sigmoid",): "silu",
    ("hard_sigmoid",): "hard_swish",
    ("softplus", "tanh"): "mish",
    ("abs", "plus one", "reciprocal"): "softsign",
}
_SHARES = ("sigmoid", "hard_sigmoid", "reciprocal")  # functions whose values are gains of what they multiply
_CLOSED = -1e9  # what is added to the argument of a gate, or to a score, that is hidden whatever it is
_LOWEST = -1e30  # in place of minus infinity, of scores


def _function(trace, node):
    """Function and argument of a node that is an activation."""
    if node.operator != "activation":
        return None, None
    return node.options["function"], trace.nodes[node.inputs[0]]


def _way(trace, start, node):
    """The functions that lead from one node to another, at most three; None if other operators do."""
    way = []
    while node is not start and len(way) < 3:
        _, factor, shift = affine_parts(trace, node)
        one_more = node.operator == "scale" and (factor == 1).all() and (shift == 1).all()
        way.append("plus one" if one_more else _function(trace, node)[0])
        if way[-1] is None:
            return None
        node = trace.nodes[node.inputs[0]]
    return tuple(reversed(way)) if node is start else None


def _gelu(trace, value, gate):
    """The argument z and a number c, where value times gate is c z (1 + erf(z / sqrt 2)) / 2; else None."""
    inside, factor, shift = affine_parts(trace, gate.node)
    function, inner = _function(trace, inside)
    if function != "erf" or factor.size != 1 or shift.size != 1 or not np.isclose(factor.item(), shift.item()):
        return None
    base, *line = affine_parts(trace, inner)
    other, *outer = affine_parts(trace, value.node)
    times = np.abs(outer[0]).max() / np.abs(line[0]).max()
    if base is not other or not all(np.allclose(a, times * b, rtol=1e-5) for a, b in zip(outer, line)):
        return None
    for argument in (value.node, base):  # one that is there already, if it will do
        its = affine_parts(trace, argument)[1:]
        if all(np.allclose(a, np.sqrt(2) * b, rtol=1e-5) for a, b in zip(its, line)):
            break
    else:
        argument = trace.scale(f"{inner.name} argument", replace(value, node=inner), trace.real(np.sqrt(2))).node
    return replace(value, node=argument), times * np.sqrt(2) * factor.item()


def affine_parts(trace, node):
    """What a node is a factor times, the factor, and what is added."""
    if node.operator != "scale":
        return node, np.ones(1), np.zeros(1)
    factor, shift = node.arrays.get("factor", np.ones(1)), node.arrays.get("shift", np.zeros(1))
    return trace.nodes[node.inputs[0]], factor, shift


def _matrices(array, shape):
    """An array that broadcasts against (..., n, k) as matrices (1 or as many as there are, n, k)."""
    array = array.reshape((1,) * (len(shape) - array.ndim) + array.shape)
    lead = array.shape[:-2] if math.prod(array.shape[:-2]) == 1 else shape[:-2]
    return np.broadcast_to(array, (*lead, *shape[-2:])).reshape(-1, *shape[-2:])


def _regrouped(value, shape):
    """Shape of the node and axes after a reshape, where axes that it joins or parts are neighbours in the node too."""
    before = [(axis, size) for axis, size in zip(value.axes, value.shape) if size > 1]
    after = [(k, size) for k, size in enumerate(shape) if size > 1]
    place = {axis: k for k, axis in enumerate(sorted(axis for axis, _ in before))}
    groups = []  # place in the node of the first of the old axes, and the new axes
    while before:
        old, new = [before.pop(0)], [after.pop(0)]
        while (left := math.prod(size for _, size in old)) != (right := math.prod(size for _, size in new)):
            (old if left < right else new).append((before if left < right else after).pop(0))
        places = [place[axis] for axis, _ in old]
        if places != list(range(places[0], places[0] + len(places))):
            return None
        groups.append((places[0], new))
    ordered = [each for _, new in sorted(groups, key=lambda group: group[0]) for each in new]
    axes = {k: axis for axis, (k, _) in enumerate(ordered)}
    return tuple(size for _, size in ordered) or (1,), tuple(axes.get(k) for k in range(len(shape)))


def _without_batch(shape):
    """Axes of a node with all axes but the first, if that has one entry; and its shape."""
    if len(shape) > 1 and shape[0] == 1:
        return (None, *range(len(shape) - 1)), tuple(shape[1:])
    return tuple(range(len(shape))), tuple(shape) or (1,)


def _numbered(shape, start=0):
    """Axes of a node that has those of more than one entry only, from a number on."""
    numbers = count(start)
    return tuple(next(numbers) if size > 1 else None for size in shape)


def _batched(node):
    return Value(node, (1, *node.shape), (None, *range(len(node.shape))))


def _combined(function, first, second):
    """A sum or product of two arrays, in which None is left out."""
    if first is None or second is None:
        return second if first is None else first
    return function(first, second)
