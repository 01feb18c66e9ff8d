"""The second protocol carried out: gaps, choices by criteria, choices before any fit, and their effects.

`ledger/protocol-prediction.md` has the questions. An effect is one number for each set; negative means that capacity
does better than its rival.
"""

from dataclasses import dataclass

import numpy as np
from scipy import special

from capacity.statistics import mean_interval
from capacity_studies.data.row_prediction import RowPrediction
from capacity_studies.usefulness.held_out import verdict
from capacity_studies.usefulness.small_samples import (
    Draw,
    chosen_losses,
    cross_validation,
    degrees_of_freedom,
    expected_of,
    fit_all,
    lags_reached,
    scores_before_fits,
    unexplained,
    validation,
)

__all__ = [
    "Judged",
    "SmallStudy",
    "chosen_before",
    "chosen_by_criteria",
    "forecast_study",
    "gap_effects",
    "gaussian_gap",
    "judge",
    "slopes",
    "small_study",
]

_FEW_DRAWS = 2  # on which what takes many fits is computed


@dataclass(frozen=True)
class SmallStudy:
    """Stacks fitted to draws of several sets.

    Attributes
    ----------
    names : list of str
        The sets.
    count : int, or ndarray of int, shape (sets, 1, 1)
        Samples N of a draw.
    kappa, weights, reached : ndarray of int, shape (models,)
        Of each stack the exact total capacity, the number of parameters, the number of lags that it reaches.
    grid : int
        How many of the stacks, the first ones, are the grid; the others are the library.
    training, held_out, ranks, converged : ndarray, shape (sets, draws, models)
        Logarithms of the losses, capacity at the fit, whether the fit converged.
    scores : dict of str to ndarray, shape (sets, draws, library)
        Of the library, before any fit.
    traces : ndarray, shape (sets, draws, models), or None
        Takeuchi's trace of the scores at the fit: kappa where the noise is even.
    validation : ndarray, shape (sets, draws, grid), or None
        Logarithm of the loss on a fifth of the sample, of fits to the rest.
    freedom, folds : ndarray, shape (sets, 2, few), or None
        Ye's degrees of freedom and the logarithm of the cross-validated loss of the first stacks on the first draws.
    """

    names: list
    count: int | np.ndarray
    kappa: np.ndarray
    weights: np.ndarray
    reached: np.ndarray
    grid: int
    training: np.ndarray
    held_out: np.ndarray
    ranks: np.ndarray
    converged: np.ndarray
    scores: dict
    traces: np.ndarray | None = None
    validation: np.ndarray | None = None
    freedom: np.ndarray | None = None
    folds: np.ndarray | None = None

    @property
    def gap(self):
        """What held-out losses exceed those on the samples by, in logarithms, shape (sets, draws, models)."""
        return self.held_out - self.training

    @property
    def least(self):
        """Parameters or lags reached, whichever are fewer, shape (models,)."""
        return np.minimum(self.weights, self.reached)


def small_study(populations, grid, others, count, draws, *, steps=60, few=0, noise_fits=10, random_weights=5, seed=0):
    """Draw samples of populations, fit all stacks to them, and compute what may tell their losses.

    Parameters
    ----------
    populations : dict of str to Windows or GaussianWindows
    grid, others : list of DilatedConvolution
        Among which criteria choose, and those among which a choice is made before any fit.
    count, draws : int
        Samples of each draw, and draws of each population.
    steps : int, optional
        Gauss-Newton steps of each fit, at most.
    few : int, optional
        How many of the others degrees of freedom and cross-validation are computed for, beside the grid; 0 for none.
    noise_fits, random_weights : int, optional
        As in `degrees_of_freedom` and `scores_before_fits`.
    seed : int, optional

    Returns
    -------
    SmallStudy
    """
    models, rng = [*grid, *others], np.random.default_rng([seed, count])
    each = {name: np.random.default_rng([seed, i, count]) for i, name in enumerate(populations)}
    drawn = [populations[name].draw(count, each[name]) for name in populations for _ in range(draws)]
    n = drawn[0].task.n_inputs
    fits, shape = fit_all(models, drawn, seed, steps=steps), (len(populations), draws)
    scores = scores_before_fits(others, [draw.task for draw in drawn], count, draws=random_weights, rng=rng)
    parts = [rng.permutation(count)[: count // 5] for _ in drawn]
    held = [validation(model, starts, drawn, parts, steps=steps) for model, starts in zip(grid, fits.starts)]
    freedom = folds = None
    if few:
        first = [i for i in range(len(drawn)) if i % draws < _FEW_DRAWS]
        some, chosen = [drawn[i] for i in first], range(len(grid) + few)
        of_few = [
            [
                degrees_of_freedom(models[k], fits.parameters[k][first], some, rng, steps=steps, fits=noise_fits),
                cross_validation(models[k], fits.starts[k][first], some, rng, steps=steps),
            ]
            for k in chosen
        ]
        freedom, folds = np.transpose(of_few, (1, 2, 0)).reshape(2, len(populations), -1, len(chosen))
    samples = [draw.sample - draw.sample.mean(axis=0) for draw in drawn]
    traces = np.transpose([_traces(model, weights, samples) for model, weights in zip(models, fits.parameters)])
    return SmallStudy(
        list(populations),
        count,
        *_known_before(models, n),
        len(grid),
        *[each.reshape(*shape, -1) for each in (fits.training, fits.held_out, fits.ranks, fits.converged)],
        {name: each.reshape(*shape, -1) for name, each in scores.items()},
        traces.reshape(*shape, -1),
        np.transpose(held).reshape(*shape, -1),
        freedom,
        folds,
    )


def forecast_study(rows, models, n, *, steps=60, random_weights=5, seed=0):
    """The same for forecasts: the first two thirds of the rows of each set for training, and no grid.

    Parameters
    ----------
    rows : dict of str to ndarray, shape (rows, t)
    models : list of DilatedConvolution
    n : int
        Inputs.
    steps, random_weights, seed : int, optional

    Returns
    -------
    SmallStudy
        With one draw.
    """
    rng, shares = np.random.default_rng(seed), [round(table.shape[1] * 2 / 3) - n for table in rows.values()]
    counts = [len(table) * share for table, share in zip(rows.values(), shares)]
    drawn = [Draw(table, RowPrediction.from_rows(table, n)) for table in rows.values()]
    fits = fit_all(models, drawn, seed, steps=steps)
    scores = scores_before_fits(models, [draw.task for draw in drawn], counts, draws=random_weights, rng=rng)
    return SmallStudy(
        list(rows),
        np.reshape(counts, (-1, 1, 1)),
        *_known_before(models, n),
        0,
        *[each[:, None] for each in (fits.training, fits.held_out, fits.ranks, fits.converged)],
        {name: each[:, None] for name, each in scores.items()},
    )


def _known_before(models, n):
    """Capacity, parameters and lags reached of each model."""
    totals = [expected_of(model, n)[0] for model in models]
    reached = [lags_reached(model, n).sum() for model in models]
    return np.array(totals), np.array([model.n_parameters for model in models]), np.array(reached)


def _traces(model, parameters, samples):
    """Trace of the covariance of the scores over the residual variance: kappa where the noise is even."""
    samples, found = np.stack(samples), []
    inputs, targets = samples[:, :, -1 - model.n_inputs : -1], samples[:, :, -1]
    lefts, sizes, _ = np.linalg.svd(inputs @ model.jacobian(parameters), full_matrices=False)
    for own, left, values, x, y in zip(model.coefficients(parameters), lefts, sizes, inputs, targets):
        leverages = np.sum(left[:, values > 1e-9 * values[0]] ** 2, axis=1)
        squares = (y - x @ own) ** 2
        found.append(squares @ leverages / squares.mean())
    return np.array(found)


def gap_effects(study, sets, draws=slice(None)):
    """How much less of the gap kappa leaves unexplained than each rival, in logarithms of deviations.

    Parameters
    ----------
    study : SmallStudy
    sets : sequence of int
        Which sets.
    draws : slice, optional
        Which draws the gap is averaged over.

    Returns
    -------
    dict of str to ndarray, shape (2, sets)
        By rival, of kappa and of an oracle in its place: the gap of the even draws of all, for that of the odd ones.
    """
    gap, both = study.gap[:, draws].mean(axis=1), [study.gap[:, part::2].mean(axis=1) for part in (0, 1)]
    rivals = {"p": (study.weights, gap), "min(p, r)": (study.least, gap)}
    shared = np.arange(study.gap.shape[1])[draws]
    shared = shared[shared < _FEW_DRAWS]
    if study.freedom is not None and shared.size:
        few = study.freedom.shape[2]
        own, training = (values[:, shared, :few] for values in (study.gap, study.training))
        rivals["Ye"] = study.freedom[:, shared].mean(axis=1), own.mean(axis=1)
        rivals["cross-validation"] = (study.folds[:, shared] - training).mean(axis=1), own.mean(axis=1)
    found = {}
    for name, (rival, own) in rivals.items():
        kappa, rival = (np.broadcast_to(each, own.shape) for each in (study.kappa[: own.shape[1]], rival))
        even, odd = (part[:, : own.shape[1]] for part in both)
        pairs = (kappa, own), (even, odd)
        found[name] = np.array(
            [[unexplained(best[i], of[i]) - unexplained(rival[i], of[i]) for i in sets] for best, of in pairs]
        )
    return found


def slopes(study, sets):
    """Slopes of N/2 times the gap of each draw by kappa alone, and by kappa and p together.

    Returns
    -------
    ndarray, shape (3, sets, draws)
        kappa alone; kappa and p of the plane.
    """
    gap = (study.count / 2 * study.gap)[sets]
    shape, gap = gap.shape[:2], gap.reshape(-1, gap.shape[2]).T
    ones = np.ones(len(study.kappa))
    alone = np.linalg.lstsq(np.column_stack([study.kappa, ones]), gap)[0][0]
    both = np.linalg.lstsq(np.column_stack([study.kappa, study.weights, ones]), gap)[0][:2]
    return np.vstack([alone, both]).reshape(3, *shape)


def gaussian_gap(kappa, count):
    """Logarithm of the ratio of expected held-out to expected training loss; to first order 2 (kappa + 1)/N.

    Exact for kappa free coefficients and a mean, Gaussian inputs and even noise: N - kappa - 1 parts in N of the noise
    are left on the sample, and the inverse of the covariance of a sample has the expectation N/(N - kappa - 2) times
    that of the true one (inverse Wishart), so that new samples lose (N + 1)(N - 2)/(N(N - kappa - 2)) of it.
    """
    return np.log((count + 1) * (count - 2) / ((count - kappa - 2) * (count - kappa - 1)))


def chosen_by_criteria(study):
    """Held-out losses of the stack of the grid that each criterion chooses, less their mean, in spreads of the set.

    Returns
    -------
    dict of str to ndarray, shape (sets, draws)
        'kappa', 'p', 'min(p, r)', 'training', 'validation', 'oracle', 'kappa ln N' (its penalty is kappa ln N / N),
        'kappa, exact' (its penalty is `gaussian_gap`), and 'cross-validation', on the first two draws, where there is
        one.
    """
    some = slice(study.grid)
    training, losses = study.training[..., some], study.held_out[..., some]
    criteria = {"kappa": training + 2 * study.kappa[some] / study.count}
    criteria["p"] = training + 2 * study.weights[some] / study.count
    criteria["min(p, r)"] = training + 2 * study.least[some] / study.count
    criteria |= {"training": training, "validation": study.validation, "oracle": losses}
    criteria["kappa, exact"] = training + gaussian_gap(study.kappa[some], study.count)
    criteria["kappa ln N"] = training + study.kappa[some] * np.log(study.count) / study.count
    if study.folds is not None:
        criteria["cross-validation"] = study.folds[..., some]
    spread = losses.mean(axis=1).std(axis=1)[:, None]
    found = {}
    for name, values in criteria.items():
        same = losses[:, : values.shape[1]]
        chosen = np.take_along_axis(same, values.argmin(axis=2)[..., None], axis=2)[..., 0]
        found[name] = (chosen - same.mean(axis=2)) / spread
    return found


def chosen_before(study, pools):
    """Held-out losses of the choice of each score in pools of the library, less the mean of the pool, in spreads.

    Parameters
    ----------
    study : SmallStudy
    pools : ndarray of int, shape (pools, size)

    Returns
    -------
    dict of str to ndarray, shape (sets, draws)
        Averaged over the pools: scores before any fit, 'training' and 'training + kappa' after all fits, 'oracle'.
    """
    some = slice(study.grid, None)
    training, losses = study.training[..., some], study.held_out[..., some]
    scores = study.scores | {"training": training, "oracle": losses}
    scores["training + kappa"] = training + 2 * study.kappa[some] / study.count
    spread = losses.mean(axis=1).std(axis=1)[:, None]
    mean = losses[..., pools].mean(axis=(2, 3))
    chosen = {
        name: np.array([chosen_losses(*pair, pools).mean(axis=1) for pair in zip(values, losses)])
        for name, values in scores.items()
    }
    return {name: (values - mean) / spread for name, values in chosen.items()}


@dataclass(frozen=True)
class Judged:
    """An effect, one value for each set, and what follows.

    Attributes
    ----------
    values : ndarray, shape (sets,)
    mean : float
    ends : ndarray, shape (2,)
        Of the interval for it.
    detectable : float
        The effect that would be told from 0 with a probability of 80 %.
    oracle : str
        The verdict on an oracle in the place of capacity.
    word : str
        The verdict: 'undecided' wherever the oracle has no 'yes'.
    """

    values: np.ndarray
    mean: float
    ends: np.ndarray
    detectable: float
    oracle: str
    word: str


def judge(values, oracle, *, level, margin):
    """Judge an effect by its values and those of an oracle, by the rules of the protocol.

    Examples
    --------
    >>> found = judge([-1.0, -1.1, -0.9], [-2.0, -2.1, -2.0], level=0.95, margin=0.05)
    >>> found.word, found.oracle
    ('yes', 'yes')
    >>> judge([-1.0, -1.1, -0.9], [-2.0, 2.1, -2.0], level=0.95, margin=0.05).word
    'undecided'
    """
    values = np.asarray(values, dtype=float)
    mean, ends = mean_interval(values, level=level)
    quantiles = special.stdtrit(len(values) - 1, [(1 + level) / 2, 0.8])
    detectable = quantiles.sum() * values.std(ddof=1) / np.sqrt(len(values))
    best = verdict(mean_interval(oracle, level=level)[1], margin)
    return Judged(values, mean, ends, detectable, best, verdict(ends, margin) if best == "yes" else "undecided")
