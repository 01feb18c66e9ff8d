"""The pages of the programming interface: every room with all its names, links, and formulas as they stand."""

import re
from importlib import import_module
from inspect import isclass
from types import SimpleNamespace

import pytest
from docutils import nodes
from docutils.utils import new_document

from edition.book import ROOT, book
from edition.sphinx_ext.api_page import (
    MARKER,
    belong,
    escape_formulas,
    fill,
    full_name,
    link_types,
    overview,
    page_of,
    room_page,
    rooms,
)

pytestmark = pytest.mark.whole  # the pages, and the tools, are those of the whole book


def test_every_room_has_a_page_in_the_table_of_contents():
    pages = {name: chapter.path.read_text() for name, chapter in book().items() if name.startswith("api/")}
    assert pages == {f"api/{page_of(room)}": f"# {room}\n\n{MARKER}\n" for room in rooms()}
    assert MARKER in (ROOT / "chapters" / "api.md").read_text()


def test_the_overview_says_what_each_room_is_for_and_leads_to_it():
    text = overview()
    assert set(rooms()) >= {"capacity.linalg", "capacity.statistics", "capacity_inspection.graphs"}
    assert all(f":doc:`{room} </chapters/api/{page_of(room)}>`\n    " in text for room in rooms())
    assert ":py:obj:`~capacity.linalg.Basis`" in text


def test_a_room_comes_after_those_that_it_imports_from():
    found = list(rooms())
    for room in found:
        place = ROOT.joinpath(*room.split("."))
        paths = place.glob("*.py") if place.is_dir() else [place.with_suffix(".py")]
        text = "".join(path.read_text() for path in paths)
        used = {name for name in found if re.search(rf"^ *from {name}\b", text, re.M)} - {room}
        assert max(map(found.index, used), default=-1) < found.index(room), room


def test_the_objects_of_the_overview_are_public():
    text = (ROOT / "chapters" / "api.md").read_text()
    drawn = text.partition("```text\n")[2].partition("```")[0]
    named = {
        *re.findall(r"{name}`(\w+)`", text),
        *re.findall(r"\b[A-Z]\w+|\b\w+_\w+|\bfit\b|\bsummary\b|\btcn\b", drawn),
    }
    assert len(named) > 20
    assert {name for name in named if full_name(name) is None} == set()


@pytest.mark.parametrize("room", rooms())
def test_the_page_of_a_room_documents_each_of_its_names_once(room):
    lines = room_page(room).splitlines()
    assert lines[0] == f".. automodule:: {room}"
    documented = [line.split(":: ")[1] for line in lines if line.startswith((".. autoc", ".. autof", ".. py:data"))]
    assert sorted(documented) == sorted(import_module(room).__all__)


@pytest.mark.parametrize(("docname", "room"), [("chapters/api/linalg", ["capacity.linalg"]), ("chapters/api", [])])
def test_a_page_is_filled(docname, room):
    source = [f"# A title\n\n{MARKER}\n"]
    fill(None, docname, source)
    assert source == [f"# A title\n\n```{{eval-rst}}\n{room_page(*room) if room else overview()}```\n"]


def test_a_name_stands_in_one_room_only_so_that_it_can_be_referred_to_without():
    names = [name for found in rooms().values() for name in found]
    assert len(names) == len(set(names))


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("orthonormal_basis", "capacity.linalg.orthonormal_basis"),
        ("summary", "capacity_inspection.reports.summary"),
        ("capacity_inspection.summary", "capacity_inspection.reports.summary"),
        ("capacity_inspection.graphs.Graph", "capacity_inspection.graphs.Graph"),
        ("layers", None),
        ("rtol", None),
        ("capacity.linalg.toeplitz", None),
        ("capacity", None),
        ("other.orthonormal_basis", None),
    ],
)
def test_a_public_name_is_found_under_the_name_that_documents_it(text, name):
    assert full_name(text) == name


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("rates t a_+ and |k - j|", r"rates t a\_+ and \|k - j\|"),
        ("a*b of `a*b` and *words*", r"a\*b of `a*b` and *words*"),
        (">>> 2 * 3", ">>> 2 * 3"),
        ("nu = E[eta]^2, of `eta`", "nu = E[eta]^2, of `eta`"),
    ],
)
def test_formulas_are_no_markup(line, shown):
    lines = [line]
    escape_formulas(None, "function", "name", None, None, lines)
    assert lines == [shown]


def test_types_are_linked_in_a_book_with_pages_of_rooms(tmp_path):
    app, found = SimpleNamespace(srcdir=tmp_path), []
    for _ in range(2):
        config = SimpleNamespace(numpydoc_xref_aliases={"array_like": "numpy:array_like"})
        link_types(app, config)
        found.append(config.numpydoc_xref_aliases)
        (tmp_path / "chapters" / "api").mkdir(parents=True, exist_ok=True)
    assert found[0] == {"array_like": "numpy:array_like"}
    assert found[1].items() >= (found[0] | {"Basis": "capacity.linalg.Basis"}).items()
    members = {f"{room}.{name}": getattr(import_module(room), name) for room in rooms() for name in rooms()[room]}
    assert {link for link in found[1].values() if link.startswith("capacity")} == {
        name for name, it in members.items() if isclass(it)
    }


def test_what_was_parsed_for_a_page_keeps_no_document_but_the_page():
    page, parsed = new_document("page"), new_document("parsed")
    parsed += nodes.paragraph()
    parsed[0] += nodes.literal("", "words")
    page += parsed.children
    assert page.next_node(nodes.literal).document is parsed
    belong(None, page)
    assert [node.document for node in page.findall()] == [page] * 4
