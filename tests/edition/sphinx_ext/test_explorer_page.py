"""The scripts of the explorer, on its page only."""

from importlib.resources import files

from small_books import cell, write_book

from edition.book import book
from edition.execution.all_chapters import execute
from edition.publishing.site import build_html, stage
from edition.verification.pages import broken_links, outside_requests, pages


def test_only_the_page_of_the_explorer_loads_the_library(tmp_path):
    code = 'from edition.figures.explorer import explore\nexplore(["hierarchical"], [4], [1], ["power-law"])'
    root = write_book(tmp_path, {"intro": "# Book\n", "beyond/one": "# One\n\n" + cell(code)})
    chapters = book(root)
    executed = {"beyond/one": execute(chapters["beyond/one"], {}, tmp_path / "one.ipynb")}
    html = build_html(tmp_path / "stage", stage(list(chapters.values()), executed, tmp_path / "stage", root=root))
    parsed = pages(html)
    scripts = {path.stem: [tag["src"] for tag in page.select("script[src]")] for path, page in parsed.items()}
    wanted = ["plotly.min.js", "explorer-charts.js", "explorer.js"]
    loaded = [source.rpartition("/")[2].partition("?")[0] for source in scripts["one"]]
    assert [source for source in loaded if source in wanted] == wanted
    assert not any("plotly" in source or "explorer" in source for source in scripts["intro"])
    library = html / "_static" / "plotly.min.js"
    assert library.read_bytes() == (files("plotly") / "package_data" / "plotly.min.js").read_bytes()
    assert outside_requests(parsed) == []
    assert broken_links(parsed) == []
