"""The links below the title of a chapter."""

from types import SimpleNamespace

import nbformat
from docutils import nodes
from small_site import REPOSITORY, page

from edition.sphinx_ext import chapter_links


def test_an_executed_chapter_leads_to_its_notebook_with_its_results_and_to_its_text(html, site_root):
    links = page(html, "linear/one").select(".chapter-links a")
    executed, text = (html / "chapters" / "linear" / link["href"] for link in links[:2])
    assert text.read_text() == (site_root / "chapters" / "linear" / "one.md").read_text()
    assert links[0].has_attr("download")
    outputs = [cell.outputs for cell in nbformat.read(executed, as_version=4).cells if cell.cell_type == "code"]
    assert [len(shown) for shown in outputs] == [1, 1, 3, 0]


def test_where_the_repository_is_known_an_executed_chapter_leads_to_its_source_and_to_a_jupyter(html):
    links = page(html, "linear/one").select(".chapter-links a")
    assert [link["href"] for link in links[2:]] == [
        "https://mybinder.org/v2/gh/someone/somewhere/HEAD?urlpath=lab/tree/chapters/linear/one.md",
        f"{REPOSITORY}/blob/HEAD/chapters/linear/one.md",
    ]
    assert not page(html, "linear/two").select(".chapter-links")


def test_the_links_lead_to_the_commit_that_the_book_was_built_from(monkeypatch):
    shared = {"repository": REPOSITORY, "commit": "abc123 with changes"}
    monkeypatch.setattr(chapter_links, "recorded", lambda env: {"edition": shared})
    env = SimpleNamespace(doc2path=lambda name: f"{name}.ipynb")
    app = SimpleNamespace(env=env, builder=SimpleNamespace(format="html"))
    section = nodes.section("", nodes.title("", "One"))
    chapter_links.add_links(app, section, "chapters/linear/one")
    found = [node["refuri"] for node in section.findall(nodes.reference)][1:]
    assert [address for address in found if "/abc123" in address and "changes" not in address] == found
    assert len(found) == 2
