"""The crossover nu*: at which coupling a layer turns from the pseudo-random to the linear rule.

The equation for nu_k* (this book, "Between the ends"), with the covariance of paper 2, eq. 14.

The book derives a formula from the weights of two ends of a mixture. Here no formula is used: the capacity of a layer
with one learned direction comes from the augmented covariance (B kron I, or its square root where it is whitened), its
place between the two ends from projecting the profile on the line that joins them, and bisection finds where that place
is one half. With one direction the profile stays on that line; several are taken one by one.
"""

import numpy as np


def profile(weights, direction, nu, whitened):
    """Capacity of each input, summed over the copies, for white inputs."""
    n, m = weights.shape
    coupling = (1 - nu) * np.eye(m) + nu * np.ones((m, m))
    if whitened:
        values, vectors = np.linalg.eigh(coupling)
        coupling = vectors * np.sqrt(np.maximum(values, 0)) @ vectors.T
    stacked = np.zeros((m, n, m))
    stacked[range(m), :, range(m)] = weights.T
    constraint = np.kron(coupling, np.eye(n)) @ stacked.reshape(n * m, m) @ direction
    return np.square(constraint).reshape(m, n).sum(axis=0) / (constraint @ constraint)


def crossover(weights, direction, whitened=False):
    """Coupling at which the capacities are half way from the pseudo-random to the linear end."""
    start, end = (profile(weights, direction, nu, whitened) for nu in (0.0, 1.0))
    low, high = 0.0, 1.0
    while high - low > 1e-13:
        middle = (low + high) / 2
        moved = profile(weights, direction, middle, whitened) - start
        low, high = (middle, high) if moved @ (end - start) < (end - start) @ (end - start) / 2 else (low, middle)
    return middle


if __name__ == "__main__":
    rng = np.random.default_rng(0)
    for m in (4, 16, 64):
        weights, direction = rng.standard_normal((5, m)), rng.standard_normal(m)
        weights /= np.linalg.norm(weights, axis=0)
        direction /= np.linalg.norm(direction)
        print(m, "outputs, strength", np.sum((weights @ direction) ** 2), "crossover", crossover(weights, direction))
