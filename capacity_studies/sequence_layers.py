"""Sequence layers over a scalar series, written as linear maps whose coefficients depend on the data.

Every layer here gives one number, y = sum_s A_s(W; x) x_s: gates, attention weights and slopes of tanh are *gains* that
are taken from the sample, and what is left is linear in the inputs. Windows have the shape (samples, lags), the oldest
value first. Functions of parameters accept complex ones, so that a complex step gives derivatives to rounding errors.
"""

from dataclasses import dataclass, replace

import numpy as np
import scipy
from numpy.lib.stride_tricks import sliding_window_view

from capacity import LinearModel, Samples, fit
from capacity.activations.scalar_functions import SCALAR_FUNCTIONS

__all__ = [
    "GRU",
    "LinearAttention",
    "LinearLayer",
    "ReadByInput",
    "Selective",
    "SoftmaxAttention",
    "split_windows",
    "time_scales",
]

_TANH = SCALAR_FUNCTIONS["tanh"]


def time_scales(count, longest):
    """Time scales in geometric progression, from 2 to the longest."""
    return np.geomspace(2.0, longest, count)


def split_windows(series, n, share=2 / 3):
    """Windows and next values of the first part of a series and of the rest, standardised by the first part."""
    cut = round(share * series.size)
    series = (series - series[:cut].mean()) / series[:cut].std()
    pairs = []
    for part in (series[:cut], series[cut - n :]):
        table = sliding_window_view(part, n + 1)
        pairs.append((table[:, :-1], table[:, -1]))
    return pairs


class _Layer:
    """What layers with gains have in common: exact derivatives of what is held, and a fit by these of the outputs."""

    def coefficient_jacobian(self, parameters, windows, *, states_held=False):
        """Derivatives of the held coefficients by the parameters, shape (samples, lags, p); gains move with these."""
        return np.stack(
            [
                (part.coefficients_of_states_held if states_held else part.coefficients)(point, windows).imag * 1e20
                for part, point in self._stepped(parameters)
            ],
            axis=-1,
        )

    def _stepped(self, parameters):
        """For each parameter the layer, or its part that this one is in, with an imaginary step of it."""
        return ((self, parameters + step) for step in 1e-20j * np.eye(parameters.size))

    def coefficients_of_states_held(self, parameters, windows):
        """The same coefficients, where no readout multiplies a state by the most recent input."""
        return self.coefficients(parameters, windows)

    def fit(self, parameters, windows, targets, evaluations):
        """Parameters after least squares by trust-region steps, and whether these ended before the cap."""
        found = scipy.optimize.least_squares(
            lambda point: self.output(point, windows) - targets,
            parameters,
            lambda point: self.jacobian(point, windows),
            x_scale="jac",
            max_nfev=evaluations,
        )
        return found.x, found.status > 0


class _Heads:
    """A sum of layers of one head, or state, each, whose parameters are of one kind after the other."""

    def _stepped(self, parameters):
        heads = parameters.reshape(4, -1).T
        return ((type(self)(1), heads[i] + 1e-20j * row) for row in np.eye(4) for i in range(len(heads)))


class _Recurrent(_Layer):
    """A layer h_t = M_t h_(t-1) + b_t x_t, y = c . h_T, where M, b and c are held at the sample.

    Where M is diagonal, `held` returns the diagonals.
    """

    def coefficients(self, parameters, windows):
        """Held coefficients A, shape (samples, lags): c passed backwards through the transitions."""
        return _passed_down(*self.held(parameters, windows))

    def features(self, parameters, windows):
        """The states at the end, which the readout reads, shape (samples, states)."""
        return _final_states(*self.held(parameters, windows)[:2], windows)

    def output(self, parameters, windows):
        """Return y, shape (samples,)."""
        readout = self.held(parameters, windows[:, -1:])[2]  # of the last input alone
        return np.einsum("nm,nm->n", readout, self.features(parameters, windows))


class ReadByInput(_Recurrent):
    """Such a layer whose readout is c + c' x_T."""

    def coefficients_of_states_held(self, parameters, windows):
        """Held coefficients A', shape (samples, lags): of (c + c' x_T) . h_T, c' x_T . h_T passes x_T and holds h_T."""
        last, (transitions, inputs, _) = windows[:, -1:], self.held(parameters, windows)
        constant, at_one = (self.held(parameters, np.full_like(last, value))[2] for value in (0.0, 1.0))
        found = _passed_down(transitions, inputs, constant)
        found[:, -1] += np.einsum("nm,nm->n", at_one - constant, _final_states(transitions, inputs, windows))
        return found


def _passed_down(transitions, inputs, row):
    found = np.empty(inputs.shape[:2], np.result_type(row, inputs))
    for s in range(inputs.shape[1] - 1, -1, -1):
        found[:, s] = np.einsum("nm,nm->n", row, inputs[:, s])
        row = _passed_back(row, transitions[:, s])
    return found


def _final_states(transitions, inputs, windows):
    state = 0.0 * inputs[:, 0]
    for t in range(windows.shape[1]):
        state = _carried(transitions[:, t], state) + inputs[:, t] * windows[:, t, None]
    return state


def _carried(transition, state):
    return transition * state if transition.ndim == 2 else np.einsum("nij,nj->ni", transition, state)


def _passed_back(row, transition):
    return row * transition if transition.ndim == 2 else np.einsum("ni,nij->nj", row, transition)


def _sigmoid(u):
    return (1 + np.tanh(u / 2)) / 2  # which does not overflow


@dataclass(frozen=True)
class LinearAttention(_Heads, ReadByInput):
    """Linear attention with a decay for each head: y = sum_h sum_s r_h^(t-s) (q_h + q'_h x_t) (1 + k'_h x_s) x_s.

    Parameters are (logit r, q, q', k'), each for all heads in turn.
    """

    heads: int

    def draw(self, scales, rng):
        """Parameters with the given time scales, r = 1 - 1/scale; all others are normal of variance 1/heads."""
        others = rng.standard_normal((3, self.heads)) / np.sqrt(self.heads)
        return np.concatenate([np.log(scales - 1), *others])

    def held(self, parameters, windows):
        """Transitions, input vectors and readout."""
        decay, q, slope, k = parameters.reshape(4, -1)
        x = windows[..., None]
        return np.broadcast_to(_sigmoid(decay), (*windows.shape, self.heads)), 1 + k * x, q + slope * x[:, -1]

    def jacobian(self, parameters, windows):
        """Derivatives of the outputs, shape (samples, p), carried along with the states."""
        decay, q, slope, k = parameters.reshape(4, -1)
        r, state = _sigmoid(decay), np.zeros((3, len(windows), self.heads))  # sums of x and x^2, and by r
        for x in windows.T[:, :, None]:
            moved = state[0] + k * state[1]
            state = r * state + np.stack(np.broadcast_arrays(x, x**2, moved))
        last = windows[:, -1:]
        value, reads = state[0] + k * state[1], q + slope * last
        return np.hstack([reads * state[2] * r * (1 - r), value, last * value, reads * state[1]])


@dataclass(frozen=True)
class Selective(_Heads, ReadByInput):
    """States that forget as the input says: h <- (1 - g) h + g x, g = sigmoid(w x + b), read by c + c' x_t.

    With a step softplus(w x + b) and the rate 1 this is the discretised layer of Gu and Dao (2023, Theorem 1).
    Parameters are (w, b, c, c'), each for all states in turn.
    """

    states: int

    def draw(self, scales, rng):
        """Parameters whose gates are 1/scale where the input is 0; all others are normal of variance 1/states."""
        w, *readout = rng.standard_normal((3, self.states)) / np.sqrt(self.states)
        return np.concatenate([w, -np.log(scales - 1), *readout])

    def held(self, parameters, windows):
        """Transitions, input vectors and readout."""
        w, b, c, slope = parameters.reshape(4, -1)
        gates = _sigmoid(w * windows[..., None] + b)
        return 1 - gates, gates, c + slope * windows[:, -1:]

    def jacobian(self, parameters, windows):
        """Derivatives of the outputs, shape (samples, p), carried along with the states."""
        w, b, c, slope = parameters.reshape(4, -1)
        state, by_w, by_b = np.zeros((3, len(windows), self.states))
        for x in windows.T[:, :, None]:
            g = _sigmoid(w * x + b)
            opened = g * (1 - g) * (x - state)
            by_w, by_b = (1 - g) * by_w + opened * x, (1 - g) * by_b + opened
            state = (1 - g) * state + g * x
        last = windows[:, -1:]
        reads = c + slope * last
        return np.hstack([reads * by_w, reads * by_b, state, last * state])


@dataclass(frozen=True)
class GRU(_Recurrent):
    """Gated recurrent unit: h <- z h + (1 - z) tanh(U (r h) + w x), z = sigmoid(V h + v x + b), r = sigmoid(p x + q).

    The reset gate reads the input only, and the candidate has no bias, so that zero inputs leave the state at zero.
    Parameters are (V, v, b, p, q, U, w, c), c being the readout.
    """

    units: int

    def draw(self, scales, rng):
        """Parameters with z = 1 - 1/scale at zero; all others are normal of variance 1/units."""
        m = self.units
        sizes = [m * m, m, m, m, m, m * m, m, m]
        parts = [rng.standard_normal(size) / np.sqrt(m) for size in sizes]
        parts[2] = np.log(scales - 1)
        return np.concatenate(parts)

    def _steps(self, parameters, windows):
        """For each input z, r, the candidate and its argument, and the state after it."""
        m = self.units
        V, v, b, p, q, U, w, _ = np.split(parameters, np.cumsum([m * m, m, m, m, m, m * m, m]))
        both = np.concatenate([V, U]).reshape(2, m, m).transpose(0, 2, 1)
        x = np.ascontiguousarray(windows.T)[:, :, None]
        state = np.zeros((len(windows), m), parameters.dtype)
        for into_z, r, drive in zip(x * v + b, _sigmoid(x * p + q), x * w):
            z, argument = _sigmoid(state @ both[0] + into_z), (r * state) @ both[1] + drive
            candidate = np.tanh(argument)
            state = candidate + z * (state - candidate)
            yield z, r, argument, candidate, state

    def features(self, parameters, windows):
        """The units at the end, shape (samples, units)."""
        *_, (*_, state) = self._steps(parameters, windows)
        return state

    def held(self, parameters, windows):
        """Transitions diag(z) + diag((1 - z) g) U diag(r), input vectors (1 - z) g w and readout; g is tanh(u)/u."""
        m = self.units
        *_, U, w, c = np.split(parameters, np.cumsum([m * m, m, m, m, m, m * m, m]))
        U, transitions, inputs = U.reshape(m, m), [], []
        for z, r, argument, candidate, _ in self._steps(parameters, windows):
            kept = (1 - z) * _TANH.centred_gain(argument, value=candidate)
            transitions.append(z[:, :, None] * np.eye(m) + kept[:, :, None] * U * r[:, None, :])
            inputs.append(kept * w)
        return np.stack(transitions, 1), np.stack(inputs, 1), np.broadcast_to(c, z.shape)

    def jacobian(self, parameters, windows):
        """Derivatives of the outputs, shape (samples, p), carried along with the units."""
        m, samples = self.units, len(windows)
        V, *_, U, _, c = np.split(parameters, np.cumsum([m * m, m, m, m, m, m * m, m]))
        V, U, units = V.reshape(m, m), U.reshape(m, m), np.arange(m)
        ends = np.cumsum([0, m * m, m, m, m, m, m * m, m])
        before, moved = np.zeros((m, samples)), np.zeros((m, ends[-1], samples))  # samples last: long inner loops
        for x, step in zip(windows.T, self._steps(parameters, windows)):
            z, r, _, candidate, state = (np.ascontiguousarray(part.T) for part in step)
            into_z, into_u = (
                (M @ part.reshape(m, -1)).reshape(part.shape) for M, part in ((V, moved), (U, r[:, None] * moved))
            )
            for i in units:
                into_z[i, ends[0] + i * m : ends[0] + (i + 1) * m] += before
                into_z[i, ends[1] + i] += x
                into_z[i, ends[2] + i] += 1
                by_r = U[i, :, None] * before * r * (1 - r)
                into_u[i, ends[3] : ends[4]] += by_r * x
                into_u[i, ends[4] : ends[5]] += by_r
                into_u[i, ends[5] + i * m : ends[5] + (i + 1) * m] += r * before
                into_u[i, ends[6] + i] += x
            moved = z[:, None] * moved
            moved += ((1 - z) * (1 - candidate**2))[:, None] * into_u
            moved += (z * (1 - z) * (before - candidate))[:, None] * into_z
            before = state
        return np.ascontiguousarray(np.vstack([np.einsum("m,mpn->pn", c, moved), before]).T)


@dataclass(frozen=True)
class SoftmaxAttention(_Heads, _Layer):
    """Heads with linear biases: logits -m_h (t - s) + (a_h + a'_h x_t) x_s over the window, each read by c_h.

    The biases are those of Press et al. (2022), with trained slopes. Parameters are (log m, a, a', c), each for all
    heads in turn.
    """

    heads: int

    def draw(self, scales, rng):
        """Parameters with the slopes 1/scale; all others are normal of variance 1/heads."""
        others = rng.standard_normal((3, self.heads)) / np.sqrt(self.heads)
        return np.concatenate([-np.log(scales), *others])

    def _weights(self, parameters, windows):
        slopes, a, slope, _ = parameters.reshape(4, -1)
        lags = np.arange(windows.shape[1])[::-1]
        by_content = (a + slope * windows[:, -1:])[:, :, None] * windows[:, None, :]
        logits = by_content - np.exp(slopes)[:, None] * lags
        powers = np.exp(logits - logits.real.max(axis=-1, keepdims=True))
        return powers / powers.sum(axis=-1, keepdims=True)

    def coefficients(self, parameters, windows):
        """Held coefficients A, shape (samples, lags)."""
        return np.einsum("h,nhs->ns", parameters.reshape(4, -1)[3], self._weights(parameters, windows))

    def jacobian(self, parameters, windows):
        """Derivatives of the outputs, shape (samples, p): covariances under the weights of attention."""
        slopes, _, _, c = parameters.reshape(4, -1)
        weights, lags = self._weights(parameters, windows), np.arange(windows.shape[1])[::-1]
        read, by_lag = np.einsum("nhs,ns->nh", weights, windows), weights @ lags
        variance = np.einsum("nhs,ns->nh", weights, windows**2) - read**2
        with_lag = np.einsum("nhs,ns->nh", weights, windows * lags) - read * by_lag
        return np.hstack([-c * np.exp(slopes) * with_lag, c * variance, c * variance * windows[:, -1:], read])

    def features(self, parameters, windows):
        """What the heads read, shape (samples, heads)."""
        return np.einsum("nhs,ns->nh", self._weights(parameters, windows), windows)

    def output(self, parameters, windows):
        """Return y, shape (samples,)."""
        return self.features(parameters, windows) @ parameters.reshape(4, -1)[3]


@dataclass(frozen=True)
class LinearLayer:
    """A linear model of the package with the same face.

    Attributes
    ----------
    model : LinearModel
    readout : str
        Which of its layers reads the features.
    """

    model: LinearModel
    readout: str

    def coefficients(self, parameters, windows):
        """Coefficients A of all samples, shape (samples, lags); what the model does not reach has 0."""
        model = self.model
        if windows.shape[1] > model.n_inputs and hasattr(model, "pairs"):
            model = replace(model, n_inputs=windows.shape[1])
        found = np.zeros(windows.shape)
        found[:, windows.shape[1] - model.n_inputs :] = model.coefficients(parameters)
        return found

    def coefficient_jacobian(self, parameters, windows, *, states_held=False):
        """Derivatives of the coefficients, which are the same for all samples, shape (1, n, p)."""
        return self.model.jacobian(parameters)[None]

    def jacobian(self, parameters, windows):
        """Derivatives of the outputs, shape (samples, p)."""
        return windows @ self.model.jacobian(parameters)

    def features(self, parameters, windows):
        """What the readout reads, shape (samples, features)."""
        return windows @ self.model.jacobian(parameters)[:, self.model.layers[self.readout]]

    def output(self, parameters, windows):
        """Return y, shape (samples,)."""
        return windows @ self.model.coefficients(parameters)

    def fit(self, parameters, windows, targets, evaluations):
        """Parameters after the package's fit, and whether it converged."""
        found = fit(self.model, Samples(windows, targets), initial=parameters, restarts=1, max_iterations=evaluations)
        return found.parameters, found.converged
