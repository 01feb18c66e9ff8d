"""A chapter gets another name in three files: its own, the contents, and the settings, where its address leads on."""

import shutil

import pytest

from edition.book import ROOT, book, chosen, page_name, parameters_at, renamed
from edition.claims.faults import read_faults
from edition.publishing.links import LINK, led_on, page_at

CHAPTERS = ["linear/5-1-hierarchical", "layers/in-between", "beyond/weight-scale"]  # now, or formerly


@pytest.fixture
def rename(tmp_path):
    """Return a function that gives a chapter of a copy of the book another name, and returns the copy."""

    def named(old, new):
        for folder in ("chapters", "parameters", "ledger"):
            shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__"))
        (tmp_path / "chapters" / f"{old}.md").rename(tmp_path / "chapters" / f"{new}.md")
        contents, settings = ((ROOT / name).read_text(encoding="utf-8") for name in ("_toc.yml", "_config.yml"))
        (tmp_path / "_toc.yml").write_text(contents.replace(f"file: chapters/{old}\n", f"file: chapters/{new}\n"))
        first = "redirects:  # of addresses that once were pages\n"
        line = f"      chapters/{old}: {new.rpartition('/')[2]}.html\n"
        (tmp_path / "_config.yml").write_text(settings.replace(first, first + line))
        return tmp_path

    return named


@pytest.mark.whole
@pytest.mark.parametrize("old", CHAPTERS)
def test_a_chapter_is_found_by_its_former_name(rename, old):
    old = chosen(old, book()).name
    new = f"{old}-anew"
    root = rename(old, new)
    chapters, former = book(root), renamed(root)
    assert old not in chapters
    assert chosen(f"chapters/{old}.md", chapters, root=root).name == new
    assert parameters_at("quick", chapters, root)[new] == parameters_at("quick", book())[old]
    texts = {name: led_on(chapter.path.read_text(encoding="utf-8"), name, former) for name, chapter in chapters.items()}
    links = [page_at(link[2], name) for name, text in texts.items() for link in LINK.finditer(text)]
    assert new in links
    assert {*links} <= chapters.keys()
    for fault in read_faults(root).values():
        if former.get(page_name(fault.file)) == new:
            assert fault.place(root)[0] == chapters[new].path
