"""Stacks fitted to small samples: what they lose on new ones, and what tells it beforehand.

The questions, the data and what counts as an answer were written down before any result was known, in
`ledger/protocol-prediction.md`. A sample and what is held out become moments, one `RowPrediction`, so that a fit of 32
inputs takes milliseconds. Losses are logarithms of mean squared errors.
"""

from dataclasses import dataclass
from functools import cache

import numpy as np
from scipy import linalg

from capacity.allocation.generic_rank import exact_capacity
from capacity.fitting import fit_many
from capacity.models.convolutions import DilatedConvolution
from capacity_inspection.design.expected import expected_allocation, path_counts
from capacity_studies.data.row_prediction import RowPrediction
from capacity_studies.sampling import Linear
from capacity_studies.usefulness.held_out import (
    initial_capacities,
    lag_demand,
    random_architectures,
    refitted,
    unmet_demand,
)

__all__ = [
    "Draw",
    "GaussianWindows",
    "SmallFits",
    "Windows",
    "chosen_losses",
    "cross_validation",
    "degrees_of_freedom",
    "expected_of",
    "fit_all",
    "grid",
    "lags_reached",
    "library",
    "log_losses",
    "scores_before_fits",
    "start",
    "unexplained",
    "validation",
]

_TOLERANCE = 1e-3


@dataclass(frozen=True)
class Draw:
    """A sample and what is held out.

    Attributes
    ----------
    sample : ndarray, shape (count, n + 1)
        Inputs, the oldest first, and the target.
    task : RowPrediction
        Moments of the sample and of what is held out, both about the means of the sample.
    """

    sample: np.ndarray
    task: RowPrediction

    @classmethod
    def of(cls, sample, rest):
        """That of two tables of windows."""
        return cls(sample, RowPrediction(*_moments(sample, rest)))


def _moments(sample, rest):
    parts = [part - sample.mean(axis=0) for part in (sample, rest)]
    return [part.T @ part / len(part) for part in parts]


@dataclass(frozen=True)
class Windows:
    """All windows of some rows: a draw takes a sample of them without replacement, and holds out all others."""

    table: np.ndarray

    @classmethod
    def of_rows(cls, rows, n):
        """Windows of n inputs and a target."""
        return cls(np.lib.stride_tricks.sliding_window_view(rows, n + 1, axis=1).reshape(-1, n + 1))

    def draw(self, count, rng):
        """A sample of so many windows."""
        order = rng.permutation(len(self.table))
        return Draw.of(self.table[order[:count]], self.table[order[count:]])


@dataclass(frozen=True)
class GaussianWindows:
    """Independent Gaussian windows of some covariance; the moments of what is held out are exact."""

    covariance: np.ndarray

    def draw(self, count, rng):
        """A sample of so many windows."""
        sample = rng.standard_normal((count, len(self.covariance))) @ linalg.cholesky(self.covariance)
        mean, train = sample.mean(axis=0), np.cov(sample.T, bias=True)
        return Draw(sample, RowPrediction(train, self.covariance + np.outer(mean, mean)))


def grid(depths=(3, 4, 5), channels=(1, 2, 3, 4)):
    """Hierarchical stacks of two taps, of some depths and channels."""
    return [DilatedConvolution.hierarchical(depth, width) for depth in depths for width in channels]


def library(each, *, sizes=(16, 24, 32, 48), fields=(8, 32)):
    """So many random architectures of each size, the sizes in turn; the seeds are 0, 1, ..."""
    by_size = [random_architectures(each, parameters=p, fields=fields, rng=i) for i, p in enumerate(sizes)]
    return [model for group in zip(*by_size) for model in group]


def lags_reached(model, n):
    """Which of n inputs a stack reads, the oldest first."""
    read = model.coefficients(np.ones(model.n_parameters)) != 0
    return np.concatenate([np.zeros(n - model.n_inputs, dtype=bool), read])


def log_losses(moments, coefficients):
    """Logarithms of mean squared errors by moments of n inputs and the target.

    Parameters
    ----------
    moments : ndarray, shape (..., n + 1, n + 1)
    coefficients : ndarray, shape (..., m)
        Of the m most recent inputs.

    Returns
    -------
    ndarray, shape (...)
    """
    errors = np.concatenate([-coefficients, np.ones((*coefficients.shape[:-1], 1))], axis=-1)
    recent = moments[..., -errors.shape[-1] :, -errors.shape[-1] :]
    return np.log(np.einsum("...i,...ij,...j->...", errors, recent, errors))


def start(model, *seeds):
    """Where the fits of a model start: random parameters from some seeds."""
    return model.initial(np.random.default_rng(seeds))


def _fitted(model, moments, starts, steps):
    """Parameters, coefficients and whether they converged, one fit for each matrix of moments."""
    recent = moments[:, -1 - model.n_inputs :, -1 - model.n_inputs :]
    targets = np.linalg.solve(recent[:, :-1, :-1], recent[:, :-1, -1:])[..., 0]
    tasks = [Linear(target, matrix[:-1, :-1], 0.0) for target, matrix in zip(targets, recent)]
    found = fit_many(model, tasks, starts, max_iterations=steps, tolerance=_TOLERANCE)
    return [np.array([getattr(one, name) for one in found]) for name in ("parameters", "coefficients", "converged")]


@dataclass(frozen=True)
class SmallFits:
    """Models fitted to draws, each array of shape (draws, models).

    Attributes
    ----------
    training, held_out : ndarray
        Logarithms of the losses.
    ranks : ndarray of int
        Capacity at the fit.
    converged : ndarray of bool
    starts, parameters : list of ndarray, shape (draws, p)
        Of each model.
    """

    training: np.ndarray
    held_out: np.ndarray
    ranks: np.ndarray
    converged: np.ndarray
    starts: list
    parameters: list

    @property
    def gap(self):
        """What held-out losses exceed those on the sample by, in logarithms."""
        return self.held_out - self.training


def fit_all(models, draws, seed, *, steps):
    """Fit each model to each draw, from one random start, in so many Gauss-Newton steps at most.

    Returns
    -------
    SmallFits
    """
    tasks = [draw.task for draw in draws]
    train, test = (np.array([getattr(task, part) for task in tasks]) for part in ("train", "test"))
    columns = []
    for number, model in enumerate(models):
        starts = np.array([start(model, seed, index, number) for index in range(len(draws))])
        parameters, coefficients, converged = _fitted(model, train, starts, steps)
        ranks = np.linalg.matrix_rank(model.jacobian(parameters))
        losses = [log_losses(moments, coefficients) for moments in (train, test)]
        columns.append((*losses, ranks, converged, starts, parameters))
    *arrays, starts, parameters = zip(*columns)
    return SmallFits(*[np.transpose(values) for values in arrays], list(starts), list(parameters))


def degrees_of_freedom(model, parameters, draws, rng, *, steps, fits=10):
    """Generalized degrees of freedom by Monte Carlo (Ye 1998): how far predictions follow noise that is added.

    Parameters
    ----------
    model : DilatedConvolution
    parameters : ndarray, shape (draws, p)
        Of its fits to the draws, where the new ones start.
    draws : list of Draw
    rng : numpy.random.Generator
    steps : int
        Of a fit, at most.
    fits : int, optional
        For each draw, to outputs with normal noise of half the residual deviation.

    Returns
    -------
    ndarray, shape (draws,)
        The mean over them of the inner product of noise and change of prediction, over the variance of the noise.
    """
    coefficients = model.coefficients(parameters)
    deviations = np.exp(log_losses(np.array([draw.task.train for draw in draws]), coefficients) / 2) / 2
    noise = [deviation * rng.standard_normal((fits, len(d.sample))) for deviation, d in zip(deviations, draws)]
    moments = np.array([_shaken(draw, each) for draw, many in zip(draws, noise) for each in many])
    moved = _fitted(model, moments, np.repeat(parameters, fits, axis=0), steps)[1].reshape(len(draws), fits, -1)
    found = []
    for draw, many, change, deviation in zip(draws, noise, moved - coefficients[:, None], deviations):
        inputs = draw.sample[:, -1 - model.n_inputs : -1] - draw.sample[:, -1 - model.n_inputs : -1].mean(axis=0)
        found.append(np.mean(np.sum(many @ inputs * change, axis=1)) / deviation**2)
    return np.array(found)


def _shaken(draw, noise):
    sample = draw.sample.copy()
    sample[:, -1] += noise
    return np.cov(sample.T, bias=True)


def cross_validation(model, starts, draws, rng, *, steps, folds=5):
    """Logarithm of the mean squared error in random folds, from fits to the others; shape (draws,)."""
    parts = [np.array_split(rng.permutation(len(draw.sample)), folds) for draw in draws]
    each = [draw for draw in draws for _ in range(folds)]
    left_out = [part for many in parts for part in many]
    losses = validation(model, np.repeat(starts, folds, axis=0), each, left_out, steps=steps)
    weights = [[len(part) for part in many] for many in parts]
    return np.log(np.average(np.exp(losses).reshape(len(draws), folds), weights=weights, axis=1))


def validation(model, starts, draws, parts, *, steps):
    """Logarithm of the loss on a part of each sample, from fits to the rest; shape (draws,)."""
    moments = [_moments(np.delete(d.sample, part, axis=0), d.sample[part]) for d, part in zip(draws, parts)]
    train, test = map(np.array, zip(*moments))
    return log_losses(test, _fitted(model, train, starts, steps)[1])


def scores_before_fits(models, tasks, count, *, draws, rng):
    """What tells architectures apart before any of them is fitted; the least of a score is chosen.

    Parameters
    ----------
    models : sequence of DilatedConvolution
    tasks : sequence of RowPrediction
        Of as many inputs.
    count : int, or sequence of int
        Samples N, of all tasks or of each.
    draws : int
        Random weights for the rule of the first protocol.
    rng : numpy.random.Generator

    Returns
    -------
    dict of str to ndarray, shape (tasks, models)
    """
    n, counts = tasks[0].n_inputs, np.reshape(count, (-1, 1))
    demands, reached = [lag_demand(task, n) for task in tasks], np.array([lags_reached(model, n) for model in models])
    totals, allocations = map(np.array, zip(*[expected_of(model, n) for model in models]))
    weights = np.array([model.n_parameters for model in models])
    capacities = initial_capacities(models, tasks, n, draws=draws, rng=rng)
    sets, which = np.unique(reached, axis=0, return_inverse=True)
    linear = np.array([[log_losses(task.train, each) for each in refitted(task, sets)] for task in tasks])
    linear = linear[:, which.ravel()]
    found = {
        "rule": [unmet_demand(own, demand) for own, demand in zip(capacities, demands)],
        "total": -totals,
        "reach": [~reached @ demand for demand in demands],
        "linear": linear,
        "linear + kappa": linear + 2 * totals / counts,
        "design": [_shortfalls(allocations, demand) for demand in demands],
        "receptive field": -np.array([model.n_inputs for model in models]),
        "linear + p": linear + 2 * weights / counts,
        "linear + min(p, r)": linear + 2 * np.minimum(weights, reached.sum(axis=1)) / counts,
    }
    return {name: np.broadcast_to(values, (len(tasks), len(models))) for name, values in found.items()}


@cache
def expected_of(model, n):
    """Total capacity of a stack, and how it divides over n lags by an estimate from paths: without data."""
    total, allocation = exact_capacity(model, rng=0).total, np.zeros(n)
    allocation[: model.n_inputs] = expected_allocation(path_counts(model.dilations, model.taps), total)
    allocation.setflags(write=False)
    return total, allocation


def _shortfalls(allocations, demand, share=0.95):
    """How much each allocation lacks where lags that hold most of the demand are to be full, as `unmet` has it."""
    order = np.argsort(-demand, kind="stable")
    needed = order[: np.searchsorted(np.cumsum(demand[order]), share * demand.sum()) + 1]
    return np.maximum(1.0 - allocations.take(len(demand) - 1 - needed, axis=1), 0.0).sum(axis=1)


def chosen_losses(score, losses, pools):
    """Losses of the models of least score in each pool, of the first of equal ones.

    Parameters
    ----------
    score, losses : ndarray, shape (draws, models)
    pools : ndarray of int, shape (pools, size)

    Returns
    -------
    ndarray, shape (draws, pools)
    """
    best = np.argmin(score[:, pools], axis=2)
    return np.take_along_axis(losses[:, pools], best[..., None], axis=2)[..., 0]


def unexplained(predictor, values):
    """Logarithm of the deviation that a line through a predictor leaves of values, over their own; at most 0.

    A predictor that goes the wrong way explains nothing.
    """
    r = max(np.corrcoef(predictor, values)[0, 1], 0.0)
    return np.log1p(-(r**2)) / 2
