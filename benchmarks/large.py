"""Capacity and optimal coefficients for many inputs, against one QR factorisation; and where the time goes."""

import numpy as np
from scipy import linalg

from benchmarks.timing import alternate, peak_memory, rates
from capacity.allocation import model_constraints
from capacity.linalg import durbin
from capacity.linalg.subspaces import left_singular
from capacity.models import DilatedConvolution
from capacity.tasks import GaussianProcess

__all__ = ["STACKS", "growth", "kernels", "prediction", "run"]

WAVENET = "DilatedConvolution([2**i for i in range(10)] * 3, channels={c})"
STACKS = {
    "hierarchical, 4096 inputs, c = 4": "DilatedConvolution.hierarchical(12, channels=4)",
    "hierarchical, 16384 inputs, c = 4": "DilatedConvolution.hierarchical(14, channels=4)",
    "hierarchical, 65536 inputs, c = 2": "DilatedConvolution.hierarchical(16, channels=2)",
    "hierarchical, 65536 inputs, c = 4": "DilatedConvolution.hierarchical(16, channels=4)",
    "WaveNet, 30 layers, c = 4": WAVENET.format(c=4),
    "WaveNet, 30 layers, c = 8": WAVENET.format(c=8),
    "WaveNet, 30 layers, c = 16": WAVENET.format(c=16),
}

PROFILED = [name for name in STACKS if name.startswith("WaveNet") or name.endswith("inputs, c = 4")]

ALONE = """
from capacity.allocation import model_constraints
from capacity.models import DilatedConvolution
from capacity.tasks import GaussianProcess
model = {stack}
model_constraints(model, model.initial(0), GaussianProcess().operator(model.n_inputs)).spatial()
"""


def run(stacks=STACKS, *, log=print):
    """Rows of the table: total and spatial capacity, one thin QR of an n x p matrix, memory, rank and its margin."""
    return [_measure(name, stack, log) for name, stack in stacks.items()]


def growth(layers=16, channels=4, reaches=(12, 13, 14, 15, 16), *, log=print):
    """Stacks with the same layers and parameters and ever more inputs: dilations 1, 2, 4, ... after layers of lag 1."""
    rows = []
    for reach in reaches:
        dilations = [1] * (layers - reach) + [2**i for i in range(reach)]
        stack = f"DilatedConvolution({dilations}, channels={channels})"
        rows.append(_measure(f"{layers} layers, c = {channels}, reach 2^{reach}", stack, log))
    return rows


def _measure(name, stack, log):
    model = eval(stack, {"DilatedConvolution": DilatedConvolution})
    process, parameters = GaussianProcess(), model.initial(0)
    n, p = model.n_inputs, model.n_parameters
    matrix = np.random.default_rng(0).standard_normal((n, p))
    seconds, results = alternate(
        {
            "capacity": lambda: _capacity(model, parameters, process),
            "QR": lambda: linalg.qr(matrix, mode="economic", check_finite=False),
        },
        runs=3,
    )
    space, spatial = results["capacity"]
    values, total = space.basis.singular_values, space.total
    row = {
        "stack": name,
        "inputs": n,
        "parameters": p,
        "rank": total,
        "sum": float(spatial.sum()),
        "margin": float(values[total - 1] / space.basis.threshold),
        "seconds": seconds["capacity"],
        "QR": seconds["QR"],
        "ratio": seconds["capacity"]["median"] / seconds["QR"]["median"],
        "bytes": peak_memory(ALONE.format(stack=stack)),
    }
    log(f"{name}: {row['seconds']['median']:.3g} s, {row['ratio']:.2f} of a QR, {row['bytes'] / 1e6:.0f} MB")
    return row


def _capacity(model, parameters, process):
    space = model_constraints(model, parameters, process.operator(model.n_inputs))
    return space, space.spatial()


def prediction(sizes=(2048, 4096, 16384, 65536), *, log=print):
    """Optimal coefficients by conjugate gradients and by Durbin's recursion, and their difference."""
    process, rows = GaussianProcess(), []
    for n in sizes:
        c = process.autocovariances(n)
        calls = {"library": lambda n=n: process.optimal_coefficients(n), "Durbin": lambda c=c: durbin(c)[0][::-1]}
        seconds, results = alternate(calls, 5 if n <= 4096 else 3)
        difference = float(np.abs(results["library"] - results["Durbin"]).max())
        rows.append({"inputs": n, "seconds": seconds["library"], "Durbin": seconds["Durbin"], "difference": difference})
        log(f"{n} inputs: {seconds['library']['median']:.3g} s, Durbin {seconds['Durbin']['median']:.3g} s")
    return rows


def kernels(names=PROFILED, stacks=STACKS, limits=None, *, log=print):
    """Where the time of one capacity goes, each step against the machine's rate of products or of copies."""
    limits, rows = limits or rates(), []
    for name in names:
        model = eval(stacks[name], {"DilatedConvolution": DilatedConvolution})
        parameters, sigma = model.initial(0), GaussianProcess().operator(model.n_inputs)
        span = model.tangent_span(parameters)
        columns = sigma @ span
        calls = {
            "tangent span": lambda m=model, w=parameters: m.tangent_span(w),
            "Toeplitz product": lambda s=sigma, t=span: s @ t,
            "QR and SVD": lambda a=columns: left_singular(a),
        }
        seconds, _ = alternate(calls, 3)
        n, k = span.shape
        bytes_span = 8 * n * k * 2  # each entry is written once, and copied once into the order of positions
        transform = 2 * sum(2.5 * size * np.log2(size) for size in [2 * n] * k)  # to and from the frequencies
        long, short = max(n, k), min(n, k)
        passes = 3 if n >= k else 1  # QR, its Q and the product Q U; of a wide matrix the transpose has R only
        factors = passes * 2 * long * short**2 + 13 * short**3  # and the SVD of R
        works = (bytes_span, "copy_bytes"), (transform, "product_flops"), (factors, "product_flops")
        for (step, spent), (work, kind) in zip(seconds.items(), works):
            share = work / limits[kind] / spent["median"]
            rows.append({"stack": name, "step": step, "seconds": spent, "work": work, "rate": kind, "share": share})
            log(f"{name}, {step}: {spent['median']:.3g} s, {100 * share:.0f} % of the rate ({kind})")
    return rows
