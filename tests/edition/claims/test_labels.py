"""Labels that carry a paper's number are told from the book's own."""

import pytest

from edition.claims.labels import paper_number


@pytest.mark.parametrize(
    ("label", "number"),
    [
        ("linear-eq-16", "16"),
        ("layers-fig-3a", "3a"),
        ("layers-eq-a-2", "A.2"),
        ("linear-app-a", "A"),
        ("linear-sec-5-1-4", "5.1.4"),
        ("linear-own-angle", None),
        ("linear-eq-", None),
        ("other-eq-1", None),
        ("linear-eq-1-", None),
    ],
)
def test_a_label_has_the_number_of_its_paper_or_none(label, number):
    assert paper_number(label) == number
