"""Effective parameters of a piecewise-linear network on its activation regions: the rank of its tangents, exactly.

On a region all units stay on one piece of their activation, so that the outputs are affine functions of the input, and
so are their derivatives by the parameters. These are given by their values at any m + 1 points that span the m
dimensions in which the inputs lie, whether or not the points are in the region. The rank of the derivatives is that of
their inner products, the tangent kernel. Weights are binary fractions, so that it can be computed modulo a prime,
without rounding: the rank there is at most the true one, and less only if the prime happens to divide a minor.
"""

from itertools import pairwise

import numpy as np

from capacity.linalg import PRIME, rank_modulo
from capacity_studies.expressivity._stages import as_stages

__all__ = ["effective_parameters"]


def effective_parameters(layers, patterns, points):
    """Rank of the Fisher information of a network for inputs that fill some activation regions.

    Layers are dense and without residual connections, the last one a readout. Patterns, shape (regions, units), are
    those of `LineRegions` or `PlaneRegions`; points, shape (m + 1, inputs), span what the regions are pieces of: two
    points on the line, three in the plane.

    Examples
    --------
    >>> from capacity_studies.expressivity import regions_on_line, sawtooth
    >>> tent = sawtooth(1)  # two rectifiers, seven parameters, two pieces
    >>> effective_parameters(tent, regions_on_line(tent, [0.0], [1.0]).patterns, [[0.0], [1.0]])
    4
    """
    stages = as_stages(layers)
    if any(stage.residual is not None for stage in stages):
        raise ValueError("layers: expected dense layers, got residual ones; leave out residual")
    points, patterns = residues(points), np.asarray(patterns)
    regions, samples = len(patterns), len(points)
    bounds = np.cumsum([0, *(len(stage.weights[0]) if stage.kinks.size else 0 for stage in stages)])
    states, activities, gains = np.tile(points, (regions, 1)), [], []
    for stage, (low, high) in zip(stages, pairwise(bounds)):
        pieces = np.zeros((regions, states.shape[1]), int) if low == high else patterns[:, low:high]
        slopes, intercepts = (
            np.repeat(residues(values)[pieces], samples, axis=0) for values in (stage.slopes, stage.intercepts)
        )
        gains.append(slopes)
        activities.append((slopes * states + intercepts) % PRIME)
        states = (_product(activities[-1], residues(stage.weights).T) + residues(stage.bias)) % PRIME
    outputs = stages[-1].weights.shape[0]
    above, kernel = np.repeat(np.eye(outputs, dtype=np.int64), len(states), axis=0), np.int64(0)
    for layer, stage, gain, below in zip(layers[::-1], stages[::-1], gains[::-1], activities[::-1]):
        alike = np.tile(_product(below, below.T) + (layer.bias is not None), (outputs, outputs)) % PRIME
        kernel = (kernel + _product(above, above.T) * alike) % PRIME
        above = _product(above, residues(stage.weights)) * np.tile(gain, (outputs, 1)) % PRIME
    return rank_modulo(kernel)


def residues(values):
    """Binary fractions modulo the prime, as int64."""
    values = np.asarray(values, dtype=float)
    ratios = map(float.as_integer_ratio, values.ravel().tolist())
    return np.array([n * pow(d, -1, PRIME) % PRIME for n, d in ratios], np.int64).reshape(values.shape)


def _product(left, right):
    """Matrix product modulo the prime."""
    found = np.zeros((len(left), right.shape[1]), np.int64)
    for column, row in zip(left.T, right):
        found = (found + column[:, None] * row) % PRIME
    return found
