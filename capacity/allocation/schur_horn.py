"""Which allocations are possible: a constraint space with a given capacity per input.

Capacities per input are the diagonal of an orthogonal projection. By the theorem of Schur (1923) and Horn (1954) a
vector is one exactly if its entries lie between 0 and 1 and sum to an integer, which is the total capacity.
"""

import numpy as np
from numpy.typing import ArrayLike

from capacity._validation import as_vector, check_real
from capacity.allocation.constraints import ConstraintSpace
from capacity.linalg.subspaces import span

__all__ = ["space_of_allocation"]


def space_of_allocation(allocation: ArrayLike, *, atol: float = 1e-9) -> ConstraintSpace:
    """Constraint space that allocates given capacities to the inputs.

    Parameters
    ----------
    allocation : array_like, shape (n,)
        Capacity per input.
    atol : float, optional
        Rounding error allowed in the sum and in the bounds.

    Returns
    -------
    ConstraintSpace
        One of many: rotations within the constraints or signs of the inputs give others.

    Notes
    -----
    Rows of an orthonormal basis are rotated in pairs. In the order of the wanted lengths, a row that is too short
    and the next one that differs, too long, exchange squared length until one of the two is right. That the capacities
    before any place never fall short of the wanted ones stays true, so that such a pair exists until all rows are
    right, after n - 1 rotations at most (Chan and Li 1983; Dhillon, Heath, Sustik and Tropp 2005).

    Examples
    --------
    >>> space_of_allocation([0.25, 0.75, 1.0]).spatial().round(2)
    array([0.25, 0.75, 1.  ])
    """
    atol = check_real(atol, "atol", minimum=0, below=0.5)
    wanted = as_vector(allocation, "allocation")
    total = round(wanted.sum())
    if not (wanted.min() >= -atol and wanted.max() <= 1 + atol and abs(wanted.sum() - total) <= atol and total > 0):
        raise ValueError(
            f"allocation: expected capacities between 0 and 1 with a positive integer as their sum, got "
            f"{wanted.min():g} to {wanted.max():g} with the sum {wanted.sum():g}; rescale them"
        )
    order = np.argsort(wanted)
    rows = np.eye(wanted.size)[:, wanted.size - total :]  # the lengths 0 and 1 in the same order
    for _ in range(wanted.size - 1):
        missing = wanted[order] - np.square(rows).sum(axis=1)
        wrong = np.flatnonzero(np.abs(missing) > wanted.size * np.finfo(float).eps)
        turns = np.flatnonzero((missing[wrong][:-1] > 0) & (missing[wrong][1:] < 0))
        if turns.size == 0:
            break
        pair = wrong[turns[0] : turns[0] + 2]
        rows[pair] = _lengthened(rows[pair], np.abs(missing[pair]).min())
    return ConstraintSpace(span(rows[np.argsort(order)]))


def _lengthened(pair, gain):
    """Rotate two rows so that the first one's squared length grows by `gain`, at most what the second is longer."""
    (short, long), product = np.square(pair).sum(axis=1), pair[0] @ pair[1]
    # (row + t other)^2 = (1 + t^2) (short + gain) is quadratic in t; the two forms of its root avoid cancellation.
    root = np.sqrt(product**2 + gain * (long - short - gain))
    tangent = gain / (product + root) if product > 0 else (root - product) / (long - short - gain)
    cosine, sine = 1 / np.hypot(1, tangent), tangent / np.hypot(1, tangent)
    return np.array([[cosine, sine], [-sine, cosine]]) @ pair
