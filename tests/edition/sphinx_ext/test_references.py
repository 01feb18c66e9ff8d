"""All pages are written again where what they say of each other changed, and only there."""

from types import SimpleNamespace

import pytest
from docutils import nodes

from edition.sphinx_ext.references import referred, written_anew

BOOK = SimpleNamespace(config=SimpleNamespace(root_doc="intro"))


def environment():
    """Return what Sphinx knows of two pages."""
    pages = ("one", "two")
    return SimpleNamespace(
        found_docs=set(pages),
        titles={page: nodes.title("", page) for page in pages},
        tocs={page: nodes.bullet_list("", nodes.reference("", "Section", refuri=page)) for page in pages},
        toc_fignumbers={"one": {"figure": {"fig-a": ("E1",)}}},
        domaindata={
            "std": {"labels": {"a": ("one", "a", "A")}, "anonlabels": {}, "objects": {}, "terms": {}},
            "math": {"objects": {"eq": ("one", "E1")}},
            "py": {"objects": {}},
            "cite": {"citation_refs": [citation("one", 3, "donier")]},
        },
        proof_list={"prop-1": {"docname": "one"}},
        sphinx_exercise_registry={"ex": {"docname": "one", "title": "Of a"}},
    )


def citation(docname, line, key):
    return SimpleNamespace(docname=docname, line=line, targets=[SimpleNamespace(key=key)])


def rename(env):
    env.titles["one"] = nodes.title("", "Another")


def divide(env):
    env.tocs["two"] += nodes.list_item("", nodes.paragraph("", "New section"))


def renumber(env):
    env.domaindata["math"]["objects"]["eq"] = ("one", "E2")


def draw(env):
    env.toc_fignumbers["one"]["figure"]["fig-b"] = ("E2",)


def label(env):
    env.domaindata["std"]["labels"]["a"] = ("two", "a", "A")


def ask(env):
    env.sphinx_exercise_registry["more"] = {"docname": "two", "title": "Of b"}


def cite(env):
    env.domaindata["cite"]["citation_refs"].append(citation("two", 1, "donier"))


@pytest.mark.parametrize("change", [rename, divide, renumber, draw, label, ask, cite])
def test_what_other_pages_may_show_asks_for_all_pages(change):
    env = environment()
    assert written_anew(BOOK, env) == ["intro"]  # all are new
    assert written_anew(BOOK, env) == ["intro"]
    change(env)
    assert written_anew(BOOK, env) == ["one", "two"]
    assert written_anew(BOOK, env) == ["intro"]


def test_the_line_of_a_citation_is_shown_nowhere():
    env, moved = environment(), environment()
    moved.domaindata["cite"]["citation_refs"] = [citation("one", 8, "donier")]
    assert referred(env) == referred(moved)
