"""Checks: what was measured is compared, and what is shown is stable."""

import json
import re

import numpy as np
import pytest

from capacity_studies import ClaimError, at_least, between, check
from capacity_studies.notebook import check as checks
from capacity_studies.notebook.check import MIME


@pytest.fixture
def shown(monkeypatch):
    displayed = []
    monkeypatch.setattr(checks, "display", displayed.append)
    monkeypatch.delenv("CAPACITY_CLAIMS", raising=False)
    return displayed


def test_a_check_that_comes_out_is_shown(shown):
    check("linear/prop-3", [1.0, 2.0], [1.0, 2.0 + 1e-9], atol=1e-8)
    assert shown[0].problem is None


@pytest.mark.parametrize("expected", [4, [3, 3], at_least(4)])
def test_a_check_that_does_not_come_out_raises_and_names_its_claim(shown, expected):
    with pytest.raises(ClaimError, match=r"linear/prop-3.*measured"):
        check("linear/prop-3", 3, expected)
    assert not shown


def test_what_is_printed_must_be_missed_and_what_is_expected_met(shown):
    check("linear/eq-6", 2.0, 2.0, printed=1.0)
    check("linear/eq-7", 3, printed=2)
    with pytest.raises(ClaimError, match="meets what is printed"):
        check("linear/eq-8", 2.0, 2.0, printed=at_least(1.0))
    with pytest.raises(ClaimError, match="does not meet what is expected"):
        check("linear/eq-8", 2.5, 2.0, printed=1.0)


def test_the_tolerance_applies_to_what_is_printed_too(shown):
    with pytest.raises(ClaimError, match="meets what is printed"):
        check("linear/eq-6", 1.001, 1.0, printed=1.002, atol=0.01)


@pytest.mark.parametrize(
    "value", [[1, 2], at_least([1, 2]), between([1, 2], 9), between(0, [1, 2]), at_least([[1, 2, 3]] * 2)]
)
@pytest.mark.parametrize("name", ["expected", "printed"])
def test_what_has_another_shape_refutes_nothing_and_both_shapes_are_named(shown, monkeypatch, name, value):
    shape = " × ".join(map(str, np.shape(value)))
    message = f"3 numbers measured, {shape} numbers {name}: they cannot be compared"
    with pytest.raises(ClaimError, match=rf"linear/eq-6: {re.escape(message)}"):
        check("linear/eq-6", [1, 2, 3], **{name: value})
    monkeypatch.setenv("CAPACITY_CLAIMS", "report")  # a reader's parameters may change the one shape and not the other
    check("linear/eq-6", [1, 2, 3], **{name: value})
    assert shown[0].problem == message


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"expected": None}, "expected or printed"),
        ({"measured": [], "expected": []}, "measured"),
        ({"atol": -1.0}, "atol"),
        ({"rtol": np.nan}, "rtol"),
        ({"expected": at_least(1), "atol": 0.1}, "tolerance"),
        ({"measured": True, "expected": True, "atol": 0.1}, "tolerance"),
    ],
)
def test_contradicting_arguments_are_refused(shown, options, message):
    with pytest.raises(ValueError, match=message):
        check(**{"id": "linear/prop-3", "measured": 3, "expected": 3} | options)


@pytest.mark.parametrize("expected", [at_least(1), []])
def test_a_reader_who_changes_parameters_is_told_that_nothing_is_left_to_measure(shown, monkeypatch, expected):
    with pytest.raises(ValueError, match="measured is empty"):
        check("linear/prop-3", [], expected)
    monkeypatch.setenv("CAPACITY_CLAIMS", "report")
    check("linear/prop-3", [], expected)
    assert shown[0].reading == shown[0].problem == "there is nothing to measure at these values"


def test_a_reader_who_changes_parameters_sees_what_does_not_come_out(shown, monkeypatch):
    monkeypatch.setenv("CAPACITY_CLAIMS", "report")
    check("linear/prop-3", 3, 4)
    assert repr(shown[0]).endswith("| measured 3 does not meet what is expected, 4")
    assert shown[0]._repr_markdown_().startswith("⚠")


def test_the_line_that_is_compared_hides_rounding_errors_and_shows_six_digits(shown):
    check("linear/prop-3", [1 / 3, 3e-17], [1 / 3, 0], atol=1e-12)
    assert repr(shown[0]) == "linear/prop-3 | measured [0.333333, 0]; expected [0.333333, 0]; within 1e-12"


def test_the_record_is_plain_json_with_the_deviation(shown):
    check("linear/prop-3", np.array([1.0, 2.0]), np.array([1.0, 2.5]), atol=1)
    bundle = shown[0]._repr_mimebundle_()
    assert json.loads(json.dumps(bundle[MIME]))["evidence"]["deviation"] == {"expected": 0.5}
    assert bundle["text/plain"] == repr(shown[0])


def test_a_claim_is_checked_once_in_a_notebook_but_its_cell_may_run_again(shown):
    from IPython.core.interactiveshell import InteractiveShell

    shell = InteractiveShell.instance()
    try:
        shell.user_ns["check"] = check
        first = "check('linear/prop-3', 3, 3)"
        for code, fits in ((first, True), (first, True), (f"{first} # elsewhere", False), (f"{first}\n{first}", False)):
            result = shell.run_cell(code, store_history=True, silent=False)
            assert isinstance(result.error_in_exec, ClaimError) is not fits
    finally:
        InteractiveShell.clear_instance()
