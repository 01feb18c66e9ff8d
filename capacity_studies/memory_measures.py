"""What sequence layers keep of inputs far back: allocations, ranks of operators, regressions, gradients."""

import numpy as np
import scipy
from numpy.lib.stride_tricks import sliding_window_view

from capacity.linalg.precision import unit_columns

__all__ = [
    "delay_line_memory",
    "effective_state_size",
    "fisher_memory",
    "half_lag",
    "held_allocation",
    "memory_function",
    "operator_block",
    "oscillating_states",
    "squared_gradient",
]


def held_allocation(jacobians, covariance, *, rtol=1e-9):
    """Capacity by input, the oldest first, of coefficients that depend on the sample.

    Parameters
    ----------
    jacobians : ndarray, shape (samples, n, p)
        dA/dW at each sample; a linear model has one.
    covariance : ndarray, shape (n, n)
        Of the inputs.

    Notes
    -----
    The constraints are the columns of Sigma J_i, stacked over samples: those of paper 1 where all J_i are alike, and of
    paper 2's augmented space where gains do not depend on the inputs that pass. Only p x p matrices are factored.

    Examples
    --------
    >>> held_allocation(np.array([[[2.0], [2.0], [1.0]]]), np.eye(3)) * 9
    array([4., 4., 1.])
    """
    constraints = covariance @ jacobians
    columns = unit_columns(constraints.reshape(-1, constraints.shape[-1]))
    orthonormal, triangle = scipy.linalg.qr(columns, mode="economic")
    left, values, _ = scipy.linalg.svd(triangle)
    rank = int(np.sum(values > rtol * values[0]))
    basis = orthonormal @ left[:, :rank]
    return np.square(basis).reshape(*constraints.shape[:2], rank).sum(axis=(0, 2))


def effective_state_size(operator, *, rtol=0.01):
    """Rank of what leads from inputs at lags 1, 2, ... or beyond to an output and all later ones.

    Parameters
    ----------
    operator : ndarray, shape (outputs, inputs)
        Rows of the outputs from one time on, the first one being that time's; columns of the inputs up to that time,
        the oldest first. Without its last column it is the block T[i:, :i] of Parnichkun et al. (2025).
    rtol : float, optional
        Singular values that count, over the largest of the whole block.

    Returns
    -------
    ndarray of int, shape (inputs,)

    Examples
    --------
    A window of two values passes an input on for one more step:

    >>> effective_state_size(np.array([[0.0, 1.0, 1.0], [0.0, 0.0, 1.0]]))
    array([2, 1, 0])
    """
    floor = rtol * scipy.linalg.svdvals(operator)[0]
    n = operator.shape[1]
    return np.array([int(np.sum(scipy.linalg.svdvals(operator[:, : n - k]) > floor)) for k in range(n)])


def memory_function(features, inputs):
    """Share of each input that a linear regression on the features explains (Jaeger 2002), adjusted for their number.

    `features` and `inputs` have the shapes (samples, m) and (samples, n); both are taken about their means.
    """
    features, inputs = features - features.mean(axis=0), inputs - inputs.mean(axis=0)
    left, values, _ = scipy.linalg.svd(features, full_matrices=False)
    left = left[:, values > 1e-10 * values[0]]
    explained = np.sum((left.T @ inputs) ** 2, axis=0) / np.sum(inputs**2, axis=0)
    samples, m = len(inputs), left.shape[1]
    return 1 - (1 - explained) * (samples - 1) / (samples - 1 - m)


def fisher_memory(transitions, inputs):
    """Fisher memory curve J(k) = v^T (M^k)^T C^-1 M^k v, the most recent input first (Ganguli et al. 2008).

    States have white noise of variance 1, so that C is the sum over k of M^k (M^k)^T, over the steps that are given.

    Parameters
    ----------
    transitions : ndarray, shape (samples, steps, m, m) or (samples, steps, m)
        M at each step, or their diagonals.
    inputs : ndarray, shape (samples, steps, m)
        v at each step.

    Returns
    -------
    ndarray, shape (steps,)
        Mean over samples.
    """
    if transitions.ndim == 3:
        transitions = transitions[..., None] * np.eye(transitions.shape[-1])
    steps, m = transitions.shape[1:3]
    passed = np.broadcast_to(np.eye(m), (len(transitions), m, m))
    noise, responses = np.zeros_like(passed), []
    for s in range(steps - 1, -1, -1):
        responses.append((passed @ inputs[:, s, :, None])[..., 0])
        noise = noise + passed @ np.swapaxes(passed, 1, 2)
        passed = passed @ transitions[:, s]
    return np.array([np.mean(np.sum(r * np.linalg.solve(noise, r[..., None])[..., 0], axis=1)) for r in responses])


def delay_line_memory(n):
    """Fisher memory curve of a window of n values that are passed on from place to place: 1/(k+1)."""
    return 1 / np.arange(1.0, n + 1)


def squared_gradient(model, parameters, windows):
    """Mean squared derivative of the output by each input, gains included, the oldest first."""
    moved = np.zeros(windows.shape, complex)
    found = np.empty(windows.shape[1])
    for s in range(windows.shape[1]):
        moved[:] = windows
        moved[:, s] += 1e-20j
        found[s] = np.mean((model.output(parameters, moved).imag * 1e20) ** 2)
    return found


def half_lag(by_lag):
    """Smallest number of most recent inputs that hold half of a measure, given the most recent first."""
    return 1 + int(np.argmax(np.cumsum(by_lag) >= np.sum(by_lag) / 2))


def operator_block(model, parameters, series):
    """Held coefficients that lead from n inputs to the output at the last of them and n - 1 later ones.

    `series` has 3n values; each output sees the 2n most recent of them. Rows are outputs, columns inputs, the oldest
    first.
    """
    n = series.size // 3
    found = model.coefficients(parameters, sliding_window_view(series, 2 * n)[:n])
    return np.stack([row[n - j : 2 * n - j] for j, row in enumerate(found)])


def oscillating_states(poles, steps):
    """Transitions and inputs, for `fisher_memory`, of one damped rotation per pole, pushed with 1/sqrt(pairs) each."""
    transition = scipy.linalg.block_diag(*[[[z.real, -z.imag], [z.imag, z.real]] for z in poles])
    into = np.tile([1.0, 0.0], len(poles)) / np.sqrt(len(poles))
    return np.broadcast_to(transition, (1, steps, *transition.shape)), np.broadcast_to(into, (1, steps, into.size))
