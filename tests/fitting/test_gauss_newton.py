"""Gauss-Newton steps in the space of coefficients."""

import numpy as np
import pytest
from scipy import linalg

from capacity.fitting import fit
from capacity.fitting.gauss_newton import _spectral
from capacity.models import FullyConnected
from capacity.tasks import GaussianProcess

PROCESS = GaussianProcess()


def test_a_linear_least_squares_problem_takes_few_steps():
    assert fit(FullyConnected(64), PROCESS, rng=0).losses.size <= 10


@pytest.mark.parametrize("shape", [(30, 12), (12, 30), (12, 12)])
def test_steps_come_from_the_singular_values_whatever_the_shape(shape):
    rng = np.random.default_rng(0)
    tangent = rng.standard_normal((shape[0], 8)) @ rng.standard_normal((8, shape[1]))
    residual = rng.standard_normal(shape[0])
    values, inner, lift = _spectral(tangent, residual)
    left, expected, _ = linalg.svd(tangent)
    np.testing.assert_allclose(values[:8], expected[:8], rtol=1e-12)
    assert values[8:].max(initial=0) < 1e-13 * values[0]
    genuine = np.where(np.arange(values.size) < 8, inner, 0.0)
    np.testing.assert_allclose(lift(genuine), left[:, :8] @ (left[:, :8].T @ residual), rtol=0, atol=1e-12)
