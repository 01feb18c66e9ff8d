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

_DEEP = 64  # layers, from which on arrays are quicker than lists


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
    freely, so that its dimension is at most this number.

    Equality is observed: over 600 blocks of dilations 1, b, b^2, ..., repeated up to three times, have it as exact
    rank, but for three (taps 4, b = 3) that lack 2 or 3. Of random dilations one stack in some thirty lacks a little.

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
    total = segment_total if len(model.taps) <= _DEEP else _deep_total
    return int(total(model.dilations, model.taps, (model.components, *model.channels, 1)))


def segment_total(dilations, taps, widths):
    """The same of checked integers, the widths being the channels at both ends of each layer."""
    layers, sizes = len(taps), _lags(tuple(dilations), tuple(taps))
    widths = list(widths)  # the fewest that reach the same coefficients, as in `DilatedConvolution.minimal`
    for end in range(1, layers):
        widths[end] = min(widths[end], sizes[0, end] * widths[0], taps[end - 1] * widths[end - 1])
    for start in range(layers - 1, 0, -1):
        widths[start] = min(widths[start], sizes[start, layers], taps[start] * widths[start + 1])
    least = [0]
    for end in range(1, layers + 1):
        whole = [widths[start] * sizes[start, end] * widths[end] for start in range(end)]
        cuts = [widths[start] ** 2 if start else 0 for start in range(end)]
        least.append(min(below + size - cut for below, size, cut in zip(least, whole, cuts)))
    return least[-1]


def _deep_total(dilations, taps, widths):
    """The same for any number of layers: some operations on arrays for each.

    What counts is at most the number of coefficients, 2^24, times the channels that reach as many: doubles are exact.
    """
    layers, widths = len(taps), np.array(widths, float)
    above = next(_lags_behind(dilations[::-1], taps[::-1]))
    for end, size in enumerate(next(_lags_behind(dilations, taps))[:-1], start=1):
        widths[end] = min(widths[end], size * widths[0], taps[end - 1] * widths[end - 1])
    for start in range(layers - 1, 0, -1):
        widths[start] = min(widths[start], above[layers - start - 1], taps[start] * widths[start + 1])
    least = np.r_[0.0, np.full(layers, np.inf)]
    for start, sizes in enumerate(_lags_behind(dilations, taps)):
        whole = widths[start] * sizes * widths[start + 1 :]
        cut = widths[start] ** 2 if start else 0
        least[start + 1 :] = np.minimum(least[start + 1 :], least[start] + whole - cut)
    return least[-1]


def _lags_behind(dilations, taps):
    """For each layer, the number of lags that the paths through each segment from there on reach.

    Once these are all lags up to the longest, and no dilation above leaves a gap behind them, each layer adds its span.
    """
    reach = np.cumsum([0, *((n - 1) * d for n, d in zip(taps, dilations))])
    widest = np.maximum.accumulate(dilations[::-1])[::-1]
    for start in range(len(taps)):
        sizes, reached, end = [], 1, start
        while end < len(taps) and not (reached.bit_count() == reached.bit_length() >= widest[end]):
            for _ in range(taps[end] - 1):
                reached |= reached << dilations[end]
            sizes.append(reached.bit_count())
            end += 1
        yield np.r_[sizes, reached.bit_count() + reach[end + 1 :] - reach[end]]


@lru_cache(maxsize=128)
def _lags(dilations, taps):
    """Number of lags that the paths through each segment reach, by its first layer and the one behind its last."""
    sizes = {}
    for start in range(len(taps)):
        reached = 1  # a bit for each lag
        for end in range(start, len(taps)):
            for _ in range(taps[end] - 1):
                reached |= reached << dilations[end]
            sizes[start, end + 1] = reached.bit_count()
    return sizes
