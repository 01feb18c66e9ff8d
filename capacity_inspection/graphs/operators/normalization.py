"""Normalisation of what is read: its gain 1/std follows from the sample, and with that held it is linear."""

import numpy as np

from capacity._validation import check_integer, check_integers, check_real
from capacity_inspection.graphs.operators.rules import Operator

__all__ = ["Normalize"]


class Normalize(Operator):
    """Centring, unless it is left out, and division by the root of the mean square along some axes.

    Of (channels, positions), layer normalisation has the axes (0,), RMSNorm the same without centring, instance
    normalisation the axes of positions. What multiplies and shifts afterwards is a `Scale`.
    """

    options = ("axes", "centred", "epsilon")
    gains = "sample"
    in_step = True

    def complete(self, shapes, arrays, options):
        rank = len(shapes[0])
        axes = check_integers(options.get("axes", (0,)), "axes", minimum=-rank)
        axes = tuple(sorted({check_integer(axis, "axes", maximum=rank - 1) % rank for axis in axes}))
        epsilon = check_real(options.get("epsilon", 1e-5), "epsilon", minimum=0)
        return shapes[0], {}, {"axes": axes, "centred": bool(options.get("centred", True)), "epsilon": epsilon}

    def window(self, node, axis, index, shapes):
        return (None, 0, range(shapes[0][axis])) if axis in node.options["axes"] else (axis, 1, (0,))

    def spans(self, node, below, shapes):
        found = super().spans(node, below, shapes)
        alone = node.options["centred"] and all(shapes[0][axis] == 1 for axis in node.options["axes"])
        return found.masked(np.zeros((1,) * len(node.shape), dtype=bool)) if alone else found  # an entry less itself

    def value(self, node, values):
        centred = self._centred(node, values[0])
        return centred * self._gain(node, centred)

    def vjp(self, node, array, values):
        """Weights of the input: what is left beside the value."""
        centred, handed = self._centred(node, values[0]), self._centred(node, array)
        gain = self._gain(node, centred)
        return [(handed - centred * gain**2 * self._mean(node, centred * array)) * gain]

    def held(self, node, values, value=None):
        return self._gain(node, self._centred(node, values[0]))

    def held_jvp(self, node, held, signal):
        return self._centred(node, signal[0]) * held

    def held_vjp(self, node, held, array):
        return [self._centred(node, array) * held]

    def _mean(self, node, array):
        return array.mean(axis=tuple(axis + 1 for axis in node.options["axes"]), keepdims=True)

    def _centred(self, node, array):
        return array - self._mean(node, array) if node.options["centred"] else array

    def _gain(self, node, centred):
        return 1 / np.sqrt(self._mean(node, centred**2) + node.options["epsilon"])
