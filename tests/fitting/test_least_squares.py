import os
import subprocess
import sys

import numpy as np
import pytest
from scipy import linalg, optimize

from capacity.allocation import model_constraints
from capacity.fitting import fit
from capacity.models import DilatedConvolution, tensor_train_parameters
from capacity.tasks import GaussianProcess, standard_process
from capacity.tasks import gaussian as processes

PROCESS = GaussianProcess()
METHODS = ["gauss-newton", "l-bfgs-b"]
RANDOM = {"restarts": 2, "rng": 8}


def quadratic_loss(model, parameters, process):
    error = model.coefficients(parameters) - process.optimal_coefficients(model.n_positions)
    return error @ process.covariance(model.n_positions) @ error


@pytest.mark.parametrize("model", [DilatedConvolution.hierarchical(3), DilatedConvolution([1, 2, 1, 2])])
def test_optimum_agrees_with_a_dense_least_squares_solver(model):
    n = model.n_positions
    root, target = linalg.cholesky(PROCESS.covariance(n)), PROCESS.optimal_coefficients(n)
    result = fit(model, PROCESS, rng=0)
    found = optimize.least_squares(
        lambda w: root @ (model.coefficients(w) - target),
        result.parameters + 0.01 * np.random.default_rng(1).standard_normal(model.n_parameters),
        lambda w: root @ model.jacobian(w),
        xtol=1e-15,
        ftol=1e-15,
        gtol=1e-15,
    )
    assert result.loss == pytest.approx(2 * found.cost, rel=1e-10)
    np.testing.assert_allclose(result.coefficients, model.coefficients(found.x), atol=1e-7)


@pytest.mark.parametrize("method", METHODS)
def test_fit_tells_the_truth_about_itself(method):
    model = DilatedConvolution.hierarchical(4)  # with more channels, where a run ends depends on the processor
    initial = model.initial(3)
    result = fit(model, PROCESS, method=method, initial=initial)
    assert result.method == method
    assert np.all(np.diff(result.losses) <= 0)
    assert result.losses[0] == pytest.approx(quadratic_loss(model, initial, PROCESS))
    assert result.losses[-1] == result.loss == result.restarts[0]
    assert result.loss == pytest.approx(quadratic_loss(model, result.parameters, PROCESS), rel=1e-9)
    np.testing.assert_array_equal(result.coefficients, model.coefficients(result.parameters))
    assert result.converged


@pytest.mark.parametrize("method", METHODS)
def test_iterations_that_run_out_are_reported(method):
    result = fit(DilatedConvolution.hierarchical(6, channels=4), PROCESS, method=method, rng=0, max_iterations=3)
    assert not result.converged
    assert result.losses.size == 4
    assert result.losses[-1] < result.losses[0]


@pytest.mark.parametrize("method", METHODS)
def test_restarts_are_reproducible_and_the_best_one_counts(method):
    model, options = DilatedConvolution.hierarchical(4, channels=2), {"method": method, "max_iterations": 40}
    several = fit(model, PROCESS, rng=5, restarts=4, **options)
    again = fit(model, PROCESS, rng=np.random.default_rng(5), restarts=4, **options)
    np.testing.assert_array_equal(several.restarts, again.restarts)
    np.testing.assert_array_equal(several.parameters, again.parameters)
    assert several.restarts.shape == (4,)
    assert several.loss == several.restarts.min()
    np.testing.assert_array_equal(fit(model, PROCESS, rng=5, restarts=2, **options).restarts, several.restarts[:2])


def test_given_initial_parameters_start_the_first_run_and_are_left_alone():
    model = DilatedConvolution.hierarchical(3, channels=1)
    initial = model.initial(7)
    kept = initial.copy()
    result = fit(model, PROCESS, initial=initial, restarts=3, rng=8, max_iterations=1)
    own, others = (fit(model, PROCESS, max_iterations=1, **more) for more in ({"initial": list(initial)}, RANDOM))
    np.testing.assert_allclose(result.restarts, [own.loss, *others.restarts], rtol=1e-9)
    assert np.unique(result.restarts.round(6)).size == 3
    np.testing.assert_array_equal(initial, kept)
    stopped = fit(model, PROCESS, initial=np.zeros(model.n_parameters))
    assert not np.shares_memory(stopped.parameters, initial)


def test_a_singular_point_is_reported_as_critical_with_no_capacity():
    model, zeros = DilatedConvolution.hierarchical(3, channels=2), np.zeros(16)
    result = fit(model, PROCESS, initial=zeros)
    assert (result.converged, result.losses.size) == (True, 1)
    np.testing.assert_array_equal(result.parameters, zeros)
    assert not np.shares_memory(result.parameters, zeros)
    assert model_constraints(model, result.parameters, PROCESS.operator(8)).total == 0


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("channels", [1, 2])
def test_white_noise_is_predicted_by_zero(method, channels):
    result = fit(DilatedConvolution.hierarchical(3, channels=channels), standard_process("white"), method=method, rng=0)
    assert result.loss < 1e-25
    assert np.all(np.diff(result.losses) <= 0)


def test_results_do_not_depend_on_the_number_of_threads():
    code = (
        "from capacity import DilatedConvolution, GaussianProcess, fit, model_constraints\n"
        "model, process = DilatedConvolution.hierarchical(6, channels=2), GaussianProcess()\n"
        "result = fit(model, process, rng=0)\n"
        "space = model_constraints(model, result.parameters, process.operator(64))\n"
        "print(repr(result.loss), space.total, *map(float, space.spatial()))\n"
    )
    runs = []
    for threads in ("1", "2"):
        environment = os.environ | {f"{name}_NUM_THREADS": threads for name in ("OMP", "OPENBLAS", "MKL")}
        runs.append(subprocess.Popen([sys.executable, "-c", code], env=environment, stdout=subprocess.PIPE, text=True))
    outputs = [np.array(run.communicate(timeout=60)[0].split(), dtype=float) for run in runs]
    np.testing.assert_allclose(outputs[0], outputs[1], rtol=1e-6)
    assert outputs[0][1] == outputs[1][1] == 20


@pytest.mark.parametrize("channels", [1, 2, 16])
def test_fit_without_a_dense_covariance_is_the_fit_with_one(channels, monkeypatch):
    model = DilatedConvolution.hierarchical(6, channels)
    initial = tensor_train_parameters(PROCESS.optimal_coefficients(64), model.taps, model.channels, rng=0)
    dense = fit(model, PROCESS, initial=initial)
    monkeypatch.setattr(processes, "LARGE", 32)
    assert PROCESS.root(64).shape[0] > 64
    monkeypatch.setattr(GaussianProcess, "covariance", None)
    structured = fit(model, PROCESS, initial=initial)
    assert structured.loss == pytest.approx(dense.loss, rel=1e-7, abs=1e-28)
    np.testing.assert_allclose(structured.coefficients, dense.coefficients, rtol=0, atol=1e-8)


def test_fit_of_many_inputs_satisfies_the_constraints_of_its_optimum():
    model = DilatedConvolution.hierarchical(12)
    n = model.n_inputs
    target = PROCESS.optimal_coefficients(n)
    result = fit(model, PROCESS, initial=tensor_train_parameters(target, model.taps, model.channels, rng=0))
    error = result.coefficients - target
    assert result.converged
    assert result.loss == pytest.approx(error @ (PROCESS.operator(n) @ error), rel=1e-10)
    space = model_constraints(model, result.parameters, PROCESS.operator(n))
    assert space.total == 13
    assert linalg.norm(space.vectors.T @ error) < 1e-7 * linalg.norm(error)


@pytest.mark.parametrize("method", ["gauss-newton", "l-bfgs-b"])
@pytest.mark.parametrize("size", [1e60, 1e80, 1e200])
def test_a_start_whose_loss_overflows_is_refused(method, size):
    model = DilatedConvolution.hierarchical(4, channels=2)
    with pytest.raises(ValueError, match="initial: "):
        fit(model, GaussianProcess(), initial=np.full(model.n_parameters, size), method=method)
