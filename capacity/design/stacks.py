"""The architectures that a search looks at: stacks of blocks of convolutions with dilations 1, b, b^2, ..."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from capacity._validation import check_integer, check_integers
from capacity.models.convolutions import DilatedConvolution

__all__ = ["DilatedStack", "stacks_within"]


@dataclass(frozen=True)
class DilatedStack:
    """`stacks` times the dilations 1, b, ..., b^(depth - 1), with as many taps and channels in each layer.

    Attributes
    ----------
    base, depth, stacks, taps, channels : int
        The base b of the dilations, the layers of a block, the blocks, the filter lengths and the hidden channels.

    Examples
    --------
    >>> stack = DilatedStack(base=2, depth=3, stacks=2, taps=2, channels=4)
    >>> stack.dilations, stack.lags, stack.parameters
    ((1, 2, 4, 1, 2, 4), 15, 144)
    """

    base: int
    depth: int
    stacks: int
    taps: int
    channels: int

    def __post_init__(self) -> None:
        for name in ("base", "depth", "stacks", "taps", "channels"):
            object.__setattr__(self, name, check_integer(getattr(self, name), name, minimum=1))

    @property
    def dilations(self) -> tuple[int, ...]:
        """d_1, ..., d_L, first layer first."""
        return tuple(self.base**i for i in range(self.depth)) * self.stacks

    @property
    def lags(self) -> int:
        """Length of the receptive field."""
        return 1 + (self.taps - 1) * sum(self.dilations)

    @property
    def parameters(self) -> int:
        """Number of parameters with one input component."""
        layers, c = self.depth * self.stacks, self.channels
        return self.taps * (1 if layers == 1 else 2 * c + (layers - 2) * c * c)

    def model(self, components: int = 1) -> DilatedConvolution:
        """The linear model itself."""
        return DilatedConvolution(self.dilations, self.channels, self.taps, components)


def stacks_within(
    budget: int,
    max_lags: int,
    *,
    bases: Sequence[int] = (1, 2, 3, 4),
    stacks: Sequence[int] = (1, 2, 3, 4),
    taps: Sequence[int] = (2, 3, 4, 5, 6, 8),
    channels: Sequence[int] = (1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24, 32),
    max_layers: int = 40,
) -> Iterator[DilatedStack]:
    """All stacks of at least two layers with at most so many parameters and lags.

    Parameters
    ----------
    budget : int
        Largest number of parameters.
    max_lags : int
        Longest receptive field.
    bases, stacks, taps, channels : sequence of int, optional
        The values to combine; depths are all that fit.
    max_layers : int, optional
        Most layers in all blocks together.

    Yields
    ------
    DilatedStack
        Base 1 has one block, as further ones are only further layers of it, and a block of one layer has base 1.
        Channels may be more than a stack can use, see `DilatedConvolution.minimal`.
    """
    budget, max_lags = check_integer(budget, "budget", minimum=1), check_integer(max_lags, "max_lags", minimum=2)
    max_layers = check_integer(max_layers, "max_layers", minimum=2)
    axes = {"bases": bases, "stacks": stacks, "taps": taps, "channels": channels}
    checked = {name: sorted(set(check_integers(values, name))) for name, values in axes.items()}
    for base in checked["bases"]:
        for blocks in checked["stacks"] if base > 1 else [1]:
            for n_taps in checked["taps"]:
                for depth in range(2, max_layers // blocks + 1):
                    shape = DilatedStack(base, depth, blocks, n_taps, 1)
                    if shape.lags > max_lags:
                        break
                    for width in checked["channels"]:
                        stack = DilatedStack(base, depth, blocks, n_taps, width)
                        if stack.parameters <= budget:
                            yield stack
