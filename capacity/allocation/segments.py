"""Capacity of any stack of dilated convolutions in closed form: the cheapest way to divide it into segments.

A segment of successive layers is one convolution, with as many free entries as it has lags times the channels at both
ends; a layer by itself is the shortest. Behind each segment but the last, the basis of the channels is free.
"""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from capacity._validation import check_size
from capacity.models.convolutions import DilatedConvolution

__all__ = ["segment_capacity"]


def segment_capacity(
    dilations: Sequence[int], channels: int | Sequence[int] = 1, taps: int | Sequence[int] = 2, components: int = 1
) -> int:
    """Total capacity of a stack of dilated convolutions in closed form, whether or not its lags overlap.

    Parameters
    ----------
    dilations, channels, taps, components
        As of `DilatedConvolution`.

    Returns
    -------
    int
        The least of sum_s c_{a(s)} |lags of segment s| c_{b(s)} - sum_cuts c^2 over all divisions of the layers into
        segments s from channels a(s) to channels b(s), with no more channels than the model's `minimal` form has.

    Notes
    -----
    The set of all coefficients is the image of the segments' filters, on which a change of basis at each cut acts
    freely, so that its dimension is at most this number. Equality is an observation: of over 600 blocks of dilations
    1, b, b^2, ..., repeated up to three times, all but three have it as their exact rank, and those (taps 4, b = 3)
    lack 2 or 3. With dilations at random one in some thirty lacks a little.

    One segment gives the number of inputs that some path reaches, single layers the parameters less the bases; for
    hierarchical stacks the least is the dimension of the tensor trains, `tensor_train_capacity`.

    Examples
    --------
    >>> segment_capacity([1, 2, 4, 8, 16, 32], channels=2)
    20
    >>> segment_capacity([1, 2, 4, 1, 2, 4], channels=2)
    15
    """
    model = DilatedConvolution(dilations, channels, taps, components)
    check_size(model.n_inputs, "dilations", "coefficients", maximum=2**24, remedy="take fewer layers")
    layers = tuple(zip(model.dilations, model.taps))
    widths = _minimal(layers, [model.components, *model.channels, 1])
    least = [0]
    for end in range(1, len(layers) + 1):
        sizes = [widths[start] * _reach(layers[start:end]) * widths[end] for start in range(end)]
        cuts = [widths[start] ** 2 if start else 0 for start in range(end)]
        least.append(min(below + size - cut for below, size, cut in zip(least, sizes, cuts)))
    return int(least[-1])


def _minimal(layers, widths):
    """The fewest channels of each layer that reach the same coefficients, as in `DilatedConvolution.minimal`."""
    for end, (_, taps) in enumerate(layers[:-1], start=1):
        widths[end] = min(widths[end], _reach(layers[:end]) * widths[0], taps * widths[end - 1])
    for start in range(len(layers) - 1, 0, -1):
        widths[start] = min(widths[start], _reach(layers[start:]), layers[start][1] * widths[start + 1])
    return widths


@lru_cache(maxsize=2**14)
def _reach(layers):
    """Number of lags that the paths through some layers (dilation, taps) reach."""
    length = 1 + sum((taps - 1) * dilation for dilation, taps in layers)
    reached = np.zeros(length, dtype=bool)
    reached[0] = True
    for dilation, taps in layers:
        before = reached.copy()
        for tap in range(1, taps):
            reached[tap * dilation :] |= before[: length - tap * dilation]
    return int(reached.sum())
