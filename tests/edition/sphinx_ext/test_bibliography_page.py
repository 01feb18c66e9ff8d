"""The bibliography: one way of citing, letters where they are needed, links to the sources, a list of items."""

from pybtex.database import parse_string
from small_site import page

from edition.sphinx_ext.bibliography_page import Labels, add_letters, name

ENTRIES = """
@misc{b, author = {Adam, Jo}, title = {Zeta}, year = {2019}}
@misc{a, author = {Adam, Jo}, title = {Alpha}, year = {2019}}
@misc{c, author = {Adam, Jo}, title = {Alpha}, year = {2020}}
@misc{d, author = {van den Berg, Jo and Cole, Al}, title = {Beta}, year = {2019}}
@misc{e, author = {Adam, Jo and Berg, Al and Cole, Ed}, title = {Beta}, year = {2019}}
"""


def entries():
    return parse_string(ENTRIES, "bibtex").entries


def test_works_that_would_be_cited_alike_get_letters_once_in_the_order_of_the_list():
    found = entries()
    for _ in range(2):
        add_letters(found.values())
        assert {key: entry.fields["year"] for key, entry in found.items()} == {
            **{"a": "2019a", "b": "2019b", "c": "2020", "d": "2019", "e": "2019"}
        }


def test_a_label_is_how_a_work_is_cited():
    found = entries()
    assert [name(found[key]) for key in "ade"] == ["Adam", "van den Berg and Cole", "Adam et al."]
    assert list(Labels().format_labels([found["d"]])) == ["van den Berg and Cole (2019)"]


def test_the_list_is_one_with_items_that_have_the_anchors_of_the_citations(html):
    (works,) = page(html, "bibliography").select("ul.bibliography")
    assert page(html, "bibliography").select("[role='doc-biblioentry'], [role='list'], .label") == []
    labels = {item["id"]: item.strong.text for item in works.find_all("li")}
    links = page(html, "counts").select(".bibtex-citation a")
    assert [link.text for link in links] == ["Donier, 2019a", "2019b", "Donier, 2019a", "Donier, 2019b"]
    assert [labels[link["href"].partition("#")[2]] for link in links] == 2 * ["Donier (2019a)", "Donier (2019b)"]
    text = page(html, "counts").select_one("article").text
    assert "(Donier, 2019a)" in text
    assert "Donier (2019b)" in text
    assert "(Donier, 2019a; Donier, 2019b)" in text


def test_an_entry_leads_to_its_source(html):
    links = {link["href"] for link in page(html, "bibliography").select("ul.bibliography a")}
    assert {"https://arxiv.org/abs/1902.04485", "https://arxiv.org/abs/1902.08572"} <= links
    assert "https://doi.org/10.1137/090752286" in links
