"""A part of the book is built by itself: what it lists is what it has, and nothing leads out of it."""

import json

import pytest
import yaml
from bs4 import BeautifulSoup
from small_books import cell, claim, write_book

from edition.book import book, read_yaml
from edition.claims.coverage import Covered
from edition.execution.all_chapters import Result, execute
from edition.publishing.part import bibliography, contents, of_sources, redirects
from edition.publishing.site import build_html, stage

PART = {"papers": {"chapters": ["other"]}}
WHOLE = '+++ {"tags": ["whole"]}\n'
INTRO = f"# Book\n\n{WHOLE}\nOf [others](other/two.md), {{eq}}`other`.\n\n+++\n\nOf [one](linear/one.md)."
ONE = f"""# One

See [two](../other/two.md), {{eq}}`other` and {{cite:p}}`donier2019layers`.

{claim("linear/eq-1")}{cell("import capacity_studies" + chr(10) + "capacity_studies.check('linear/eq-1', 2, 2)")}
{WHOLE}
{claim("beyond/more")}
{cell("capacity_studies.check('beyond/more', 3, 3)", "whole")}
"""
COVERED = "source,section,number,digest,claims,reason\n"
FORMER = {"renamed": {"linear/old": "linear/eq-1", "beyond/old": "beyond/more"}, "retired": {"beyond/gone": "No more."}}


@pytest.fixture
def root(tmp_path):
    """Return a book, of which somebody has a part alone."""
    pages = {"intro": INTRO, "linear/one": ONE, "claims": "# Claims\n\n```{claims-summary}\n```\n", "other/two": ""}
    pages["bibliography"] = "# Works\n\n```{bibliography}\n:all:\n```\n"
    root = write_book(tmp_path / "book", pages)
    listed = read_yaml(root / "_toc.yml") | {"meta": {"parts": PART}}
    (root / "_toc.yml").write_text(yaml.safe_dump(listed))
    (root / "ledger").mkdir()
    rows = "linear,1,1,000000000001,linear/eq-1,\nbeyond,1,1,000000000002,beyond/more,\n"
    (root / "ledger" / "coverage.csv").write_text(COVERED + rows)
    (root / "ledger" / "former.yml").write_text(yaml.safe_dump(FORMER))
    (root / "chapters" / "other" / "two.md").unlink()
    return root


@pytest.mark.usefixtures("imported_once")
def test_a_part_is_built_where_the_rest_is_not(root, tmp_path):
    chapters = book(root, "papers")
    executed = {"linear/one": execute(chapters["linear/one"], {}, tmp_path / "one.ipynb")}
    run = {"scale": "default", "chapters": {"linear/one": Result()}}
    folder = tmp_path / "stage"
    html = build_html(folder, stage([*chapters.values()], executed, folder, root=root, run=run, part="papers"))
    pages = {path.stem: BeautifulSoup(path.read_text(), "html.parser") for path in (html / "chapters").rglob("*.html")}
    assert pages.keys() == {"intro", "one", "claims", "bibliography"}
    texts = {name: " ".join(found.select_one("article").text.split()) for name, found in pages.items()}
    assert "See two (in the whole book), elsewhere in the book and (Donier, 2019)." in texts["one"]
    assert "others" not in texts["intro"]
    assert "Of one." in texts["intro"]
    assert [len(pages[name].select(".scale-note")) for name in ("intro", "claims", "one")] == [1, 1, 0]
    assert "✓ 1 holds" in texts["claims"]
    assert "Capacity allocation analysis" not in texts["bibliography"]
    published = json.loads((html / "claims.json").read_text())
    assert [record["id"] for record in published["claims"]] == ["linear/eq-1"]
    assert published["retired"] == {}
    assert json.loads((html / "receipt.json").read_text())["part"] == "papers"


def test_contents_keep_what_is_there_and_no_empty_part():
    files = [{"file": "chapters/a", "sections": [{"file": "chapters/a/b"}, {"file": "chapters/a/c"}]}]
    found = {"root": "chapters/i", "meta": {}, "parts": [{"caption": "A", "chapters": files}]}
    found["parts"].append({"caption": "B", "chapters": [{"file": "chapters/d.md"}]})
    assert contents(found, {"i", "a", "a/c"}) == {
        "root": "chapters/i",
        "parts": [{"caption": "A", "chapters": [{"file": "chapters/a", "sections": [{"file": "chapters/a/c"}]}]}],
    }


def test_former_addresses_that_lead_nowhere_are_left_out():
    found = {"chapters/a/old": "../new.html", "chapters/old": "a/gone.html#there"}
    assert redirects(found, {"new"}) == {"chapters/a/old": "../new.html"}


def test_sentences_of_all_versions_of_a_paper_that_is_there_are_covered():
    rows = [Covered(source, "1", 1, "", (), "outlook") for source in ("layers", "layers-v1", "geometry")]
    assert of_sources({"layers/eq-1"}, FORMER, rows) == ({"renamed": {}, "retired": {}}, rows[:2])


def test_a_bibliography_has_what_is_cited():
    works = "% Works\n@article{a,\n title={A}}\n\n@book{b,\n title={B}}\n@book{c,\n title={C}}\n"
    texts = ["{cite:p}`x, a`", "```{citation} c\n```"]
    assert bibliography(works, texts) == works.replace("@book{b,\n title={B}}\n", "")
