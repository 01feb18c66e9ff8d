"""Claims: what a chapter states, in its own text, and how it is joined with the evidence of its check."""

from dataclasses import asdict, replace

import pytest

from capacity_studies import at_least
from capacity_studies.notebook import check as checks
from edition.claims.claim import joined, stated

CORRECTED, FAILED, UNTESTABLE = "holds with a correction", "does not hold", "not testable as stated"


def evidence(measured, expected=None, **options):
    """Return the record of a check."""
    given = {"printed": None, "atol": 0.0, "rtol": 0.0} | options
    return asdict(checks._judged("linear/eq-6", measured, expected, **given))


@pytest.mark.parametrize(
    ("id", "options", "message"),
    [
        ("linear/prop-3", {"verdict": FAILED}, "a line 'Here:'"),
        ("linear/prop-3", {"verdict": UNTESTABLE}, "a line 'Why:'"),
        ("linear/prop-3", {"correction": "Not so."}, "no 'Here:'"),
        ("linear/prop-3", {"verdict": "true"}, "verdict"),
        ("linear/prop-3", {"kind": "truth"}, "kind"),
        ("linear/Prop 3", {}, "claim id"),
        ("prop-3", {}, "claim id"),
        ("linear/something", {}, "source"),
    ],
)
def test_statements_that_contradict_themselves_are_refused(id, options, message):
    with pytest.raises(ValueError, match=message):
        stated(id, "It adds up.", **{"kind": "result"} | options)


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
def test_the_source_follows_from_the_id(id, source):
    assert stated(id, "It adds up.", kind="result").source == source


def test_a_claim_takes_over_the_evidence_of_its_check():
    found = joined(stated("linear/eq-6", "It is 2.", kind="result"), evidence(2, 2))
    assert (found.statement, found.measured, found.expected, found.problem) == ("It is 2.", "2", "2", None)
    assert found.evidence_line() == "result, paper 1, Equation (6); measured 2; expected 2"


@pytest.mark.parametrize(
    ("verdict", "given", "fits"),
    [
        ("holds", evidence(2, 2), True),
        ("holds", evidence(2, 2, printed=1), False),
        ("holds", None, False),
        (CORRECTED, evidence(2, 2, printed=1), True),
        (CORRECTED, evidence(2, 2), False),
        (FAILED, evidence(2, printed=1), True),
        (FAILED, evidence(2, 2, printed=1), True),
        (FAILED, evidence(2, 2), False),
        (UNTESTABLE, None, True),
        (UNTESTABLE, evidence(2, 2), False),
    ],
)
def test_the_evidence_fits_the_verdict(verdict, given, fits):
    correction = None if verdict == "holds" else "It is 2."
    claim = stated("linear/eq-6", "It is 1.", kind="result", verdict=verdict, correction=correction)
    if fits:
        assert joined(claim, given).verdict == verdict
    else:
        with pytest.raises(ValueError, match="linear/eq-6"):
            joined(claim, given)


def test_what_is_not_as_recorded_is_marked():
    found = joined(stated("linear/eq-6", "It is 2.", kind="result"), evidence(2, at_least(3)))
    assert found.state == "problem"
    assert found.mark() == "⚠ not as recorded"
    assert "under these parameters, measured 2" in found.evidence_line()


def test_what_comes_out_at_values_that_it_is_not_stated_for_says_so():
    found = joined(stated("linear/eq-6", "Eight are 2.", kind="result"), evidence(2, at_least(1)))
    assert "stated for" not in found.evidence_line()
    assert "stated for the paper's values; " in replace(found, applies=False).evidence_line()
