"""Many at once: fits of one stack to many samples, constraint spaces at many parameters, and a loss with its gradient.

The peers are a loop over the same functions, SciPy's least_squares with our Jacobian, and PyTorch's autograd.
"""

import numpy as np
from scipy import optimize

from benchmarks.timing import alternate
from capacity.allocation import model_constraints
from capacity.fitting import Objective, fit, fit_many
from capacity.models import DilatedConvolution
from capacity.tasks import GaussianProcess, Samples

try:
    from benchmarks import pytorch
except ImportError:  # an optional peer, never a dependency
    pytorch = None

__all__ = ["fits", "gradients", "spaces"]

MODEL = DilatedConvolution((1, 2, 4, 8, 16, 32), (2, 3, 2, 3, 3))  # 64 inputs, 64 parameters
SAMPLES = 1000


def fits(fits=1000, single=20, *, log=print):
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


def spaces(draws=2000, model=None, *, log=print):
    """Constraint spaces of a stack at random parameters: seconds for all of them, stacked and in a loop."""
    model = model or DilatedConvolution.hierarchical(4, channels=2)  # 16 inputs, 24 parameters
    covariance = GaussianProcess().covariance(model.n_inputs)
    parameters = np.array([model.initial(seed) for seed in range(draws)])
    calls = {
        "all at once": lambda: model_constraints(model, parameters, covariance).spatial(),
        "loop": lambda: np.array([model_constraints(model, each, covariance).spatial() for each in parameters]),
    }
    seconds, found = alternate(calls, 3)
    row = {
        "inputs": model.n_inputs,
        "parameters": model.n_parameters,
        "draws": draws,
        "seconds": seconds["all at once"],
    }
    row |= {"loop": seconds["loop"], "difference": float(np.abs(np.subtract(*found.values())).max())}
    log(f"{draws} constraint spaces: {row['seconds']['median']:.3g} s, in a loop {row['loop']['median']:.3g} s")
    return [row]


def gradients(layers=6, channel_counts=(2, 8), evaluations=200, *, log=print):
    """Seconds of one evaluation of the loss of a hierarchical model and its gradient, ours and by PyTorch."""
    rows = []
    for channels in channel_counts:
        model, process = DilatedConvolution.hierarchical(layers, channels), GaussianProcess()
        objective, start = Objective.of_task(model, process), model.initial(0)
        peer = pytorch.loss_and_gradient(model, process)
        calls = {
            "ours": lambda f=objective.loss_and_gradient, w=start: [f(w) for _ in range(evaluations)][-1],
            "PyTorch": lambda f=peer, w=start: [f(w) for _ in range(evaluations)][-1],
        }
        seconds, found = alternate(calls, 5)
        (_, ours), (_, theirs) = found.values()
        each = {name: {k: v if k == "runs" else v / evaluations for k, v in s.items()} for name, s in seconds.items()}
        row = {"channels": channels, "parameters": model.n_parameters, "seconds": each["ours"]}
        row |= {"PyTorch": each["PyTorch"], "difference": float(np.abs(ours / theirs - 1).max())}
        log(f"c = {channels}: {1e6 * row['seconds']['median']:.3g} us, PyTorch {1e6 * row['PyTorch']['median']:.3g} us")
        rows.append(row)
    return rows
