"""A copy of the book at other values than the papers' says so on each page that has computed results."""

import json
from collections import defaultdict
from types import SimpleNamespace

import pytest
from docutils import nodes
from small_site import page

from edition.sphinx_ext import scale_note


@pytest.fixture
def told(tmp_path):
    """Return a function that adds the note of a scale, None for a book without receipt, to a page; None if none is."""

    def add(scale, name="chapters/linear/one", suffix=".ipynb", shown=(), builder="html", part="all"):
        if scale:
            (tmp_path / "receipt.json").write_text(json.dumps({"scale": scale, "part": part}))
        env = SimpleNamespace(
            srcdir=tmp_path,
            found_docs={name, "chapters/rerun"},
            dependencies=defaultdict(set, {name: {str(tmp_path / file) for file in shown}}),
            doc2path=lambda name: f"{name}{suffix}",
        )
        app = SimpleNamespace(
            config=SimpleNamespace(root_doc="chapters/intro"),
            env=env,
            builder=SimpleNamespace(format=builder, get_relative_uri=lambda _, to: f"{to}.html"),
        )
        section = nodes.section("", nodes.title("", "One"), nodes.paragraph("", "Words."))
        scale_note.add_note(app, section, name)
        assert len(section) == 2 + ("scale-note" in section[1]["classes"])
        return section[1] if len(section) == 3 else None

    return add


def test_a_copy_at_small_values_says_so_below_the_title_and_leads_to_how_to_run_it_again(told):
    note = told("quick")
    assert note.astext() == (
        "Small scale: made with parameters/quick.yml, not with the papers' values (how to build those)."
    )
    assert note.next_node(nodes.reference)["refuri"] == "chapters/rerun.html"


@pytest.mark.parametrize(
    ("shown", "expected"), [((), False), (["claims.json"], True), (["figures.json"], True), (["receipt.json"], False)]
)
def test_a_page_without_code_says_it_if_it_shows_what_chapters_computed(told, shown, expected):
    assert (told("quick", "chapters/words", ".md", shown) is not None) == expected


@pytest.mark.parametrize(
    ("name", "suffix", "shown", "expected"),
    [
        ("chapters/intro", ".ipynb", [], True),
        ("chapters/claims", ".md", ["claims.json"], True),
        ("chapters/words", ".md", [], False),
        ("chapters/linear/one", ".ipynb", ["figures.json"], False),
    ],
)
def test_a_part_says_on_the_first_page_and_on_those_that_list_what_it_has_that_it_is_one(
    told, name, suffix, shown, expected
):
    note = told("default", name, suffix, shown, part="papers")
    words = "A part of the book: make book PART=papers made it, and make book makes the whole."
    assert (note.astext() if note else None) == (words if expected else None)
    assert told("default", name, suffix, shown) is None


def test_the_book_at_the_papers_values_and_a_chapter_on_its_own_say_nothing(told, html):
    assert told(None) is None
    assert told("default") is None
    assert told("quick", builder="latex") is None
    for name in ("linear/one", "claims", "figures", "intro"):
        assert not page(html, name).select(".scale-note")
