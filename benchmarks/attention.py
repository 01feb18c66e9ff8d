"""Capacity by token through layers of attention: exactly, by the recursion over pairs of tokens, and by probes.

Attention is that of random scores, causal. It is made beforehand for the recursion, and layer by layer, outside of the
time, for the probes, which never hold more than one.
"""

import resource
import time

import numpy as np

from benchmarks.timing import alternate, summary
from capacity_studies.attention import Attend, probed_capacity, token_capacity

__all__ = ["run"]


def run(positions=(1024, 4096), layers=12, heads=12, *, groups=8, width=50, runs=3, log=print):
    """Seconds and memory of the exact rule at the first number of tokens and of the probes at both, with their errors.

    The error is the total variation that the standard errors of the probes let expect; where the exact capacities are
    known, the one that is found stands beside it.
    """
    few, scale = positions[0], 1 / np.sqrt(heads)
    steps = [Attend(links.astype(float), scale) for links in _attention(few, layers, heads)]
    calls = {"exact": lambda: token_capacity(steps[::-1], few)}
    taken, results = alternate(calls, runs)
    rows = [_row("exact", few, layers, heads, taken["exact"])]
    steps.clear()
    for count in positions:
        seconds = []
        for _ in range(runs):
            seconds.append(0.0)
            clocked = _timed(_attention(count, layers, heads), scale, seconds)
            capacity, errors = probed_capacity(clocked, count, groups=groups, width=width, rng=0)
        row = _row("probes", count, layers, heads, summary(seconds))
        row["error"] = float(errors.sum() / np.sqrt(2 * np.pi))  # half the mean of |error|, if it is normal
        if count == few:
            row["found"] = float(np.abs(capacity - results["exact"]).sum() / 2)
        rows.append(row)
    for row in rows:
        spent, peak = row["seconds"]["median"], row["bytes"] / 1e9
        log(f"{row['positions']} tokens, {row['method']}: {spent:.3g} s, {peak:.2g} GB so far")
    return rows


def _row(method, positions, layers, heads, seconds):
    peak = 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    found = {"method": method, "positions": positions, "layers": layers, "heads": heads}
    return found | {"seconds": seconds, "bytes": peak}


def _attention(tokens, layers, heads):
    """Weights of each layer's heads, from the top down: a softmax of standard normal scores of what came before."""
    rng, mask = np.random.default_rng(0), np.tri(tokens, dtype=np.float32)
    for _ in range(layers):
        weights = np.empty((heads, tokens, tokens), np.float32)
        for head in weights:
            rng.standard_normal(out=head, dtype=np.float32)
            np.exp(head, out=head)
            head *= mask
            head /= head.sum(axis=1, keepdims=True)
        yield weights


def _timed(attention, scale, seconds):
    """Steps whose probes add the time that they take to the last entry."""
    for links in attention:
        yield _Clocked(Attend(links, scale), seconds)


class _Clocked:
    def __init__(self, step, seconds):
        self.step, self.seconds = step, seconds

    def probe(self, g, rng):
        start = time.perf_counter()
        found = self.step.probe(g, rng)
        self.seconds[-1] += time.perf_counter() - start
        return found
