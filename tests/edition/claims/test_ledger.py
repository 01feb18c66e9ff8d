"""The ledger: every claim once, in order, as recorded."""

import json

import nbformat
import pytest

from capacity_studies.notebook.check import MIME
from edition.claims.ledger import as_claim, collect, to_json


def notebook(*ids, kind="identity", problem=None, checks=None):
    """Return a notebook that states claims and checks all of them, or those named."""
    record = {"measured": "3", "expected": "3", "printed": None, "tolerance": None, "problem": problem}
    outputs = [
        nbformat.v4.new_output("display_data", {MIME: record | {"id": id, "evidence": {}, "reading": "3"}})
        for id in (ids if checks is None else checks)
    ]
    text = "\n".join([":::{claims}", *(f"- {id} ({kind}): It adds up" for id in ids), ":::"])
    cells = [
        nbformat.v4.new_markdown_cell(text, id="text"),
        nbformat.v4.new_code_cell("checks", id="checks", outputs=outputs),
    ]
    return nbformat.v4.new_notebook(cells=cells)


def test_claims_are_sorted_by_part_kind_and_number():
    ids = ["layers/eq-1", "linear/prop-1", "linear/eq-10", "linear/eq-9", "linear/eq-9/b"]
    records = collect({"one": notebook(*ids)})
    assert [r["id"] for r in records] == [
        "linear/eq-9",
        "linear/eq-9/b",
        "linear/eq-10",
        "linear/prop-1",
        "layers/eq-1",
    ]
    assert records[0]["link"] == "chapters/one.html#claim-linear-eq-9"


def test_a_record_is_a_claim_again_and_tells_the_cell_of_its_check():
    (record,) = collect({"one": notebook("linear/eq-1")})
    assert (as_claim(record).statement, as_claim(record).measured, record["cell"]) == ("It adds up", "3", "checks")


def test_a_claim_that_notices_no_fault_has_its_own_reason_or_that_of_its_chapter():
    known = {"linear/eq-1": {"caught": 2, "reason": None}, "one": {"caught": 0, "reason": "It reads a record."}}
    records = collect({"one": notebook("linear/eq-1", "linear/eq-2"), "two": notebook("linear/eq-3")}, faults=known)
    assert [record["faults"] for record in records] == [known["linear/eq-1"], known["one"], None]


@pytest.mark.parametrize(("stated", "checked"), [(["linear/eq-1"], []), ([], ["linear/eq-1"])])
def test_a_claim_without_check_and_a_check_without_claim_are_refused(stated, checked):
    with pytest.raises(ValueError, match="linear/eq-1"):
        collect({"one": notebook(*stated, checks=checked)}, as_recorded=False)


def test_a_claim_made_in_two_chapters_is_an_error_that_names_both():
    with pytest.raises(ValueError, match=r"linear/eq-1 \(in one, two\)"):
        collect({"one": notebook("linear/eq-1"), "two": notebook("linear/eq-1")})


def test_a_claim_not_as_recorded_is_refused_in_the_book_only():
    book = {"one": notebook("linear/eq-1", problem="measured 3")}
    assert collect(book, as_recorded=False)
    with pytest.raises(ValueError, match="linear/eq-1"):
        collect(book)


def test_the_file_counts_verdicts_and_is_deterministic():
    book = {"one": notebook("linear/eq-2"), "two": notebook("linear/eq-1", kind="result")}
    texts = {to_json(collect(book)) for _ in range(2)}
    assert len(texts) == 1
    content = json.loads(texts.pop())
    assert {source: counts["holds"] for source, counts in content["counts"].items()} == {
        "paper 1": 2,
        "paper 2": 0,
        "others": 0,
        "this book": 0,
    }
