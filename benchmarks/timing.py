"""Timing: alternating runs, medians, and what this machine could do at best."""

import os
import platform
import re
import subprocess
import sys
import time
from importlib import metadata
from pathlib import Path

import numpy as np

__all__ = ["QUIET", "alternate", "machine", "peak_memory", "quiet", "rates", "summary", "timed"]

QUIET = 1.5
"""The load, over a minute, up to which a machine is quiet: the benchmark itself is one process."""


def timed(call):
    """Seconds that a call takes, and what it returns."""
    start = time.perf_counter()
    result = call()
    return time.perf_counter() - start, result


def alternate(calls, runs):
    """Median seconds of each of several calls {name: call}, run in turn so that all see the same disturbances.

    Returns
    -------
    seconds : dict of str to dict
        median, fastest and slowest, and the number of runs.
    results : dict
        What each call returned last.
    """
    seconds, results = {name: [] for name in calls}, {}
    for _ in range(runs):
        for name, call in calls.items():
            duration, results[name] = timed(call)
            seconds[name].append(duration)
    return {name: summary(taken) for name, taken in seconds.items()}, results


def summary(seconds):
    """Median, fastest and slowest of some seconds, and their number."""
    return {
        "median": float(np.median(seconds)),
        "fastest": min(seconds),
        "slowest": max(seconds),
        "runs": len(seconds),
    }


def peak_memory(code):
    """Peak memory in bytes of a fresh process that runs some code; importing alone takes about 100 MB. Linux only.

    The kernel's own mark of the process is read: the one of `resource` starts at the parent's size.
    """
    report = f"{code}\nprint(open('/proc/self/status').read())"
    done = subprocess.run([sys.executable, "-c", report], check=True, capture_output=True, text=True)
    return 1024 * int(re.search(r"VmHWM:\s+(\d+) kB", done.stdout).group(1))


def rates(size=1500, length=2**25, runs=5):
    """Rates of this machine: flops per second of a matrix product, and bytes per second of a copy."""
    matrix = np.random.default_rng(0).standard_normal((size, size))
    long, target = np.ones(length), np.zeros(length)
    np.copyto(target, long)
    products = min(timed(lambda: matrix @ matrix)[0] for _ in range(runs))
    copies = min(timed(lambda: np.copyto(target, long))[0] for _ in range(runs))
    return {"product_flops": 2 * size**3 / products, "copy_bytes": 2 * long.nbytes / copies}


def quiet(patience=600, *, log=print):
    """Wait until no other process has wanted a core for a minute, or until patience (seconds) is at its end."""
    end, said = time.monotonic() + patience, False
    while (load := os.getloadavg()[0]) > QUIET and time.monotonic() < end:
        if not said:
            log(f"waiting for a quiet minute (the load is {load:.1f}), for {patience / 60:g} minutes at most")
            said = True
        time.sleep(5)


def machine():
    """Processor, threads, load and versions."""
    cpuinfo = Path("/proc/cpuinfo")
    names = [line for line in cpuinfo.read_text().splitlines() if "model name" in line] if cpuinfo.exists() else []
    packages = ["numpy", "scipy", "python-flint", "torch", "torchinfo", "relucent"]
    installed = {dist.metadata["Name"].lower() for dist in metadata.distributions()}
    return {
        "processor": names[0].split(":")[1].strip() if names else platform.processor(),
        "cores": os.cpu_count(),
        "threads": int(os.environ.get("OMP_NUM_THREADS", 0)) or None,
        "load": os.getloadavg()[0],
        "python": platform.python_version(),
        "versions": {name: metadata.version(name) for name in packages if name in installed},
    }
