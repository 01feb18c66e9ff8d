"""What the recorded run found, and what must be so: ``python -m benchmarks.findings`` writes it into README.md."""

import json
from pathlib import Path

import numpy as np

from capacity import DilatedConvolution, exact_capacity, tensor_train_capacity
from capacity.statistics import fit_power_law
from capacity_studies.notebook.expectations import at_least, at_most, between, describe

__all__ = ["FINDINGS", "as_markdown"]

FOLDER = Path(__file__).parent
BEGIN, END = "<!-- python -m benchmarks.findings writes what follows -->\n", "<!-- as far as here -->\n"
OURS, ALL = ("ours", "ours, random start"), ("ours", "ours, random start", "L-BFGS-B", "PyTorch")


def _by(rows, *keys):
    """The rows of a section by what tells them apart."""
    return {tuple(row[key] for key in keys) if len(keys) > 1 else row[keys[0]]: row for row in rows}


def _times(rows, name="seconds"):
    return np.array([row[name]["median"] for row in rows])


def _slower(results, channels, peer):
    """How many times as long a peer takes as we do from either start."""
    runs = _by(results["hierarchical"], "channels", "method")
    return [_times([runs[channels, peer]])[0] / _times([runs[channels, method]])[0] for method in OURS]


def _ranks(results):
    runs = _by(results["hierarchical"], "channels", "method")
    return [len({runs[key]["rank"] for key in runs if key[0] == c}) for c in sorted({c for c, _ in runs})]


def _valley(results, channels):
    """Loss and time of 20 runs over those of one."""
    runs = _by(results["valleys"], "channels", "method")
    one, many = (runs[channels, method] for method in ("ours", "L-BFGS-B, 20 runs"))
    return [many["loss"] / one["loss"], _times([many])[0] / _times([one])[0]]


def _alike(rows):
    """The largest relative difference of the losses of rows to that of the first."""
    losses = np.array([row["loss"] for row in rows])
    return np.abs(losses / losses[0] - 1).max()


def _exponents(results):
    rows = results["growth"]
    inputs = [row["inputs"] for row in rows]
    return [fit_power_law(inputs, y).exponent for y in (_times(rows), np.array([row["bytes"] for row in rows]))]


def _shares(results):
    """The share of the factorisation in the time of a capacity, by stack."""
    rows = _by(results["kernels"], "stack", "step")
    spent = {stack: [_times([rows[key]])[0] for key in rows if key[0] == stack] for stack, _ in rows}
    return [_times([rows[stack, "QR and SVD"]])[0] / sum(times) for stack, times in spent.items()]


def _per_region(results):
    times = _times(results["regions"]) / [row["regions"] for row in results["regions"]]
    return times[1:] / times[0]


def _of(section, *names):
    """What rows of a section hold under some names, one after the other."""
    return lambda results: [row[name] for name in names for row in results[section]]


def _over(section, peer):
    """The time of a peer over ours, by row."""
    return lambda results: _times(results[section], peer) / _times(results[section])


def _after(section):
    """The times of a section over that of its first row."""
    return lambda results: _times(results[section])[1:] / _times(results[section])[0]


FINDINGS = {  # what was found, the numbers that say so, what these must be
    "Fit and capacity with 256 channels are over 200 times as fast as the PyTorch program, and over 100 times from its "
    "random start.": (lambda r: _slower(r, 256, "PyTorch"), at_least([200, 100])),
    "With 512 channels, 2.1 million parameters, they are over 200 times as fast as L-BFGS-B, and over 70 times from "
    "its random start.": (lambda r: _slower(r, 512, "L-BFGS-B"), at_least([200, 70])),
    "All methods find the same total capacity: one rank for each number of channels.": (_ranks, at_most(1)),
    "Where the total is the number of inputs, all methods find the same capacity per input; largest difference.": (
        lambda r: max(row["difference"] for row in r["hierarchical"] if row["rank"] == 64),
        at_most(1e-14),
    ),
    "With 256 and 512 channels the loss is a rounding error from either start.": (
        lambda r: [row["loss"] for row in r["hierarchical"] if row["channels"] in (256, 512) and row["method"] in OURS],
        at_most(1e-29),
    ),
    "With 4 channels one run ends over fifty times below the best of 20 runs of L-BFGS-B, in 1/200 of their time.": (
        lambda r: _valley(r, 4),
        at_least([50, 200]),
    ),
    "So it does with 6 channels.": (lambda r: _valley(r, 6), at_least([50, 200])),
    "With 8 channels one run, whose start is the optimum, ends at rounding error; its time over that of 20 runs.": (
        lambda r: [_by(r["valleys"], "channels", "method")[8, "ours"]["loss"], 1 / _valley(r, 8)[1]],
        at_most([1e-30, 1e-3]),
    ),
    "Of a thousand fits of 64 parameters to samples, taken at once, each is over twice as fast as one alone, "
    "over four times as fast as SciPy's least_squares, and leaves the same error.": (
        lambda r: [*_times(r["many_fits"])[[0, 2]] / _times(r["many_fits"])[1], _alike(r["many_fits"])],
        between([2, 4, 0], [np.inf, np.inf, 1e-3]),
    ),
    "Two thousand constraint spaces taken at once are over eight times as fast as one after the other, and the same; "
    "largest difference of a capacity.": (
        lambda r: [*_over("many_spaces", "loop")(r), *_of("many_spaces", "difference")(r)],
        between([8, 0], [np.inf, 1e-10]),
    ),
    "A loss and its gradient are over three times as fast as PyTorch's, and the same; ratios, relative differences.": (
        lambda r: [*_over("many_gradients", "PyTorch")(r), *_of("many_gradients", "difference")(r)],
        between([3, 3, 0, 0], [np.inf, np.inf, 1e-9, 1e-9]),
    ),
    "Capacities of stacks of up to 65536 inputs or 30 layers take at most twice as long as one thin QR factorisation "
    "of a random matrix of the size of the Jacobian.": (_of("large", "ratio"), at_most(2)),
    "They need less than 1.2 GB of memory.": (
        lambda r: [row["bytes"] / 1e9 for row in r["large"]],
        at_most(1.2),
    ),
    "Capacities sum to the rank, and the threshold is below 1e-5 of the smallest singular value that counts.": (
        lambda r: [
            max(abs(row["sum"] / row["rank"] - 1) for row in r["large"]),
            max(1 / m for m in _of("large", "margin")(r)),
        ],
        at_most([1e-12, 1e-5]),
    ),
    "The ranks of the four hierarchical stacks are those of the closed form; differences.": (
        lambda r: [
            abs(row["rank"] - tensor_train_capacity([2] * depth, c))
            for row, (depth, c) in zip(r["large"], ((12, 4), (14, 4), (16, 2), (16, 4)))
        ],
        at_most(0),
    ),
    "At a fixed number of parameters time grows nearly linearly with the number of inputs, and peak memory more "
    "slowly; exponents.": (_exponents, between([0.9, 0.3], [1.3, 0.8])),
    "Durbin's recursion and conjugate gradients agree to 13 digits after the point, and for 65536 inputs the latter "
    "take less than a thirtieth of the time.": (
        lambda r: [
            max(_of("prediction", "difference")(r)),
            (_times(r["prediction"]) / _times(r["prediction"], "Durbin"))[-1],
        ],
        at_most([1e-13, 0.033]),
    ),
    "The recorded rank of three blocks of eight layers is the one that the package finds, and each rank is wrong with "
    "probability below 1e-4.": (
        lambda r: [
            abs(
                _by(r["exact"], "layers", "channels")[24, 4]["rank"]
                - exact_capacity(DilatedConvolution([2**i for i in range(8)] * 3, channels=4)).total
            ),
            max(_of("exact", "failure")(r)),
        ],
        at_most([0, 1e-4]),
    ),
    "The capacities of coupled layers by formula and by definition agree, and the capacity network loses none.": (
        lambda r: [max(_of("layers", "difference")(r)), r["network"]["lost"]],
        at_most([1e-14, 1e-13]),
    ),
    "Networks of rectifiers are divided into regions completely: vertices less edges plus regions, less 1.": (
        lambda r: [abs(row["vertices"] - row["edges"] + row["regions"] - 1) for row in r["regions"]],
        at_most(0),
    ),
    "The areas of these regions add up to that of the square; relative error.": (
        _of("regions", "area_error"),
        at_most(1e-12),
    ),
    "A region of the two larger networks takes at most three times as long as one of the smallest.": (
        _per_region,
        at_most(3),
    ),
    "relucent finds as many regions; differences.": (
        lambda r: [abs(row["relucent_regions"] - row["regions"]) for row in r["regions_peer"]],
        at_most(0),
    ),
    "It takes over 100 times as long.": (_over("regions_peer", "relucent"), at_least(100)),
    "Jacobians and Fisher-vector products agree with PyTorch's; relative differences.": (
        _of("fisher_peer", "difference"),
        at_most(1e-10),
    ),
    "They take no longer than PyTorch's; ratios.": (_over("fisher_peer", "PyTorch"), at_least(1)),
    "The spectrum of a Fisher matrix of over 90 000 parameters takes less than a second, and has at most one "
    "eigenvalue for each sample and class.": (
        lambda r: [_times(r["fisher"])[0], r["fisher"][0]["values"] / r["fisher"][0]["samples"]],
        at_most([1, 10]),
    ),
    "Reading and summary of a ResNet-50 need less than 4 GiB.": (
        lambda r: r["networks"][0]["bytes"] / 2**30,
        at_most(4),
    ),
    "Its first screen, and those of a DenseNet-121 and of a network of a million parameters, take less than a third of "
    "the time of a whole summary; ratios.": (lambda r: 1 / _over("networks", "first screen")(r), at_least(3)),
    "The summary counts the parameters that torchinfo counts; difference.": (
        lambda r: abs(r["networks_peer"][0]["parameters"] - r["networks_peer"][0]["torchinfo_parameters"]),
        at_most(0),
    ),
    "All of it takes less than a fifth of the time of gradients at random inputs, averaged.": (
        lambda r: 1 / _over("networks_peer", "gradients")(r)[0],
        at_most(0.2),
    ),
    "Stacks of a million inputs with one and two channels have the totals of the closed form; differences.": (
        lambda r: [abs(row["rank"] - tensor_train_capacity([2] * 20, c)) for row, c in zip(r["million"], (1, 2))],
        at_most(0),
    ),
    "Their capacities sum to them (relative deviation), both fit into 4 GiB, and conditioning costs no digit.": (
        lambda r: [
            max(abs(row["sum"] / row["rank"] - 1) for row in r["million"]),
            max(_of("million", "bytes")(r)) / 2**30,
            max(_of("million", "condition")(r)),
        ],
        at_most([1e-12, 4, 3]),
    ),
    "A search for an architecture looks at over a hundred candidates a second.": (
        _of("candidates", "per_second"),
        at_least(100),
    ),
    "The command starts in less than twice the time in which Python starts and imports NumPy.": (
        _after("command"),
        at_most(2),
    ),
    "Importing the package takes at most a quarter of the time of importing NumPy, and with fits and constraints at "
    "most ten times it.": (_after("imports"), at_most([0.25, 10])),
    "No chapter takes longer than a third of the book, in whole and of the papers alone.": (
        lambda r: [max(seconds for _, seconds in row["chapters"]) / row["seconds"] for row in r["book"]],
        at_most(1 / 3),
    ),
    "On each stack the factorisation takes most of the time.": (_shares, at_least(0.5)),
}


def as_markdown(results):
    """Return where a run was made and what it found, as Markdown."""
    made = results["conditions"]["hierarchical"]
    versions = ", ".join(f"{name} {version}" for name, version in made["versions"].items())
    lines = [f"On one of {made['cores']} cores of {made['processor']}, Python {made['python']}, {versions}:", ""]
    lines += ["| what was found | measured | must be |", "|---|---|---|"]
    for said, (measured, bound) in FINDINGS.items():
        numbers = ", ".join(f"{value:.3g}" for value in np.ravel(measured(results)))
        lines.append(f"| {said} | {numbers} | {describe(bound)} |")
    return "\n".join([*lines, ""])


def main(folder=FOLDER):
    """Write into README.md what the recorded run found."""
    path, results = folder / "README.md", json.loads((folder / "results.json").read_text(encoding="utf-8"))
    before, _, rest = path.read_text(encoding="utf-8").partition(BEGIN)
    path.write_text(f"{before}{BEGIN}\n{as_markdown(results)}\n{END}{rest.partition(END)[2]}", encoding="utf-8")


if __name__ == "__main__":
    main()
