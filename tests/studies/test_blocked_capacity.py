"""Capacity of each input by passes over blocks, against the definition, which keeps all constraints."""

import numpy as np
import pytest

from capacity.allocation import model_constraints
from capacity.models import DilatedConvolution
from capacity.tasks import GaussianProcess, autoregressive
from capacity_studies import blocked_capacity
from capacity_studies.blocked_capacity import spatial_capacity

PROCESS = GaussianProcess()
MODELS = {
    "hierarchical": DilatedConvolution.hierarchical(12, channels=2),
    "small, where the sketch is the matrix": DilatedConvolution.hierarchical(6, channels=3),
    "overlapping": DilatedConvolution([2**i for i in range(9)] * 2, channels=2, taps=3),
    "components": DilatedConvolution.hierarchical(11, channels=3, components=2),
    "unreachable lags": DilatedConvolution([3, 6, 12] * 2, channels=2),
}


@pytest.mark.parametrize("model", MODELS.values(), ids=MODELS)
def test_it_is_the_diagonal_of_the_projection_on_the_constraints(model):
    sigma = PROCESS.operator(model.n_inputs)
    found = spatial_capacity(model, model.initial(0), sigma)
    dense = model_constraints(model, model.initial(0), sigma)
    assert found.total == dense.total
    np.testing.assert_allclose(found.inputs, np.square(dense.vectors).sum(axis=1), atol=1e-12)
    np.testing.assert_allclose(found.inputs.sum(), found.total, rtol=1e-13)


def test_blocks_of_few_columns_give_the_same():
    model = MODELS["hierarchical"]
    sigma, parameters = PROCESS.operator(model.n_inputs), model.initial(1)
    whole = spatial_capacity(model, parameters, sigma)
    for memory in (1, 32 * model.n_inputs * 7):  # four columns at least, and seven, which do not divide their number
        np.testing.assert_allclose(
            spatial_capacity(model, parameters, sigma, memory=memory).inputs, whole.inputs, atol=1e-13
        )


def test_another_sketch_gives_the_same():
    model = MODELS["hierarchical"]
    sigma, parameters = PROCESS.operator(model.n_inputs), model.initial(1)
    first, second = (spatial_capacity(model, parameters, sigma, rng=seed) for seed in (1, 2))
    assert first.condition != second.condition
    assert max(first.condition, second.condition) < 3
    np.testing.assert_allclose(first.inputs, second.inputs, atol=1e-13)


def test_ill_conditioned_constraints_keep_the_digits_that_a_gram_matrix_loses():
    process = GaussianProcess(autoregressive([1.98, -0.9801]))  # its spectrum spans eight powers of ten
    model = DilatedConvolution.hierarchical(12, channels=2)
    sigma, parameters = process.operator(model.n_inputs), model.initial(0)
    columns = sigma @ model.tangent_span(parameters)
    conditioning = np.linalg.cond(columns)
    assert conditioning > 1e5
    gram = columns.T @ columns
    dense = np.square(model_constraints(model, parameters, sigma).vectors).sum(axis=1)
    plain = np.einsum("ij,ij->i", columns @ np.linalg.inv(gram), columns)
    errors = [np.abs(found - dense).max() for found in (spatial_capacity(model, parameters, sigma).inputs, plain)]
    assert errors[0] < 1e-13 * conditioning
    assert errors[0] < 1e-2 * errors[1]


def test_no_parameters_no_capacity():
    model = DilatedConvolution.hierarchical(3)
    found = spatial_capacity(model, np.zeros(model.n_parameters), PROCESS.operator(8))
    assert found.total == 0
    assert not found.inputs.any()
    assert np.isnan([found.gap, found.condition]).all()


@pytest.mark.parametrize("step", [2, 3, 100])
def test_leverages_and_conditions_are_those_of_the_whole_matrix_whatever_is_made_at_once(step):
    rng = np.random.default_rng(0)
    first, second, root = (rng.standard_normal((30, width)) for width in (4, 3, 30))
    covariance, mixing = root @ root.T, rng.standard_normal((7, 5)) * [1, 2, 3, 4, 5]
    parts = blocked_capacity._Constraints([lambda: first, lambda: second], np.array([0, 4, 7]), covariance, 30, step)
    columns = covariance @ np.hstack([first, second]) @ mixing
    leverages, condition = parts.leverages(mixing)
    left, values, _ = np.linalg.svd(columns, full_matrices=False)
    np.testing.assert_allclose(leverages, np.square(left).sum(axis=1), rtol=1e-8)
    assert condition == pytest.approx(values[0] / values[-1], rel=1e-8)
