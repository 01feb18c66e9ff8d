"""Exact generic capacity."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from capacity.allocation import exact_capacity, exact_layer_capacities
from capacity.linalg import PRIME, rank_modulo
from capacity.models import DilatedConvolution, FullyConnected, FunctionModel


@given(st.data())
def test_minimal_models_keep_the_exact_capacity(data):
    n_layers = data.draw(st.integers(1, 4))
    some = lambda top, length: data.draw(st.lists(st.integers(1, top), min_size=length, max_size=length))  # noqa: E731
    model = DilatedConvolution(
        some(4, n_layers), some(9, n_layers - 1), some(3, n_layers), data.draw(st.integers(1, 2))
    )
    point = np.random.default_rng(1).integers(0, PRIME, model.n_parameters)
    assert rank_modulo(model.jacobian(point, modulus=PRIME)) == exact_capacity(model).total
    assert exact_capacity(model.minimal()).total == exact_capacity(model).total


def test_capacity_of_no_layer_is_zero_and_iterators_are_read_once():
    model = DilatedConvolution.hierarchical(3, channels=2)
    assert exact_capacity(model, layers=[]).total == 0
    assert exact_capacity(model, layers=iter(["layer 1"])).total == 4
    assert exact_capacity(model, layers=model.layers).total == exact_capacity(model).total


def test_failure_probability_bounds_the_degree_of_the_largest_minor():
    model = DilatedConvolution.hierarchical(3)  # n = 8, 4 of 6 columns suffice, entries of degree 2
    once, twice = exact_capacity(model), exact_capacity(model, rounds=2)
    assert once.total == 4
    assert once.failure_probability == Fraction(4 * 2, 2**31 - 1)
    assert twice.failure_probability == Fraction(4 * 2, 2**31 - 1) ** 2
    assert exact_capacity(model, layers=["layer 1"]).failure_probability == Fraction(2 * 2, 2**31 - 1)
    assert exact_capacity(FullyConnected(5)) == exact_capacity(FullyConnected(5), rng=3)
    assert (exact_capacity(FullyConnected(5)).total, exact_capacity(FullyConnected(5)).failure_probability) == (5, 0)


def test_each_round_tries_another_point_and_the_largest_rank_counts():
    points = []

    class Recorded(FullyConnected):
        def jacobian(self, parameters, *, modulus=None):
            points.append(tuple(parameters))
            return super().jacobian(parameters, modulus=modulus) * (len(points) == 2)

    assert exact_capacity(Recorded(2), rounds=3, rng=0).total == 2
    assert len(set(points)) == 3


def test_coefficients_that_do_not_depend_on_parameters_have_no_capacity_for_certain():
    found = exact_capacity(FunctionModel(lambda w: w * 0, {"w": 2}))
    assert (found.total, found.failure_probability) == (0, 0)


@pytest.mark.parametrize("rounds", [1, 2])
def test_layers_have_together_what_each_has_by_itself_at_the_same_points(rounds):
    model = DilatedConvolution([1, 2, 4] * 2, channels=3)
    found = exact_layer_capacities(model, rounds=rounds, rng=5)
    assert found == {name: exact_capacity(model, layers=[name], rounds=rounds, rng=5) for name in model.layers}
