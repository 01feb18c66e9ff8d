"""Activation patterns: on which linear piece each unit of a network is, and how many such patterns there are."""

import numpy as np

from capacity.networks.passes import forward_pass
from capacity_studies.expressivity.transitions import piece_numbers

__all__ = ["activation_patterns", "count_pattern_changes", "count_patterns"]


def activation_patterns(layers, inputs, *, kinks=None):
    """The activation pattern of a network at each of some inputs (survey, Section 2.1).

    Layers are dense, the last one a readout, of one network or of many; inputs have shape (..., samples, inputs),
    patterns (..., samples, hidden units), uint8: the piece on which each unit is, see `piece_numbers`, layer after
    layer. By default a unit changes its state at the kinks of its activation.

    Examples
    --------
    >>> from capacity.activations import relu
    >>> from capacity.networks import Layer
    >>> layers = [Layer([[1.0, 0.0], [0.0, 1.0]]), Layer([[1.0, 1.0]], activation=relu())]
    >>> activation_patterns(layers, [[1.0, 2.0], [-1.0, 3.0]])
    array([[1, 1], [0, 1]], dtype=uint8)
    """
    arguments = forward_pass(layers, inputs).arguments
    return np.concatenate(
        [
            piece_numbers(sums, layer.activation.kinks if kinks is None else kinks)
            for layer, sums in zip(layers[1:], arguments[1:])
        ],
        axis=-1,
    )


def count_patterns(patterns):
    """How many different patterns (..., samples, units) there are among the samples, for each network.

    Rows are compared as they are, packed to bits; no hash can make two of them equal.

    Examples
    --------
    >>> count_patterns([[0, 1], [1, 1], [0, 1]])
    2
    """
    patterns = np.asarray(patterns, np.uint8)
    packed = np.concatenate(
        [np.packbits(patterns > level, axis=-1) for level in range(max(patterns.max(), 1))], axis=-1
    )
    rows = packed.reshape(-1, *packed.shape[-2:])
    new = np.ones(rows.shape[:-1], bool)  # along a curve most rows repeat the one before, and need not be sorted
    new[:, 1:] = (rows[:, 1:] != rows[:, :-1]).any(axis=-1)
    counts = [len(np.unique(network[other], axis=0)) for network, other in zip(rows, new)]
    return counts[0] if patterns.ndim == 2 else np.reshape(counts, patterns.shape[:-2])


def count_pattern_changes(patterns, *, closed=False):
    """How often the pattern changes from one sample to the next, along a curve, which may be closed.

    Along an open curve at least `count_patterns` - 1: a pattern may come again.
    """
    patterns = np.asarray(patterns, np.uint8)
    changes = (np.roll(patterns, -1, axis=-2) != patterns).any(axis=-1)
    found = (changes if closed else changes[..., :-1]).sum(axis=-1)
    return int(found) if patterns.ndim == 2 else found
