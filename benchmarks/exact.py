"""Exact capacity over a finite field, and layers: closed forms against the definition."""

import numpy as np
from scipy.sparse import csr_array

from benchmarks.timing import alternate
from capacity.allocation import exact_capacity
from capacity.depth import propagate, uppermost_capacity
from capacity.layers import (
    augmented_capacity,
    convolution_projection,
    coupled_capacity,
    coupled_covariance,
    interpolation_problem,
    transition_matrix,
)
from capacity.models import DilatedConvolution

__all__ = ["layers", "network", "run"]


def run(stacks=((24, 4), (30, 4), (30, 8)), *, log=print):
    """Exact ranks of tiled stacks, given by their layers and channels."""
    rows = []
    for layers, channels in stacks:
        model = DilatedConvolution([2**i for i in range(layers // 3)] * 3, channels)
        seconds, results = alternate({"exact": lambda m=model: exact_capacity(m)}, 3)
        rows.append(
            {
                "layers": layers,
                "channels": channels,
                "inputs": model.n_inputs,
                "parameters": model.n_parameters,
                "seconds": seconds["exact"],
                "rank": results["exact"].total,
                "failure": float(results["exact"].failure_probability),
            }
        )
        log(f"exact, {layers} layers, c = {channels}: {seconds['exact']['median']:.3g} s, rank {rows[-1]['rank']}")
    return rows


def layers(sizes=((16, 32), (32, 64), (64, 64)), nu=0.3, parameters=16, *, log=print):
    """Capacity of the inputs of a layer at intermediate coupling: the formula against the augmented definition."""
    rows = []
    for n, m in sizes:
        projection, jacobian = interpolation_problem(inputs=n, outputs=m, parameters=parameters, rng=0)
        covariance = np.eye(n)

        def formula(p=projection, j=jacobian, c=covariance):
            return coupled_capacity(p, j, nu, c)

        def dense(p=projection, j=jacobian, c=covariance, m=m):
            return augmented_capacity(coupled_covariance(c, m, nu), p, j)

        seconds, results = alternate({"formula": formula, "definition": dense}, 3)
        difference = float(np.abs(results["formula"].copies - results["definition"].copies).max())
        rows.append({"inputs": n, "outputs": m, **seconds, "difference": difference})
        ratio = seconds["definition"]["median"] / seconds["formula"]["median"]
        log(f"layer {n} x {m}: formula {ratio:.0f} times faster, difference {difference:.1e}")
    return rows


def network(positions=10**6, depth=100, *, log=print):
    """Capacity network of many positions and layers, from one output to the inputs."""
    matrix = csr_array(transition_matrix(convolution_projection([0.5, 1.0, 0.5], positions)))
    start = uppermost_capacity(positions, "centre")
    seconds, results = alternate({"network": lambda: propagate([matrix] * depth, start)}, 3)
    moved = (matrix.nnz * 12 + 24 * positions) * depth  # values, column indices, the row pointers and both vectors
    lost = float(abs(results["network"].sum() - 1))
    log(f"network of {positions} positions x {depth} layers: {seconds['network']['median']:.3g} s")
    return {"positions": positions, "layers": depth, "seconds": seconds["network"], "bytes": moved, "lost": lost}
