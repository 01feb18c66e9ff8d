"""Every class of the rooms keeps the protocol of a linear model, by what its members return and not by name only."""

import numpy as np
import pytest

from capacity import models
from capacity.linalg import PRIME
from capacity.models import (
    DiagonalRecurrence,
    DilatedConvolution,
    FrozenLayers,
    FullyConnected,
    FunctionModel,
    LinearModel,
    RegroupedLayers,
)
from capacity_inspection import models as more_models
from capacity_inspection.models import DiagonalStateSpace

STACK = DilatedConvolution((1, 2), channels=2, components=2)
MODELS = [
    FullyConnected(5),
    STACK,
    DilatedConvolution.hierarchical(3, channels=4),
    DilatedConvolution([1, 1, 2, 2], channels=[3, 1, 2], taps=[2, 3, 1, 2]),
    DiagonalRecurrence(9, channels=3),
    DiagonalRecurrence(9, channels=3, bound=0.9),
    DiagonalRecurrence(5, channels=8),
    DiagonalStateSpace(9, pairs=2),
    DiagonalStateSpace(5, pairs=3),
    FunctionModel(lambda a, b: np.concatenate([a * b[0], b]), {"first": (3,), "second": (2,)}),
    FrozenLayers.at_random(STACK, ["layer 1"], rng=0),
    RegroupedLayers(FullyConnected(4), {"old": slice(0, 3), "recent": slice(3, 4)}),
]


def kind(model):
    return type(model).__name__


def test_every_class_of_the_rooms_is_among_those_that_are_tested():
    classes = {name for room in (models, more_models) for name in room.__all__ if isinstance(getattr(room, name), type)}
    assert classes - {"LinearModel", "Memory"} == {kind(model) for model in MODELS}


@pytest.mark.parametrize("model", MODELS, ids=kind)
def test_a_model_keeps_the_protocol(model):
    assert isinstance(model, LinearModel)
    n, p = model.n_inputs, model.n_parameters
    assert n % model.components == 0
    assert [part for name in model.layers for part in range(*model.layers[name].indices(p))] == list(range(p))
    parameters = model.initial(0)
    np.testing.assert_array_equal(parameters, model.initial(0))
    assert not np.array_equal(parameters, model.initial(1))
    before = parameters.copy()
    coefficients, jacobian = model.coefficients(parameters), model.jacobian(parameters)
    assert (parameters.shape, coefficients.shape, jacobian.shape) == ((p,), (n,), (n, p))
    step = 1e-6 * np.eye(p)
    moved = [(model.coefficients(parameters + h) - model.coefficients(parameters - h)) / 2e-6 for h in step]
    np.testing.assert_allclose(jacobian, np.transpose(moved), atol=1e-8)
    cotangent = np.random.default_rng(2).standard_normal(n)
    np.testing.assert_allclose(model.pullback(parameters, cotangent), jacobian.T @ cotangent, atol=1e-12)
    factors = model.tangent_factors(parameters)
    assert factors.keys() == model.layers.keys()
    for name, factor in factors.items():
        block = jacobian[:, model.layers[name]]
        assert factor.shape[1] <= min(block.shape)
        np.testing.assert_allclose(factor @ factor.T, block @ block.T, atol=1e-12)
    np.testing.assert_array_equal(parameters, before)


OTHERS = (FrozenLayers, DiagonalStateSpace)  # constants that are no integers; an exponential, and its test elsewhere
POLYNOMIAL = [m for m in MODELS if not isinstance(m, OTHERS) and getattr(m, "bound", None) is None]


@pytest.mark.parametrize("model", POLYNOMIAL, ids=kind)
def test_coefficients_are_polynomials_whose_jacobian_is_known_modulo_a_prime(model):
    point = np.random.default_rng(3).integers(0, 4, model.n_parameters)
    exact = model.jacobian(point, modulus=PRIME)
    assert exact.dtype == np.int64
    np.testing.assert_allclose(exact, np.rint(model.jacobian(point.astype(float))) % PRIME)
    assert model.degree >= 1


def test_what_lacks_a_member_does_not_keep_the_protocol():
    class Incomplete:
        n_inputs = n_parameters = components = degree = 1
        layers = {"layer 1": slice(0, 1)}  # noqa: RUF012

    assert not isinstance(Incomplete(), LinearModel)
