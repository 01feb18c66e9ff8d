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


def ours(channels, *, near):
    """Everything from the process to the capacity per input, from a random start or from the nearest tensor train."""
    process, model = GaussianProcess(), DilatedConvolution.hierarchical(LAYERS, channels)
    initial = None
    if near:
        initial = tensor_train_parameters(process.optimal_coefficients(model.n_inputs), model.taps, model.channels)
    fitted = fit(model, process, initial=initial, rng=0)
    space = model_constraints(model, fitted.parameters, process.covariance(model.n_inputs))
    return {"loss": fitted.loss, "rank": space.total, "spatial": space.spatial(), "steps": fitted.losses.size - 1}


def scipy_lbfgs(channels):
    """L-BFGS-B with our analytic gradient, from the same random start, and the same capacity."""
    process, model = GaussianProcess(), DilatedConvolution.hierarchical(LAYERS, channels)
    fitted = fit(model, process, method="l-bfgs-b", rng=0)
    space = model_constraints(model, fitted.parameters, process.covariance(model.n_inputs))
    return {"loss": fitted.loss, "rank": space.total, "spatial": space.spatial(), "steps": fitted.losses.size - 1}


def run(channel_counts=(4, 16, 64, 256, 512), *, log=print):
    """Rows of the table: for each number of channels, seconds, loss and rank of each method."""
    rows = []
    for channels in channel_counts:
        calls = {
            "ours": lambda c=channels: ours(c, near=True),
            "ours, random start": lambda c=channels: ours(c, near=False),
        }
        slow = {"L-BFGS-B": lambda c=channels: scipy_lbfgs(c)}
        if pytorch is not None:
            slow["PyTorch"] = lambda c=channels: pytorch.fit_and_capacity(LAYERS, c)
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
                    "parameters": DilatedConvolution.hierarchical(LAYERS, channels).n_parameters,
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


def valleys(channel_counts=(4, 6), restarts=20, *, log=print):
    """The slow valleys: one run from the tensor train against the best of many runs of L-BFGS-B."""
    rows = []
    for channels in channel_counts:
        seconds, near = timed(lambda c=channels: ours(c, near=True))
        process, model = GaussianProcess(), DilatedConvolution.hierarchical(LAYERS, channels)
        many, best = timed(lambda m=model, p=process: fit(m, p, method="l-bfgs-b", restarts=restarts, rng=0))
        rows.append(
            {
                "channels": channels,
                "seconds": seconds,
                "loss": near["loss"],
                "steps": near["steps"],
                "restarts": restarts,
                "restarts seconds": many,
                "restarts loss": best.loss,
            }
        )
        log(f"valley c = {channels}: {near['loss']:.2e} in {seconds:.2g} s, restarts {best.loss:.2e} in {many:.2g} s")
    return rows
