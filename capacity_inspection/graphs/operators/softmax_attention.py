"""Softmax, which makes gains, and attention between positions, which multiplies by those that it makes.

With these held the rest is linear, as with the gain of an activation. No law is known for them, so that capacity needs
data.
"""

import numpy as np

from capacity._validation import check_integer, check_real
from capacity_inspection.graphs.operators.rules import HIDDEN, Operator, summed_to

__all__ = ["Attention", "Softmax"]


class Attention(Operator):
    """Softmax attention of queries, keys and values, (channels, positions) each: the weights are gains of the values.

    Channels are those of one head after the other. A causal query at t of T reads the S keys up to t + S - T. Scores s
    become cap tanh(s/cap), if there is a cap. A bias (heads or 1, T, S) is added to them; where it is at most `HIDDEN`,
    the key is not read.
    """

    arrays = ("bias",)
    options = ("heads", "causal", "scale", "cap")
    counts = (3, 3)
    gains = "sample"
    reported = unbounded = in_step = True

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
        if (bias := arrays.get("bias")) is not None:
            if bias.ndim != 3 or bias.shape[0] not in (1, heads) or bias.shape[1:] != (queries[1], keys[1]):
                raise ValueError(
                    f"attention: expected a bias ({heads} or 1, {queries[1]}, {keys[1]}), got shape {bias.shape}; "
                    "reshape it"
                )
            if (bias <= HIDDEN).all(axis=-1).any():
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
        if "bias" in node.arrays:
            return None
        queries, keys = shapes[0][1], shapes[1][1]
        return (1, 1, range(1 - queries, 1 + keys - queries)) if node.options["causal"] else (None, 0, range(keys))

    def axis_above(self, node, axis, index, shapes):
        return axis

    def entries(self, node, product, axis, index, shapes):
        if self.window(node, axis, index, shapes) is not None:
            return super().entries(node, product, axis, index, shapes)
        if axis == 0:
            width, heads = shapes[index][0] // node.options["heads"], self._heads_of(node, product[0])
            return np.add.outer(heads * width, range(width)).ravel()
        bias, count = node.arrays["bias"], shapes[1][1]
        if node.options["causal"]:
            count = product[1][-1] + 1 + shapes[1][1] - shapes[0][1]
        if len(bias) > 1:
            bias = bias[self._heads_of(node, product[0])]
        return np.flatnonzero((bias[:, product[1], :count] > HIDDEN).any(axis=(0, 1)))

    def _heads_of(self, node, channels):
        """The heads that channels belong to."""
        return np.unique(channels // (node.shape[0] // node.options["heads"]))

    def value(self, node, values):
        queries, keys, values = (self._heads(node, value) for value in values)
        weights = self._weights(node, queries, keys).swapaxes(-1, -2)
        if not (lost := np.isnan(values)).any():
            return self._joined(values @ weights)
        read = lost.astype(float) @ (weights != 0)  # a NaN that is hidden is not read, although 0 times it is one
        return self._joined(np.where(read > 0, np.nan, np.where(lost, 0.0, values) @ weights))

    def handed_back(self, node, array, values, held):
        """Weights of the values, with those of attention as they are; else of queries and keys, too."""
        queries, keys, values = (self._heads(node, value) for value in values)
        weights, above = self._weights(node, queries, keys), self._heads(node, array)
        handed = self._joined(above @ weights)
        if held:
            return [None, None, handed]
        change = node.options["scale"] * self._of_scores(weights, above, values)
        if cap := node.options["cap"]:
            change = change * (1 - (self._scores(node, queries, keys) / cap) ** 2)
        return [self._joined(keys @ change.swapaxes(-1, -2)), self._joined(queries @ change), handed]

    def held_value(self, node, values, signal):
        queries, keys, carried = (self._heads(node, value) for value in (*values[:2], signal[2]))
        return self._joined(carried @ self._weights(node, queries, keys).swapaxes(-1, -2))

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
            logits = np.where(bias > HIDDEN, logits + bias, -np.inf)
        if node.options["causal"]:
            count, read = logits.shape[-2:]
            logits = np.where(np.tri(count, read, read - count, dtype=bool), logits, -np.inf)
        return _softmax(logits, -1)


class Softmax(Operator):
    """Exponentials over their sum along an axis: gains that are shares, and no signal."""

    options = ("axis",)
    gains = "sample"

    def complete(self, shapes, arrays, options):
        rank = len(shapes[0])
        axis = check_integer(options.get("axis", 0), "axis", minimum=-rank, maximum=rank - 1) % rank
        return shapes[0], {}, {"axis": axis}

    def signals(self, node):
        return ()

    def window(self, node, axis, index, shapes):
        return (None, 0, range(shapes[0][axis])) if axis == node.options["axis"] else (axis, 1, (0,))

    def value(self, node, values):
        return _softmax(values[0], node.options["axis"] + 1)

    def handed_back(self, node, array, values, held):
        if held:
            return [self.held_value(node, values, [])]
        shares = self.value(node, values)
        return [shares * (array - (shares * array).sum(axis=node.options["axis"] + 1, keepdims=True))]

    def held_value(self, node, values, signal):
        raise ValueError(
            f"node {node.name!r}: expected a softmax whose shares multiply a signal, got one that is the signal; take "
            "what goes into it as the output"
        )


def _softmax(array, axis):
    """Exponentials over their sum along an axis."""
    powers = np.exp(array - array.max(axis=axis, keepdims=True))
    return powers / powers.sum(axis=axis, keepdims=True)
