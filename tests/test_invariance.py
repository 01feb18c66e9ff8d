"""What capacity must not depend on: units, order, parametrisation, precision and layout of the arrays."""

import numpy as np
import pytest

from capacity import DilatedConvolution, GaussianProcess, constraint_space, exact_capacity, model_constraints
from capacity.allocation import redundant_sets
from capacity.layers import differential_capacity, linear_capacity, pseudo_random_capacity
from capacity.linalg import ToeplitzOperator, jacobian_basis
from capacity.models import FrozenLayers
from capacity.tasks import autoregressive, exponential_mixture

MODEL = DilatedConvolution.hierarchical(5, channels=2)
PARAMETERS = MODEL.initial(0)
JACOBIAN = MODEL.jacobian(PARAMETERS)
SIGMA = GaussianProcess().covariance(MODEL.n_inputs)
SPACE = constraint_space(SIGMA, JACOBIAN)
RNG = np.random.default_rng(1)


def same(space, expected=SPACE, atol=1e-10):
    assert space.total == expected.total
    np.testing.assert_allclose(space.spatial(), expected.spatial(), rtol=0, atol=atol)


@pytest.mark.parametrize("scale", [1e-300, 1e-100, 1e-12, 1e12, 1e100, 1e300])
def test_units_do_not_matter(scale):
    same(constraint_space(scale * SIGMA, JACOBIAN))
    same(constraint_space(SIGMA, scale * JACOBIAN))


@pytest.mark.parametrize("scale", [1e-60, 1e-12, 1e12, 1e60])
def test_the_scale_of_all_parameters_does_not_matter(scale):
    same(model_constraints(MODEL, scale * PARAMETERS, SIGMA))


@pytest.mark.parametrize(("up", "down"), [(1, 5), (5, 1), (3, 4)])
def test_weight_that_moves_from_one_layer_to_another_does_not_matter(up, down):
    model, sigma = DilatedConvolution.hierarchical(6, channels=4), GaussianProcess().covariance(64)
    before = model.initial(0)
    after = before.copy()
    after[model.layers[f"layer {up}"]] *= 1e6
    after[model.layers[f"layer {down}"]] /= 1e6
    first, second = (model_constraints(model, parameters, sigma) for parameters in (before, after))
    assert first.total == exact_capacity(model).total
    same(second, first, atol=1e-8)
    assert redundant_sets(model, after, sigma) == redundant_sets(model, before, sigma)


def test_a_covariance_of_few_digits_keeps_the_rank_of_the_jacobian():
    assert constraint_space(np.eye(2, dtype=np.float32), np.diag([1.0, 1e-9])).total == 2


def test_a_regular_change_of_the_parameters_does_not_matter():
    change = RNG.standard_normal((MODEL.n_parameters,) * 2)
    same(constraint_space(SIGMA, JACOBIAN @ change))
    same(constraint_space(SIGMA, np.hstack([JACOBIAN, JACOBIAN])))


def test_the_order_of_the_inputs_is_that_of_their_capacities():
    order = RNG.permutation(MODEL.n_inputs)
    moved = constraint_space(SIGMA[np.ix_(order, order)], JACOBIAN[order])
    np.testing.assert_allclose(moved.spatial(), SPACE.spatial()[order], rtol=0, atol=1e-10)


@pytest.mark.parametrize(
    "layout",
    [
        np.asfortranarray,
        lambda a: np.repeat(a, 2, axis=0)[::2],
        lambda a: a[::-1, ::-1].copy()[::-1, ::-1],
        lambda a: a.astype(np.longdouble),
    ],
)
def test_the_layout_in_memory_does_not_matter(layout):
    moved = constraint_space(layout(SIGMA), layout(JACOBIAN))
    np.testing.assert_allclose(moved.spatial(), SPACE.spatial(), rtol=0, atol=1e-13)  # sums in another order


def test_digits_that_single_precision_lacks_are_not_taken_for_capacity():
    single = JACOBIAN.astype(np.float32)
    same(constraint_space(SIGMA, single), atol=1e-5)
    same(constraint_space(SIGMA.astype(np.float32), JACOBIAN), atol=1e-5)
    assert constraint_space(SIGMA, single, rtol=0).total == MODEL.n_inputs  # as was asked for
    assert jacobian_basis(single).rank == jacobian_basis(JACOBIAN).rank == SPACE.total
    weights = np.linalg.qr(RNG.standard_normal((MODEL.n_inputs,) * 2))[0]
    for found in (linear_capacity(weights, single), pseudo_random_capacity(weights, single)):
        assert found.total == SPACE.total
    assert differential_capacity(weights, single, 0.1).sum() == pytest.approx(SPACE.total)


def test_what_was_made_from_an_array_does_not_change_with_it():
    coefficients, scales, column = np.array([0.5]), np.array([2.0]), np.array([2.0, 1.0])
    layer = PARAMETERS[MODEL.layers["layer 1"]].copy()
    made = autoregressive(coefficients), exponential_mixture(scales), ToeplitzOperator(column)
    frozen = FrozenLayers(MODEL, {"layer 1": layer})

    def results():
        first, second, operator = made
        return [*first(np.arange(3)), *second(np.arange(3)), *operator.dense().ravel(), *frozen.whole(free)]

    free = frozen.initial(0)
    before = results()
    for array in (coefficients, scales, column, layer):
        array *= 0.5
    assert results() == before
