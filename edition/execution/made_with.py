"""What results are made with beside the project's own code: the interpreter, the machine, the packages installed."""

import os
import platform
import sys
from functools import cache
from importlib.metadata import packages_distributions, version
from pathlib import Path

__all__ = ["FIXED", "installed", "machine", "processor"]

ARITHMETIC = ("BLIS_", "MKL_", "NPY_", "OMP_", "OPENBLAS_")  # variables that choose instructions, and so last digits
FIXED = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}  # for every kernel
WRITERS = ("jupytext", "nbclient", "nbformat", "papermill")  # of notebooks, outside of their kernels


def machine():
    """Return what may change the last digits of any result, or how its notebook is written."""
    chosen = {name: value for name, value in os.environ.items() if name.startswith(ARITHMETIC) and name not in FIXED}
    versions = {name: version(name) for name in WRITERS}
    return [sys.version_info[:3], platform.machine(), processor(), chosen, versions]


@cache
def installed():
    """Return which packages bring each module that is installed, with their versions, by its first name."""
    return {
        module: sorted({f"{name} {version(name)}" for name in names})
        for module, names in packages_distributions().items()
    }


@cache
def processor():
    """Return the model of the processor, as far as the system tells it."""
    cpuinfo = Path("/proc/cpuinfo")
    lines = cpuinfo.read_text(encoding="utf-8").splitlines() if cpuinfo.exists() else []
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return models[0] if models else platform.processor() or platform.machine()
