"""How far two spatial allocations are from each other (paper 1, Section 6.1, Figure 13)."""

from dataclasses import dataclass

import numpy as np

from capacity._validation import as_vector

__all__ = [
    "AllocationDistance",
    "allocation_distance",
]


@dataclass(frozen=True)
class AllocationDistance:
    """How far two spatial allocations are from each other.

    Attributes
    ----------
    largest, root_mean_square : float
        Of the differences per position.
    cumulative : float
        Kolmogorov's distance of the two allocations, each normalised to sum 1: the largest share of capacity that lies
        on the wrong side of some position. It ignores the total and the roughness.
    """

    largest: float
    root_mean_square: float
    cumulative: float


def allocation_distance(first, second):
    """Compare two allocations per position, for instance normalised by their numbers of components (Figure 13).

    Parameters
    ----------
    first, second : array_like, shape (positions,)
        Non-negative capacities, neither all zero.

    Returns
    -------
    AllocationDistance

    Examples
    --------
    >>> allocation_distance([0.5, 1.0], [1.0, 1.0]).largest
    0.5
    """
    first = as_vector(first, "first")
    second = as_vector(second, "second", length=first.size, remedy="compare allocations over the same positions")
    for name, values in (("first", first), ("second", second)):
        if values.min() < -1e-8 or values.sum() <= 0:
            raise ValueError(
                f"{name}: expected capacities >= 0 with a positive sum, got {values.min():g} at least; pass allocations"
            )
    difference = first - second
    cumulative = np.cumsum(first) / first.sum() - np.cumsum(second) / second.sum()
    return AllocationDistance(
        float(np.abs(difference).max()), float(np.sqrt(np.mean(difference**2))), float(np.abs(cumulative).max())
    )
