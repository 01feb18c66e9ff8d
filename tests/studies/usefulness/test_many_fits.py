"""Many fits at once are those of the package, one by one."""

import numpy as np

from capacity.fitting import fit, stationarity
from capacity.models import DilatedConvolution
from capacity_studies.sampling import Linear
from capacity_studies.usefulness.many_fits import fit_many


def test_fits_are_stationary_and_lose_what_single_fits_lose():
    rng, n = np.random.default_rng(0), 7
    model = DilatedConvolution([1, 2, 3], 1)
    tasks = []
    for _ in range(4):
        factor = rng.standard_normal((n, 2 * n))
        tasks.append(Linear(rng.standard_normal(n), factor @ factor.T, 1.0))
    starts = np.array([model.initial(seed) for seed in range(4)])
    parameters, converged = fit_many(
        model, np.array([task.matrix for task in tasks]), np.array([task.target for task in tasks]), starts
    )
    assert converged.all()
    for task, start, found in zip(tasks, starts, parameters):
        assert stationarity(model, found, task) < 1.1e-3
        away = model.coefficients(found) - task.target
        single = fit(model, task, initial=start, tolerance=1e-3).loss
        np.testing.assert_allclose(away @ task.matrix @ away, single, rtol=1e-4)


def test_a_fit_that_is_cut_short_says_so():
    task = Linear(np.arange(1.0, 8), np.eye(7), 1.0)
    model = DilatedConvolution([1, 2, 3], 1)
    found = fit_many(model, task.matrix[None], task.target[None], model.initial(0)[None], iterations=1)
    assert not found[1].any()


def test_only_steps_that_lower_the_loss_are_counted():
    rng, n = np.random.default_rng(0), 7
    factor, model = rng.standard_normal((n, 2 * n)), DilatedConvolution([1, 2, 3], 1)
    matrix, target = factor @ factor.T, rng.standard_normal(n)
    starts = np.array([model.initial(seed) for seed in range(8)])  # from most of them the first trials fail
    taken = [
        fit_many(model, np.array([matrix] * 8), np.array([target] * 8), starts, iterations=k)[0] for k in (1, 2, 3)
    ]
    away = np.array([[model.coefficients(one) for one in many] for many in (starts, *taken)]) - target
    losses = np.einsum("ksi,ij,ksj->ks", away, matrix, away)
    assert (np.diff(losses, axis=0) < 0).all()
