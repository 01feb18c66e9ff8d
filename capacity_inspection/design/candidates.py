"""The search itself: the cheapest stacks whose capacity lies where it is wanted, by estimates or by fits.

All stacks of as many layers, taps and channels cost the same, so that a search goes through families of stacks by
their cost. Closed forms estimate thousands of allocations in a second. Training changes an allocation, on most
processes towards recent lags, so that with a process stacks are fitted: at each cost in the order of the estimates, but
for those of which a bound says that they cannot be better than what was found for no more parameters.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import islice
from typing import Any

import numpy as np
from joblib import Parallel, delayed
from tqdm import tqdm

from capacity._validation import as_list, check_instance, check_integer, check_members
from capacity.allocation.constraints import constraint_space, model_constraints
from capacity.fitting.least_squares import fit
from capacity.linalg.toeplitz import LARGE
from capacity.models import DilatedConvolution, tensor_train_parameters
from capacity.sweeps import seeded_generator
from capacity.tasks.prediction_task import PredictionTask
from capacity_inspection.design.expected import expected_allocation, path_counts, trained_sizes
from capacity_inspection.design.segments import segment_total
from capacity_inspection.design.stacks import BASES, CHANNELS, TAPS, StackFamily, all_dilations_up_to, stacks_within
from capacity_inspection.design.wants import Want, as_wants

__all__ = ["Candidate", "Design", "FittedCandidate", "search"]

LONGEST = 2**20  # lags, for which some hundred stacks take seconds
TOGETHER = 8  # fits that are chosen by the same knowledge, whether or not they run at once


@dataclass(frozen=True)
class Candidate:
    """A stack, its total capacity in closed form, and how far its estimated allocation is from what is wanted.

    Attributes
    ----------
    family : StackFamily
        Its taps and channels.
    dilations : tuple of int
    total : int
        Total capacity, `segment_capacity`.
    shortfalls : tuple of float
        Of each want, under the assumption of `expected_allocation`: before any training, or of `trained_sizes`.
    spare : float
        The least that there is beyond a want; negative where one is not met.

    Examples
    --------
    >>> found = search(Want((5, 8), share=0.3), budget=6, max_lags=8)
    >>> best = found.candidates[0]
    >>> best.parameters, best.dilations, best.unmet
    (2, (4,), 0.0)
    """

    family: StackFamily
    dilations: tuple[int, ...]
    total: int
    shortfalls: tuple[float, ...]
    spare: float

    @property
    def model(self) -> DilatedConvolution:
        """The stack itself."""
        return DilatedConvolution(self.dilations, self.family.channels, self.family.taps, self.family.components)

    @property
    def parameters(self) -> int:
        """Number of parameters."""
        return self.family.parameters

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

    Examples
    --------
    >>> from capacity import GaussianProcess
    >>> found = search(Want((5, 8), share=0.3), budget=6, max_lags=8, process=GaussianProcess())
    >>> fitted = found.fits[0]
    >>> fitted.converged, fitted.total, fitted.candidate.dilations
    (True, 2, (4,))
    """

    candidate: Candidate
    loss: float
    total: int
    shortfalls: tuple[float, ...]
    converged: bool

    @property
    def model(self) -> DilatedConvolution:
        """The stack that was fitted."""
        return self.candidate.model

    @property
    def parameters(self) -> int:
        """Its number of parameters."""
        return self.candidate.parameters

    @property
    def unmet(self) -> float:
        """The sum of the shortfalls: 0 where all wants are met."""
        return sum(self.shortfalls)


@dataclass(frozen=True, eq=False)
class Design:
    """What a search found, and how far it looked.

    Attributes
    ----------
    wants : tuple of Want
    budget : int
        Largest number of parameters.
    stacks : int
        How many there are within the budget, of those that were searched.
    searched : str
        What these are, in words; empty where they were given.
    estimates : ndarray, shape (estimated, 2)
        Number of parameters, and what is unmet by estimate, of those that were looked at.
    candidates : tuple of Candidate
        The best estimate at each number of parameters, the fewest first.
    fits : tuple of FittedCandidate
        Those that were fitted; none without a process.
    left : int
        Stacks that were not fitted although they might be better than the front: 0 where `fits` sufficed. All others
        were fitted, or need no fewer parameters than what meets all wants, or fall short of the front by a bound.

    Examples
    --------
    >>> found = search(Want((5, 8), share=0.3), budget=6, max_lags=8)
    >>> found.stacks, [(each.parameters, each.dilations) for each in found.front]
    (39, [(2, (4,))])
    """

    wants: tuple[Want, ...]
    budget: int
    stacks: int
    searched: str
    estimates: np.ndarray
    candidates: tuple[Candidate, ...]
    fits: tuple[FittedCandidate, ...] = ()
    left: int = 0

    @property
    def front(self) -> tuple[Any, ...]:
        """Of the fits, where there are some: those that no other one of as many parameters or fewer equals.

        The best first, which misses least; each further one has fewer parameters.
        """
        points: tuple[Any, ...] = self.fits or self.candidates
        front: list[Any] = []
        least = float("inf")
        for point in sorted(points, key=lambda point: (point.parameters, point.unmet, getattr(point, "loss", 0))):
            if point.unmet < least:
                least = point.unmet
                front.insert(0, point)
        return tuple(front)

    def rows(self) -> list[dict[str, Any]]:
        """One dictionary for each point of the front: ``pandas.DataFrame(design.rows())``."""
        rows = []
        for point in self.front:
            model = point.model
            row: dict[str, Any] = {name: list(getattr(model, name)) for name in ("dilations", "taps", "channels")}
            row |= {"lags": model.n_positions, "parameters": point.parameters, "total": point.total}
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
    stacks: Iterable[DilatedConvolution] | None = None,
    max_lags: int | None = None,
    fits: int = 100,
    starts: int = 2,
    max_iterations: int | None = None,
    seed: int = 0,
    jobs: int = 1,
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
        What stacks are fitted to; without one, nothing is fitted. It needs a `residual_variance` beside the members of
        the protocol, as `GaussianProcess` and `Samples` have it.
    stacks : iterable of DilatedConvolution, optional
        Which stacks to look at; by default those of `stacks_within` the budget.
    max_lags : int, optional
        Longest receptive field; by default four times the largest lag that the wants name.
    fits : int, optional
        At most so many stacks are fitted, in turn at each number of parameters, the best estimate first.
    starts, max_iterations, seed : int, optional
        Of each fit: runs from random weights, of which the one of least loss counts; steps of each, as in `fit`; and
        the seed of these weights.
    jobs : int, optional
        Number of worker processes.
    progress : bool, optional
        Show a progress bar over the fits.

    Returns
    -------
    Design

    Raises
    ------
    ValueError
        If no stack fits into the budget.

    Notes
    -----
    The bound: an allocation of total capacity t gives a lag at most what the model of all lags that the stack reaches
    gives it, since the stack's constraints are among those of that model. Where a fit ends at a singular point, with
    less than the total in closed form, shares are not bounded by it.

    Examples
    --------
    A layer of two taps, 16 or more lags apart:

    >>> best = search(Want((17, None), share=0.5), budget=60).front[0]
    >>> best.unmet, best.parameters, best.model.dilations
    (0.0, 2, (16,))
    """
    wanted, budget = as_wants(wants), check_integer(budget, "budget", minimum=1)
    fits = check_integer(fits, "fits", minimum=1)
    components = 1
    if process is not None:
        members = ("components", "covariance", "optimal_coefficients", "residual_variance")
        components = check_members(process, "process", members, "pass a GaussianProcess or Samples").components
    if stacks is None:
        named = max(lag for want in wanted for lag in want.lags if lag is not None)
        if max_lags is None:
            if named > LONGEST // 4:
                raise ValueError(f"wants: expected lags up to {LONGEST // 4}, got {named}; name more recent ones")
            max_lags = max(4 * named, 2)
        check_integer(max_lags, "max_lags", minimum=2, maximum=LONGEST)
        families = list(stacks_within(budget, max_lags, components=components))
        searched = _searched(families, max_lags)
    else:
        searched, families = "", _families(as_list(stacks, "stacks", "pass models"), budget, components)
    if not families:
        raise ValueError(f"budget: expected room for at least one stack, got {budget}; allow more parameters")
    costs = sorted({family.parameters for family in families})
    levels = [_Level([each for each in families if each.parameters == cost], wanted, process) for cost in costs]
    fitted: list[FittedCandidate] = []
    if process is None:
        _first_met(levels)
    else:
        how = {"restarts": check_integer(starts, "starts", minimum=1), "max_iterations": max_iterations}
        seed = check_integer(seed, "seed", minimum=0)
        turns = _turns(levels, fitted, partial(_at_most, process=process, cache={}))
        with (
            Parallel(n_jobs=check_integer(jobs, "jobs", minimum=1)) as parallel,
            tqdm(total=fits, desc="fits", disable=not progress) as bar,
        ):
            while chosen := list(islice(turns, min(TOGETHER, fits - len(fitted)))):
                fitted += parallel(delayed(_fitted)(each, wanted, process, seed, **how) for each in chosen)
                bar.update(len(chosen))
    looked = [level for level in levels if "estimates" in vars(level)]
    left = sum(len(level) - level.tried for level in levels if level.is_open(fitted)) if process is not None else 0
    points = np.array([(each.parameters, each.unmet) for level in looked for each in level.estimates])
    best = tuple(level.estimates[0] for level in looked)
    return Design(wanted, budget, sum(map(len, levels)), searched, points, best, tuple(fitted), left)


def _searched(families, max_lags):
    """What is searched by default, in words."""
    deepest, free = max((len(family.taps) for family in families), default=0), all_dilations_up_to(max_lags)
    blocks = f"dilations 1, b, b^2, ... of base up to {max(BASES)}"
    chosen = f"any dilations of up to {free} layer{'s' * (free != 1)}, deeper ones in blocks of {blocks}"
    chosen = chosen if free else f"{blocks}, in blocks or one for a single layer"
    taps = f"{', '.join(map(str, TAPS[:-1]))} or {TAPS[-1]} taps in each layer"
    width = f"1 to {max(CHANNELS)} channels, the same in each layer"
    return f", of up to {max_lags} lags: {chosen if deepest > free else 'any dilations'}; {taps}; {width}"


def _families(models, budget, components):
    """The families of some models within the budget."""
    found: dict[tuple, dict] = {}
    for model in models:
        check_instance(model, "stacks", DilatedConvolution, "pass models")
        if model.components != components:
            raise ValueError(
                f"stacks: expected models of {components} components, as the process, got {model.components}; make "
                f"them with components={components}"
            )
        found.setdefault((model.taps, model.channels), {})[model.dilations] = None
    families = [StackFamily(*key, np.array(list(dilations)), components) for key, dilations in found.items()]
    return [family for family in families if family.parameters <= budget]


@dataclass(eq=False)
class _Level:
    """The stacks of one cost, estimated when they are looked at, and how many of them were fitted or excluded."""

    families: list[StackFamily]
    wants: tuple[Want, ...]
    process: Any
    tried: int = 0

    def __len__(self):
        return sum(len(family.dilations) for family in self.families)

    @property
    def cost(self):
        return self.families[0].parameters

    @cached_property
    def estimates(self):
        """Candidates in the order in which they are fitted: the least unmet, then the most to spare."""
        found = [each for family in self.families for each in _estimated(family, self.wants, self.process)]
        return sorted(found, key=lambda each: (each.unmet, -each.spare))

    def is_open(self, fitted):
        """Whether one of these stacks might still be better than what was found for no more parameters."""
        return self.tried < len(self) and _least(fitted, self.cost) > 0

    def next(self, fitted, at_most):
        """The next one that no bound excludes, or none."""
        best = _least(fitted, self.cost)
        while best > 0 and self.tried < len(self):
            candidate = self.estimates[self.tried]
            self.tried += 1
            most = at_most(candidate.model)
            if sum(want.least(most, candidate.total / candidate.model.components) for want in self.wants) < best:
                return candidate
        return None


def _least(fitted, cost):
    return min((each.unmet for each in fitted if each.parameters <= cost), default=float("inf"))


def _turns(levels, fitted, at_most):
    """Candidates to be fitted, in rounds, the next one at each cost.

    A round goes upwards from the lowest cost at which an estimate meets all wants, then downwards. What meets them
    after a fit closes its own cost and all higher ones.
    """
    start = _first_met(levels)
    levels = levels[start:] + levels[:start][::-1]
    while levels := [level for level in levels if level.is_open(fitted)]:
        for level in levels:
            if candidate := level.next(fitted, at_most):
                yield candidate


def _first_met(levels):
    """The place of the first level of which an estimate meets all wants, or comes nearest."""
    for place, level in enumerate(levels):
        if level.estimates[0].unmet == 0:
            return place
    return min(range(len(levels)), key=lambda place: levels[place].estimates[0].unmet)


def _estimated(family, wants, process):
    """Candidates of a family, some thousands of numbers at a time."""
    components, candidates = family.components, []
    widths, longest = (components, *family.channels, 1), family.lags
    if process is not None:
        coefficients = _by_lag(np.square(process.optimal_coefficients(longest)[::-1]), components) ** 0.5
    count = len(family.dilations)
    for part in np.array_split(family.dilations, min(-(-count * longest // 2**18), count)):
        dilations = list(map(tuple, part.tolist()))
        totals = [segment_total(each, family.taps, widths) for each in dilations]
        taps = family.taps
        sizes = path_counts(part, taps) if process is None else trained_sizes(part, taps, coefficients)
        by_lag = _by_lag(expected_allocation(np.repeat(sizes, components, axis=-1), totals), components)
        missing = np.stack([want.missing(by_lag) for want in wants], axis=-1)
        shortfalls, spare = _rounded(np.maximum(missing, 0)).tolist(), (-missing.max(axis=-1)).tolist()
        rows = zip(dilations, totals, map(tuple, shortfalls), spare)
        candidates += [Candidate(family, *row) for row in rows]
    return candidates


def _by_lag(allocation, components):
    """Capacity of each lag, 1 where a position is full, from that of each input, the most recent position first."""
    return allocation.reshape(*allocation.shape[:-1], -1, components).mean(axis=-1)


def _rounded(shortfalls):
    """To six digits, the accuracy of what ends when a residual is orthogonal to ten."""
    return np.round(shortfalls, 6) + 0.0


def _at_most(model, *, process, cache):
    """The most capacity of each lag that constraints of these lags can have: with independent weights at each."""
    reached = path_counts(model.dilations, model.taps) > 0
    if (key := reached.tobytes()) not in cache:
        if reached.size > LARGE:
            cache[key] = np.ones(reached.size)
        else:
            inputs = np.eye(reached.size * model.components)[:, np.repeat(reached[::-1], model.components)]
            space = constraint_space(process.covariance(reached.size), inputs)
            cache[key] = _by_lag(space.spatial()[::-1], model.components)
    return cache[key]


def _fitted(candidate, wants, process, seed, **how):
    """Fit a candidate from weights that depend on the stack and the seed alone."""
    model, components = candidate.model, process.components
    n = model.n_positions
    named = {name: " ".join(map(str, getattr(model, name))) for name in ("dilations", "channels", "taps")}
    rng, start = seeded_generator(**named, seed=seed), None
    if model.is_hierarchical:  # from the tensor train nearest to the target
        target = process.optimal_coefficients(n)
        start = tensor_train_parameters(target, model.taps, model.channels, components=components, rng=rng)
    found = fit(model, process, initial=start, rng=rng, **how)
    covariance = process.operator(n) if n > LARGE and hasattr(process, "operator") else process.covariance(n)
    space = model_constraints(model, found.parameters, covariance)
    by_lag = _by_lag(space.spatial().reshape(-1, components)[::-1].ravel(), components)
    shortfalls = tuple(float(_rounded(want.shortfall(by_lag))) for want in wants)
    loss = found.loss + process.residual_variance(n)
    return FittedCandidate(candidate, float(loss), space.total, shortfalls, found.converged)
