"""The task of prediction from samples."""

import numpy as np
import pytest
from scipy import linalg

from capacity.tasks import Samples


@pytest.fixture
def table():
    """Inputs of two components at four positions, and outputs."""
    rng = np.random.default_rng(0)
    inputs = rng.standard_normal((200, 8)) @ rng.standard_normal((8, 8)) + 3
    return inputs, inputs @ rng.standard_normal(8) + rng.standard_normal(200) - 5


@pytest.mark.parametrize("n", [1, 3, 4])
def test_the_task_is_that_of_least_squares_with_an_intercept(table, n):
    inputs, outputs = table
    task, recent = Samples(inputs, outputs, components=2), inputs[:, 8 - 2 * n :]
    design = np.column_stack([recent, np.ones(200)])
    solution, residual, *_ = np.linalg.lstsq(design, outputs)
    np.testing.assert_allclose(task.optimal_coefficients(n), solution[:-1], rtol=1e-10)
    assert task.residual_variance(n) == pytest.approx(residual[0] / 200, rel=1e-10)
    np.testing.assert_allclose(task.covariance(n), np.cov(recent.T, bias=True), rtol=1e-10)
    np.testing.assert_allclose(task.root(n).T @ task.root(n), task.covariance(n), rtol=1e-14)


def test_inputs_that_depend_on_each_other_are_refused(table):
    inputs, outputs = table
    with pytest.raises(ValueError, match="rank 7 from 8 rows; pass more samples"):
        Samples(inputs[:8], outputs[:8])
    with pytest.raises(ValueError, match="rank 8"):
        Samples(np.column_stack([inputs, inputs[:, 0]]), outputs)
    assert linalg.cholesky(Samples(inputs, outputs).covariance(8)).shape == (8, 8)


def test_inputs_in_different_units_are_independent_in_single_precision_too():
    rng = np.random.default_rng(0)
    inputs = np.c_[50_000 + 5_000 * rng.standard_normal(1000), 0.01 * rng.standard_normal(1000)].astype(np.float32)
    assert Samples(inputs, rng.standard_normal(1000)).inputs.shape == (1000, 2)
    with pytest.raises(ValueError, match="2 columns that are linearly independent about their means, got rank 1"):
        Samples(np.c_[inputs[:, 0], np.full(1000, 0.1)], inputs[:, 1])


def test_inputs_in_units_far_apart_are_all_used():
    rng, units = np.random.default_rng(0), np.array([1e-8, 1e8])
    inputs = rng.standard_normal((50, 2))
    samples = Samples(inputs * units, inputs @ [1.0, 2.0])
    np.testing.assert_allclose(samples.optimal_coefficients(2), [1.0, 2.0] / units)
    assert samples.residual_variance(2) < 1e-20


def test_more_samples_in_single_precision_do_not_make_inputs_dependent():
    walk = np.cumsum(np.random.default_rng(0).standard_normal(100_000))
    assert Samples.from_series(walk.astype(np.float32), 4).residual_variance(4) == pytest.approx(
        Samples.from_series(walk, 4).residual_variance(4), rel=1e-3
    )
