"""Each row of the table is what it says: a slope is the derivative, and the flags hold."""

import numpy as np
import pytest

from capacity.activations.gaussian_quadrature import normal_nodes
from capacity.activations.scalar_functions import SCALAR_FUNCTIONS

POINTS = np.array([-6.3, -2.9, -1.3, -0.41, 0.29, 0.83, 2.6, 3.2, 6.4])
PARAMETERS = {"prelu": (0.3,)} | {name: (row.parameter,) for name, row in SCALAR_FUNCTIONS.items() if row.parameter}
ROWS = [(name, row, PARAMETERS.get(name, ())) for name, row in SCALAR_FUNCTIONS.items()]
every_row = pytest.mark.parametrize(("name", "row", "parameter"), ROWS, ids=list(SCALAR_FUNCTIONS))


def logistic(z):
    return 1 / (1 + np.exp(-z))


DEFINITIONS = {  # of the papers that named them, in elementary functions
    "relu6": lambda z: np.minimum(np.maximum(z, 0), 6),
    "prelu": lambda z, slope: np.maximum(z, 0) + slope * np.minimum(z, 0),
    "leaky_relu": lambda z, slope: np.maximum(z, 0) + slope * np.minimum(z, 0),
    "sigmoid": logistic,
    "gelu_tanh": lambda z: z / 2 * (1 + np.tanh(np.sqrt(2 / np.pi) * (z + 0.044715 * z**3))),
    "elu": lambda z, scale: np.where(z > 0, z, scale * (np.exp(z) - 1)),
    "selu": lambda z: 1.0507009873554805 * np.where(z > 0, z, 1.6732632423543772 * (np.exp(z) - 1)),
    "silu": lambda z: z * logistic(z),
    "softplus": lambda z: np.log(1 + np.exp(z)),
    "softsign": lambda z: z / (1 + np.abs(z)),
    "mish": lambda z: z * np.tanh(np.log(1 + np.exp(z))),
    "hard_sigmoid": lambda z: np.minimum(np.maximum(z + 3, 0), 6) / 6,
    "hard_swish": lambda z: z * np.minimum(np.maximum(z + 3, 0), 6) / 6,
    "hard_tanh": lambda z: np.minimum(np.maximum(z, -1), 1),
}


@pytest.mark.parametrize("name", DEFINITIONS)
def test_a_function_is_its_definition(name):
    z, parameter = np.linspace(-8, 8, 65), PARAMETERS.get(name, ())
    np.testing.assert_allclose(SCALAR_FUNCTIONS[name].value(z, *parameter), DEFINITIONS[name](z, *parameter), rtol=1e-9)


@every_row
def test_the_slope_is_the_derivative(name, row, parameter):
    points = np.abs(POINTS) if name in ("sqrt", "log", "reciprocal") else POINTS
    difference = row.value(points + 1e-6, *parameter) - row.value(points - 1e-6, *parameter)
    np.testing.assert_allclose(row.slope(points, *parameter), difference / 2e-6, rtol=1e-6, atol=1e-8)


@every_row
def test_a_nan_stays_a_nan(name, row, parameter):
    assert np.isnan(row.value(np.array([np.nan, np.nan]), *parameter)).all()


@pytest.mark.parametrize(
    ("name", "kinks"), [("relu6", (0, 6)), ("hard_sigmoid", (-3, 3)), ("abs", (0,)), ("hard_tanh", (-1, 1))]
)
def test_at_a_kink_the_slope_is_that_of_the_piece_below(name, kinks):
    row, kinks = SCALAR_FUNCTIONS[name], np.array(kinks, dtype=float)
    parameter = PARAMETERS.get(name, ())
    np.testing.assert_array_equal(row.slope(kinks, *parameter), row.slope(kinks - 0.1, *parameter))
    np.testing.assert_array_equal(row.breaks, kinks)


@every_row
def test_few_nodes_between_the_breaks_give_its_gaussian_mean(name, row, parameter):
    if name not in ("sqrt", "log", "reciprocal"):
        few, many = (
            weights @ row.value(nodes, *parameter)
            for nodes, weights in (normal_nodes(row.breaks, 1.0, n) for n in (30, 70))
        )
        assert few == pytest.approx(many, rel=1e-12, abs=1e-13)


@every_row
def test_the_homogeneous_ones_commute_with_positive_factors(name, row, parameter):
    if name not in ("sqrt", "log", "reciprocal"):
        commutes = np.allclose(row.value(2 * POINTS, *parameter), 2 * row.value(POINTS, *parameter), rtol=1e-14)
        assert commutes == row.homogeneous


@every_row
def test_a_rectifier_passes_about_half_of_the_variance(name, row, parameter):
    if name not in ("sqrt", "log", "reciprocal"):
        nodes, weights = normal_nodes(row.breaks, 1.0, 60)
        value = row.value(nodes, *parameter)
        share = weights @ value**2
        assert not row.rectifier or 0.25 < share < 0.75
