"""Fit and capacity of hierarchical models, side by side with PyTorch and with L-BFGS-B of SciPy."""

import numpy as np

from benchmarks.timing import alternate, timed
from capacity.allocation import model_constraints
from capacity.convolutions import DilatedConvolution
from capacity.fitting import fit
from capacity.processes import GaussianProcess
from capacity.tensor_trains import tensor_train_parameters

try:
    from benchmarks import pytorch
except ImportError:  # an optional peer, never a dependency
    pytorch = None

__all__ = ["run", "valleys"]

LAYERS = 6


def ours(channels, *, near, layers=LAYERS):
    """Everything from the process to the capacity per input, from a random start or from the nearest tensor train."""
    process, model = GaussianProcess(), DilatedConvolution.hierarchical(layers, channels)
    initial = None
    if near:
        initial = tensor_train_parameters(process.optimal_coefficients(model.n_inputs), model.taps, model.channels)
    fitted = fit(model, process, initial=initial, rng=0)
    space = model_constraints(model, fitted.parameters, process.covariance(model.n_inputs))
    return {"loss": fitted.loss, "rank": space.total, "spatial": space.spatial(), "steps": fitted.losses.size - 1}


def scipy_lbfgs(channels, layers=LAYERS):
    """L-BFGS-B with our analytic gradient, from the same random start, and the same capacity."""
    process, model = GaussianProcess(), DilatedConvolution.hierarchical(layers, channels)
    fitted = fit(model, process, method="l-bfgs-b", rng=0)
    space = model_constraints(model, fitted.parameters, process.covariance(model.n_inputs))
    return {"loss": fitted.loss, "rank": space.total, "spatial": space.spatial(), "steps": fitted.losses.size - 1}


def run(channel_counts=(4, 16, 64, 256, 512), layers=LAYERS, *, log=print):
    """Rows of the table: for each number of channels, seconds, loss and rank of each method."""
    rows = []
    for channels in channel_counts:
        calls = {
            "ours": lambda c=channels: ours(c, near=True, layers=layers),
            "ours, random start": lambda c=channels: ours(c, near=False, layers=layers),
        }
        slow = {"L-BFGS-B": lambda c=channels: scipy_lbfgs(c, layers)}
        if pytorch is not None:
            slow["PyTorch"] = lambda c=channels: pytorch.fit_and_capacity(layers, c)
        few = 3 if channels <= 64 else 1
        before, results = alternate(calls, 5)
        between, others = alternate(slow, few)
        after, _ = alternate(calls, 5)  # our runs on both sides of the long ones: the same disturbances
        seconds = {n: {**before[n], "median": (before[n]["median"] + after[n]["median"]) / 2} for n in calls}
        for name, result in {**results, **others}.items():
            spent = {**seconds, **between}[name]
            rows.append(
                {
                    "channels": channels,
                    "parameters": DilatedConvolution.hierarchical(layers, channels).n_parameters,
                    "method": name,
                    "seconds": spent,
                    "loss": result["loss"],
                    "rank": result["rank"],
                    "steps": result["steps"],
                    "difference": float(np.abs(result["spatial"] - results["ours"]["spatial"]).max()),
                }
            )
            log(f"c = {channels} {name}: {spent['median']:.3g} s, loss {result['loss']:.1e}, rank {result['rank']}")
    return rows


def valleys(channel_counts=(4, 6, 8), restarts=20, layers=LAYERS, *, log=print):
    """The slow valleys: one run from the tensor train, and one from random, against the best of many of L-BFGS-B."""
    rows = []
    for channels in channel_counts:
        process, model = GaussianProcess(), DilatedConvolution.hierarchical(layers, channels)
        calls = {
            "near": lambda c=channels: ours(c, near=True, layers=layers),
            "random": lambda c=channels: ours(c, near=False, layers=layers),
        }
        before, results = alternate(calls, 3)
        many, best = timed(lambda m=model, p=process: fit(m, p, method="l-bfgs-b", restarts=restarts, rng=0))
        after, _ = alternate(calls, 3)  # on both sides of the long one
        row = {"channels": channels, "rank": results["near"]["rank"]}
        for name, words in (("near", ""), ("random", "random ")):
            row[f"{words}seconds"] = (before[name]["median"] + after[name]["median"]) / 2
            row[f"{words}loss"], row[f"{words}steps"] = results[name]["loss"], results[name]["steps"]
        row |= {"restarts": restarts, "restarts seconds": many, "restarts loss": best.loss}
        rows.append(row)
        log(
            f"valley c = {channels}: {row['loss']:.2e} in {row['seconds']:.2g} s, from a random start "
            f"{row['random loss']:.2e} in {row['random seconds']:.2g} s, restarts {best.loss:.2e} in {many:.2g} s"
        )
    return rows
