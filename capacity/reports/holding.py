"""How far back one has to go for a share of the capacity."""

import numpy as np
from numpy.typing import ArrayLike

from capacity._validation import as_vector, check_real

__all__ = ["SHARES", "holding_lags"]

SHARES = (0.5, 0.9, 0.99)
"""Of the capacity, of which reports say where they lie."""


def holding_lags(allocation: ArrayLike, share: float, *, rtol: float = 1e-9) -> int:
    """Smallest number of most recent positions that hold a share of the capacity.

    Parameters
    ----------
    allocation : array_like, shape (positions,)
        Capacities, the oldest position first.
    share : float
        Of their sum.
    rtol : float, optional
        What rounding may take from the sum.

    Returns
    -------
    int

    Raises
    ------
    TypeError, ValueError
        If there is no capacity, some is negative, or the share is not in (0, 1].

    Examples
    --------
    >>> holding_lags([1.0, 1.0, 2.0, 4.0], 0.5), holding_lags([1.0, 1.0, 2.0, 4.0], 0.8)
    (1, 3)
    """
    allocation = as_vector(allocation, "allocation")
    share = check_real(share, "share", above=0, maximum=1)
    total = allocation.sum()
    if total <= 0 or allocation.min() < -1e-8 * total:
        raise ValueError(
            f"allocation: expected capacities >= 0 with a positive sum, got {allocation.min():g} at least; pass those "
            "of a model"
        )
    return int(np.argmax(np.cumsum(allocation[::-1]) >= share * total * (1 - rtol))) + 1
