"""How far capacity reaches: the box or the recent past that holds a given share of it."""

from typing import Any

import numpy as np

from capacity._validation import as_array, as_vector, check_real

__all__ = ["holding_lags", "holding_side"]


def holding_side(field: Any, share: float, centre: Any = None) -> float:
    """Side of the smallest centred box that holds a share of a field.

    Parameters
    ----------
    field : array_like, shape positions
        Capacity of each position, summed over channels; only the proportions matter.
    share : float
        In (0, 1].
    centre : tuple of float, optional
        Centre of the box. Default: of the field.

    Returns
    -------
    int or float
        Side in positions, the same along all axes; the box is cut off at the borders of the field. It is even where
        the centre lies between positions.

    Examples
    --------
    >>> holding_side([[0, 1, 0], [1, 4, 1], [0, 1, 0]], 0.5), holding_side([1, 4, 1, 1], 0.9, centre=(1,))
    (1, 5)
    """
    field = _checked(as_array(field, "field", axes=1, minimum=0))
    middle = [(n - 1) / 2 for n in field.shape] if centre is None else centre
    middle = as_vector(middle, "centre", length=field.ndim, remedy="pass one number per axis")
    distances = np.abs(np.indices(field.shape) - middle.reshape(-1, *[1] * field.ndim)).max(axis=0).ravel()
    order = np.argsort(distances, kind="stable")
    held = np.cumsum(field.ravel()[order])
    side = 2 * distances[order][_first_to_hold(held, share)] + 1
    return int(side) if side == int(side) else float(side)


def holding_lags(field: Any, share: float) -> int:
    """Number of most recent lags that hold a share of a field.

    Parameters
    ----------
    field : array_like, shape (steps,)
        Capacity of each step, the oldest first; only the proportions matter.
    share : float
        In (0, 1].

    Returns
    -------
    int

    Examples
    --------
    >>> holding_lags([0.1, 0.2, 0.3, 0.4], 0.7)
    2
    """
    field = _checked(as_vector(field, "field"))
    return int(_first_to_hold(np.cumsum(field[::-1]), share)) + 1


def _checked(field):
    if field.min() < 0 or not field.any():
        raise ValueError(
            f"field: expected numbers >= 0, not all zero, got {field.min():g} to {field.max():g}; pass a capacity"
        )
    return field / field.max()


def _first_to_hold(held, share):
    share = check_real(share, "share", above=0, maximum=1, remedy="pass a share in (0, 1]")
    return np.searchsorted(held, share * held[-1] * (1 - 1e-12))
