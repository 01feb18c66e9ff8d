"""The search itself: totals and estimated allocations of all candidates, fits of those at the front.

Closed forms rank thousands of stacks within seconds. Training changes an allocation, on most processes towards recent
lags, so that the stacks at the front are fitted to the process, and the front of a design with a process is that of
what the fits allocate.
"""

import hashlib
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from functools import partial, update_wrapper
from itertools import groupby
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from capacity._validation import as_list, check_choice, check_instance, check_integer, check_members
from capacity.allocation.constraints import model_constraints
from capacity.allocation.segments import segment_capacity
from capacity.design.expected import expected_allocation, path_counts
from capacity.design.pareto import pareto_layers
from capacity.design.stacks import DilatedStack, stacks_within
from capacity.design.wants import Want, as_wants
from capacity.fitting.least_squares import fit
from capacity.linalg.toeplitz import LARGE
from capacity.models.tensor_trains import tensor_train_parameters
from capacity.sweeps import seeded_generator, sweep
from capacity.tasks.prediction_task import PredictionTask

__all__ = ["Candidate", "Design", "FittedCandidate", "search"]


@dataclass(frozen=True)
class Candidate:
    """A stack, its total capacity in closed form, and how far its estimated allocation is from what is wanted.

    Attributes
    ----------
    stack : DilatedStack
    parameters, total : int
        Number of parameters; total capacity, `segment_capacity`.
    shortfalls : tuple of float
        Of each want, under the assumption of `expected_allocation`: before any training.
    """

    stack: DilatedStack
    parameters: int
    total: int
    shortfalls: tuple[float, ...]

    @property
    def unmet(self) -> float:
        """The sum of the shortfalls: 0 where all wants are met."""
        return sum(self.shortfalls)


@dataclass(frozen=True)
class FittedCandidate:
    """A candidate after its fit: capacities are numerical here, not estimated.

    Attributes
    ----------
    candidate : Candidate
    loss : float
        Variance of the error of the fitted model's predictions.
    total : int
        Total capacity at the fit.
    shortfalls : tuple of float
        Of each want, at the fit.
    converged : bool
        Whether the fit met a stopping rule.
    """

    candidate: Candidate
    loss: float
    total: int
    shortfalls: tuple[float, ...]
    converged: bool

    @property
    def stack(self) -> DilatedStack:
        """The stack that was fitted."""
        return self.candidate.stack

    @property
    def parameters(self) -> int:
        """Its number of parameters."""
        return self.candidate.parameters

    @property
    def unmet(self) -> float:
        """The sum of the shortfalls: 0 where all wants are met."""
        return sum(self.shortfalls)


@dataclass(frozen=True)
class Design:
    """What a search found.

    Attributes
    ----------
    wants : tuple of Want
    budget : int
        Largest number of parameters.
    cost : {'parameters', 'total'}
        What is traded against the sum of the shortfalls.
    candidates : tuple of Candidate
        All that were looked at.
    fits : tuple of FittedCandidate
        Those that were fitted; none without a process.
    """

    wants: tuple[Want, ...]
    budget: int
    cost: str
    candidates: tuple[Candidate, ...]
    fits: tuple[FittedCandidate, ...] = ()

    @property
    def front(self) -> tuple[Any, ...]:
        """Pareto front of cost against the sum of shortfalls, the cheapest first: of the fits where there are some."""
        points = self.fits or self.candidates
        layers = pareto_layers([[getattr(point, self.cost), point.unmet] for point in points])
        front = [point for point, layer in zip(points, layers) if layer == 0]
        return tuple(sorted(front, key=lambda point: (getattr(point, self.cost), point.parameters)))

    def rows(self, points: Iterable[Any] | None = None) -> list[dict[str, Any]]:
        """One dictionary for each point, by default those of the front: ``pandas.DataFrame(design.rows())``."""
        rows = []
        for point in self.front if points is None else points:
            row = asdict(point.stack) | {"lags": point.stack.lags, "parameters": point.parameters, "total": point.total}
            row |= {str(want): short for want, short in zip(self.wants, point.shortfalls)} | {"unmet": point.unmet}
            if isinstance(point, FittedCandidate):
                row |= {"loss": point.loss, "estimated unmet": point.candidate.unmet, "converged": point.converged}
            rows.append(row)
        return rows


def search(
    wants: Want | Iterable[Want],
    budget: int,
    *,
    process: PredictionTask | None = None,
    cost: str = "parameters",
    stacks: Iterable[DilatedStack] | None = None,
    max_lags: int | None = None,
    fits: int = 50,
    max_iterations: int = 100,
    seed: int = 0,
    folder: str | Path | None = None,
    jobs: int = 1,
    backend: str = "loky",
    progress: bool = False,
) -> Design:
    """Search linear temporal convolutional networks for a wanted allocation within a budget of parameters.

    Parameters
    ----------
    wants : Want or iterable of Want
        For example ``[Want((257, None), share=0.5), Want((1, 64), full=1.0)]``.
    budget : int
        Largest number of parameters.
    process : PredictionTask, optional
        What the stacks at the front are fitted to; without one, nothing is fitted. It needs a `residual_variance`
        beside the members of the protocol, as `GaussianProcess` and `Samples` have it.
    cost : {'parameters', 'total'}, optional
        What is traded against the sum of the shortfalls.
    stacks : iterable of DilatedStack, optional
        Which stacks to look at; by default all of `stacks_within` the budget.
    max_lags : int, optional
        Longest receptive field; by default four times the largest lag that the wants name.
    fits : int, optional
        At most so many fits, up to 50: the front of the estimates, then those behind it, in each the best first.
    max_iterations, seed : int, optional
        Of each fit, and of the random weights where it starts.
    folder : path, optional
        Keeps each fit as soon as it is done, so that a search that was interrupted goes on where it was; as in `sweep`.
    jobs, backend, progress
        As in `sweep`: worker processes, or ``backend="dask"``.

    Returns
    -------
    Design

    Raises
    ------
    ValueError
        If no stack fits into the budget.
    RuntimeError
        If a fit fails; it is named.

    Examples
    --------
    >>> design = search(Want((17, None), share=0.5), budget=60)
    >>> best = design.front[-1]
    >>> best.unmet, best.parameters <= 60
    (0.0, True)
    """
    wanted, budget = as_wants(wants), check_integer(budget, "budget", minimum=1)
    fits = check_integer(fits, "fits", minimum=1, maximum=50, remedy="fits take long: narrow the search by `stacks`")
    check_choice(cost, "cost", ("parameters", "total"))
    named = max(lag for want in wanted for lag in want.lags if lag is not None)
    max_lags = max(4 * named, 2) if max_lags is None else check_integer(max_lags, "max_lags", minimum=2)
    stacks = stacks_within(budget, max_lags) if stacks is None else as_list(stacks, "stacks", "pass stacks_within(...)")
    if process is not None:
        members = ("components", "covariance", "optimal_coefficients", "residual_variance")
        check_members(process, "process", members, "pass a GaussianProcess or Samples")
    candidates = _candidates(wanted, budget, stacks, 1 if process is None else process.components)
    if not candidates:
        raise ValueError(f"budget: expected room for at least one stack, got {budget}; allow more parameters")
    if process is None:
        return Design(wanted, budget, cost, candidates)
    layers = pareto_layers([[getattr(candidate, cost), candidate.unmet] for candidate in candidates])
    order = np.lexsort(([candidate.unmet for candidate in candidates], layers))
    chosen = [candidates[i] for i in order[:fits]]
    with TemporaryDirectory() as passing:
        how = {"folder": folder or passing, "jobs": jobs, "backend": backend, "progress": progress}
        fitted = _fit_all(chosen, wanted, process, max_iterations=max_iterations, seed=seed, **how)
    return Design(wanted, budget, cost, candidates, fitted)


def _candidates(wants, budget, stacks, components):
    stacks = (check_instance(stack, "stacks", DilatedStack, "pass stacks_within(...)") for stack in stacks)
    candidates = []
    for _, group in groupby(stacks, lambda stack: (stack.dilations, stack.taps)):
        models = [(stack, stack.model(components)) for stack in group]
        models = [(stack, model) for stack, model in models if model.n_parameters <= budget]
        if not models:
            continue
        totals = [segment_capacity(model.dilations, model.channels, model.taps, components) for _, model in models]
        sizes = np.repeat(path_counts(models[0][1].dilations, models[0][1].taps), components)
        shortfalls = _shortfalls(wants, expected_allocation(sizes, totals), components)
        for (stack, model), total, short in zip(models, totals, shortfalls):
            candidates.append(Candidate(stack, model.n_parameters, total, tuple(short)))
    return tuple(candidates)


def _shortfalls(wants, allocation, components):
    """Of each want, for the capacity of each input, the most recent position first, to nine digits."""
    by_lag = allocation.reshape(*allocation.shape[:-1], -1, components).mean(axis=-1)  # 1 where a position is full
    return np.round(np.stack([want.shortfall(by_lag) for want in wants], axis=-1), 9).tolist()


def _fit_all(chosen, wants, process, *, max_iterations, seed, folder, **how):
    point = update_wrapper(partial(_fit_point, process=process, wants=wants), _fit_point)
    settings = {
        "max_iterations": check_integer(max_iterations, "max_iterations", minimum=1),
        "seed": check_integer(seed, "seed", minimum=0),
        "wanted": "; ".join(map(repr, wants)),
    }
    tasks = {n: _fingerprint(process, n) for n in {candidate.stack.lags for candidate in chosen}}
    points = [asdict(each.stack) | settings | {"task": tasks[each.stack.lags]} for each in chosen]
    table = sweep(point, points, folder, **how)
    shortfalls = zip(*(table[f"shortfall {i}"].tolist() for i in range(len(wants))))
    columns = (table[name].tolist() for name in ("loss", "fitted_total", "converged"))
    return tuple(
        FittedCandidate(candidate, loss, total, short, converged)
        for candidate, short, loss, total, converged in zip(chosen, shortfalls, *columns)
    )


def _fit_point(base, depth, stacks, taps, channels, max_iterations, seed, task, wanted, *, process, wants):
    """A point of the sweep; `task` and `wanted` are names of the process and the wants, which its file needs."""
    stack = DilatedStack(base, depth, stacks, taps, channels)
    model = stack.model(process.components)
    rng, n = seeded_generator(**asdict(stack), seed=seed), stack.lags
    start = model.initial(rng)
    if stacks == 1 and base == taps:  # hierarchical: from the tensor train nearest to the target
        target, components = process.optimal_coefficients(n), process.components
        start = tensor_train_parameters(target, model.taps, model.channels, components=components, rng=rng)
    fitted = fit(model, process, initial=start, rng=rng, max_iterations=max_iterations)
    space = model_constraints(model, fitted.parameters, _covariance(process, n))
    recent_first = space.spatial().reshape(-1, process.components)[::-1].ravel()
    shortfalls = _shortfalls(wants, recent_first, process.components)
    results = {f"shortfall {i}": shortfall for i, shortfall in enumerate(shortfalls)}
    loss = fitted.loss + process.residual_variance(n)
    return results | {"loss": loss, "fitted_total": space.total, "converged": fitted.converged}


def _covariance(process, n):
    return process.operator(n) if n > LARGE and hasattr(process, "operator") else process.covariance(n)


def _fingerprint(process, n):
    """Names a process by its covariance and by what predicts it from n positions, which is all that a fit of them sees.

    To nine digits, where the residual variance has the units.
    """
    first = _covariance(process, n) @ np.eye(n * process.components, process.components)
    numbers = [first.ravel() / first[0, 0], process.optimal_coefficients(n)]
    text = f"{process.residual_variance(n):.9g}".encode()
    return hashlib.sha256((np.round(np.concatenate(numbers), 9) + 0.0).tobytes() + text).hexdigest()[:32]
