"""Activation patterns: on which linear piece each unit of a network is, and how many such patterns there are."""

from collections.abc import Sequence

import numpy as np

from capacity._validation import as_array
from capacity.networks.passes import Layer, forward_pass
from studies.expressivity.transitions import as_kinks, piece_numbers

__all__ = ["activation_patterns", "count_pattern_changes", "count_patterns"]


def activation_patterns(layers, inputs, *, kinks=None):
    """The activation pattern of a network at each of some inputs (survey, Section 2.1).

    Parameters
    ----------
    layers : sequence of Layer
        Of one network or of many; dense, the last one a readout.
    inputs : array_like, shape (..., samples, inputs)
        Any points, or those of a Curve.
    kinks : sequence of float, optional
        Where a unit changes its state. Default: the kinks of each layer's activation, which is piecewise linear then.

    Returns
    -------
    ndarray of uint8, shape (..., samples, hidden units)
        The piece on which each unit is, see `piece_numbers`, layer after layer.

    Examples
    --------
    >>> from capacity.activations import relu
    >>> from capacity.networks import Layer
    >>> layers = [Layer([[1.0, 0.0], [0.0, 1.0]]), Layer([[1.0, 1.0]], activation=relu())]
    >>> activation_patterns(layers, [[1.0, 2.0], [-1.0, 3.0]])
    array([[1, 1], [0, 1]], dtype=uint8)
    """
    if not isinstance(layers, Sequence) or len(layers) < 2 or not all(isinstance(layer, Layer) for layer in layers):
        raise TypeError(f"layers: expected two Layers or more, got {layers!r}; pass them from the inputs up")
    if any(layer.dimensions for layer in layers):
        raise ValueError("layers: expected dense layers, got convolutions; pass dense ones")
    given = None if kinks is None else as_kinks(kinks)
    forward = forward_pass(layers, inputs)
    patterns = []
    for layer, sums in zip(layers[1:], forward.arguments[1:]):
        own = given if given is not None else getattr(layer.activation, "kinks", ())
        if own is None or not len(own):
            name = getattr(layer.activation, "name", "none")
            raise ValueError(
                f"layers: expected piecewise-linear activations with kinks, got {name}; pass kinks=(0.0,) for signs"
            )
        patterns.append(piece_numbers(sums, own))
    return np.concatenate(patterns, axis=-1)


def count_patterns(patterns):
    """How many different patterns there are among the samples.

    Parameters
    ----------
    patterns : array_like, shape (..., samples, units)
        Whole numbers from 0 to 255.

    Returns
    -------
    int or ndarray of int, shape (...)
        One number for each network. Rows are compared as they are, packed to bits; no hash can make two of them equal.

    Examples
    --------
    >>> count_patterns([[0, 1], [1, 1], [0, 1]])
    2
    """
    patterns = _as_patterns(patterns)
    packed = np.concatenate(
        [np.packbits(patterns > level, axis=-1) for level in range(max(patterns.max(), 1))], axis=-1
    )
    rows = packed.reshape(-1, *packed.shape[-2:])
    new = np.ones(rows.shape[:-1], bool)  # along a curve most rows repeat the one before, and need not be sorted
    new[:, 1:] = (rows[:, 1:] != rows[:, :-1]).any(axis=-1)
    counts = [len(np.unique(network[other], axis=0)) for network, other in zip(rows, new)]
    return counts[0] if patterns.ndim == 2 else np.reshape(counts, patterns.shape[:-2])


def count_pattern_changes(patterns, *, closed=False):
    """How often the pattern changes from one sample to the next, along a curve.

    Parameters
    ----------
    patterns : array_like, shape (..., points, units)
        Along the curve, whole numbers from 0 to 255.
    closed : bool, optional
        Whether the first point follows upon the last.

    Returns
    -------
    int or ndarray of int, shape (...)
        Along an open curve at least `count_patterns` - 1: a pattern may come again.
    """
    patterns = _as_patterns(patterns)
    changes = (np.roll(patterns, -1, axis=-2) != patterns).any(axis=-1)
    found = (changes if closed else changes[..., :-1]).sum(axis=-1)
    return int(found) if patterns.ndim == 2 else found


def _as_patterns(patterns):
    remedy = "pass those of activation_patterns"
    if isinstance(patterns, np.ndarray) and patterns.dtype in (np.uint8, np.bool_) and patterns.ndim >= 2:
        found = patterns.view(np.uint8)
    else:
        found = as_array(patterns, "patterns", axes=2, minimum=0, whole=True, remedy=remedy)
    if found.size == 0 or found.max() > 255:
        raise ValueError(f"patterns: expected whole numbers up to 255, at least one, got others; {remedy}")
    return found.astype(np.uint8, copy=False)
