"""A piecewise-linear network as what its regions are computed from: weights, and kinks and slopes of activations."""

from typing import NamedTuple

import numpy as np

__all__ = ["Stage", "as_stages", "linear_pieces"]


class Stage(NamedTuple):
    """One layer x -> W f(x) + b, or x -> x + beta (W f(x) + b), with f = slopes[i] x + intercepts[i] on its piece i.

    Piece i reaches from kink i - 1 to kink i, which belongs to it. Without an activation there are no kinks.
    """

    weights: np.ndarray  # (outputs, inputs)
    bias: np.ndarray  # (outputs,)
    residual: float | None
    kinks: np.ndarray  # (m,)
    slopes: np.ndarray  # (m + 1,)
    intercepts: np.ndarray  # (m + 1,)

    def states(self, activities, states):
        """States above the layer, shape (outputs, ...), from the activities f(x) and the states x below it."""
        sums = np.tensordot(self.weights, activities, 1)
        sums += self.bias.reshape(-1, *[1] * (sums.ndim - 1))
        return sums if self.residual is None else states + self.residual * sums

    def scales(self, activities, states):
        """Largest sum of the absolute values of the terms of each unit, shape (outputs,): what rounding is relative to.

        `activities` and `states` have shape (inputs, points).
        """
        sums = np.abs(self.weights) @ np.abs(activities) + np.abs(self.bias)[:, None]
        if self.residual is not None:
            sums = np.abs(states) + self.residual * sums
        return sums.max(axis=1, initial=0.0)

    def pieces(self, states):
        """The piece that each state is on, of the same shape; a kink belongs to the piece below it."""
        return np.searchsorted(self.kinks, states, side="left").astype(np.int8)

    def activities(self, states):
        """f(x), of the same shape."""
        piece = self.pieces(states)
        return self.slopes[piece] * states + self.intercepts[piece]

    def maps(self, pieces, maps):
        """Affine maps above the layer from those below, shape (units, cells, directions + 1), the constant term last.

        `pieces`, shape (inputs, cells), says on which piece each unit is.
        """
        above = self.slopes[pieces][:, :, None] * maps
        above[:, :, -1] += self.intercepts[pieces]
        above = np.tensordot(self.weights, above, 1)
        above[:, :, -1] += self.bias[:, None]
        return above if self.residual is None else maps + self.residual * above


def as_stages(layers):
    """The stages of one dense piecewise-linear network without normalisation, from the inputs up."""
    stages = []
    for layer in layers:
        bias = np.zeros(layer.outputs) if layer.bias is None else layer.bias
        stages.append(Stage(layer.weights, bias, layer.residual, *linear_pieces(layer.activation)))
    return stages


def linear_pieces(activation):
    """Kinks, slopes and intercepts of an activation; those of the identity where there is none."""
    if activation is None:
        return np.zeros(0), np.ones(1), np.zeros(1)
    kinks = np.array(activation.kinks, dtype=float)
    points = np.array([0.0])
    if kinks.size:
        points = np.concatenate([[kinks[0] - 1], (kinks[1:] + kinks[:-1]) / 2, [kinks[-1] + 1]])
    slopes = np.asarray(activation.derivative(points), dtype=float)
    start = float(activation(points[:1])[0]) - slopes[0] * points[0]
    intercepts = start + np.concatenate([[0.0], np.cumsum(-np.diff(slopes) * kinks)])  # by continuity
    return kinks, slopes, intercepts
