"""For which values a claim is stated: by its kind, or by what its text says."""

import pytest

from edition.book import ROOT, book
from edition.claims.claim import stated
from edition.claims.families import applies
from edition.claims.statements import statements

DEFAULTS = {"n": 6, "seed": 0}


@pytest.mark.parametrize(
    ("kind", "family", "values", "expected"),
    [
        ("identity", None, {"n": 3}, True),
        ("definition", None, {"n": 3}, True),
        ("result", None, {"n": 3}, False),
        ("observation", None, {"n": 6}, True),
        ("result", "all values", {"n": 3}, True),
        ("identity", "the paper's values", {"seed": 1}, False),
        ("result", "n >= 4", {"n": 5}, True),
        ("result", "n >= 4", {"n": 3, "seed": 4}, False),
        ("result", "n >= 4", {}, True),
    ],
)
def test_a_claim_is_stated_for_what_its_kind_or_its_text_says(kind, family, values, expected):
    claim = stated("linear/eq-1", "It adds up.", kind=kind, family=family)
    assert applies(claim, DEFAULTS, values) is expected


@pytest.mark.parametrize("family", ["n >=", "m > 2", "n > 'a'", "few values"])
def test_a_family_that_is_no_condition_on_parameters_is_refused(family):
    with pytest.raises(ValueError, match=r"linear/eq-1: expected 'all values', .* got"):
        applies(stated("linear/eq-1", "It adds up.", kind="result", family=family), DEFAULTS, {})


def test_each_family_of_the_book_has_the_values_of_its_chapter():
    families, part = 0, "all" if (ROOT / "chapters" / "beyond").exists() else "papers"
    for chapter in book(ROOT, part).values():
        defaults = {name: each.value for name, each in chapter.parameters().items()}
        for claim in statements(chapter.path.read_text(encoding="utf-8")):
            assert applies(claim, defaults, defaults), claim.id
            families += claim.family is not None
    assert families
