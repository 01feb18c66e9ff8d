from fractions import Fraction

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from capacity.linalg import rank_modulo


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


def test_integers_of_any_size_count():
    assert rank_modulo([[1, 2**70], [3, 3 * 2**70]]) == 1
    assert rank_modulo([[1, 2**70], [3, 3 * 2**70 + 1]]) == 2
