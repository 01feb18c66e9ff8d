"""Which entries of an array are read, exactly: products of indices along each axis, as few as will do."""

import numpy as np

from capacity_inspection.graphs.operators.boxes import Box

__all__ = ["box_around", "joined", "parted", "product_of"]

_MOST = 512  # products that one array is read in


def product_of(box):
    """The indices of a box along each axis."""
    return tuple(np.arange(a, b) for a, b in zip(box.start, box.stop))


def box_around(products):
    """The smallest box around some products, None if there are none."""
    if not products:
        return None
    start = tuple(int(min(indices[0] for indices in axis)) for axis in zip(*products))
    return Box(start, tuple(int(max(indices[-1] for indices in axis)) + 1 for axis in zip(*products)))


def joined(products, more):
    """Products that hold the entries of both, where those that another holds, or that differ along one axis, merge."""
    products = list(products)
    for new in more:
        rest = []
        while products:
            old = products.pop()
            differing = [k for k, (a, b) in enumerate(zip(old, new)) if not np.array_equal(a, b)]
            if all(_holds(new[k], old[k]) for k in differing):
                continue
            if all(_holds(old[k], new[k]) for k in differing):
                new = old
            elif len(differing) == 1:
                (k,) = differing
                new = (*new[:k], np.union1d(old[k], new[k]), *new[k + 1 :])
                products, rest = products + rest, []
            else:
                rest.append(old)
        products = [*rest, new]
    if len(products) > _MOST:
        raise ValueError(
            f"graph: expected fields of at most {_MOST} pieces, got {len(products)}; read a part of the network"
        )
    return products


def _holds(indices, others):
    """Whether increasing indices are among which others are."""
    if others[0] < indices[0] or others[-1] > indices[-1]:
        return False
    return indices[-1] - indices[0] + 1 == len(indices) or bool(np.isin(others, indices, assume_unique=True).all())


def parted(flat, sizes):
    """Increasing indices into a flattened array as products of indices into one of these sizes."""
    if len(sizes) == 1:
        return [(flat,)]
    first, rest = np.divmod(flat, int(np.prod(sizes[1:])))
    rows, tails = {}, {}
    for part in np.split(np.arange(flat.size), np.flatnonzero(np.diff(first)) + 1):
        key = rest[part].tobytes()
        rows.setdefault(key, []).append(first[part[0]])
        tails[key] = rest[part]
    return [(np.array(rows[key]), *product) for key, tail in tails.items() for product in parted(tail, sizes[1:])]
