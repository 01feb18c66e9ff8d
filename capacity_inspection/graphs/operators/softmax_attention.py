"""Softmax, which makes gains, and attention between positions, which multiplies by those that it makes.

With these held the rest is linear, as with the gain of an activation. No law is known for them, so that capacity needs
data.
"""

from dataclasses import replace

import numpy as np

from capacity._validation import check_integer, check_real
from capacity_inspection.graphs.operators.boxes import Box, whole_box
from capacity_inspection.graphs.operators.rules import Operator, per_channel, summed_to
from capacity_inspection.graphs.operators.spans import distinct, met

__all__ = ["Attention", "Softmax", "hidden_scores"]

_NONE = -1e9  # a shift of a score that is meant to hide it, whatever the others are
_LEFT = 80.0  # by how much less than the largest shift one hides its score: exp(-80), far below the digits of a double


def hidden_scores(shift, axis=-1):
    """Where what is added to the scores of a softmax along an axis leaves nothing of them, whatever they are."""
    return shift < shift.max(axis=axis, keepdims=True) - _LEFT


class Attention(Operator):
    """Softmax attention of queries, keys and values, (channels, positions) each: the weights are gains of the values.

    Channels are those of one head after the other. A causal query at t of T reads the S keys up to t + S - T. Scores s
    become cap tanh(s/cap), if there is a cap. A bias (heads or 1, T, S) is added to them; where that leaves nothing of
    a score, as `hidden_scores` tells, the key is not read.
    """

    arrays = ("bias",)
    options = ("heads", "causal", "scale", "cap")
    counts = (3, 3)
    gains = "sample"
    reported = in_step = True

    def complete(self, shapes, arrays, options):
        heads = check_integer(options.get("heads", 1), "heads", minimum=1)
        queries, keys, values = shapes
        if any(len(shape) != 2 or shape[0] % heads for shape in shapes):
            raise ValueError(
                f"attention: expected inputs (channels, positions) whose channels are a multiple of {heads} heads, got "
                f"{shapes}; reshape them"
            )
        if queries[0] != keys[0] or keys[1] != values[1]:
            raise ValueError(
                f"attention: expected queries and keys with as many channels, keys and values at as many positions, "
                f"got {shapes}; pass them in this order"
            )
        causal = bool(options.get("causal", False))
        if causal and queries[1] > keys[1]:
            raise ValueError(
                f"attention: expected at least {queries[1]} keys for as many causal queries, got {keys[1]}; drop the "
                "queries that read nothing"
            )
        scale = check_real(options.get("scale", (queries[0] / heads) ** -0.5), "scale")
        shape = np.shape(arrays.get("bias", np.zeros((1, queries[1], keys[1]))))
        if shape not in ((1, queries[1], keys[1]), (heads, queries[1], keys[1])):
            raise ValueError(
                f"attention: expected a bias ({heads} or 1, {queries[1]}, {keys[1]}), got shape {shape}; reshape it"
            )
        if "bias" in arrays and (arrays["bias"] <= _NONE).all(axis=-1).any():
            raise ValueError("attention: expected a bias that leaves each query a key, got one that hides all")
        cap = check_real(options.get("cap", 0.0), "cap", minimum=0, remedy="pass 0 for none")
        return (values[0], queries[1]), arrays, {"heads": heads, "causal": causal, "scale": scale, "cap": cap}

    def signals(self, node):
        return (2,)

    def window(self, node, axis, index, shapes):
        if axis == 0:
            whole = (None, 0, range(shapes[index][0]))
            return (0, 1, (0,)) if index == 2 else whole if node.options["heads"] == 1 else None
        if index == 0:
            return 1, 1, (0,)
        queries, keys = shapes[0][1], shapes[1][1]
        return (1, 1, range(1 - queries, 1 + keys - queries)) if node.options["causal"] else (None, 0, range(keys))

    def spans(self, node, below, shapes):
        heads, width = node.options["heads"], node.shape[0] // node.options["heads"]
        found = []
        for index, spans in enumerate(each and each.spread() for each in below):
            if spans is None:
                continue
            if index < 2 and spans.size(0) > 1:  # of all channels of a head each of its values
                ends = spans.ends.reshape(2, heads, -1, spans.ends.shape[2]).min(axis=2).repeat(width, axis=1)
                spans = spans.put(0, ends)
            own, stride, offsets = self.window(node, 1, index, shapes)
            read = node.shape[1], shapes[index][1]
            if index and "bias" in node.arrays:
                spans = self._chosen(node, spans, width)
            elif own is None:
                spans = spans.over(1, offsets)
            else:
                spans = spans.along(1, stride, offsets, *read)
            found.append(spans)
        return met(found)

    def _chosen(self, node, spans, width):
        """Spans of what is seen of keys that the bias, of all heads or of each, and the order do not hide."""
        read = ~hidden_scores(node.arrays["bias"])
        if node.options["causal"]:
            count, keys = read.shape[1:]
            read = read & np.tri(count, keys, keys - count, dtype=bool)
        if len(read) == 1:
            return spans.chosen(1, read[0])
        whole = spans.per_unit([0, 1], (node.shape[0], read.shape[2]))
        below = whole.ends.reshape(2, len(read), width, -1)
        ends = np.empty((*below.shape[:3], read.shape[1]), below.dtype)
        masks, which = distinct(read)
        for k, mask in enumerate(masks):  # of all heads that it is that of
            of = replace(whole, ends=below[:, which == k].reshape(2, -1, read.shape[2])).chosen(1, mask)
            ends[:, which == k] = of.per_unit([1], node.shape).ends.reshape(2, -1, width, read.shape[1])
        return replace(whole, ends=ends.reshape(2, -1, read.shape[1])).thinned()

    def reads(self, node, box, shapes):
        return [Box((0, box.start[1]), (shapes[0][0], box.stop[1])), *map(whole_box, shapes[1:])]

    def value(self, node, values):
        queries, keys, values = (self._heads(node, value) for value in values)
        return self._joined(values @ self._weights(node, queries, keys).swapaxes(-1, -2))

    def vjp(self, node, array, values):
        queries, keys, values = (self._heads(node, value) for value in values)
        weights, above = self._weights(node, queries, keys), self._heads(node, array)
        change = node.options["scale"] * self._of_scores(weights, above, values)
        if cap := node.options["cap"]:
            change = change * (1 - (self._scores(node, queries, keys) / cap) ** 2)
        return list(map(self._joined, (keys @ change.swapaxes(-1, -2), queries @ change, above @ weights)))

    def held(self, node, values, value=None):
        return self._weights(node, *(self._heads(node, value) for value in values[:2]))

    def held_jvp(self, node, held, signal):
        return self._joined(self._heads(node, signal[2]) @ held.swapaxes(-1, -2))

    def held_vjp(self, node, held, array):
        return [None, None, self._joined(self._heads(node, array) @ held)]

    def weight_gradients(self, node, array, queries, keys, values):
        queries, keys, values, above = (self._heads(node, each) for each in (queries, keys, values, array))
        change = self._of_scores(self._weights(node, queries, keys), above, values)
        return {"bias": summed_to(change, node.arrays["bias"].shape)}

    def multiply_adds(self, node, shapes):
        return shapes[0][1] * shapes[1][1] * (shapes[0][0] + shapes[2][0])

    def _of_scores(self, weights, above, values):
        """Weights of the scores that go into the softmax."""
        change = weights * (above.swapaxes(-1, -2) @ values)
        return change - weights * change.sum(axis=-1, keepdims=True)

    def _heads(self, node, array):
        return array.reshape(len(array), node.options["heads"], -1, array.shape[-1])

    def _joined(self, array):
        return array.reshape(len(array), -1, array.shape[-1])

    def _scores(self, node, queries, keys):
        scores, cap = node.options["scale"] * queries.swapaxes(-1, -2) @ keys, node.options["cap"]
        return cap * np.tanh(scores / cap) if cap else scores

    def _weights(self, node, queries, keys):
        logits = self._scores(node, queries, keys)
        if "bias" in node.arrays:
            bias = node.arrays["bias"].astype(float)
            logits = np.where(hidden_scores(bias), -np.inf, logits + bias)
        if node.options["causal"]:
            count, read = logits.shape[-2:]
            logits = np.where(np.tri(count, read, read - count, dtype=bool), logits, -np.inf)
        return _softmax(logits, -1)


class Softmax(Operator):
    """Exponentials over their sum along an axis: gains that are shares, and no signal.

    Where scores have nothing left, as behind a mask, they are not read: `read` is an array that is zero there.
    """

    arrays = ("read",)
    options = ("axis",)
    gains = "sample"
    in_step = True

    def complete(self, shapes, arrays, options):
        rank = len(shapes[0])
        axis = check_integer(options.get("axis", 0), "axis", minimum=-rank, maximum=rank - 1) % rank
        return shapes[0], per_channel(arrays, "read", shapes[0], "softmax"), {"axis": axis}

    def signals(self, node):
        return ()

    def window(self, node, axis, index, shapes):
        return (None, 0, range(shapes[0][axis])) if axis == node.options["axis"] else (axis, 1, (0,))

    def spans(self, node, below, shapes):
        read = node.arrays.get("read", np.ones(1)) != 0
        return super().spans(node, [below[0].masked(read)], shapes).masked(read)

    def value(self, node, values):
        return _softmax(values[0], node.options["axis"] + 1)

    def vjp(self, node, array, values):
        shares = self.value(node, values)
        return [shares * (array - (shares * array).sum(axis=node.options["axis"] + 1, keepdims=True))]

    def held(self, node, values, value=None):
        raise ValueError(
            f"node {node.name!r}: expected a softmax whose shares multiply a signal, got one that is the signal; take "
            "what goes into it as the output"
        )


def _softmax(array, axis):
    """Exponentials over their sum along an axis."""
    powers = np.exp(array - array.max(axis=axis, keepdims=True))
    return powers / powers.sum(axis=axis, keepdims=True)
