"""Fit and capacity of hierarchical models, side by side with PyTorch and with L-BFGS-B of SciPy."""

import numpy as np

from benchmarks.timing import alternate
from capacity.allocation import model_constraints
from capacity.fitting import fit
from capacity.models import DilatedConvolution, tensor_train_parameters
from capacity.tasks import GaussianProcess

try:
    from benchmarks import pytorch
except ImportError:  # an optional peer, never a dependency
    pytorch = None

__all__ = ["run", "valleys"]

LAYERS = 6


def run(channel_counts=(4, 16, 64, 256, 512), layers=LAYERS, *, log=print):
    """Rows of the table: for each number of channels, seconds, loss and rank of each method."""
    rows = []
    for channels in channel_counts:
        calls = {
            "ours": lambda c=channels: _capacity(layers, c, near=True),
            "ours, random start": lambda c=channels: _capacity(layers, c),
            "L-BFGS-B": lambda c=channels: _capacity(layers, c, method="l-bfgs-b"),
        }
        if pytorch is not None:
            calls["PyTorch"] = lambda c=channels: pytorch.fit_and_capacity(layers, c)
        rows += _rows(channels, layers, calls, 5 if channels <= 64 else 3, log)
    return rows


def valleys(channel_counts=(4, 6, 8), restarts=20, layers=LAYERS, *, log=print):
    """The slow valleys: one run from the tensor train, and one from random, against the best of many of L-BFGS-B."""
    rows = []
    for channels in channel_counts:
        calls = {
            "ours": lambda c=channels: _capacity(layers, c, near=True),
            "ours, random start": lambda c=channels: _capacity(layers, c),
            f"L-BFGS-B, {restarts} runs": lambda c=channels: _capacity(layers, c, method="l-bfgs-b", restarts=restarts),
        }
        rows += _rows(channels, layers, calls, 3, log)
    return rows


def _capacity(layers, channels, *, near=False, **options):
    """Everything from the process to the capacity per input, from a random start or from the nearest tensor train."""
    process, model = GaussianProcess(), DilatedConvolution.hierarchical(layers, channels)
    initial = None
    if near:
        target = process.optimal_coefficients(model.n_inputs)
        initial = tensor_train_parameters(target, model.taps, model.channels, rng=0)
    fitted = fit(model, process, initial=initial, rng=0, **options)
    space = model_constraints(model, fitted.parameters, process.covariance(model.n_inputs))
    return {"loss": fitted.loss, "rank": space.total, "spatial": space.spatial(), "steps": fitted.losses.size - 1}


def _rows(channels, layers, calls, runs, log):
    rows = []
    seconds, results = alternate(calls, runs)
    for name, result in results.items():
        rows.append(
            {
                "channels": channels,
                "parameters": DilatedConvolution.hierarchical(layers, channels).n_parameters,
                "method": name,
                "seconds": seconds[name],
                "loss": result["loss"],
                "rank": result["rank"],
                "steps": result["steps"],
                "difference": float(np.abs(result["spatial"] - results["ours"]["spatial"]).max()),
            }
        )
        median = seconds[name]["median"]
        log(f"c = {channels} {name}: {median:.3g} s, loss {result['loss']:.1e}, rank {result['rank']}")
    return rows
