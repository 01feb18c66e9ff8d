"""The cells of a small network in exact rational arithmetic: what the double-precision ones are certified by.

Each weight is the rational number that its double stands for. A cell carries its polygon and the affine map of its
units, and each unit's kinks clip it as half-planes do, without tolerances: the definition, cell by cell. It is written
apart from `regions_in_plane`, which shares neither the arithmetic nor the way of cutting.
"""

from dataclasses import dataclass

import numpy as np
from flint import fmpq, fmpq_mat

from capacity_studies.expressivity._stages import as_stages
from capacity_studies.expressivity.plane_regions import as_plane, as_polygon

__all__ = ["RationalRegions", "rational_regions"]


@dataclass(frozen=True)
class RationalRegions:
    """The cells of a convex polygon on which a network is affine, exactly."""

    polygons: tuple  # of the corners (u, v) of each cell, counterclockwise
    maps: tuple  # of fmpq_mat, outputs by 3: the outputs at a point (u, v) are the map times (u, v, 1)
    patterns: np.ndarray  # (n_regions, units), int8, as in `PlaneRegions`

    @property
    def n_regions(self):
        """Number of cells."""
        return len(self.polygons)

    @property
    def areas(self):
        """Area of each cell, a list of fmpq."""
        return [_area(polygon) for polygon in self.polygons]

    def certifies(self, regions):
        """Whether `PlaneRegions` in double precision are these: the same number, with the same patterns."""
        found = sorted(map(tuple, regions.patterns.tolist()))
        return found == sorted(map(tuple, self.patterns.tolist()))


def rational_regions(layers, polygon=1.0, *, plane=None):
    """Divide a convex polygon into the cells of a piecewise-linear network, in rational arithmetic.

    Arguments as in `regions_in_plane`; the doubles are taken for the rational numbers that they are. The numbers grow
    with each layer: a cell takes about one millisecond above two hidden layers, three above three.
    """
    stages = as_stages(layers)
    corners = [(_rational(u), _rational(v)) for u, v in as_polygon(polygon).tolist()]
    cells = [(corners, _matrix(as_plane(plane)), ())]
    for stage in stages:
        cells = [above for cell in cells for above in _through(stage, *cell)]
    polygons, maps, patterns = zip(*cells)
    return RationalRegions(tuple(map(tuple, polygons)), maps, np.array(patterns, dtype=np.int8).reshape(len(cells), -1))


def _through(stage, corners, maps, pattern):
    """The cells into which one layer divides one cell, with the maps above the layer."""
    kinks, slopes, intercepts = ([_rational(x) for x in part.tolist()] for part in stage[3:])
    weights, bias = _matrix(stage.weights), stage.bias.tolist()
    units = [[maps[i, j] for j in range(3)] for i in range(maps.nrows())]
    parts = [(corners, ())]
    for row in units if kinks else ():
        parts = [(polygon, (*before, piece)) for face, before in parts for polygon, piece in _clip(face, row, kinks)]
    for polygon, pieces in parts:
        activities = [
            [slopes[piece] * a, slopes[piece] * b, slopes[piece] * c + intercepts[piece]]
            for (a, b, c), piece in zip(units, pieces or [0] * len(units))
        ]
        above = weights * fmpq_mat(activities)
        above += fmpq_mat([[0, 0, _rational(b)] for b in bias])
        if stage.residual is not None:
            above = maps + _rational(stage.residual) * above
        yield polygon, above, pattern + pieces


def _clip(polygon, row, kinks):
    """Parts of a polygon on which a unit is on one piece of its activation each, with that piece."""
    a, b, c = row
    for piece, kink in enumerate(kinks):
        values = [a * u + b * v + c - kink for u, v in polygon]
        if max(values) <= 0:
            break
        if min(values) < 0:
            yield _half(polygon, [-value for value in values]), piece
            polygon = _half(polygon, values)
    else:
        piece = len(kinks)
    yield polygon, piece


def _half(polygon, values):
    """The part of a convex polygon on which values given at its corners, and affine on it, are not negative."""
    found = []
    for i, (point, value) in enumerate(zip(polygon, values)):
        if value >= 0:
            found.append(point)
        other = values[(i + 1) % len(values)]
        if value * other < 0:
            share = value / (value - other)
            found.append(tuple(x + share * (y - x) for x, y in zip(point, polygon[(i + 1) % len(polygon)])))
    return found


def _area(polygon):
    following = polygon[1:] + polygon[:1]
    return sum((x * v - u * y for (x, y), (u, v) in zip(polygon, following)), fmpq(0)) / 2


def _rational(number):
    return fmpq(*number.as_integer_ratio())


def _matrix(array):
    return fmpq_mat([[_rational(x) for x in row] for row in array.tolist()])
