"""Small tasks to try fits on."""

from types import SimpleNamespace

import numpy as np

from capacity.tasks import GaussianProcess

PROCESS = GaussianProcess()


def two_components():
    """Task with two correlated components per position: predict the sum of their next samples."""
    rng = np.random.default_rng(0)
    factor = rng.standard_normal((2, 2))

    def covariance(n):
        return np.kron(PROCESS.covariance(n), factor @ factor.T / 2)

    def optimal_coefficients(n):
        return np.kron(PROCESS.optimal_coefficients(n), [1.0, -0.5]) + 0.1 * np.cos(np.arange(2 * n))

    return SimpleNamespace(components=2, covariance=covariance, optimal_coefficients=optimal_coefficients)
