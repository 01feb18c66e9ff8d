"""Your own network: ResNet-50 and DenseNet-121 in ONNX files, a million parameters or inputs, and the command."""

import os
import subprocess
import sys
from dataclasses import replace
from functools import partial

import numpy as np

from benchmarks.timing import alternate, peak_memory, timed
from capacity.models import DilatedConvolution
from capacity.tasks import GaussianProcess
from capacity_inspection import summary
from capacity_inspection.graphs import moving_fields, redrawn_weights
from capacity_inspection.readers import installed_file, read_onnx, tcn
from capacity_studies.blocked_capacity import spatial_capacity

try:
    from benchmarks import pytorch_resnet
except ImportError:  # an optional peer
    pytorch_resnet = None

__all__ = ["command", "million", "peer", "run"]

FILES = {
    f"{name}, 224 x 224": installed_file("onnx", f"onnx/backend/test/data/light/light_{file}.onnx")
    for name, file in (("ResNet-50", "resnet50"), ("DenseNet-121", "densenet121"))
}
ALONE = """
from capacity_studies.blocked_capacity import spatial_capacity
from capacity.models import DilatedConvolution
from capacity.tasks import GaussianProcess
model = DilatedConvolution.hierarchical({layers}, channels={channels})
process = GaussianProcess()
spatial_capacity(model, model.initial(0), process.operator(model.n_inputs), memory={memory})
"""
WHOLE = """
from benchmarks.networks import FILES, as_trained
from capacity_inspection import summary
summary(as_trained(next(iter(FILES.values())))).text(full=True)
"""
COMMANDS = ("-c 'import numpy'", "-c 'from capacity_inspection.cli import main; main()' --help")


def as_trained(file):
    """The graph of a file, with weights as if they were trained: those of the files are constants."""
    return replace(redrawn_weights(read_onnx(file), rng=0), drawn="")  # of drawn ones a summary would tell other draws


def whole_of(graph):
    """A summary with all that is computed only once somebody looks at more than its first screen."""
    report = summary(graph)
    report.text(full=True)
    return report


def run(layers=10, width=252, files=FILES, runs=3, *, log=print):
    """Summaries of networks from files and of a TCN of a million parameters: fields, capacities at both ends."""
    networks = {name: partial(as_trained, file) for name, file in files.items()} | {
        f"TCN, {layers} layers, {width} channels": lambda: tcn(
            [2**i for i in range(layers)], channels=width, activation="relu"
        ),
    }
    rows = []
    for name, make in networks.items():
        reading, graph = timed(make)
        calls = {
            "first screen": lambda graph=graph: summary(graph).text(),
            "summary": lambda graph=graph: whole_of(graph),
        }
        seconds, results = alternate(calls, runs)
        fields = [found[-1] for found in moving_fields(graph).values()]
        whole = None if any(field.note for field in fields) else max(field.extent or 0 for field in fields)
        row = {"stack": name, "parameters": graph.n_parameters, "field": whole, "reading_seconds": reading}
        row |= {"rows": len(results["summary"].rows), "seconds": seconds["summary"]}
        rows.append(row | {"first screen": seconds["first screen"]})
        told = (f"{call} {seconds[call]['median']:.3g} s" for call in calls)
        log(f"{name}: {', '.join(told)}, after {reading:.3g} s of reading")
    if files is FILES:
        rows[0]["bytes"] = peak_memory(WHOLE)
    return rows


def peer(size=224, samples=100, runs=3, *, log=print):
    """Summary of ResNet-50 and its first screen, beside torchinfo's, and gradients of one unit at some inputs."""
    network = pytorch_resnet.ResNet50(size)
    graph = as_trained(next(iter(FILES.values())))
    calls = {
        "ours": lambda: whole_of(graph),
        "first screen": lambda: summary(graph).text(),
        "torchinfo": network.table,
        "gradients": lambda: network.gradient_field(samples),
    }
    seconds, results = alternate(calls, runs)
    row = {"stack": f"ResNet-50, {size} x {size}", "seconds": seconds["ours"], "samples": samples}
    row |= {name: seconds[name] for name in list(calls)[1:]}
    row |= {"parameters": graph.n_parameters, "torchinfo_parameters": results["torchinfo"]}
    row["seen"] = int(np.count_nonzero(results["gradients"].sum(axis=0)))
    log(", ".join(f"{name} {row[name]['median']:.3g} s" for name in ("seconds", *list(calls)[1:])))
    return [row]


def million(layers=20, channels=(1, 2), memory=5 * 2**29, runs=3, *, log=print):
    """Capacity of each input of a hierarchical model of 2^20 inputs, by blocks."""
    rows = []
    for c in channels:
        model = DilatedConvolution.hierarchical(layers, channels=c)
        weights, sigma = model.initial(0), GaussianProcess().operator(model.n_inputs)
        calls = {"blocks": lambda m=model, w=weights, s=sigma: spatial_capacity(m, w, s, memory=memory)}
        seconds, results = alternate(calls, runs)
        found = results["blocks"]
        row = {"inputs": model.n_inputs, "channels": c, "rank": found.total, "sum": float(found.inputs.sum())}
        row |= {"seconds": seconds["blocks"], "condition": found.condition, "gap": found.gap}
        row["bytes"] = peak_memory(ALONE.format(layers=layers, channels=c, memory=memory))
        rows.append(row)
        log(f"{model.n_inputs} inputs, c = {c}: {row['seconds']['median']:.3g} s, {row['bytes'] / 1e6:.0f} MB")
    return rows


def command(arguments=COMMANDS, runs=15, *, log=print):
    """How long the command takes to start, and the interpreter with NumPy; in turn, each in a fresh process."""
    quiet = {"stdout": subprocess.DEVNULL, "env": os.environ | {"OMP_NUM_THREADS": "1"}}
    calls = {
        words: lambda words=words: subprocess.run(f"{sys.executable} {words}", shell=True, check=True, **quiet)
        for words in arguments
    }
    seconds, _ = alternate(calls, runs)
    rows = [{"method": words, "seconds": seconds[words]} for words in arguments]
    for row in rows:
        log(f"{row['method']}: {row['seconds']['median']:.3g} s")
    return rows
