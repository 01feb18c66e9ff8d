"""The scripts of the explorer, on its page only, and links to its settings."""

import re

import pytest
from pages import broken_links, outside_requests, pages
from small_books import cell, write_book

from edition.book import book
from edition.execution.all_chapters import execute
from edition.publishing.site import build_html, stage


@pytest.mark.usefixtures("imported_once")
def test_only_the_page_of_the_explorer_loads_its_scripts(tmp_path):
    code = 'from capacity_studies.explorer import explore\nexplore(["hierarchical"], [4], [1], ["power-law"])'
    texts = {
        "intro": "# Book\n\nSee {explorer}`a model <recurrent.16.1.sunspots>`.\n",
        "beyond/one": "# One\n\n" + cell(code),
    }
    root = write_book(tmp_path, texts | {"beyond/explorer": "# Explorer\n"})
    chapters = book(root)
    executed = {"beyond/one": execute(chapters["beyond/one"], {}, tmp_path / "one.ipynb")}
    html = build_html(tmp_path / "stage", stage(list(chapters.values()), executed, tmp_path / "stage", root=root))
    parsed = pages(html)
    scripts = {path.stem: [tag["src"] for tag in page.select("script[src]")] for path, page in parsed.items()}
    wanted = ["explorer-charts.js", "explorer.js"]
    loaded = [source.rpartition("/")[2].partition("?")[0] for source in scripts["one"]]
    assert [source for source in loaded if source in wanted] == wanted
    assert not any("explorer" in source for source in scripts["intro"])
    links = [
        link["href"] for link in parsed[html / "chapters" / "intro.html"].select("article a") if link.text == "a model"
    ]
    assert links == ["beyond/explorer.html?setting=recurrent.16.1.sunspots"]
    assert outside_requests(parsed) == []
    assert broken_links(parsed) == []


@pytest.mark.whole
def test_every_link_leads_to_a_setting_that_the_explorer_computes():
    chapters = book()
    known = {name: each.value for name, each in chapters["beyond/explorer"].parameters().items()}
    texts = "\n".join(chapter.path.read_text(encoding="utf-8") for chapter in chapters.values())
    settings = re.findall(r"\{explorer\}`[^`]*<([^>`]*)>`", texts)
    assert settings
    for setting in settings:
        architecture, size, channels, process = setting.split(".")
        assert architecture in known["architectures"]
        assert process in known["processes"]
        assert int(size) in known["sizes"]
        assert int(channels) in known["channel_counts"]
