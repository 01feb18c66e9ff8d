"""Recurrent layers, followed step by step: simple ones, GRU and LSTM, in either direction or in both.

Gates and activations are gains, as elsewhere. With them held at a sample, the state c of an LSTM is f c + i eta(g) g,
with g = W x + R h + b and eta(g) = tanh(g)/g, and h = o eta(c) c: linear in what is read. No law is known for such
gains, so that capacity needs data.

Source: the equations and the order of the gates are those of ONNX (RNN, GRU, LSTM).
"""

import numpy as np

from capacity._validation import check_integer
from capacity.activations.scalar_functions import SCALAR_FUNCTIONS
from capacity_inspection.graphs.operators.rules import Operator, check_vector, required
from capacity_inspection.graphs.operators.spans import met

__all__ = ["Recurrent"]

_DIRECTIONS = ("forward", "reverse", "bidirectional")


class Recurrent(Operator):
    """States of units over steps: a kernel (ways * gates * hidden, features), and a recurrent one (..., hidden).

    Further inputs are the states before the first step, (hidden, ways): of an LSTM hidden ones and cells.
    """

    arrays = ("kernel", "recurrent_kernel", "bias", "recurrent_bias")
    options = ("kind", "hidden", "direction", "function", "reset_after", "cells")
    counts = (1, 3)
    gains = "sample"
    equivariant = in_step = True

    def complete(self, shapes, arrays, options):
        kernel, again = (required(arrays, key, "recurrent") for key in self.arrays[:2])
        hidden = check_integer(required(options, "hidden", "recurrent"), "hidden", minimum=1)
        kind, direction = options.get("kind", "simple"), options.get("direction", "forward")
        for name, found, known in (("kind", kind, tuple(_KINDS)), ("direction", direction, _DIRECTIONS)):
            if found not in known:
                raise ValueError(f"{name}: expected one of {', '.join(known)}, got {found!r}; pass one of them")
        function = options.get("function", "tanh")
        if function not in ("tanh", "relu") or (function != "tanh" and kind != "simple"):
            raise ValueError(f"function: expected tanh, or relu of a simple layer, got {function!r}; use one of these")
        cells = bool(options.get("cells", False))
        if cells and kind != "lstm":
            raise ValueError(f"cells: expected them of an lstm only, got them asked of {kind!r}; leave them out")
        ways = 1 + (direction == "bidirectional")
        rows = ways * _KINDS[kind].gates * hidden
        if len(shapes[0]) != 2 or kernel.shape != (rows, shapes[0][0]) or again.shape != (rows, hidden):
            raise ValueError(
                f"recurrent: expected an input (features, steps), a kernel ({rows}, features) and a recurrent one "
                f"({rows}, {hidden}), got {shapes[0]}, {kernel.shape} and {again.shape}; transpose the input"
            )
        for key in ("bias", "recurrent_bias"):
            check_vector(arrays, key, rows, "recurrent")
        states = 1 + (kind == "lstm")
        if len(shapes) > 1 and shapes[1:] != [(hidden, ways)] * states:
            raise ValueError(
                f"recurrent: expected no first states or {states} of shape {(hidden, ways)}, got {shapes[1:]}; "
                "reshape them"
            )
        found = {"kind": kind, "hidden": hidden, "direction": direction, "function": function, "cells": cells}
        found["reset_after"] = bool(options.get("reset_after", False))
        return ((1 + cells) * ways * hidden, shapes[0][1]), arrays, found

    def window(self, node, axis, index, shapes):
        steps, direction = shapes[0][1], node.options["direction"]
        if index or axis == 0 or direction == "bidirectional":
            return None, 0, range(shapes[index][axis])
        return 1, 1, range(1 - steps, 1) if direction == "forward" else range(steps)

    def spans(self, node, below, shapes):
        """Of two directions each unit sees what its own has read."""
        if node.options["direction"] != "bidirectional" or below[0] is None:
            return super().spans(node, below, shapes)
        steps, hidden = node.shape[1], node.options["hidden"]
        read = below[0].over(0, range(shapes[0][0]))
        ways = [read.along(1, 1, offsets, steps, steps) for offsets in (range(1 - steps, 1), range(steps))]
        ends = [way.per_unit([0, 1], (hidden, steps)).ends for way in ways]
        both = read.of(np.tile(np.stack(ends, axis=1).reshape(2, -1, steps), (1, node.shape[0] // (2 * hidden), 1)))
        rest = [None, *below[1:]]
        return met([both, super().spans(node, rest, shapes)]) if any(rest) else both

    def multiply_adds(self, node, shapes):
        return shapes[0][1] * sum(node.arrays[key].size for key in self.arrays[:2])

    def value(self, node, values):
        runs = self.held(node, values)
        return _joined(node, runs, [run.states for run in runs])

    def held(self, node, values, value=None):
        return [_KINDS[node.options["kind"]](node, way, values) for way in _ways(node)]

    def held_jvp(self, node, held, signal):
        return _joined(node, held, [run.carried(signal) for run in held])

    def vjp(self, node, array, values):
        return self._handed(node, self.held(node, values), array, held=False)

    def held_vjp(self, node, held, array):
        return self._handed(node, held, array, held=True)

    def _handed(self, node, runs, array, held):
        """Weights of the input and of first states, at gates and gains as they are; else with their derivatives."""
        found = [np.zeros((len(array), runs[0].kernel.shape[1], array.shape[-1]))]
        found += [np.zeros((len(array), node.options["hidden"], len(runs))) for _ in node.inputs[1:]]
        for run, above in _weighed(node, array, runs):
            inner, _, first = run.backward(above, held)
            found[0] += (inner[:: run.sense] @ run.kernel).transpose(1, 2, 0)
            for target, part in zip(found[1:], first):
                target[:, :, run.way] = part
        return found

    def weight_gradients(self, node, array, *values):
        found = {key: np.zeros((len(array), *weights.shape)) for key, weights in node.arrays.items()}
        for run, above in _weighed(node, array, self.held(node, values)):
            inner, outer, _ = run.backward(above, held=False)
            parts = {"kernel": np.einsum("tsg,tsf->sgf", inner, run.read), "bias": inner.sum(axis=0)}
            parts |= {"recurrent_kernel": run.products(outer), "recurrent_bias": outer.sum(axis=0)}
            for key, target in found.items():
                target[:, run.rows] = parts[key]
        return found


def _joined(node, runs, states):
    """States of all ways after each step, hidden ones before cells."""
    kinds = range(1 + node.options["cells"])
    found = [each[k][1:][:: run.sense] for k in kinds for run, each in zip(runs, states)]
    return np.concatenate(found, axis=-1).transpose(1, 2, 0)


def _ways(node):
    return range(1 + (node.options["direction"] == "bidirectional"))


def _weighed(node, array, runs):
    """Each direction with the weights of its states, (steps, samples, hidden) in its own order."""
    for run in runs:
        parts = array.reshape(len(array), -1, len(runs), node.options["hidden"], array.shape[-1])[:, :, run.way]
        yield run, parts.transpose(1, 3, 0, 2)[:, :: run.sense]


class _Run:
    """One direction of a layer on samples: states before and after each step, and what it takes to go back.

    A step adds what is fed, W x + b, to what returns, R h + b'. Subclasses say what becomes of both.
    """

    gates, count = 1, 1  # of units, and of states

    def __init__(self, node, way, values):
        self.node, self.way, hidden = node, way, node.options["hidden"]
        self.sense = -1 if way or node.options["direction"] == "reverse" else 1
        self.rows = slice(way * self.gates * hidden, (way + 1) * self.gates * hidden)
        arrays = {key: array[self.rows].astype(float) for key, array in node.arrays.items()}
        self.kernel, self.returning = arrays["kernel"], arrays["recurrent_kernel"]
        self.shift = arrays.get("recurrent_bias", 0.0)
        self.read = values[0].transpose(2, 0, 1)[:: self.sense]
        self.fed = self.read @ self.kernel.T + arrays.get("bias", 0.0)
        steps = len(self.fed)
        self.states = self._before(values)
        self.kept = [None] * steps
        for t in range(steps):
            self.states[:, t + 1], self.kept[t] = self.step(t, *self.states[:, t])

    def _before(self, values):
        """States of which those before the first step are known."""
        states = np.zeros((self.count, len(self.fed) + 1, len(values[0]), self.node.options["hidden"]))
        for state, first in zip(states, values[1:]):
            state[0] = first[:, :, self.way]
        return states

    def carried(self, signal):
        """States of other inputs, where gates and gains stay as they are."""
        states, fed = self._before(signal), signal[0].transpose(2, 0, 1)[:: self.sense] @ self.kernel.T
        for t, each in enumerate(fed):
            states[:, t + 1] = self.carry(t, each, *states[:, t])
        return states

    def backward(self, above, held):
        """Weights of what is fed and of what returns, (steps, samples, gates), and of the first states."""
        inner, outer = np.zeros(self.fed.shape), np.zeros(self.fed.shape)
        below = np.zeros(self.states[:, 0].shape)
        for t in reversed(range(len(self.fed))):
            below[: len(above)] += above[:, t]
            inner[t], outer[t], below = self.back(t, below, held)
        return inner, outer, below

    def products(self, outer):
        """Derivatives by the recurrent kernel."""
        return np.einsum("tsg,tsh->sgh", outer, self.states[0, :-1])

    def _returned(self, state):
        return state @ self.returning.T + self.shift


class _Simple(_Run):
    """h' = f(z) of the sum z of both."""

    def step(self, t, state):
        argument = self.fed[t] + self._returned(state)
        return [self._row.value(argument)], argument

    def carry(self, t, fed, state):
        return [self._row.centred_gain(self.kept[t]) * (fed + state @ self.returning.T)]

    def back(self, t, weights, held):
        both = weights[0] * _factor(self._row, self.kept[t], held)
        return both, both, (both @ self.returning)[None]

    @property
    def _row(self):
        return SCALAR_FUNCTIONS[self.node.options["function"]]


class _Gru(_Run):
    """h' = (1 - z) tanh(n) + z h, gates z and r; n takes r R h, or R (r h), from what returns."""

    gates = 3

    def step(self, t, state):
        hidden, fed = state.shape[-1], self.fed[t]
        after = self.node.options["reset_after"]
        returned = self._returned(state)
        update, reset = np.split(_SIGMOID.value(fed[:, : 2 * hidden] + returned[:, : 2 * hidden]), 2, axis=1)
        candidate = reset * returned[:, 2 * hidden :] if after else self._returned(reset * state)[:, 2 * hidden :]
        candidate = candidate + fed[:, 2 * hidden :]
        new = (1 - update) * np.tanh(candidate) + update * state
        return [new], (update, reset, candidate, returned[:, 2 * hidden :])

    def carry(self, t, fed, state):
        update, reset, candidate, _ = self.kept[t]
        rows = self.returning[2 * state.shape[-1] :]
        after = self.node.options["reset_after"]
        argument = reset * (state @ rows.T) if after else (reset * state) @ rows.T
        argument = argument + fed[:, 2 * state.shape[-1] :]
        return [(1 - update) * _TANH.centred_gain(candidate) * argument + update * state]

    def back(self, t, weights, held):
        (weights,), state = weights, self.states[0, t]
        update, reset, candidate, returned = self.kept[t]
        n = weights * (1 - update) * _factor(_TANH, candidate, held)
        if self.node.options["reset_after"]:
            out, through, changes = n * reset, 0.0, n * returned
        else:
            through = n @ self.returning[2 * state.shape[-1] :]
            out, through, changes = n, through * reset, through * state
        gates = np.zeros((len(n), 2 * n.shape[1]))
        if not held:
            change = weights * (state - np.tanh(candidate)), changes
            gates = np.concatenate([each * gate * (1 - gate) for each, gate in zip(change, (update, reset))], axis=1)
        rows = self.returning if self.node.options["reset_after"] else self.returning[: gates.shape[1]]
        outer = np.concatenate([gates, out], axis=1)
        below = weights * update + through + outer[:, : len(rows)] @ rows
        return np.concatenate([gates, n], axis=1), outer, below[None]

    def products(self, outer):
        found = super().products(outer)
        if not self.node.options["reset_after"]:
            states = self.states[0, :-1] * np.stack([kept[1] for kept in self.kept])
            rows = slice(2 * states.shape[-1], None)
            found[:, rows] = np.einsum("tsg,tsh->sgh", outer[..., rows], states)
        return found


class _Lstm(_Run):
    """c' = f c + i tanh(g), h' = o tanh(c'), gates i, o and f."""

    gates, count = 4, 2

    def step(self, t, state, cell):
        argument = self.fed[t] + self._returned(state)
        gates, candidate = np.split(argument, [3 * state.shape[-1]], axis=1)
        entry, exit_, stay = gates = np.split(_SIGMOID.value(gates), 3, axis=1)
        cell = stay * cell + entry * np.tanh(candidate)
        return [exit_ * np.tanh(cell), cell], (gates, candidate)

    def carry(self, t, fed, state, cell):
        (entry, exit_, stay), candidate = self.kept[t]
        argument = (fed + state @ self.returning.T)[:, 3 * state.shape[-1] :]
        cell = stay * cell + entry * _TANH.centred_gain(candidate) * argument
        return [exit_ * _TANH.centred_gain(self.states[1, t + 1]) * cell, cell]

    def back(self, t, weights, held):
        (entry, exit_, stay), candidate = self.kept[t]
        before, cell = self.states[1, t : t + 2]
        own = weights[1] + weights[0] * exit_ * _factor(_TANH, cell, held)
        parts = [np.zeros(own.shape)] * 3
        if not held:
            changes = (own * np.tanh(candidate), weights[0] * np.tanh(cell), own * before)
            parts = [change * gate * (1 - gate) for change, gate in zip(changes, (entry, exit_, stay))]
        both = np.concatenate([*parts, own * entry * _factor(_TANH, candidate, held)], axis=1)
        return both, both, np.stack([both @ self.returning, own * stay])


def _factor(row, argument, held):
    """What a function multiplies weights by: its gain, or its slope."""
    return row.centred_gain(argument) if held else row.slope(argument)


_KINDS = {"simple": _Simple, "gru": _Gru, "lstm": _Lstm}
_SIGMOID, _TANH = SCALAR_FUNCTIONS["sigmoid"], SCALAR_FUNCTIONS["tanh"]
