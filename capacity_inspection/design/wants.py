"""What is wanted of an allocation: a share of the capacity at some lags, or these lags full."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from capacity._validation import as_array, as_list, check_instance, check_integer, check_real

__all__ = ["Want", "unmet"]


@dataclass(frozen=True)
class Want:
    """Capacity wanted at the lags from `first` to `last`, both included; lag 1 is the most recent input.

    Exactly one of `share` and `full` is given.

    Parameters
    ----------
    lags : tuple of int
        (first, last); None as the last one stands for all older lags.
    share : float, optional
        At least this part of the total capacity, in (0, 1].
    full : float, optional
        At least this part of the capacity that these lags can hold, one for each lag, in (0, 1]: 1 wants them full.

    Examples
    --------
    Half of the capacity beyond lag 256, and lags 1 to 64 full:

    >>> wants = [Want((257, None), share=0.5), Want((1, 64), full=1.0)]
    """

    lags: tuple[int, int | None]
    share: float | None = None
    full: float | None = None

    def __post_init__(self) -> None:
        lags = as_list(self.lags, "lags", "pass (first, last)")
        if len(lags) != 2:
            raise ValueError(f"lags: expected a first and a last lag, got {len(lags)} numbers; pass (first, last)")
        first = check_integer(lags[0], "lags[0]", minimum=1, remedy="count lags from 1, the most recent input")
        last = lags[1]
        if last is not None:
            last = check_integer(
                last, "lags[1]", minimum=first, remedy="pass (first, last), or None for all older ones"
            )
        object.__setattr__(self, "lags", (first, last))
        if (self.share is None) == (self.full is None):
            given = "none" if self.share is None else "both"
            raise ValueError(f"share, full: expected exactly one of them, got {given}; pass share=0.5 or full=1.0")
        if self.full is not None and last is None:
            raise ValueError("full: expected a last lag, got None; pass lags=(first, last), or share instead")
        for name in ("share", "full"):
            if (value := getattr(self, name)) is not None:
                object.__setattr__(self, name, check_real(value, name, above=0, maximum=1))

    def __str__(self) -> str:
        first, last = self.lags
        one = f"at lag {first}" if first == last else f"at lags {first} to {last}"
        lags = f"beyond lag {first - 1}" if last is None else one
        (amount,) = (each for each in (self.share, self.full) if each is not None)
        return f"{100 * amount:.6g}% {'of the capacity' if self.full is None else 'full'} {lags}"

    def shortfall(self, allocation: ArrayLike) -> np.ndarray:
        """How much is missing: 0 where the want is met, at most `share` or `full`.

        Parameters
        ----------
        allocation : array_like, shape (..., n)
            Capacity of each lag, the most recent first; lags beyond n have none.

        Returns
        -------
        ndarray, shape (...)
        """
        return np.maximum(self.missing(allocation), 0.0)

    def missing(self, allocation: ArrayLike) -> np.ndarray:
        """The same, but negative where there is more than wanted."""
        allocation = as_array(allocation, "allocation", axes=1, minimum=0, remedy="pass the capacity of each lag")
        return self._lacking(self._there(allocation), allocation.sum(axis=-1))

    def least(self, most: ArrayLike, total: ArrayLike) -> np.ndarray:
        """The least shortfall of a total capacity of which each lag holds at most so much.

        Parameters
        ----------
        most : array_like, shape (..., n)
        total : array_like, shape (...)

        Returns
        -------
        ndarray, shape (...)
        """
        most = as_array(most, "most", axes=1, minimum=0, remedy="pass the most that each lag can hold")
        total = as_array(total, "total", minimum=0)
        return np.maximum(self._lacking(np.minimum(self._there(most), total), total), 0.0)

    def _there(self, allocation):
        return allocation[..., self.lags[0] - 1 : self.lags[1]].sum(axis=-1)

    def _lacking(self, there, total):
        first, last = self.lags
        if last is not None and self.full is not None:
            return self.full - there / (last - first + 1)
        return self.share - there / np.where(total > 0, total, 1.0)


def unmet(wants: Iterable[Want], allocation: ArrayLike) -> np.ndarray:
    """The sum of the shortfalls of some wants.

    Parameters
    ----------
    wants : iterable of Want
    allocation : array_like, shape (..., n)
        Capacity of each lag, the most recent first.

    Returns
    -------
    ndarray, shape (...)
        0 where all are met.

    Examples
    --------
    >>> float(unmet([Want((1, 2), full=1.0), Want((3, None), share=0.5)], [1.0, 0.5, 0.25, 0.25]))
    0.5
    """
    return np.sum([want.shortfall(allocation) for want in as_wants(wants)], axis=0)


def as_wants(wants):
    """The wants as a checked tuple; a single one stands for itself."""
    remedy = "pass [Want((257, None), share=0.5), ...]"
    wants = [wants] if isinstance(wants, Want) else as_list(wants, "wants", remedy)
    return tuple(check_instance(want, f"wants[{i}]", Want, remedy) for i, want in enumerate(wants))
