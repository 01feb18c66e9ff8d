"""Linear regions in a plane: the cells into which a piecewise-linear network divides a convex polygon, exactly.

Each unit is affine on each cell that the layers below it leave, so that its kinks are lines there, and a cell that has
corners on both sides of one is cut. What decides is the unit's value at the corners, as the network computes it there;
a new corner gets its values by interpolation on the edge that is cut. All cells that a unit cuts are cut at once.

Each corner is decided once for all cells around it, so that the cells stay a planar graph without gaps. What counts as
on a line is a stated tolerance, under which a line through a corner, along an edge or equal to another line makes no
cell of width zero; `PlaneRegions.margin` says how far from it all other corners were.
"""

from dataclasses import dataclass
from functools import cached_property
from itertools import product

import numpy as np
from scipy import sparse
from scipy.sparse import csgraph

from capacity_studies.expressivity._planar_graph import one_polygon, split
from capacity_studies.expressivity._point_location import locate
from capacity_studies.expressivity._stages import as_stages

__all__ = ["PlaneRegions", "regions_in_plane"]

_SQUARE = np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])


@dataclass(frozen=True)
class PlaneRegions:
    """The cells of a convex polygon on which a network is affine, with their maps, in flat arrays.

    A cell is where all units stay on one piece of their activation. Neighbours may have the same map of the outputs,
    where a unit that changes piece between them is not seen from above: `linear_components` joins these.

    `contacts` says how often a corner was found to be on the line of a unit that does not vanish altogether: zero in
    general position. `margin` is the smallest distance of all other corners from a line that was asked for, in the
    units of the tolerance: with the values of a unit relative to the largest sum of its terms' absolute values.
    Rounding puts a corner on the wrong side only where this is of the order of 1e-15, divided by the sine of the angle
    at which lines meet there.
    """

    vertices: np.ndarray  # (V, 2), coordinates in the plane
    corners: np.ndarray  # (N,), vertices around each cell, counterclockwise, those of cell i from offsets[i] on
    sides: np.ndarray  # (N,), the edge from each corner to the next
    offsets: np.ndarray  # (n_regions + 1,)
    edges: np.ndarray  # (E, 2), the vertices that each joins
    edge_units: np.ndarray  # (E,), the unit that changes piece across it, the first of those with this line; else -1
    slopes: np.ndarray  # (n_regions, outputs, 2): A of the outputs A p + c at a point p of the plane
    constants: np.ndarray  # (n_regions, outputs): c of these
    patterns: np.ndarray  # (n_regions, units), int8: the piece that each unit is on, from 0 at the lowest
    widths: tuple[int, ...]  # number of units that each layer's activation acts on; 0 for a layer without one
    contacts: int
    margin: float

    @property
    def n_regions(self):
        """Number of cells."""
        return self.offsets.size - 1

    @property
    def n_corners(self):
        """Number of corners of each cell, shape (n_regions,)."""
        return np.diff(self.offsets)

    @property
    def edge_layers(self):
        """The layer, counted from 1, to whose unit each edge belongs, shape (E,); 0 for inputs, -1 on the border."""
        layers = np.searchsorted(np.cumsum(self.widths), self.edge_units, side="right")
        return np.where(self.edge_units < 0, -1, layers)

    @cached_property
    def areas(self):
        """Area of each cell in the coordinates of the plane, shape (n_regions,)."""
        starts = self.offsets[:-1]
        first = np.repeat(self.vertices[self.corners[starts]], self.n_corners, axis=0)
        (x, y), stop = (self.vertices[self.corners] - first).T, self.offsets[1:] - 1
        following = np.arange(1, x.size + 1)
        following[stop] = starts
        return np.add.reduceat(x * y[following] - x[following] * y, starts) / 2

    @cached_property
    def centres(self):
        """Mean of the corners of each cell, a point inside it, shape (n_regions, 2)."""
        return np.add.reduceat(self.vertices[self.corners], self.offsets[:-1]) / self.n_corners[:, None]

    def polygon(self, region):
        """Corners of one cell, counterclockwise, shape (corners, 2)."""
        region %= self.n_regions
        return self.vertices[self.corners[self.offsets[region] : self.offsets[region + 1]]]

    def linear_components(self, *, rtol=1e-12):
        """The connected regions on which the outputs have one affine map, the linear regions in the narrow sense.

        They are unions of cells, and need not be convex: where all units that see a unit are dead, its change of piece
        changes nothing. Cells that differ in their pattern do not always differ in their map: two neighbours have the
        same one if they differ by at most `rtol` times the largest slope of the outputs. Returned is the component of
        each cell, from 0.
        """
        sides = np.argsort(self.sides, kind="stable")
        sides = sides[self.edge_units[self.sides[sides]] >= 0]  # two of each inner edge
        cells = np.repeat(np.arange(self.n_regions), self.n_corners)[sides].reshape(-1, 2).T
        steps = np.abs(self.slopes[cells[0]] - self.slopes[cells[1]]).max(axis=(1, 2), initial=0.0)
        joined = cells[:, steps <= rtol * np.abs(self.slopes).max(initial=0.0)]
        shape = (self.n_regions, self.n_regions)
        graph = sparse.coo_array((np.ones(joined.shape[1], bool), tuple(joined)), shape)
        return csgraph.connected_components(graph, directed=False)[1]

    def locate(self, points):
        """The cell that each point lies in, shape (points,), or -1 outside; on a border, the one it is deepest in."""
        return locate(self.vertices, self.corners, self.offsets, np.asarray(points, dtype=float))

    def outputs(self, points):
        """Outputs of the network by the maps of the cells, shape (points, outputs), at points of the plane."""
        cells = self.locate(points)
        if cells.min() < 0:
            raise ValueError(f"points: expected points in the polygon, got {points[np.argmin(cells)]}")
        return np.einsum("pij,pj->pi", self.slopes[cells], points) + self.constants[cells]


def regions_in_plane(layers, polygon=1.0, *, plane=None, rtol=1e-12):
    """Divide a convex polygon into the cells on which a piecewise-linear network is affine.

    Layers are dense, x -> W f(x) + b, also residual ones; what is above the last weights makes no cells, which a
    further layer with an activation and weights I does. The polygon has its corners in order, shape (corners, 2), or is
    half the side of a square around the origin; with `plane` = (origin, first, second) the inputs at the point (u, v)
    are origin + u first + v second, else they are u and v themselves.

    A corner is on the line of a unit if the unit's argument differs from a kink by at most `rtol` times the largest
    sum, over the corners of the cells that the layer below has left, of the absolute values of its terms: weights times
    activities, the bias, and the kink. Rounding errors are of order 1e-15 to 1e-14 in this unit.

    Figure 1 of Raghu et al. shows these cells layer by layer; see `PlaneRegions.edge_layers`. The number of cells can
    grow as a power of the width whose exponent is proportional to the depth (Montufar et al. 2014; Raghu et al.,
    Section 2). Keeping the values at the vertices and cutting edges is the idea of Berzins (2023).

    Examples
    --------
    >>> from capacity.activations import relu
    >>> from capacity.networks import Layer
    >>> layers = [Layer([[1.0, 0.0], [0.0, 1.0]]), Layer([[1.0, -1.0]], activation=relu())]
    >>> regions = regions_in_plane(layers)
    >>> regions.n_regions, regions.areas
    (4, array([1., 1., 1., 1.]))
    >>> regions.outputs([[0.5, 0.25], [-0.5, 0.25]])
    array([[ 0.25], [-0.25]])
    """
    stages = as_stages(layers)
    vertices, plane = as_polygon(polygon), as_plane(plane)
    maps = plane[:, None, :]  # (units, cells, 3): slopes in u and v, and the constant
    states = plane[:, :2] @ vertices.T + plane[:, 2:]
    scales = (np.abs(plane[:, :2]) @ np.abs(vertices.T) + np.abs(plane[:, 2:])).max(axis=1)

    graph, patterns, contacts, margin = one_polygon(len(vertices)), np.zeros((1, 0), np.int8), 0, np.inf
    for stage in stages:
        points = np.concatenate([vertices.T, states])
        graph, points, origins, found, nearest = _divide(graph, points, stage, scales, rtol, patterns.shape[1])
        vertices, states = points[:2].T, points[2:]
        contacts, margin = contacts + found, min(margin, nearest)
        pieces = _pieces_of_cells(graph, states, stage, scales, rtol)
        patterns = patterns[origins]
        if stage.kinks.size:
            patterns = np.concatenate([patterns, pieces.T], axis=1)
        maps = stage.maps(pieces, maps[:, origins])
        activities = stage.activities(states)
        scales = stage.scales(activities, states)
        states = stage.states(activities, states)
    return PlaneRegions(
        vertices=np.ascontiguousarray(vertices),
        corners=graph.corners,
        sides=graph.sides,
        offsets=graph.offsets,
        edges=graph.edges,
        edge_units=graph.lines,
        slopes=np.ascontiguousarray(maps[:, :, :2].transpose(1, 0, 2)),
        constants=np.ascontiguousarray(maps[:, :, 2].T),
        patterns=patterns,
        widths=tuple(stage.weights.shape[1] if stage.kinks.size else 0 for stage in stages),
        contacts=contacts,
        margin=margin,
    )


def _divide(graph, points, stage, scales, rtol, first):
    """Cut all cells by the kinks of one layer, of which unit 0 has the name `first`.

    Coordinates and states of each vertex are a column of `points`, which grows. Returns graph and points, the former
    cell of each cell, the number of contacts, and the margin.
    """
    used, origins, contacts, margin = points.shape[1], np.arange(graph.offsets.size - 1), 0, np.inf
    for unit, kink in product(range(len(scales)), stage.kinks):
        values, scale = points[2 + unit, :used] - kink, scales[unit] + abs(kink)
        on_line = np.abs(values) <= rtol * scale
        if on_line.all():
            continue
        contacts += int(np.count_nonzero(on_line))
        margin = min(margin, float(np.abs(values[~on_line]).min() / scale))
        signs = np.sign(values).astype(np.int8)
        signs[on_line] = 0
        try:
            graph, ends, parents = split(graph, signs, first + unit)
        except ValueError as error:
            raise ValueError(
                f"rtol: expected a tolerance above the rounding errors of this network, got {rtol:g}; pass a larger one"
            ) from error
        origins, new = origins[parents], slice(used, used + len(ends))
        points = _with_room(points, used, len(ends))
        low, high = values[ends].T
        before, behind = points[:, ends[:, 0]], points[:, ends[:, 1]]
        points[:, new] = before + low / (low - high) * (behind - before)
        points[2 + unit, new] = kink
        used += len(ends)
    return graph, points[:, :used], origins, contacts, margin


def _pieces_of_cells(graph, states, stage, scales, rtol):
    """The piece on which each unit is in each cell, shape (units, cells): above a kink where a corner is above it."""
    cells = graph.offsets.size - 1
    found = np.zeros((len(states), cells), np.int8)
    corners = sparse.csr_array((np.ones(graph.corners.size), graph.corners, graph.offsets), (cells, states.shape[1]))
    for kink in stage.kinks:
        above = states - kink > rtol * (scales + abs(kink))[:, None]
        found += (corners @ np.ascontiguousarray(above.T, dtype=float) > 0).T
    return found


def _with_room(points, used, more):
    """The table with place for more columns."""
    if used + more <= points.shape[1]:
        return points
    longer = np.empty((points.shape[0], 2 * (used + more)))
    longer[:, :used] = points[:, :used]
    return longer


def as_polygon(polygon):
    """Corners of a convex polygon, counterclockwise."""
    array = np.asarray(polygon, dtype=float)
    if array.ndim == 0:
        return _SQUARE * array
    x, y = (array - array[0]).T
    return array if np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y) > 0 else array[::-1]


def as_plane(plane):
    """Directions and origin of a plane in the space of inputs as columns, shape (inputs, 3)."""
    origin, *directions = ((0.0, 0.0), (1.0, 0.0), (0.0, 1.0)) if plane is None else plane
    return np.stack([*directions, origin], axis=1).astype(float)
