"""The evidence in the words of people: agreement, bounds, corrections, and numbers with as many digits as they need."""

import re
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from capacity_studies.notebook.expectations import at_least, at_most, between
from capacity_studies.notebook.reading import number, reading

HALF = [0.5, 1 / 3, 0.25]


@pytest.mark.parametrize(
    ("measured", "expected", "tolerances", "said"),
    [
        (list(range(9)), list(range(9)), {}, "all 9 agree"),
        (HALF, HALF, {"rtol": 1e-10}, "all 3 agree within 10⁻¹⁰ (relative)"),
        (HALF[:2], HALF[:2], {"atol": 1e-12, "rtol": 0.05}, "both agree within 10⁻¹² plus 0.05 (relative)"),
        ([24, 56, 96], [24, 56, 96], {}, "all 3 agree: 24, 56, 96"),
        ([25, 25], [25, 25], {}, "both agree: 25"),
        (20, 20, {}, "20, as expected"),
        (1.2834812, 1.2834812, {"rtol": 1e-10}, "1.28, as expected within 10⁻¹⁰ (relative)"),
        (-0.52, -0.5, {"atol": 0.05}, "−0.52; expected −0.5 within 0.05"),
        (5.8e-8, 0.0, {"atol": 1e-6}, "0 within 10⁻⁶"),
        (0.134, 0.116, {"atol": 0.2}, "0.134; expected 0.116 within 0.2"),
        (-0.02, 0.0, {"atol": 0.03}, "−0.02; expected 0 within 0.03"),
        (Fraction(1, 3), Fraction(1, 3), {}, "1/3, as expected"),
        (1 + 2j, 1 + 2j, {"atol": 1e-9}, "1 + 2 i, as expected within 10⁻⁹"),
        (True, True, {}, "yes"),
        (False, False, {}, "no"),
        ([True, True], [True, True], {}, "both true"),
        ([True] * 3, [True] * 3, {}, "all 3 true"),
        ([True, False, True], [True, False, True], {}, "all 3 agree"),
        ("none", "none", {}, "no exceptions"),
        ("sunspots", "sunspots", {}, "sunspots; as expected"),
        (["a", "b"], ["a", "b"], {}, "both agree"),
    ],
)
def test_what_is_as_expected_is_said_in_a_few_words(measured, expected, tolerances, said):
    assert reading(measured, expected, **tolerances) == said


@pytest.mark.parametrize(
    ("measured", "bound", "said"),
    [
        (2.31234, at_most(4.5), "2.31 (at most 4.5)"),
        (30, between(1, 100), "30 (between 1 and 100)"),
        ([0.12345, 0.45612], at_least(0.1), "0.123, 0.456; expected at least 0.1"),
        ([2.13, 0.3, 1.6, 0.2, 0.4], at_most(4.5), "largest of 5: 2.13 (at most 4.5)"),
        ([2.13, 0.3, 1.6, 0.2, 0.4], at_least(0.1), "smallest of 5: 0.2 (at least 0.1)"),
        ([2.13, 0.3, 1.6, 0.2, 0.4], between(0, 3), "5 values from 0.2 to 2.13 (between 0 and 3)"),
        ([0.95, 4], between([0.9, 4], [1.1, 4]), "0.95 (between 0.9 and 1.1); 4 (exactly 4)"),
        ([2.8, 0.33], between([1.2, 0], [np.inf, 0.8]), "2.8 (at least 1.2); 0.33 (between 0 and 0.8)"),
        ([[3, 4], [7, 8]], at_least([[2], [6]]), "3, 4 (at least 2); 7, 8 (at least 6)"),
        (np.arange(9), at_most(np.arange(9) + 1), "all 9 within their bounds"),
        (4.4998, at_most(4.5), "4.4998 (at most 4.5)"),
        (Fraction(1, 3), at_most(1), "1/3 (at most 1)"),
    ],
)
def test_a_bound_stands_beside_what_it_bounds(measured, bound, said):
    assert reading(measured, bound) == said


@pytest.mark.parametrize("error", [1.2e-31, -3e-17, 7.7e-10])
def test_rounding_errors_are_shown_as_zero(error):
    assert reading(error, at_most(1e-6)) == "0 (at most 10⁻⁶)"
    assert reading([error, 0.5], between([-1e-9, 0], [0.1, 1])).startswith("0 (")
    assert reading([1.0, error], [1.0, 0.0], printed=[2.0, 1.0], atol=1e-9) == (
        "1, 0, as expected within 10⁻⁹; as stated 2, 1"
    )


def test_a_small_number_that_a_bound_keeps_from_zero_is_no_rounding_error():
    assert reading(2.89e-10, between(1e-10, 1e-9)) == "2.89 × 10⁻¹⁰ (between 10⁻¹⁰ and 10⁻⁹)"


def test_what_is_printed_is_told_from_what_was_measured():
    assert reading(0.475157, 0.475157, 0.47515, rtol=1e-10).endswith(
        "0.47516, as expected within 10⁻¹⁰ (relative); as stated 0.47515"
    )
    assert reading(2.0, 2.0, 1.0 / 3) == "2, as expected; as stated 0.333"
    assert reading(np.full(32, 2.03125), np.full(32, 2.03125), np.full(32, 3.0)) == (
        "2.03 (32 times), as expected; as stated 3 (32 times)"
    )
    assert reading(0.846, at_most(0.95), at_least(1)) == "0.846 (at most 0.95); as stated at least 1"
    assert reading(3, None, 2) == "3; as stated 2"
    assert reading(1.0, 1.0, between([1.0], [2.0])) == "1, as expected; as stated between 1 and 2"
    assert reading("X", "X", "E") == "X; as expected; as stated E"


def test_what_is_not_as_expected_is_not_said_to_be():
    assert reading(3, 2, met=False) == "3; expected 2"
    assert reading([1.0, 2.0001], [1.0, 2.0], atol=1e-6, met=False) == "1, 2.0001; expected 1, 2 within 10⁻⁶"
    assert reading(np.arange(9), np.ones(9), met=False) == "9 values from 0 to 8; expected 1 (9 times)"
    assert reading([True, False], [True, True], met=False) == "yes, no; expected both true"


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (64.0, "64"),
        (np.float64(63.99999999999), "64"),
        (2902.59, "2900"),
        (28529000.4, "2.85 × 10⁷"),
        (-1e-10, "−10⁻¹⁰"),
        (0.000708, "0.000708"),
        (-0.0, "0"),
        (np.int64(-5), "−5"),
        (1048576, "1048576"),
        (np.inf, "∞"),
        (np.nan, "not a number"),
    ],
)
def test_numbers_have_three_digits_and_integers_all(value, said):
    assert number(value) == said


@given(st.floats(-1e300, 1e300, allow_subnormal=False))
def test_a_number_is_within_half_a_unit_of_its_third_digit(value):
    text = number(value).replace("−", "-")
    if power := re.fullmatch("(-?)(?:([0-9.]+) × )?10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)", text):
        sign, factor, exponent = power.groups()
        text = f"{sign}{factor or 1}e{exponent.translate(str.maketrans('⁻⁰¹²³⁴⁵⁶⁷⁸⁹', '-0123456789'))}"
    assert float(text) == pytest.approx(value, rel=0.005001, abs=1e-300)


@given(st.floats(1e-3, 1e3), st.floats(1e-6, 1e-2), st.floats(1e-6, 1e-2))
@example(1 / 3, 1e-6, 1 / 128)  # the lower end has six digits
def test_a_number_is_not_shown_beyond_an_end_that_it_keeps(value, below, above):
    said = reading(value, between(value * (1 - below), value * (1 + above)))
    found, low, high = map(float, re.fullmatch(r"([\d.]+) \(between ([\d.]+) and ([\d.]+)\)", said).groups())
    assert low <= found <= high
