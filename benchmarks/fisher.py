"""Derivatives by parameters: per-sample Jacobians and Fisher-vector products, side by side with PyTorch.

The network has rectifiers and a softmax; its Fisher information is the true one. The peer is what a user of PyTorch
would write, in double precision: `vmap(jacrev(...))` of `torch.func` for the Jacobians, `jvp` and `vjp` for products.
"""

import numpy as np

from benchmarks.timing import alternate
from capacity.activations import relu
from capacity.networks import DenseNetwork, parameter_jacobian
from capacity_studies.geometry import fisher_spectrum, fisher_vector_product

try:
    from benchmarks import pytorch_derivatives
except ImportError:  # an optional peer
    pytorch_derivatives = None

__all__ = ["peer", "run"]

SIZES = (((64, 50, 50, 10), 100), ((64, 100, 100, 10), 200), ((784, 100, 10), 50))
SPECTRUM = (64, 270, 270, 10)  # some 94 000 parameters


def run(sizes=SPECTRUM, samples=100, seed=0, runs=5, *, log=print):
    """The spectrum of a Fisher matrix of 10^5 parameters, on the side of the samples."""
    layers, inputs = _network(sizes, samples, seed)
    seconds, results = alternate({"ours": lambda: fisher_spectrum(layers, inputs)}, runs)
    row = _row(sizes, samples) | {"values": len(results["ours"]), "seconds": seconds["ours"]}
    log(f"spectrum, {row['stack']}: {row['values']} values in {seconds['ours']['median']:.3g} s")
    return [row]


def peer(sizes=SIZES, seed=0, runs=7, *, log=print):
    """Jacobians and products of both, with the largest relative difference of the results."""
    rows = []
    for size, samples in sizes:
        layers, inputs = _network(size, samples, seed)
        vector = np.random.default_rng(seed).standard_normal(DenseNetwork(size, relu(), bias=False).n_parameters)
        network = pytorch_derivatives.Derivatives(layers, inputs)
        pairs = {
            "jacobian": (lambda net=layers, x=inputs: parameter_jacobian(net, x), network.jacobian),
            "product": (
                lambda net=layers, x=inputs, v=vector: fisher_vector_product(net, x, v),
                lambda net=network, v=vector: net.fisher_vector_product(v),
            ),
        }
        for what, calls in pairs.items():
            seconds, results = alternate(dict(zip(("ours", "PyTorch"), calls)), runs)
            difference = np.abs(results["ours"] - results["PyTorch"]).max() / np.abs(results["PyTorch"]).max()
            row = _row(size, samples) | {"what": what, "difference": float(difference)}
            rows.append(row | {"seconds": seconds["ours"], "PyTorch": seconds["PyTorch"]})
            times = seconds["PyTorch"]["median"] / seconds["ours"]["median"]
            log(f"{what}, {row['stack']}, {samples} samples: {times:.2f} times as fast as PyTorch")
    return rows


def _network(sizes, samples, seed):
    network = DenseNetwork(sizes, relu(), bias=False)
    return network.with_parameters(network.initial(seed)), np.random.default_rng(seed).random((samples, sizes[0]))


def _row(sizes, samples):
    parameters = DenseNetwork(sizes, relu(), bias=False).n_parameters
    return {"stack": "-".join(map(str, sizes)), "parameters": parameters, "samples": samples}
