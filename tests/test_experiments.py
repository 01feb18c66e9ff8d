"""Fitted points of sweeps."""

import numpy as np

from capacity.allocation import exact_capacity
from capacity.experiments import fitted_hierarchical, fitted_recurrence
from capacity.models import DilatedConvolution
from capacity.sweeps import grid, sweep
from capacity.tasks import standard_process

MODELS = grid(n_layers=[3, 4], channels=[1, 2, 4], process=["power law", "white"], seed=[0])


def test_fitted_models_have_their_exact_capacity(tmp_path):
    table = sweep(fitted_hierarchical, MODELS, tmp_path)
    for i, parameters in enumerate(MODELS):
        model = DilatedConvolution.hierarchical(parameters["n_layers"], parameters["channels"])
        assert table["generic"][i] == exact_capacity(model).total
        assert table["parameters"][i] == model.n_parameters
        residual = standard_process(parameters["process"]).residual_variance(model.n_inputs)
        assert table["residual_variance"][i] == residual
    memory = table["process"] == "power law"
    np.testing.assert_array_equal(table["capacity"][memory], table["generic"][memory])
    assert np.all(table["loss"][~memory] < 1e-25)
    assert np.all(table["capacity"][~memory] <= table["generic"][~memory])


def test_recurrences_are_fitted_to_their_optimum(tmp_path):
    table = sweep(fitted_recurrence, grid(n_inputs=[32], channels=[1, 2, 4], process=["power law"], seed=[0]), tmp_path)
    assert table["generic"].tolist() == [2, 4, 8]
    task = standard_process("power law")
    root, target = np.linalg.cholesky(task.covariance(32)).T, task.optimal_coefficients(32)
    scan = np.linspace(-0.99, 1.5, 2000)[:, None] ** np.arange(31, -1, -1) @ root.T  # one pole, best weight
    best = min(np.sum((root @ target - (row @ root @ target) / (row @ row) * row) ** 2) for row in scan)
    assert best * 0.99 < table["loss"][0] <= best
    assert np.all(np.diff(np.log(table["loss"])) < -2)


def test_a_recurrence_of_many_channels_has_no_more_capacity_than_inputs():
    assert fitted_recurrence(6, 4, "power law", seed=0)["generic"] == 6
