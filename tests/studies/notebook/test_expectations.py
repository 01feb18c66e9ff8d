"""Comparison of measured with expected values, and how values are shown."""

from fractions import Fraction

import numpy as np
import pytest

from capacity_studies.notebook.expectations import (
    as_array,
    at_least,
    at_most,
    between,
    compare,
    describe,
    show,
    summary,
)


def judged(measured, expected, atol=0.0, rtol=0.0):
    return compare(as_array(measured, "the number"), expected, atol, rtol, "the number")[0]


@pytest.mark.parametrize(
    ("measured", "expected", "tolerance"),
    [
        (3, 3, {}),
        (True, True, {}),
        (np.True_, True, {}),
        ("model 2", "model 2", {}),
        (Fraction(1, 3), Fraction(1, 3), {}),
        (2**70, 2**70, {}),
        (0.3, 0.1 + 0.2, {"rtol": 1e-12}),
        ([1.0, 2.0], [1.0, 2.0 + 1e-9], {"atol": 1e-8}),
        (np.inf, np.inf, {"rtol": 0.1}),
        (1j, 1j + 1e-12, {"atol": 1e-9}),
        (1.0, 2.0, {"rtol": 0.6}),  # of what is expected, not of what was measured
        ([3, 4], at_least(3), {}),
        ([3, 4], at_least([3, 4]), {}),
        (0.2, at_most(0.2), {}),
        ([0, 0.4, 1], between(0, 1), {}),
        ([[1, 2], [3, 4]], at_least([[1], [3]]), {}),
        ([[1, 2], [3, 4]], at_most([3, 4]), {}),
        (4, between(4, 4), {}),
    ],
)
def test_what_was_measured_meets_what_is_expected(measured, expected, tolerance):
    assert judged(measured, expected, **tolerance) is True


@pytest.mark.parametrize(
    ("measured", "expected", "tolerance"),
    [
        (3, 4, {}),
        (False, True, {}),
        ("model 1", "model 2", {}),
        (0.3, 0.1 + 0.2, {}),
        (np.nan, np.nan, {}),
        (np.nan, np.nan, {"atol": 1.0}),
        (np.nan, at_least(0), {}),
        (np.nan, between(-np.inf, np.inf), {}),
        (1.0, np.inf, {"rtol": 0.1}),
        ([1.0, 2.1], [1.0, 2.0], {"atol": 0.01}),
        (2.0, 1.0, {"rtol": 0.6}),  # of what is expected, not of what was measured
        ([3, 4], at_least([3, 5]), {}),
        (0.21, at_most(0.2), {}),
        ([0.1, 1.1], between(0, 1), {}),
        ([0.5, 1.5], between(0, [2, 1]), {}),
        ([0.5, 0.5], between([0, 0.6], 1), {}),
    ],
)
def test_what_was_measured_misses_what_is_expected(measured, expected, tolerance):
    assert judged(measured, expected, **tolerance) is False


@pytest.mark.parametrize(("measured", "expected"), [([1, 2, 3], [1, 2]), ([1.0, 1.0], 1.0), ([[1, 2]], [1, 2])])
def test_of_different_shapes_nothing_can_be_said(measured, expected):
    assert judged(measured, expected, atol=1.0) is None


@pytest.mark.parametrize(
    ("measured", "expected"),
    [(True, 1), (1, True), ("a", 1), ("a", at_least(1)), (True, at_least(1)), (1j, at_most(1)), (object(), 1)],
)
def test_things_of_different_kinds_are_not_compared(measured, expected):
    with pytest.raises(TypeError, match="the number"):
        judged(measured, expected)


def test_the_deviation_is_the_largest_one_where_there_is_a_tolerance():
    measured = np.array([1.0, 2.0])
    assert compare(measured, [1.0, 2.5], 1.0, 0.0, "the number") == (True, 0.5)
    assert compare(measured, [1.0, 2.0], 0.0, 0.0, "the number") == (True, None)


def test_an_interval_must_not_be_reversed():
    with pytest.raises(ValueError, match="low <= high"):
        between(2, 1)


def test_values_are_shown_short():
    assert show(np.arange(20.0).reshape(4, 5)) == "4 × 5 values from 0 to 19"
    assert show([True, False]) == "[True, False]"
    assert describe(between(0, [1 / 3, 1])) == "between 0 and [0.333333, 1]"
    assert [describe(bound(2)) for bound in (at_least, at_most)] == ["at least 2", "at most 2"]


def test_a_summary_is_what_json_can_hold():
    assert summary(np.array([1.0, np.inf])) == [1.0, "inf"]
    assert summary(np.arange(100)) == {"shape": [100], "min": 0, "max": 99}
