from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

from capacity._validation import (
    as_array,
    as_complex_vector,
    as_generator,
    as_matrix,
    as_vector,
    check_integer,
    check_integers,
    check_real,
)

GOOD = np.array([[2.0, 1.0], [1.0, 2.0]])


def refused(check, *arguments, error=ValueError, name="x", **options):
    """The message with which a check refuses a value: what was expected and what came, and at last the remedy."""
    with pytest.raises(error) as caught:
        check(*arguments, **options)
    assert str(caught.value).startswith(f"{name}: expected ")
    assert ", got " in str(caught.value)
    return str(caught.value)


def test_valid_arrays_come_back_as_floats_of_the_same_values():
    np.testing.assert_array_equal(as_vector([1, 2], "x", length=2), [1.0, 2.0])
    np.testing.assert_array_equal(as_vector([Fraction(1, 4)], "x"), [0.25])
    matrix = as_matrix(np.arange(6, dtype=np.int8).reshape(2, 3), "x", rows=2, columns=3)
    assert matrix.dtype == float
    np.testing.assert_array_equal(matrix, [[0, 1, 2], [3, 4, 5]])
    assert as_matrix(GOOD, "x") is GOOD


def test_valid_numbers_come_back_as_plain_python_numbers():
    assert type(check_integer(np.int16(3), "x", minimum=3, maximum=3)) is int
    assert type(check_real(np.float32(0.5), "x", above=0, below=1)) is float
    assert check_real(1, "x", minimum=1, maximum=1) == 1.0
    assert check_integers(2, "x", length=3) == (2, 2, 2)
    assert check_integers(2, "x", length=0) == ()
    assert check_integers(np.array([1, 2]), "x") == (1, 2)


@pytest.mark.parametrize(
    "value",
    [
        [[1.0]],
        1.0,
        None,
        [],
        [1.0, np.nan],
        [-np.inf],
        [1j],
        ["1"],
        [[1.0], [1.0, 2.0]],
        pd.Series(["1", "2"]),
        np.array([1.0, "2"], dtype=object),
        np.array([np.complex128(1), 2.0], dtype=object),
        [1.0, np.complex128(2)],
        [10**400],
        pd.Series([1.0, None], dtype="Float64"),
        np.ma.masked_array([1.0, 2.0], [True, False]),
    ],
    ids=repr,
)
def test_what_is_no_vector_of_finite_real_numbers_is_refused(value):
    refused(as_vector, value, "x")


def test_arrays_may_be_asked_for_axes_whole_numbers_and_a_minimum():
    assert as_array(3, "x").shape == ()
    refused(as_array, [1.0], "x", axes=2)
    refused(as_array, [0.0, -1.0], "x", minimum=0)
    refused(as_array, [1.0, 1.5], "x", whole=True)


def test_masks_are_seen_in_rows_of_a_list_too():
    row = np.ma.masked_array([1.0, 2.0], mask=[False, True])
    for value in (row[None], [row, row], ([1.0, 2.0], row)):
        refused(as_matrix, value, "x")
    np.testing.assert_array_equal(as_matrix([row[:1]], "x"), [[1.0]])


@pytest.mark.parametrize("value", [True, np.True_, 1.0, "1", None, [1]])
def test_integers_are_neither_booleans_nor_floats(value):
    refused(check_integer, value, "x", minimum=1, maximum=3, error=TypeError)


@pytest.mark.parametrize(
    ("value", "limits"),
    [
        (0, {"above": 0}),
        (1, {"below": 1}),
        (-0.5, {"minimum": 0, "below": 1}),
        (2, {"maximum": 1}),
        (np.nan, {}),
        (np.nan, {"above": 0}),
        (np.inf, {"above": 0}),
        (-np.inf, {"below": 1e308}),
        (10**400, {}),
    ],
)
def test_reals_out_of_range_are_refused(value, limits):
    refused(check_real, value, "x", **limits)


def test_a_source_of_randomness_is_a_seed_a_generator_or_nothing():
    generator = np.random.default_rng(3)
    assert as_generator(generator) is generator
    assert as_generator(3).random() == np.random.default_rng(3).random()
    assert as_generator(None).random() != as_generator(None).random()
    for wrong in ("3", 1.5, True, ["1"], [], np.array([1])):
        refused(as_generator, wrong, name="rng", error=TypeError)
    refused(as_generator, -1, name="rng")


def test_complex_vectors_are_checked_in_both_parts():
    np.testing.assert_array_equal(as_complex_vector([1, 2j], "z", length=2), [1, 2j])
    np.testing.assert_array_equal(as_complex_vector([1.5], "z"), np.array([1.5 + 0j]))
    masked = np.ma.masked_array([1j, 2j], [True, False])
    for wrong in ([1j, np.nan], [complex(0, np.inf)], [[1j]], [1j] * 3, "1j", [[1j], [1j, 2j]], np.array([]), masked):
        refused(as_complex_vector, wrong, "x", length=2)
