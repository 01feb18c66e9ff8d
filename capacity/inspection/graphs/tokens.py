"""Operators whose gains follow from a sample: normalisation of what is read, and attention between positions.

Both multiply by numbers that they compute from their inputs, 1/std or the weights of a softmax. With these held the
rest is linear, as with the gain of an activation. No law is known for them, so that capacity needs data.
"""

import numpy as np

from capacity._validation import check_integer, check_integers, check_real
from capacity.inspection.graphs.rules import Operator

__all__ = ["Attention", "Normalize"]


class Normalize(Operator):
    """Centring, unless it is left out, and division by the root of the mean square along some axes.

    Of (channels, positions), layer normalisation has the axes (0,), RMSNorm the same without centring, instance
    normalisation the axes of positions. What multiplies and shifts afterwards is a `Scale`.
    """

    options = ("axes", "centred", "epsilon")
    gains = "sample"

    def complete(self, shapes, arrays, options):
        rank = len(shapes[0])
        axes = check_integers(options.get("axes", (0,)), "axes", minimum=-rank)
        axes = tuple(sorted({check_integer(axis, "axes", maximum=rank - 1) % rank for axis in axes}))
        epsilon = check_real(options.get("epsilon", 1e-5), "epsilon", minimum=0)
        return shapes[0], {}, {"axes": axes, "centred": bool(options.get("centred", True)), "epsilon": epsilon}

    def window(self, node, axis, index, shapes):
        return (None, 0, range(shapes[0][axis])) if axis in node.options["axes"] else (axis, 1, (0,))

    def value(self, node, values):
        centred = self._centred(node, values[0])
        return centred * self._gain(node, centred)

    def handed_back(self, node, array, values, held):
        """Weights of the input at 1/std as it is; else, with its derivative, what is left beside the value."""
        centred, handed = self._centred(node, values[0]), self._centred(node, array)
        gain = self._gain(node, centred)
        if not held:
            handed = handed - centred * gain**2 * self._mean(node, centred * array)
        return [handed * gain]

    def _mean(self, node, array):
        return array.mean(axis=tuple(axis + 1 for axis in node.options["axes"]), keepdims=True)

    def _centred(self, node, array):
        return array - self._mean(node, array) if node.options["centred"] else array

    def _gain(self, node, centred):
        return 1 / np.sqrt(self._mean(node, centred**2) + node.options["epsilon"])


class Attention(Operator):
    """Softmax attention of queries, keys and values, (channels, positions) each: the weights are gains of the values.

    Channels are those of one head after the other. A causal query at t of T reads the S keys up to t + S - T.
    """

    options = ("heads", "causal", "scale")
    counts = (3, 3)
    gains = "sample"

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
        return (values[0], queries[1]), {}, {"heads": heads, "causal": causal, "scale": scale}

    def window(self, node, axis, index, shapes):
        if axis == 1 and (index == 0 or node.options["causal"]):
            return (1, 1, (0,)) if index == 0 else None
        return None, 0, range(shapes[index][axis])

    def entries(self, node, product, axis, index, shapes):
        if self.window(node, axis, index, shapes) is not None:
            return super().entries(node, product, axis, index, shapes)
        return np.arange(product[1][-1] + 1 + shapes[1][1] - shapes[0][1])

    def value(self, node, values):
        queries, keys, values = (self._heads(node, value) for value in values)
        return self._joined(values @ self._weights(node, queries, keys).swapaxes(-1, -2))

    def handed_back(self, node, array, values, held):
        """Weights of the values, with those of attention as they are; else of queries and keys, too."""
        queries, keys, values = (self._heads(node, value) for value in values)
        weights, above = self._weights(node, queries, keys), self._heads(node, array)
        handed = self._joined(above @ weights)
        if held:
            return [None, None, handed]
        change = weights * (above.swapaxes(-1, -2) @ values)
        change = node.options["scale"] * (change - weights * change.sum(axis=-1, keepdims=True))
        return [self._joined(keys @ change.swapaxes(-1, -2)), self._joined(queries @ change), handed]

    def _heads(self, node, array):
        return array.reshape(len(array), node.options["heads"], -1, array.shape[-1])

    def _joined(self, array):
        return array.reshape(len(array), -1, array.shape[-1])

    def _weights(self, node, queries, keys):
        logits = node.options["scale"] * queries.swapaxes(-1, -2) @ keys
        if node.options["causal"]:
            count, read = logits.shape[-2:]
            logits = np.where(np.tri(count, read, read - count, dtype=bool), logits, -np.inf)
        powers = np.exp(logits - logits.max(axis=-1, keepdims=True))
        return powers / powers.sum(axis=-1, keepdims=True)
