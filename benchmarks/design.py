"""The search of an architecture: its distance from brute force on small wants, and how many stacks it looks at."""

import itertools
import time

import numpy as np

from benchmarks.timing import alternate
from capacity.allocation import model_constraints
from capacity.fitting import fit
from capacity.models import DilatedConvolution
from capacity.tasks import standard_process
from capacity_inspection.design import Want, search

__all__ = ["brute_force", "candidates", "distances", "drawn_wants", "least_unmet"]

PROCESSES = ("power law", "fractional noise", "exponential mixture")
WANTS = {
    "half beyond lag 64": (Want((65, None), share=0.5), Want((1, 16), full=1.0)),
    "half beyond lag 256": (Want((257, None), share=0.5), Want((1, 64), full=1.0)),
}


def brute_force(process, budget, field, taps=(2, 3, 4), channels=(1, 2, 3, 4)):
    """Parameters and fitted allocation, the most recent lag first, of every stack within a budget and a field."""
    found = []
    for n, depth in itertools.product(taps, range(1, budget // min(taps) + 1)):
        for ends in itertools.combinations(range(1, 1 + (field - 1) // (n - 1)), depth):  # where each layer's taps end
            for width in channels if depth > 1 else channels[:1]:
                model = DilatedConvolution(np.diff(ends, prepend=0), width, n)
                if model.n_parameters <= budget:
                    best = fit(model, process, restarts=2, rng=0)
                    space = model_constraints(model, best.parameters, process.covariance(model.n_inputs))
                    found.append((model.n_parameters, space.spatial()[::-1]))
    return found


def drawn_wants(count, field, rng):
    """Small wants at random: capacity beyond a lag or between two, some lags full, or both."""
    drawn = []
    for _ in range(count):
        first, last = np.sort(rng.integers(1, field + 1, 2)).tolist()
        share = Want((first, None if rng.random() < 0.5 else last), share=rng.integers(2, 8) / 10)
        full = Want((1, int(rng.integers(1, field // 2))), full=rng.choice([0.8, 0.9, 0.95, 1.0]))
        drawn.append([(share,), (full,), (share, full)][rng.integers(3)])
    return drawn


def least_unmet(points, budget):
    """The least that is unmet with at most 2, 3, ..., `budget` parameters."""
    return np.array([min(unmet for cost, unmet in points if cost <= most) for most in range(2, budget + 1)])


def distances(count=30, budget=12, field=8, processes=PROCESSES, rng=0, *, log=print):
    """How much more of a want is unmet than by brute force, at the number of parameters where that is most."""
    rows, wants = [], drawn_wants(count, field, np.random.default_rng(rng))
    for name, part in zip(processes, np.array_split(np.arange(count), len(processes))):
        process = standard_process(name)
        start = time.perf_counter()
        every = brute_force(process, budget, field)
        spent = time.perf_counter() - start
        for wanted in (wants[i] for i in part):
            start = time.perf_counter()
            found = search(wanted, budget, process=process, max_lags=field)
            seconds = time.perf_counter() - start
            ours = least_unmet([(each.parameters, each.unmet) for each in found.fits], budget)
            theirs = [
                (cost, float(np.round([want.shortfall(held) for want in wanted], 6).sum())) for cost, held in every
            ]
            behind = ours - (brute := least_unmet(theirs, budget))
            row = {"stack": f"{name}: {'; '.join(map(str, wanted))}", "parameters": budget, "field": field}
            row |= {"distance": float(max(behind.max(), 0.0)), "unmet": float(ours[-1]), "brute": float(brute[-1])}
            row |= {"stacks": found.stacks, "fits": len(found.fits), "left": found.left, "brute_fits": len(every)}
            rows.append(row | {"seconds": seconds, "brute_seconds": spent})
            log(f"{row['stack']}: {row['distance']:.2g} behind, {row['fits']} fits for {len(every)}, {seconds:.2g} s")
    return rows


def candidates(budgets=(500,), wants=WANTS, runs=3, *, log=print):
    """How many stacks a search looks at in a second, by closed forms alone."""
    rows = []
    for name, wanted in wants.items():
        for budget in budgets:
            seconds, results = alternate({"search": lambda w=wanted, b=budget: search(w, b)}, runs)
            count, spent = len(results["search"].estimates), seconds["search"]
            row = {"stack": name, "parameters": budget, "candidates": count}
            rows.append(row | {"seconds": spent, "per_second": count / spent["median"]})
            log(f"{name}, {budget} parameters: {count} candidates, {rows[-1]['per_second']:.0f} per second")
    return rows
