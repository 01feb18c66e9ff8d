"""Fits of one stack to many samples, one by one, all at once, and by SciPy's least_squares with the same Jacobian."""

import numpy as np
from scipy import optimize

from benchmarks.timing import alternate
from capacity.fitting import fit, fit_many
from capacity.models import DilatedConvolution
from capacity.tasks import Samples

__all__ = ["run"]

MODEL = DilatedConvolution((1, 2, 4, 8, 16, 32), (2, 3, 2, 3, 3))  # 64 inputs, 64 parameters
SAMPLES = 1000


def run(fits=200, single=20, *, log=print):
    """Rows of the table: seconds for each fit, and the mean of what is left of the squared error.

    All start at the same random parameters and stop at a tolerance of 0.001. `single` of them are fitted one by one.
    """
    rng = np.random.default_rng(0)
    inputs = rng.standard_normal((SAMPLES, MODEL.n_inputs))
    wanted = 0.9 ** np.arange(MODEL.n_inputs)[::-1]
    outputs = inputs @ wanted + 0.5 * rng.standard_normal((fits, SAMPLES))
    starts = np.array([MODEL.initial(seed) for seed in range(fits)])
    tasks = [Samples(inputs, each) for each in outputs]
    calls = {
        "ours": (single, lambda: [_one(*pair) for pair in zip(tasks[:single], starts)]),
        "all at once": (fits, lambda: _at_once(tasks, starts)),
        "least_squares": (single, lambda: [_peer(*pair) for pair in zip(tasks[:single], starts)]),
    }
    seconds, losses = alternate({name: call for name, (_, call) in calls.items()}, 3)
    rows = []
    for name, (count, _) in calls.items():
        each = {key: value / count if key != "runs" else value for key, value in seconds[name].items()}
        row = {"method": name, "parameters": MODEL.n_parameters, "fits": count, "seconds": each}
        rows.append(row | {"loss": float(np.mean(losses[name][:single]))})
        log(f"{name}: {1e3 * each['median']:.3g} ms a fit, loss {rows[-1]['loss']:.4f}")
    return rows


def _one(task, start):
    return fit(MODEL, task, initial=start, tolerance=1e-3).loss + task.residual_variance(MODEL.n_inputs)


def _at_once(tasks, starts):
    found = fit_many(MODEL, tasks, starts, tolerance=1e-3)
    return [one.loss + task.residual_variance(MODEL.n_inputs) for one, task in zip(found, tasks)]


def _peer(task, start):
    found = optimize.least_squares(
        lambda w: task.inputs @ MODEL.coefficients(w) - task.outputs,
        start,
        lambda w: task.inputs @ MODEL.jacobian(w),
        method="trf",
        gtol=1e-3,
        ftol=1e-6,
        xtol=1e-6,
    )
    return 2 * found.cost / SAMPLES
