"""The coverage of the sources: a claim or a reason for each sentence, and nothing left over."""

import pytest
from recorded import verdicts

from edition.book import ROOT
from edition.claims.coverage import FILE, SOURCES, Covered, check_coverage, read_coverage


@pytest.mark.whole
def test_every_sentence_of_this_book_s_sources_has_a_claim_or_a_reason():
    found = read_coverage(ROOT)
    check_coverage(found, verdicts())
    assert {row.source for row in found} == set(SOURCES)
    assert len({(row.source, row.section, row.number) for row in found}) == len(found)


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ((("linear/a",), ""), "no such claim: linear/a"),
        (((), ""), "expected claims or a reason, got neither"),
        ((("linear/b",), "outlook"), "got both"),
        (((), "boring"), "expected a reason among"),
    ],
)
def test_what_a_row_lacks_is_named_with_its_place(entry, message):
    with pytest.raises(ValueError, match=f"linear 1, sentence 1: .*{message}"):
        check_coverage([Covered("linear", "1", 1, "0123456789ab", *entry)], {"linear/b"})


def test_other_columns_are_refused(tmp_path):
    assert read_coverage(tmp_path) == []
    (tmp_path / FILE).parent.mkdir()
    (tmp_path / FILE).write_text("source,place\n")
    with pytest.raises(ValueError, match="expected the columns source, section"):
        read_coverage(tmp_path)
