"""Claims: the verdict is checked, the arguments must fit it, and what is shown is stable."""

from functools import partial

import numpy as np
import pytest

import edition
from edition import ClaimError, at_least
from edition.claims import claim as claims
from edition.claims.claim import MIME

claim = partial(edition.claim, kind="result")


@pytest.fixture
def shown(monkeypatch):
    displayed = []
    monkeypatch.setattr(claims, "display", displayed.append)
    monkeypatch.delenv("CAPACITY_CLAIMS", raising=False)
    return displayed


CORRECTED = {"verdict": "holds with a correction", "correction": "Twice as much."}
FAILED = {"verdict": "does not hold", "correction": "It is 3."}


def test_a_claim_that_comes_out_is_shown(shown):
    claim("linear/prop-3", "It adds up", [1.0, 2.0], [1.0, 2.0 + 1e-9], atol=1e-8)
    assert shown[0].problem is None


@pytest.mark.parametrize("expected", [4, [3, 3], at_least(4)])
def test_a_claim_that_does_not_come_out_raises_and_names_its_id(shown, expected):
    with pytest.raises(ClaimError, match=r"linear/prop-3.*measured"):
        claim("linear/prop-3", "It adds up", 3, expected)
    assert not shown


def test_a_correction_needs_that_what_is_printed_is_missed(shown):
    claim("linear/eq-6", "Half", 2.0, 2.0, printed=1.0, **CORRECTED)
    assert shown[0].correction == "Twice as much."
    with pytest.raises(ClaimError, match="meets what is printed"):
        claim("linear/eq-7", "Half", 2.0, 2.0, printed=at_least(1.0), **CORRECTED)
    with pytest.raises(ClaimError, match="does not meet what is expected"):
        claim("linear/eq-8", "Half", 2.5, 2.0, printed=1.0, **CORRECTED)


def test_the_tolerance_applies_to_what_is_printed_too(shown):
    with pytest.raises(ClaimError, match="meets what is printed"):
        claim("linear/eq-6", "Half", 1.001, 1.0, printed=1.002, atol=0.01, **CORRECTED)


def test_an_array_of_another_shape_refutes_nothing(shown):
    with pytest.raises(ClaimError, match="shape"):
        claim("linear/eq-6", "Half", [1, 2, 3], printed=[1, 2], **FAILED)


def test_a_refuted_statement_must_be_refuted_by_what_was_measured(shown):
    claim("linear/eq-6", "It is 2", 3, printed=2, **FAILED)
    claim("linear/eq-7", "It is 2", 3, 3, printed=2, **FAILED)
    with pytest.raises(ClaimError, match="meets what is printed"):
        claim("linear/eq-8", "It is 2", 2, printed=2, **FAILED)


def test_what_cannot_be_tested_takes_a_reason_and_no_numbers(shown):
    claim("linear/sec-6", "It is robust", verdict="not testable as stated", correction="Robust to what?")
    assert shown[0].measured is None
    with pytest.raises(ValueError, match="no numbers"):
        claim("linear/sec-6", "It is robust", 1, verdict="not testable as stated", correction="Robust to what?")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"expected": None}, "takes expected and measured"),
        ({"printed": 2}, "takes expected and measured"),
        ({"correction": "Why?"}, "no correction"),
        ({"verdict": "does not hold", "printed": 2}, "a correction"),
        ({"verdict": "true"}, "verdict among"),
        ({"kind": "truth"}, "kind among 'definition', 'identity', 'result', 'observation', 'reconstruction', got"),
        ({"measured": [], "expected": []}, "empty"),
        ({"atol": -1.0}, "atol"),
        ({"rtol": np.nan}, "rtol"),
        ({"expected": at_least(1), "atol": 0.1}, "no tolerance"),
        ({"measured": True, "expected": True, "atol": 0.1}, "exactly"),
        ({"id": "linear/Prop 3"}, "expected part/name"),
        ({"id": "prop-3"}, "expected part/name"),
        ({"id": "linear/something"}, "does not tell where"),
        ({"statement": "two\nlines"}, "one non-empty line"),
        ({"statement": " "}, "one non-empty line"),
    ],
)
def test_contradicting_arguments_are_refused(shown, options, message):
    arguments = {"id": "linear/prop-3", "statement": "It adds up", "measured": 3, "expected": 3} | options
    with pytest.raises(ValueError, match=message):
        claim(**arguments)


@pytest.mark.parametrize(
    ("id", "source"),
    [
        ("linear/prop-3", "paper 1, Property 3"),
        ("layers/eq-25", "paper 2, Equation (25)"),
        ("linear/fig-5/short-lags-first", "paper 1, Figure 5"),
        ("linear/sec-5-1/wide", "paper 1, Section 5.1"),
        ("layers/app-b", "paper 2, Appendix B"),
        ("beyond/images", "this book"),
    ],
)
def test_the_source_follows_from_the_id(shown, id, source):
    claim(id, "It adds up", 3, 3)
    assert shown[0].source == source


def test_a_reader_who_changes_parameters_sees_what_is_not_as_recorded(shown, monkeypatch):
    monkeypatch.setenv("CAPACITY_CLAIMS", "report")
    claim("linear/prop-3", "It adds up", 3, 4)
    assert "not as recorded | " in repr(shown[0])
    assert "claim-problem" in shown[0]._repr_markdown_()


@pytest.mark.parametrize("kind", ["definition", "identity", "result", "observation", "reconstruction"])
def test_every_claim_says_of_what_kind_it_is(shown, kind):
    claim("linear/prop-3", "It adds up", 3, 3, kind=kind)
    assert shown[0].kind == kind
    assert shown[0].evidence_line().startswith(f"{kind}, paper 1, Property 3")
    with pytest.raises(TypeError, match="kind"):
        edition.claim("linear/prop-3", "It adds up", 3, 3)


def test_the_line_that_is_compared_hides_rounding_errors_and_shows_six_digits(shown):
    claim("linear/prop-3", "It adds up", [1 / 3, 3e-17], [1 / 3, 0], atol=1e-12)
    assert repr(shown[0]) == ("linear/prop-3 | ✓ holds | measured [0.333333, 0]; expected [0.333333, 0]; within 1e-12")


def test_the_record_is_plain_json_with_the_deviation(shown):
    import json

    claim("linear/prop-3", "It adds up", np.array([1.0, 2.0]), np.array([1.0, 2.5]), atol=1)
    bundle = shown[0]._repr_mimebundle_()
    assert json.loads(json.dumps(bundle[MIME]))["evidence"]["deviation"] == {"expected": 0.5}
    assert bundle["text/plain"] == repr(shown[0])


def test_an_id_is_claimed_once_in_a_notebook_but_its_cell_may_run_again(shown):
    from IPython.core.interactiveshell import InteractiveShell

    shell = InteractiveShell.instance()
    try:
        shell.user_ns["claim"] = claim
        first = "claim('linear/prop-3', 'It adds up', 3, 3)"
        for code, fits in ((first, True), (first, True), (f"{first} # elsewhere", False), (f"{first}\n{first}", False)):
            result = shell.run_cell(code, store_history=True, silent=False)
            assert isinstance(result.error_in_exec, ClaimError) is not fits
    finally:
        InteractiveShell.clear_instance()
