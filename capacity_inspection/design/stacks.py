"""The architectures that a search looks at: stacks of dilated convolutions, by what they cost."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import combinations, pairwise
from math import comb

import numpy as np

from capacity._validation import check_integer, check_integers
from capacity_inspection.design.segments import segment_total

__all__ = ["StackFamily", "all_dilations_up_to", "stacks_within"]

MANY, LAGS = 50_000, 2**25  # ways to choose the dilations of a number of layers that are all looked at; lags of all
BASES, TAPS, CHANNELS = (1, 2, 3, 4), (2, 3, 4, 5, 6, 8), (1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24, 32)


@dataclass(frozen=True)
class StackFamily:
    """Stacks with the same taps and channels, hence the same number of parameters, which differ in their dilations.

    Attributes
    ----------
    taps : tuple of int
        Filter lengths of the layers.
    channels : tuple of int
        Output channels of the hidden layers.
    dilations : ndarray of int, shape (stacks, layers)
    components : int
        Input channels.

    Examples
    --------
    >>> family = StackFamily((2, 2), (1,), np.array([[1, 2], [1, 3]]))
    >>> family.parameters, family.lags
    (4, 5)
    """

    taps: tuple[int, ...]
    channels: tuple[int, ...]
    dilations: np.ndarray = field(repr=False, compare=False)
    components: int = 1

    @cached_property
    def parameters(self) -> int:
        """Number of parameters of each."""
        widths = (self.components, *self.channels, 1)
        return sum(taps * below * above for taps, (below, above) in zip(self.taps, pairwise(widths)))

    @property
    def lags(self) -> int:
        """Length of the longest field."""
        return 1 + int((self.dilations * (np.array(self.taps) - 1)).sum(axis=1).max())


def all_dilations_up_to(max_lags: int) -> int:
    """Number of layers up to which a search looks at all dilations whose field has at most so many lags.

    There are binomial(max_lags - 1, L) stacks of L layers of two taps. Up to 50 000 of each depth are looked at, if
    their fields have at most 2^25 lags in all; beyond 5793 lags not even those of one layer.

    Examples
    --------
    >>> all_dilations_up_to(16), all_dilations_up_to(1024)
    (15, 1)
    """
    longest = check_integer(max_lags, "max_lags", minimum=2) - 1
    most = min(MANY, LAGS // max_lags)
    return next((depth - 1 for depth in range(1, longest + 1) if comb(longest, depth) > most), longest)


def stacks_within(
    budget: int,
    max_lags: int,
    *,
    components: int = 1,
    bases: Sequence[int] = BASES,
    repeats: Sequence[int] = (1, 2, 3, 4),
    taps: Sequence[int] = TAPS,
    channels: Sequence[int] = CHANNELS,
    max_layers: int = 100,
) -> Iterator[StackFamily]:
    """Stacks with at most so many parameters and lags, as many taps in each layer, and as many channels.

    Up to `all_dilations_up_to` layers have any dilations. More layers are blocks of the dilations 1, b, b^2, ..., one
    after the other, with no more channels than make them full; a single layer has one of these. Near the ends of a
    stack there are fewer channels, where fewer do the same: at most one for each path to them. Of stacks that differ
    only in an order that does not matter, one is there.

    Parameters
    ----------
    budget : int
        Largest number of parameters.
    max_lags : int
        Longest receptive field.
    components : int, optional
        Components of the input.
    bases, repeats : sequence of int, optional
        Of the blocks: b, and how many there are.
    taps, channels : sequence of int, optional
        The values to combine; depths are all that fit.
    max_layers : int, optional
        Most layers of all blocks together.

    Yields
    ------
    StackFamily
        Those of a single layer first.

    Examples
    --------
    >>> sum(len(family.dilations) for family in stacks_within(6, 8))
    39
    """
    budget, max_lags = check_integer(budget, "budget", minimum=1), check_integer(max_lags, "max_lags", minimum=2)
    max_layers = check_integer(max_layers, "max_layers", minimum=1)
    components = check_integer(components, "components", minimum=1)
    axes = {"bases": bases, "repeats": repeats, "taps": taps, "channels": channels}
    checked = {name: sorted(set(check_integers(values, name))) for name, values in axes.items()}
    free = all_dilations_up_to(max_lags)
    for depth in range(1, max(free, max_layers) + 1):
        for n_taps in checked["taps"]:
            longest = (max_lags - 1) // (n_taps - 1) if n_taps > 1 else 0
            if longest < depth:
                continue
            blocks = _blocks(depth, longest, checked["bases"], checked["repeats"])
            for hidden in {_widths(depth, n_taps, width, components): None for width in checked["channels"]}:
                family = StackFamily((n_taps,) * depth, hidden, np.array(blocks).reshape(-1, depth), components)
                if family.parameters > budget:
                    break
                if depth <= free:
                    order = "none" if components > 1 else "any" if set(hidden) <= {1} else "reversed"
                    yield StackFamily(family.taps, hidden, _all_dilations(depth, longest, order), components)
                elif blocks:
                    yield family
                    blocks = [row for row in blocks if not _is_full(row, family)]


def _widths(depth, taps, channels, components):
    """Channels of the hidden layers, at most as many as paths from the input or to the output."""
    return tuple(min(channels, components * taps**layer, taps ** (depth - layer)) for layer in range(1, depth))


def _is_full(dilations, family):
    """Whether a stack reaches all coefficients at its lags, which more channels cannot add to."""
    taps, widths = family.taps, (family.components, *family.channels, 1)
    unbounded = (family.components, *[2**62] * len(family.channels), 1)
    return segment_total(dilations, taps, widths) == segment_total(dilations, taps, unbounded)


@lru_cache(maxsize=256)
def _all_dilations(depth, longest, same):
    """All dilations of a sum up to `longest`, one of those that are the `same`: in any order, reversed, or none.

    A product of polynomials does not depend on the order of its factors. That of matrix polynomials is transposed
    where it is reversed, and with one input and one output it remains the same.
    """
    ends = np.array(list(combinations(range(1, longest + 1), depth)), dtype=int).reshape(-1, depth)
    dilations = np.diff(ends, axis=1, prepend=0)
    if same == "any":
        return dilations[np.all(np.diff(dilations, axis=1) >= 0, axis=1)]
    if same == "reversed":
        unequal = dilations != dilations[:, ::-1]
        first = np.arange(len(dilations)), unequal.argmax(axis=1)
        return dilations[~unequal.any(axis=1) | (dilations[first] < dilations[:, ::-1][first])]
    return dilations


def _blocks(depth, longest, bases, repeats):
    """The dilations 1, b, b^2, ..., repeated, of a sum up to the longest; of one layer, each of them."""
    if depth == 1:
        powers = {base**i for base in bases for i in range(longest.bit_length())}
        return [(power,) for power in sorted(powers) if power <= longest]
    found = {}
    for base in bases:
        for blocks in repeats if base > 1 else [1]:
            if depth % blocks == 0:
                found[tuple(base**i for i in range(depth // blocks)) * blocks] = None
    return [row for row in found if sum(row) <= longest]
