"""How far a network should look on a series: what shorter and longer reaches leave of values later than the fit.

A network is looked at as one term of a linear regression: what it gives where it sees the last k inputs, the values
that its last layer reads, and linear prediction from as many. So nothing of it but its last layer is fitted anew.
"""

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from capacity_inspection.graphs.unit_values import UnitValues
from capacity_inspection.look_backs import block_errors, coefficients, look_back
from capacity_inspection.reports.decisions import WORTH

__all__ = ["Reaches", "linear_reaches", "network_reaches", "windows_of"]

_BLOCKS = 16  # of the later half, whose spread gives errors
_MOST, _FEWEST = 1024, 64  # values that are predicted
_UNITS, _ALL = 2**26, 2**27  # values of all nodes at once, and, beyond the fewest windows, at all reaches: two seconds
_KNOWN = 0.1  # share of the least loss to which twice the error of an advised reach has to be known
_FEATURES = 8  # fitted values for one of these
_LONGEST = 256  # lags that are tried, or four times as many as a network has


@dataclass(frozen=True)
class Reaches:
    """What reaches of so many lags leave, as shares of the variance of a series.

    Attributes
    ----------
    own : int
        That of the network.
    lags : ndarray of int, shape (r,)
    held_out, errors : ndarray, shape (r,)
        After a new fit, on later values; and the standard error of the difference from the least.
    cut : mapping of int to float, optional
        Of a trained network, what it leaves as it is where it sees fewer inputs.
    """

    own: int
    lags: np.ndarray
    held_out: np.ndarray
    errors: np.ndarray
    cut: dict = field(default_factory=dict)

    @cached_property
    def advised(self):
        """The shortest reach within one standard error, or a hundredth, of the best; that of the network if near."""
        best = self.held_out.min()
        near = self.held_out - best <= np.maximum(self.errors, WORTH * best)
        found = int(self.lags[np.argmax(near)])
        return self.own if self.own / 2 < found <= self.own else found

    def __getitem__(self, lags):
        return float(self.held_out[np.flatnonzero(self.lags == lags)[0]])

    @property
    def error(self):
        """Of what the advised reach, or that of the network where a longer one is advised, loses beside the best."""
        return float(self.errors[np.flatnonzero(self.lags == min(self.advised, self.own))[0]])

    @property
    def decided(self):
        """Whether errors are small enough to advise another length."""
        if self.advised > self.own:
            return self[self.own] - self.held_out.min() > 2 * self.error
        return self.advised == self.own or 2 * self.error < _KNOWN * self.held_out.min()

    @property
    def shorter(self):
        """The longest reach that was tried of at most half that of the network."""
        return int(self.lags[self.lags <= self.own / 2].max())


def _longest(series, own):
    longest = min(len(series) // 16, max(_LONGEST, 4 * own))
    if own > longest:
        raise ValueError(f"a reach of {own} takes {16 * own} values to judge, and these are {len(series)}")
    return longest


def linear_reaches(series, own):
    """What linear prediction leaves, by its reach."""
    found = look_back(series, _longest(series, own))
    return Reaches(own, np.arange(found.held_out.size), found.held_out, found.errors)


def network_reaches(graph, name, unit, own, series):
    """What a trained network leaves, by its reach: of inputs further back it sees the mean.

    Parameters
    ----------
    graph : Graph
        Of one input of one channel and steps.
    name, unit : str and tuple of int
        Of the output, which is taken to predict the value after the last step.
    own : int
        How many of the last steps it sees.
    series : ndarray, shape (t,)
        In the unit that the network reads.
    """
    longest, steps = _longest(series, own), graph[graph.inputs[0]].shape[1]
    most = max(longest, steps)
    size = max(_units_of(graph, name, unit)[0].size, steps)
    linear = look_back(series, longest)
    ends, step = {linear.shortest, linear.best}, 2
    if size * _FEWEST * own.bit_length() > _ALL:
        step = 4  # fewer reaches of a network that takes long
    powers = {step**k for k in range(longest.bit_length()) if step**k <= longest}
    lags = np.array(sorted({own, *powers, *ends, own // 2} - {0}))
    count = min(max(_FEWEST, min(_MOST, _ALL // (size * int((lags <= own).sum())))), series.size - most)
    places = np.unique(np.linspace(most, series.size - 1, count).astype(int))
    half = int(np.searchsorted(places, series.size // 2))
    if min(half, places.size - half) < _BLOCKS:
        raise ValueError(f"an input of {steps} steps leaves too little of {series.size} values to fit and to test on")
    unit_of, mean = series.std(), series[: series.size // 2].mean()
    weights = coefficients(series[: series.size // 2], longest)
    behind = np.stack([series[at - longest : at][::-1] for at in places])
    targets, residuals, cut, features = series[places], [], {}, None
    for k in lags:
        if k <= own:
            outputs, features = _looked(graph, name, unit, series, places, int(k), mean, size)
            cut[int(k)] = float(np.mean((outputs[half:] - targets[half:]) ** 2) / unit_of**2)
        predicted = weights[0, k] + behind @ weights[1:, k]
        terms = np.column_stack([np.ones(len(places)), predicted, outputs, features])[:, : 3 + half // _FEATURES]
        fitted = np.linalg.lstsq(terms[:half], targets[:half], rcond=1e-8)[0]
        residuals.append((targets[half:] - terms[half:] @ fitted) ** 2 / unit_of**2)
    held_out = np.mean(residuals, axis=1)
    worse = np.array(residuals) - residuals[int(np.argmin(held_out))]
    means = np.array([block.mean(axis=1) for block in np.array_split(worse, _BLOCKS, axis=1)])
    return Reaches(own, lags, held_out, block_errors(means), cut)


def windows_of(series, places, steps):
    """Those that end just before some places, shape (places, 1, steps)."""
    return np.stack([series[at - steps : at] for at in places])[:, None]


def _units_of(graph, name, unit):
    """The unit and what the last layer reads there, as what is computed, and the name of that, if it is there."""
    last = graph.layers[-1] if graph.layers else graph[name]
    below = graph[last.inputs[0]] if last.inputs else last
    there = below.shape[1:] == graph[name].shape[1:]
    wanted = {name: unit[1:2] or (0,)} | ({below.name: unit[1:2] or (0,)} if there else {})
    return UnitValues(graph, wanted), below.name if there else None


def _looked(graph, name, unit, series, places, lags, mean, size):
    """What the unit gives, and the last layer reads there, where the inputs further back are at their mean."""
    (units, below), source = _units_of(graph, name, unit), graph[graph.inputs[0]]
    found, features = [], []
    for part in np.array_split(places, -(-len(places) * size // _UNITS)):
        inputs = windows_of(series, part, source.shape[1])
        inputs[..., : source.shape[1] - lags] = mean
        values = units({source.name: inputs})
        found.append(units.taken(values, name, unit[1:])[:, unit[0]])
        features.append(np.empty((len(part), 0)) if below is None else units.taken(values, below, unit[1:]))
    return np.concatenate(found), np.concatenate(features)
