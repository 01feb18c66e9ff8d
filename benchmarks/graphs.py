"""Capacity of large networks as graphs: a ResNet-50 on 224 by 224 pixels, and a causal stack of a million weights.

The weights of the ResNet are Gaussian of variance 2/inputs (He), in single precision as trained ones come. Beside the
capacity of one class stands the empirical effective receptive field: the mean squared gradient on Gaussian images.
"""

from itertools import pairwise

import numpy as np

from benchmarks.timing import alternate, peak_memory
from capacity_inspection.graphs import (
    capacity_flow,
    from_layers,
    holding_lags,
    holding_side,
    receptive_fields,
    squared_gradient,
)

__all__ = ["residual_network", "run"]

RELU, SHARES = {"function": "relu"}, (0.5, 0.9)


def run(size=224, images=10, channels=224, runs=3, *, log=print):
    """Seconds, peak memory and how far capacity reaches, at both ends and with the couplings of ReLUs."""
    graph, stack = residual_network(size=size), causal_stack(channels)
    pixels = np.random.default_rng(1).standard_normal((images, 3, size, size))
    calls = {f"coupling {nu}": lambda nu=nu: capacity_flow(graph, at=(7,), coupling=nu) for nu in (0.0, "own", 1.0)}
    calls["receptive fields"] = lambda: receptive_fields(graph, at=(7,))
    calls["gradients"] = lambda: squared_gradient(graph, pixels, at=(7,))
    calls["causal stack"] = lambda: capacity_flow(stack, at="last", coupling="own")
    seconds, results = alternate(calls, runs)
    gradient = results["gradients"]["input"].sum(axis=0) / results["gradients"]["input"].sum()
    code = f"from benchmarks import graphs; graphs.capacity_flow(graphs.residual_network(size={size}), at=(7,))"
    rows = []
    for step, result in results.items():
        network = stack if step == "causal stack" else graph
        row = {"step": step, "parameters": network.n_parameters, "seconds": seconds[step]}
        if step == "causal stack":
            row["lags"] = [holding_lags(result.inputs["input"][0], share) for share in SHARES]
        elif step != "receptive fields":
            field = gradient if step == "gradients" else result.inputs["input"].sum(axis=0)
            row |= {"size": size, "sides": [holding_side(field, share) for share in SHARES]}
            row["moved"] = float(np.abs(field - gradient).sum() / 2)
        if step == "gradients":
            row["images"] = images
        rows.append(row)
        log(f"graphs, {step}, {network.n_parameters} parameters: {seconds[step]['median']:.3g} s")
    rows[0]["peak_memory"] = peak_memory(code)
    return rows


def residual_network(seed=0, size=224, blocks=(3, 4, 6, 3), width=64, classes=1000):
    """The architecture of ResNet-50 (He et al. 2016, version 1.5) with random weights."""
    rng, layers = np.random.default_rng(seed), []

    def add(operator, name, source, **arguments):
        layers.append((operator, {"name": name, "inputs": source, **arguments}))
        return name

    def convolve(source, name, inputs, outputs, taps, stride):
        kernel = rng.standard_normal((outputs, inputs, taps, taps), np.float32) * np.float32(
            (2 / inputs / taps**2) ** 0.5
        )
        add("convolution", name, source, kernel=kernel, strides=stride, pads=taps // 2)
        return add("scale", f"{name} norm", name, factor=np.ones(outputs), shift=np.zeros(outputs))

    last = add("activation", "stem relu", convolve("input", "stem", 3, width, 7, 2), **RELU)
    last, channels = add("max_pool", "stem pool", last, window=3, strides=2, pads=1), width
    for i, count in enumerate(blocks):
        inner = width * 2**i
        for j in range(count):
            name, stride = f"{i + 1}.{j + 1}", 2 if i and not j else 1
            skip = last if j else convolve(last, f"{name} skip", channels, 4 * inner, 1, stride)
            last = add("activation", f"{name} relu a", convolve(last, f"{name} a", channels, inner, 1, 1), **RELU)
            last = add("activation", f"{name} relu b", convolve(last, f"{name} b", inner, inner, 3, stride), **RELU)
            last = convolve(last, f"{name} c", inner, 4 * inner, 1, 1)
            last = add("activation", f"{name} relu", add("add", f"{name} sum", [last, skip]), **RELU)
            channels = 4 * inner
    kernel = rng.standard_normal((classes, channels), np.float32) * np.float32(channels**-0.5)
    add("dense", "classes", add("average_pool", "mean", last), kernel=kernel, bias=np.zeros(classes))
    return from_layers((3, size, size), layers)


def causal_stack(channels, seed=0, levels=12, steps=8192):
    """Dilated convolutions of two taps, dilations 1, 2, 4, ..., each with a rectifier; one input series, one output."""
    rng, layers, widths = np.random.default_rng(seed), [], [1, *[channels] * (levels - 1), 1]
    for level, (inputs, outputs) in enumerate(pairwise(widths)):
        kernel = rng.standard_normal((outputs, inputs, 2)) * inputs**-0.5
        layers.append(("convolution", {"kernel": kernel, "dilations": 2**level, "pads": [(2**level, 0)]}))
        layers.append(("activation", RELU))
    return from_layers((1, steps), layers)
