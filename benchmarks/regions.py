"""Linear regions in a plane: faces per second, side by side with a peer that finds them one by one.

The networks are those of `DenseNetwork.initial(0)` with ReLUs: Gaussian weights of variance 2/inputs, standard normal
biases. The polygon is the square of half-width 50 around the origin.
"""

import numpy as np

from benchmarks.timing import alternate
from capacity.activations import relu
from capacity.networks import DenseNetwork
from capacity_studies.expressivity import regions_in_plane

try:
    import relucent
    from relucent.model.model import LinearLayer, ReLULayer, ReLUNetwork
except ImportError:  # an optional peer
    relucent = None

__all__ = ["peer", "run"]

SIZES = ((2, 32, 32, 1), (2, 64, 64, 64, 1), (2, 100, 100, 1))
HALF_WIDTH = 50.0


def run(sizes=SIZES, seed=0, runs=5, *, log=print):
    """All cells of random networks, with their polygons, affine maps and patterns."""
    rows = []
    for size in sizes:
        layers = _layers(size, seed)
        seconds, results = alternate({"ours": lambda net=layers: regions_in_plane(net, HALF_WIDTH)}, runs)
        rows.append(_row(size, seed, results["ours"]) | {"seconds": seconds["ours"]})
        rows[-1]["per_second"] = rows[-1]["regions"] / seconds["ours"]["median"]
        log(f"regions, {rows[-1]['stack']}: {rows[-1]['regions']} in {seconds['ours']['median']:.3g} s")
    return rows


def peer(sizes=((2, 8, 8, 1), (2, 16, 16, 1)), seed=0, runs=3, *, log=print):
    """The same cells by relucent, which crosses the sides of each cell that it finds, with linear programs.

    One process, cells clipped to the square, its certification of the whole complex left out.
    """
    rows = []
    for size in sizes:
        layers, names = _layers(size, seed), ("ours", "relucent")
        network = _peer_network(layers)
        calls = (lambda net=layers: regions_in_plane(net, HALF_WIDTH), lambda net=network: _peer_cells(net))
        seconds, results = alternate(dict(zip(names, calls)), runs)
        row = _row(size, seed, results["ours"]) | {"relucent_regions": len(results["relucent"])}
        rows.append(row | {"seconds": seconds["ours"], "relucent": seconds["relucent"]})
        times = seconds["relucent"]["median"] / seconds["ours"]["median"]
        log(f"regions, {row['stack']}: {row['regions']} and {row['relucent_regions']}, {times:.0f} times faster")
    return rows


def _layers(size, seed):
    network = DenseNetwork(size, relu())
    return network.with_parameters(network.initial(seed))


def _row(size, seed, regions):
    return {
        "stack": "-".join(map(str, size)),
        "inputs": size[0],
        "seed": seed,
        "half_width": HALF_WIDTH,
        "regions": regions.n_regions,
        "edges": len(regions.edges),
        "vertices": len(regions.vertices),
        "contacts": regions.contacts,
        "margin": regions.margin,
        "area_error": float(abs(regions.areas.sum() / (2 * HALF_WIDTH) ** 2 - 1)),
    }


def _peer_network(layers):
    parts = []
    for layer in layers:
        bias = np.zeros(layer.outputs) if layer.bias is None else layer.bias
        parts += [ReLULayer()] * bool(parts) + [LinearLayer(layer.weights, bias)]
    return ReLUNetwork(parts)


def _peer_cells(network):
    cells = relucent.Complex(network)
    start = np.array([[0.013, 0.021]])  # on no line
    cells.bfs(start, cube_radius=HALF_WIDTH, cube_mode="clipped", nworkers=1, verify=False, verbose=0)
    return cells
