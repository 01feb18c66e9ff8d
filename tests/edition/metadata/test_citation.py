"""Entries to copy: whole BibTeX, read back by a parser of BibTeX, without fields that are not known."""

import pytest
from pybtex.database import parse_string

from edition.metadata.citation import as_text, edition_entry, figure_entry, paper_entry
from edition.metadata.project import read

SHARED = {"title": "A book", "authors": ["A group", "Two, B."], "version": "1.0"}
KNOWN = SHARED | {"year": "2030", "doi": "10.1234/5", "url": "https://x.example", "commit": "c0ffee"}
FIGURE = {"name": "linear-fig-5", "chapter": "linear/one"}


def parsed(text):
    (found,) = parse_string(text, "bibtex").entries.values()
    return found


@pytest.mark.parametrize("make", [edition_entry, lambda shared: figure_entry(FIGURE, "5", shared)])
def test_an_entry_has_what_is_known_and_nothing_else(make):
    assert not {"year", "doi", "url"} & set(parsed(make(SHARED)).fields)
    fields = parsed(make(KNOWN)).fields
    assert (fields["year"], fields["doi"], fields["url"]) == ("2030", "10.1234/5", "https://x.example")
    assert "c0ffee" in fields["note"]
    assert fields["version"] == "1.0"


def test_groups_stay_whole_and_people_have_a_family_name():
    group, person = parsed(edition_entry(SHARED)).persons["author"]
    assert (group.last_names, person.last_names, person.first_names) == (["{A group}"], ["Two"], ["B."])


def test_a_figure_is_named_with_its_place():
    found = parsed(figure_entry(FIGURE, "5", SHARED))
    assert found.key == "linear-fig-5"
    assert found.fields["title"] == "{Figure 5} in: {A book}"
    assert found.fields["note"] == "chapters/linear/one.md, figure linear-fig-5"


def test_a_paper_is_what_the_bibliography_has():
    paper = read().papers[0]
    found = parsed(paper_entry(paper))
    assert (found.key, found.fields["eprint"], found.fields["year"]) == ("donier2019capacity", paper.arxiv, "2019")
    assert found.persons["author"][0].last_names == ["Donier"]


def test_the_sentence_leaves_out_what_is_not_known():
    assert as_text(["Two, B."], "2030", "A book", ["Version 1", "", None]) == "Two, B. (2030). A book. Version 1."
    assert as_text(["A group", "Two, B."], "", "A book", ["one", "two"]) == "A group; Two, B. A book. one, two."
