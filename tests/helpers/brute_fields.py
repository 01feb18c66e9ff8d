"""Receptive fields entry by entry, against what is told of them."""

import numpy as np

from capacity_inspection.graphs import Box

__all__ = ["box_of", "moves_along"]


def box_of(mask):
    """The smallest box around the entries that are true; None without any."""
    found = np.argwhere(mask)
    return Box(*(tuple(map(int, end)) for end in (found.min(axis=0), found.max(axis=0) + 1))) if found.size else None


def moves_along(own, axis, field, fields, n, *, exact):
    """Whether units along an axis see within what a `MovingField` has, and all of it where it lies in the borders."""
    for u in {at[own] for at in fields}:
        boxes = [box for at, box in fields.items() if at[own] == u and box is not None]
        if boxes:
            ends = min(box.start[axis] for box in boxes), max(box.stop[axis] for box in boxes)
            start = field.start + field.stride * u
            stop = start + field.extent
            if ends[0] < start or ends[1] > stop or (exact and start >= 0 and stop <= n and ends != (start, stop)):
                return False
    return True
