from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from capacity.convolutions import DilatedConvolution
from capacity.finite_field import PRIME, exact_capacity, rank_modulo
from capacity.models import FullyConnected
from capacity.subspaces import orthonormal_basis

BLOCKS = [2**k for k in range(8)] * 3


def rank_in_fractions(matrix, modulus=None):
    """Rank by Gaussian elimination over the rationals, or over the field of a prime."""
    rows, rank = [[Fraction(int(x)) if modulus is None else int(x) % modulus for x in row] for row in matrix], 0
    for column in range(len(rows[0])):
        pivot = next((i for i in range(rank, len(rows)) if rows[i][column]), None)
        if pivot is None:
            continue
        rows[rank], rows[pivot] = rows[pivot], rows[rank]
        inverse = 1 / rows[rank][column] if modulus is None else pow(rows[rank][column], -1, modulus)
        for i in range(rank + 1, len(rows)):
            factor = rows[i][column] * inverse
            rows[i] = [a - factor * b for a, b in zip(rows[i], rows[rank])]
            rows[i] = rows[i] if modulus is None else [a % modulus for a in rows[i]]
        rank += 1
    return rank


@given(st.integers(0, 2**32 - 1), st.integers(1, 6), st.integers(1, 6), st.integers(0, 6))
def test_rank_agrees_with_elimination_by_hand(seed, n, p, rank):
    rng = np.random.default_rng(seed)
    matrix = rng.integers(-4, 5, (n, rank)) @ rng.integers(-4, 5, (rank, p))
    for prime in (2, 3, 7):
        assert rank_modulo(matrix, prime) == rank_in_fractions(matrix, prime)
    # No minor of these matrices reaches the prime, so that the rank is that over the rationals.
    assert rank_modulo(matrix) == rank_in_fractions(matrix) <= min(n, p, rank)


def test_rank_over_a_small_field_can_be_smaller():
    matrix = np.array([[1, 2], [3, 13]])
    assert (rank_modulo(matrix), rank_modulo(matrix, 7)) == (2, 1)
    assert rank_modulo(matrix - 7 * 10**9, 7) == 1
    assert rank_modulo(np.array([[1, 2], [3, 13]], dtype=np.uint8)) == 2


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


@pytest.mark.parametrize(
    ("dilations", "channels", "total"),
    [(BLOCKS, 4, 336), (sorted(BLOCKS), 4, 256), (BLOCKS, 1, 25), (sorted(BLOCKS), 1, 25)],
    ids=["tiled, 4", "repeated, 4", "tiled, 1", "repeated, 1"],
)
def test_stacks_of_24_layers_have_their_exact_and_numerical_capacity(dilations, channels, total):
    model = DilatedConvolution(dilations, channels)
    assert (model.n_inputs, model.n_parameters) == (766, {4: 720, 1: 48}[channels])
    assert exact_capacity(model).total == total
    tangent = np.hstack(list(model.tangent_factors(model.initial(0)).values()))
    basis = orthonormal_basis(tangent)
    assert basis.rank == total
    assert basis.gap > 1e5


def test_capacity_of_no_layer_is_zero_and_iterators_are_read_once():
    model = DilatedConvolution.hierarchical(3, channels=2)
    assert exact_capacity(model, layers=[]).total == 0
    assert exact_capacity(model, layers=iter(["layer 1"])).total == 4
    assert exact_capacity(model, layers=model.layers).total == exact_capacity(model).total


def test_failure_probability_bounds_the_degree_of_the_largest_minor():
    model = DilatedConvolution.hierarchical(3)  # n = 8, 4 of 6 columns suffice, entries of degree 2
    once, twice = exact_capacity(model), exact_capacity(model, rounds=2)
    assert once.total == 4
    assert once.failure_probability == Fraction(4 * 2, PRIME)
    assert twice.failure_probability == Fraction(4 * 2, PRIME) ** 2
    assert exact_capacity(model, layers=["layer 1"]).failure_probability == Fraction(2 * 2, PRIME)
    assert exact_capacity(FullyConnected(5)) == exact_capacity(FullyConnected(5), rng=3)
    assert (exact_capacity(FullyConnected(5)).total, exact_capacity(FullyConnected(5)).failure_probability) == (5, 0)


@pytest.mark.parametrize(
    ("make", "error", "expected"),
    [
        (lambda: rank_modulo([[1.5]]), TypeError, "matrix: expected integers, got float64"),
        (lambda: rank_modulo([[2, 3], [4, 5]], 6), ValueError, "modulus: expected a prime, got 6"),
        (lambda: rank_modulo([[2]], 1), ValueError, "modulus: expected an integer >= 2"),
        (lambda: rank_modulo([[2]], 7.0), TypeError, "modulus: expected an integer"),
        (lambda: exact_capacity(DilatedConvolution([1]), layers=["top"]), ValueError, r"layers: .* got \['top'\]"),
        (lambda: exact_capacity(DilatedConvolution([1]), layers="layer 1"), ValueError, "layers: expected names"),
        (lambda: exact_capacity(len), TypeError, "model: .* without n_inputs, .*FunctionModel"),
        (lambda: exact_capacity(DilatedConvolution([1]), rounds=0), ValueError, "rounds: expected an integer >= 1"),
    ],
)
def test_bad_arguments_are_named(make, error, expected):
    with pytest.raises(error, match=expected):
        make()
