from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

from capacity._validation import (
    as_complex_vector,
    as_covariance,
    as_generator,
    as_matrix,
    as_vector,
    balanced,
    check_integer,
    check_integers,
    check_real,
    cholesky_factor,
    rank_tolerance,
)

GOOD = np.array([[2.0, 1.0], [1.0, 2.0]])


def test_valid_arrays_come_back_as_floats_of_the_same_values():
    np.testing.assert_array_equal(as_vector([1, 2], "x", length=2), [1.0, 2.0])
    np.testing.assert_array_equal(as_vector([Fraction(1, 4)], "x"), [0.25])
    matrix = as_matrix(np.arange(6, dtype=np.int8).reshape(2, 3), "x", rows=2, columns=3)
    assert matrix.dtype == float
    np.testing.assert_array_equal(matrix, [[0, 1, 2], [3, 4, 5]])
    assert as_covariance(GOOD, "x", size=2, definite=True) is GOOD


def test_valid_numbers_come_back_as_plain_python_numbers():
    assert type(check_integer(np.int16(3), "x", minimum=3, maximum=3)) is int
    assert type(check_real(np.float32(0.5), "x", above=0, below=1)) is float
    assert check_real(1, "x", minimum=1, maximum=1) == 1.0
    assert check_integers(2, "x", length=3) == (2, 2, 2)
    assert check_integers(2, "x", length=0) == ()
    assert check_integers(np.array([1, 2]), "x") == (1, 2)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ([[1.0]], r"weights: expected shape \(any,\), got shape \(1, 1\); pass"),
        (1.0, r"weights: expected shape \(any,\), got shape \(\)"),
        (None, "weights: expected shape"),
        ([], "weights: expected at least one entry, got an empty array"),
        ([1.0, np.nan], r"weights: expected finite numbers, got nan at index \(1,\)"),
        ([-np.inf], "weights: expected finite numbers, got -inf"),
        ([1j], "weights: expected real numbers"),
        (["1"], "weights: expected real numbers"),
        (["a"], "weights: expected real numbers"),
        ([[1.0], [1.0, 2.0]], "weights: expected real numbers"),
    ],
)
def test_bad_vectors_are_refused_by_name(value, expected):
    with pytest.raises(ValueError, match=expected):
        as_vector(value, "weights")


def test_sizes_are_part_of_the_message():
    with pytest.raises(ValueError, match=r"x: expected shape \(3,\), got shape \(2,\); count again"):
        as_vector([1, 2], "x", length=3, remedy="count again")
    with pytest.raises(ValueError, match=r"x: expected shape \(2, any\), got shape \(1, 2\)"):
        as_matrix([[1, 2]], "x", rows=2)
    with pytest.raises(ValueError, match=r"x: expected finite numbers, got nan at index \(0, 1\)"):
        as_matrix([[1, np.nan]], "x")


@pytest.mark.parametrize("value", [True, np.True_, 1.0, "1", None, [1]])
def test_integers_are_neither_booleans_nor_floats(value):
    with pytest.raises(TypeError, match=r"taps: expected an integer >= 1 and <= 3, got .*; pass"):
        check_integer(value, "taps", minimum=1, maximum=3)


@pytest.mark.parametrize("value", [0, 4])
def test_integers_out_of_range_are_refused(value):
    with pytest.raises(ValueError, match=rf"taps: expected an integer >= 1 and <= 3, got {value}; pass"):
        check_integer(value, "taps", minimum=1, maximum=3)


def test_sequences_of_integers_name_the_entry():
    with pytest.raises(ValueError, match=r"taps\[1\]: expected an integer >= 1, got 0"):
        check_integers([1, 0], "taps")
    with pytest.raises(ValueError, match=r"taps: expected 3 entries, got 2"):
        check_integers([1, 1], "taps", length=3)
    with pytest.raises(TypeError, match=r"taps: expected a sequence of integers, got 2"):
        check_integers(2, "taps")
    with pytest.raises(TypeError, match=r"taps\[0\]: expected an integer"):
        check_integers([2.0], "taps")
    with pytest.raises(TypeError, match=r"taps: expected an integer"):
        check_integers(None, "taps", length=2)


@pytest.mark.parametrize(
    ("value", "limits", "wanted"),
    [
        (0, {"above": 0}, "a number > 0"),
        (1, {"below": 1}, "a number < 1"),
        (-0.5, {"minimum": 0, "below": 1}, "a number < 1 and >= 0"),
        (2, {"maximum": 1}, "a number <= 1"),
        (np.nan, {}, "a finite number"),
        (np.nan, {"above": 0}, "a finite number > 0"),
        (np.inf, {"above": 0}, "a finite number > 0"),
        (-np.inf, {"below": 1e308}, r"a finite number < 1e\+308"),
    ],
)
def test_reals_out_of_range_are_refused(value, limits, wanted):
    with pytest.raises(ValueError, match=rf"rtol: expected {wanted}, got {float(value)}; pass"):
        check_real(value, "rtol", **limits)


@pytest.mark.parametrize("value", [True, "0.5", None, 1j, [0.5]])
def test_reals_are_neither_booleans_nor_text(value):
    with pytest.raises(TypeError, match="rtol: expected a real number"):
        check_real(value, "rtol")


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ([[1.0, 0.5], [0.4, 1.0]], "expected a symmetric matrix"),
        ([[1.0, 2.0], [2.0, 1.0]], "expected a positive semi-definite matrix, got the eigenvalue -1"),
        ([[-1.0]], "expected a positive semi-definite matrix"),
        (np.ones((2, 3)), "expected a square matrix"),
        ([1.0], "expected shape"),
    ],
)
def test_bad_covariances_are_refused(value, expected):
    with pytest.raises(ValueError, match=f"sigma: {expected}"):
        as_covariance(value, "sigma")


def test_semidefinite_covariances_pass_unless_definiteness_is_asked_for():
    singular = np.ones((2, 2))
    assert as_covariance(singular, "sigma") is singular
    with pytest.raises(ValueError, match=r"sigma: expected a positive definite matrix.*remove redundant inputs"):
        as_covariance(singular, "sigma", definite=True)


@pytest.mark.parametrize(
    "value",
    [
        pd.Series(["1", "2"]),
        np.array([1.0, "2"], dtype=object),
        np.array([np.complex128(1), 2.0], dtype=object),
        [1.0, np.complex128(2)],
        [10**400],
        pd.Series([1.0, None], dtype="Float64"),
    ],
    ids=["text", "text among numbers", "complex", "complex in a list", "out of range", "missing"],
)
def test_objects_that_are_no_real_numbers_are_refused(value):
    with pytest.raises(ValueError, match=r"x: expected (real|finite) numbers"):
        as_vector(value, "x")


def test_masks_are_seen_in_rows_of_a_list_too():
    row = np.ma.masked_array([1.0, 2.0], mask=[False, True])
    for value in (row[None], [row, row], ([1.0, 2.0], row)):
        with pytest.raises(ValueError, match="x: expected numbers, got masked entries"):
            as_matrix(value, "x")
    np.testing.assert_array_equal(as_matrix([row[:1]], "x"), [[1.0]])


def test_a_source_of_randomness_is_a_seed_a_generator_or_nothing():
    generator = np.random.default_rng(3)
    assert as_generator(generator) is generator
    assert as_generator(3).random() == np.random.default_rng(3).random()
    assert as_generator(None).random() != as_generator(None).random()
    for wrong in ("3", 1.5, True, ["1"], [], np.array([1])):
        with pytest.raises(TypeError, match=r"rng: expected a source of random numbers, got .*; pass a seed"):
            as_generator(wrong)
    with pytest.raises(ValueError, match="rng: expected a seed >= 0, got -1; pass"):
        as_generator(-1)


def test_a_cholesky_factor_is_one_of_a_covariance():
    factor = cholesky_factor(GOOD, "x")
    np.testing.assert_allclose(factor.T @ factor, GOOD)
    for wrong, expected in (([[1.0, 0.5], [0.0, 1.0]], "symmetric"), ([[1.0, 2.0], [2.0, 1.0]], "positive definite")):
        with pytest.raises(ValueError, match=f"x: expected a {expected} matrix"):
            cholesky_factor(wrong, "x")


def test_scaling_by_powers_of_two_is_exact():
    array = np.array([[3.0, 1e-300, 0.0], [-5.0, 1e-310, 0.0]])
    scaled = balanced(array)
    assert (np.abs(scaled).max(axis=0)[:2] >= 0.5).all()
    assert np.abs(scaled).max() < 1
    np.testing.assert_array_equal(scaled[0] * array[1], scaled[1] * array[0])
    assert np.abs(balanced(array, axis=None)).max() == 0.625


def test_what_a_covariance_may_miss_is_as_little_as_rounding():
    as_covariance([[1.0, 1e-9], [0.0, 1.0]], "x")
    as_covariance(np.diag([1.0, -1e-9]), "x")
    with pytest.raises(ValueError, match="x: expected a symmetric matrix"):
        as_covariance([[1.0, 1e-7], [0.0, 1.0]], "x")
    with pytest.raises(ValueError, match="x: expected a positive semi-definite matrix"):
        as_covariance(np.diag([1.0, -1e-7]), "x")


def test_the_tolerance_of_a_rank_is_the_rounding_error_of_the_least_precise_type():
    double, single, half = (np.ones((3, 7), dtype) for dtype in (np.float64, np.float32, np.float16))
    assert rank_tolerance(None, double) is None
    assert rank_tolerance(None, double, single) == 7 * np.finfo(np.float32).eps
    assert rank_tolerance(None, [double, single], half[:1]) == 7 * np.finfo(np.float16).eps
    assert rank_tolerance(None, np.ones((3, 10**4), np.float16)) == 0.5
    assert rank_tolerance(1e-3, half) == 1e-3


def test_complex_vectors_are_checked_in_both_parts():
    found = as_complex_vector([1, 2j], "z", length=2)
    np.testing.assert_array_equal(found, [1, 2j])
    np.testing.assert_array_equal(as_complex_vector([1.5], "z"), np.array([1.5 + 0j]))
    for wrong in ([1j, np.nan], [complex(0, np.inf)], [[1j]], [1j, 2j, 3j], "1j", [[1j], [1j, 2j]], np.array([])):
        with pytest.raises(ValueError, match=r"z: expected .*, got .*; count"):
            as_complex_vector(wrong, "z", length=2, remedy="count again")
    with pytest.raises(ValueError, match="masked"):
        as_complex_vector(np.ma.masked_array([1j, 2j], [True, False]), "z")


def test_a_whole_number_beyond_the_range_of_a_double_is_refused():
    with pytest.raises(ValueError, match="x: expected a number within the range of a double"):
        check_real(10**400, "x")
