"""Every class of the room keeps the protocol of a linear model, by what its members return and not by name only."""

import numpy as np
import pytest
from linear_models import check_protocol

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

STACK = DilatedConvolution((1, 2), channels=2, components=2)
MODELS = [
    FullyConnected(5),
    STACK,
    DilatedConvolution.hierarchical(3, channels=4),
    DilatedConvolution([1, 1, 2, 2], channels=[3, 1, 2], taps=[2, 3, 1, 2]),
    DiagonalRecurrence(9, channels=3),
    DiagonalRecurrence(9, channels=3, bound=0.9),
    DiagonalRecurrence(5, channels=8),
    FunctionModel(lambda a, b: np.concatenate([a * b[0], b]), {"first": (3,), "second": (2,)}),
    FrozenLayers.at_random(STACK, ["layer 1"], rng=0),
    RegroupedLayers(FullyConnected(4), {"old": slice(0, 3), "recent": slice(3, 4)}),
]


def kind(model):
    return type(model).__name__


def test_every_class_of_the_room_is_among_those_that_are_tested():
    classes = {name for name in models.__all__ if isinstance(getattr(models, name), type)}
    assert classes - {"LinearModel", "Memory"} == {kind(model) for model in MODELS}


@pytest.mark.parametrize("model", MODELS, ids=kind)
def test_a_model_keeps_the_protocol(model):
    check_protocol(model)


POLYNOMIAL = [  # those left out have constants that are no integers
    m for m in MODELS if not isinstance(m, FrozenLayers) and getattr(m, "bound", None) is None
]


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
