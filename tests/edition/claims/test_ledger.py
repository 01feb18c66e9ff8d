"""The ledger: every claim once, in order, as recorded."""

import json

import nbformat
import pytest

from edition.claims.claim import MIME, Claim
from edition.claims.ledger import as_claim, collect, to_json


def notebook(*claims):
    outputs = [nbformat.v4.new_output("display_data", {MIME: c.__dict__, "text/plain": c.id}) for c in claims]
    return nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("claims", id="one-1", outputs=outputs)])


def make(id, **options):
    return Claim(
        id, "It adds up", "paper 1", options.pop("kind", "identity"), "holds", measured="3", expected="3", **options
    )


def test_claims_are_sorted_by_part_kind_and_number():
    ids = ["layers/eq-1", "linear/prop-1", "linear/eq-10", "linear/eq-9", "linear/eq-9/b"]
    records = collect({"one": notebook(*map(make, ids))})
    assert [r["id"] for r in records] == [
        "linear/eq-9",
        "linear/eq-9/b",
        "linear/eq-10",
        "linear/prop-1",
        "layers/eq-1",
    ]
    assert records[0]["link"] == "chapters/one.html#claim-linear-eq-9"


def test_the_records_stay_in_the_notebooks_and_are_claims_again():
    book = {"one": notebook(make("linear/eq-1"))}
    (record,) = collect(book)
    assert MIME in book["one"].cells[0].outputs[0].data
    assert as_claim(record) == make("linear/eq-1")


def test_a_claim_made_in_two_chapters_is_an_error_that_names_both():
    with pytest.raises(ValueError, match=r"linear/eq-1 \(in one, two\)"):
        collect({"one": notebook(make("linear/eq-1")), "two": notebook(make("linear/eq-1"))})


def test_a_claim_not_as_recorded_is_refused_in_the_book_only():
    book = {"one": notebook(make("linear/eq-1", problem="measured 3"))}
    assert collect({"one": notebook(make("linear/eq-1", problem="measured 3"))}, as_recorded=False)
    with pytest.raises(ValueError, match="linear/eq-1"):
        collect(book)


def test_the_file_counts_verdicts_and_is_deterministic():
    book = {"one": notebook(make("linear/eq-2"), make("linear/eq-1", kind="result"))}
    texts = {to_json(collect(book)) for _ in range(2)}
    assert len(texts) == 1
    content = json.loads(texts.pop())
    assert content["counts"]["holds"] == 2
    assert [content["kinds"][kind]["holds"] for kind in ("identity", "result", "observation")] == [1, 1, 0]
