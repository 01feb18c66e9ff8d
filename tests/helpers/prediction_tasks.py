"""Prediction tasks of drawn parameters beside the moments that their definitions give, in plain loops."""

from typing import NamedTuple

import numpy as np
from hypothesis import strategies as st

from capacity.tasks import (
    FeatureMap,
    FeatureProcess,
    GaussianProcess,
    IndependentProcesses,
    PrescribedTask,
    Samples,
    autoregressive,
    empirical,
    exponential_mixture,
    fourier_features,
    fractional_noise,
    hermite_features,
    monomial_features,
    power_law,
    seasonal,
    white,
)

__all__ = ["AUTOCOVARIANCES", "FEATURES", "TASKS", "Drawn", "UnitNoise", "feature_moments"]


class Drawn(NamedTuple):
    """A task, and a function of n: the covariance of its inputs, theirs with the target, the target's variance."""

    task: object
    moments: object


class UnitNoise(np.random.Generator):
    """Unit vectors in place of normal numbers, one after the other along the last axis but one: a linear map's root."""

    def __init__(self):
        super().__init__(np.random.PCG64(0))

    def standard_normal(self, size):
        *parts, count, width = size
        units = np.eye(count, int(np.prod(parts)) * width)
        return np.moveaxis(units.reshape(count, *parts, width), 0, -2)


def _response(partial, lags):
    """Autocovariance of an autoregression of given partial correlations, from its response to single shocks."""
    coefficients = np.zeros(0)
    for reflection in partial:  # Durbin's recursion
        coefficients = np.r_[coefficients - reflection * coefficients[::-1], reflection]
    shocks = [1.0]
    for _ in range(800):
        recent = shocks[: -len(coefficients) - 1 : -1]
        shocks.append(sum(a * s for a, s in zip(coefficients, recent)))
    shocks = np.array(shocks)
    return coefficients, [shocks[: 801 - k] @ shocks[k:] / (shocks @ shocks) for k in range(lags)]


@st.composite
def _autoregression(draw):
    partial = draw(st.lists(st.floats(-0.7, 0.7), min_size=1, max_size=3))
    coefficients, values = _response(partial, 24)
    return autoregressive(coefficients), values.__getitem__


@st.composite
def _mixture(draw):
    parts = draw(st.lists(st.tuples(st.floats(0.5, 20), st.floats(0.1, 3)), min_size=1, max_size=3))
    scales, weights = zip(*parts)
    own = lambda k: sum(w * np.exp(-k / t) for t, w in parts) / sum(weights)  # noqa: E731
    return exponential_mixture(scales, weights), own


@st.composite
def _cycles(draw):
    periods = draw(st.lists(st.floats(1, 12), min_size=1, max_size=3))
    memory, cycles = draw(st.floats(0.3, 5)), draw(st.floats(0.5, 9))

    def own(k):
        around = [(min(abs(k - turn * p) for turn in range(26)), k / (cycles * p)) for p in periods]
        return (np.exp(-k / memory) + sum(np.exp(-d / memory - lost) for d, lost in around)) / (1 + len(periods))

    return seasonal(periods, memory, cycles), own


@st.composite
def _of_series(draw):
    series = np.random.default_rng(draw(st.integers(0, 99))).integers(-9, 10, draw(st.integers(25, 40)))
    away = series - series.mean()
    return empirical(series), lambda k: sum(away[t] * away[t + k] for t in range(len(away) - k)) / (away @ away)


def _increments(hurst):
    power = lambda k: abs(k) ** (2 * hurst)  # noqa: E731
    return fractional_noise(hurst), lambda k: (power(k + 1) - 2 * power(k) + power(k - 1)) / 2


AUTOCOVARIANCES = st.one_of(
    st.floats(0.1, 3).map(lambda e: (power_law(e), lambda k: (1 + k) ** -e)),
    st.floats(0.05, 0.95).map(_increments),
    st.just((white(), lambda k: float(k == 0))),
    _autoregression(),
    _mixture(),
    _cycles(),
    _of_series(),
)


@st.composite
def _gaussian(draw):
    autocovariance, own = draw(AUTOCOVARIANCES)

    def moments(n):
        c = [own(k) for k in range(n + 1)]
        return (
            np.array([[c[abs(i - j)] for j in range(n)] for i in range(n)]),
            np.array([c[n - i] for i in range(n)]),
            1,
        )

    return Drawn(GaussianProcess(autocovariance), moments)


@st.composite
def _independent(draw):
    parts = draw(st.lists(_gaussian(), min_size=1, max_size=3))
    d = len(parts)

    def moments(n):
        covariance, cross = np.zeros((n * d, n * d)), np.zeros(n * d)
        for a, part in enumerate(parts):
            covariance[a::d, a::d], cross[a::d], _ = part.moments(n)
        return covariance, cross, d

    return Drawn(IndependentProcesses([part.task for part in parts]), moments)


FEATURES = st.one_of(
    st.integers(1, 4).map(hermite_features),
    st.integers(1, 4).map(monomial_features),
    st.sets(st.sampled_from([0.4, 1.0, 1.7]), min_size=1, max_size=2).map(lambda w: fourier_features(sorted(w))),
    st.just(FeatureMap((lambda y: y + y**2, np.sin))),
)


def feature_moments(features, rho):
    """E[phi_i(x) phi_j(y)], a sum over a grid of independent u and v with x = u and y = rho u + sqrt(1 - rho^2) v."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(40)
    weights = weights / weights.sum()
    other = rho * nodes[:, None] + np.sqrt(max(1 - rho**2, 0)) * nodes
    sums = [
        [weights @ (f(nodes)[:, None] * g(other)) @ weights for g in features.functions] for f in features.functions
    ]
    return np.array(sums)


@st.composite
def _features(draw):
    autocovariance, own = draw(AUTOCOVARIANCES)
    features = draw(FEATURES)
    d = features.count
    weights = draw(st.lists(st.sampled_from([-1.5, 0.5, 1.0]), min_size=d, max_size=d))

    def moments(n):
        blocks = [feature_moments(features, own(k)) for k in range(n + 1)]
        covariance = np.block([[blocks[abs(i - j)] for j in range(n)] for i in range(n)])
        return covariance, np.concatenate([blocks[n - i] @ weights for i in range(n)]), weights @ blocks[0] @ weights

    return Drawn(FeatureProcess(GaussianProcess(autocovariance), features, weights), moments)


@st.composite
def _samples(draw):
    d, horizon = draw(st.integers(1, 3)), draw(st.integers(1, 3))
    series = np.random.default_rng(draw(st.integers(0, 99))).standard_normal((40, d)).cumsum(axis=0)
    target = draw(st.integers(0, d - 1))

    def moments(n):
        rows = []
        for start in range(40 - 4 - horizon + 1):  # windows of four positions, of which the last n are read
            rows.append([*series[start + 4 - n : start + 4].ravel(), series[start + 4 + horizon - 1, target]])
        table = np.array(rows) - np.mean(rows, axis=0)
        together = table.T @ table / len(table)
        return together[:-1, :-1], together[:-1, -1], together[-1, -1]

    return Drawn(Samples.from_series(series, 4, horizon=horizon, target=target), moments)


@st.composite
def _prescribed(draw):
    process, moments = draw(_independent())
    n = draw(st.integers(1, 4))
    target = np.random.default_rng(0).standard_normal(n * process.components)

    def own(size):
        covariance = moments(n)[0]
        return covariance, covariance @ target, None

    task = PrescribedTask(process, target)
    return Drawn(task, own)


TASKS = {
    "GaussianProcess": _gaussian(),
    "IndependentProcesses": _independent(),
    "FeatureProcess": _features(),
    "Samples": _samples(),
    "PrescribedTask": _prescribed(),
}
