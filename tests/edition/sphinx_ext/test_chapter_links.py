"""The links below the title of a chapter."""

import nbformat
from small_site import REPOSITORY, page


def test_an_executed_chapter_leads_to_its_notebook_with_its_results_and_to_its_text(html, site_root):
    links = page(html, "linear/one").select(".chapter-links a")
    executed, text = (html / "chapters" / "linear" / link["href"] for link in links[:2])
    assert text.read_text() == (site_root / "chapters" / "linear" / "one.md").read_text()
    outputs = [cell.outputs for cell in nbformat.read(executed, as_version=4).cells if cell.cell_type == "code"]
    assert [len(shown) for shown in outputs] == [1, 1, 3, 0]


def test_where_the_repository_is_known_an_executed_chapter_leads_to_its_source_and_to_a_jupyter(html):
    links = page(html, "linear/one").select(".chapter-links a")
    assert [link["href"] for link in links[2:]] == [
        "https://mybinder.org/v2/gh/someone/somewhere/HEAD?urlpath=lab/tree/chapters/linear/one.md",
        f"{REPOSITORY}/blob/HEAD/chapters/linear/one.md",
    ]
    assert not page(html, "linear/two").select(".chapter-links")
