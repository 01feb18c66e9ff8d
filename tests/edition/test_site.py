"""The pages of a small book: numbers as in the papers, claims, anchors, and nothing from other sites."""

import json
from hashlib import sha256

import nbformat
import pytest
from bs4 import BeautifulSoup
from small_books import cell, write_book

from edition.chapters import ROOT, book
from edition.execute import Result, execute
from edition.inspection import broken_links, missing_pages, outside_requests, pages, repeated_ids
from edition.metadata import read
from edition.site import build_html, publish, stage

FIGURE = """---
mystnb: {{figure: {{name: {name}, caption: "A picture of $x$."}}, image: {{alt: A dot.}}}}
---
from IPython.display import SVG
SVG('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><circle r="4"/></svg>')"""
ONE = r"""# One

Words on $\E[x]$, {eq}`linear-eq-16`, {eq}`own`, {numref}`linear-fig-5`, {numref}`own-fig`,
{prf:ref}`linear-prop-3`, and [](two.md).

$$ a = b $$ (linear-eq-16)

$$ c = d $$ (own)

```{prf:property} Sums
:label: linear-prop-3

They add up.
```

```{prf:theorem} Ours
:label: linear-own-theorem

See {eq}`own`.
```

"""
CLAIMS = r"""from edition import claim
claim("linear/fig-5/round", "It is round", True, True)
claim("linear/prop-3", r"Sums $\kappa_{A|B}$ | add up", 3, 3)
claim("linear/eq-16", "It is $b$", 2.0, 2.0, printed=1.0, verdict="holds with a correction", correction="Twice $b$.")"""
REPOSITORY = "https://github.com/someone/somewhere"
TWO = "# Two\n\nAnd {eq}`linear-eq-16` with {eq}`other`.\n\n$$ e = f $$ (other)\n"


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    figures = "".join(cell(FIGURE.format(name=n)) + "\n" for n in ("linear-fig-5", "own-fig"))
    one = ONE + figures + cell(CLAIMS) + "\n" + cell("a = 1")
    pages = {
        name: (ROOT / "chapters" / f"{name}.md").read_text()
        for name in ("claims", "errata", "figures", "receipt", "cite")
    }
    pages["counts"] = "# Counts\n\n```{claims-summary}\n```\n"
    root = write_book(
        tmp_path_factory.mktemp("book"), {"intro": "# Book\n", "linear/one": one, "linear/two": TWO} | pages
    )
    source = root / "pyproject.toml"
    source.write_text(source.read_text() + f'\n[project.urls]\nRepository = "{REPOSITORY}"\n')
    return root


@pytest.fixture(scope="module")
def html(root):
    chapters = book(root)
    executed = {"linear/one": execute(chapters["linear/one"], {}, root / "_build" / "one.ipynb")}
    took = {"linear/one": Result(seconds=2.5, cells={"one-2": 1.5})}
    folder, run = root / "_build" / "stage", {"scale": "default", "chapters": took}
    return build_html(folder, stage(list(chapters.values()), executed, folder, root=root, run=run))


def page(html, name):
    return BeautifulSoup((html / "chapters" / f"{name}.html").read_text(), "html.parser")


def test_equations_carry_the_papers_numbers_and_ours_are_apart(html):
    assert [n.text.rstrip("#") for n in page(html, "linear/one").select(".eqno")] == ["(16)", "(E1)"]
    assert [n.text.rstrip("#") for n in page(html, "linear/two").select(".eqno")] == ["(E2)"]


def test_figures_and_statements_carry_the_papers_numbers(html):
    captions = [n.text.strip() for n in page(html, "linear/one").select(".caption-number")]
    assert captions == ["Property 3", "Theorem E1", "Figure 5", "Figure E1"]


def test_references_show_the_same_numbers(html):
    links = [link.text for link in page(html, "linear/one").select("article p a.reference.internal")]
    assert links[:6] == ["(16)", "(E1)", "Figure 5", "Figure E1", "Property 3", "Two"]
    assert [link.text for link in page(html, "linear/two").select("article p a.reference.internal")] == ["(16)", "(E2)"]


def test_claims_show_their_verdict_with_mathematics_and_an_anchor(html):
    claim = page(html, "linear/one").select_one("#claim-linear-prop-3")
    assert claim.text == "✓ holds"
    assert claim.find_parent("p").select_one(".math").text == r"\(\kappa_{A|B}\)"
    assert "measured 3; expected 3" in claim.find_parent("p").text


def test_a_statement_shows_the_verdict_of_the_claim_that_has_its_label(html):
    titles = page(html, "linear/one").select(".proof .admonition-title")
    assert [link["href"] for title in titles for link in title.select("a.claim")] == ["#claim-linear-prop-3"]


def test_the_counts_lead_to_the_ledger(html):
    badges = page(html, "counts").select(".claims-summary a")
    assert [(badge.text, badge["href"]) for badge in badges] == [
        ("✓ 2 hold", "claims.html"),
        ("✎ 1 holds with a correction", "claims.html"),
    ]


def test_the_code_of_claims_and_figures_is_folded_and_other_code_is_not(html):
    cells = page(html, "linear/one").select("div.cell")
    prompts = [cell.select_one("details.hide > summary > p") for cell in cells]
    assert [prompt and prompt.text for prompt in prompts] == [
        "Show the code of this figure",
        "Show the code of this figure",
        "Show the code of these claims",
        None,
    ]


def test_the_index_has_the_papers_figures_and_ours_apart(html):
    sections = page(html, "figures").select("section section")
    listed = [[link.text for link in s.select(".figure-text a.internal:not(.claim)")] for s in sections]
    assert listed == [["Figure 5"], [], ["Figure E1"]]
    (image,) = sections[0].select("img")
    assert image["alt"] == "A dot."
    assert sections[0].select_one("p .math").text == r"\(x\)"
    (badge,) = sections[0].select("a.claim")
    assert badge["href"] == "linear/one.html#claim-linear-fig-5-round"


def test_each_figure_has_a_passport_whose_files_are_there(html):
    for passport in page(html, "linear/one").select("figure + .passport"):
        links = [link["href"] for link in passport.select("a")]
        assert all((html / "chapters" / "linear" / link).resolve().is_file() for link in links)
        assert "chapters/linear/one.md" in passport.text
    assert len(page(html, "linear/one").select("figure + .passport")) == 2
    assert "linear-fig-5" in (html / "seconds.js").read_text()
    records = json.loads((html / "figures.json").read_text())["figures"]
    assert [(record["name"], record["number"]) for record in records] == [("linear-fig-5", "5"), ("own-fig", "E1")]


def test_the_citations_are_those_of_this_copy_and_of_the_papers(html):
    entries = [entry.text for entry in page(html, "cite").select("article .highlight")]
    keys = [entry.split("{")[1].split(",")[0] for entry in entries]
    assert keys == ["capacity-allocation", "donier2019capacity", "donier2019layers"]
    assert f"version = {{{read().version}}}" in entries[0]
    assert "arXiv:1902.08572" in page(html, "cite").select_one("article").text


def test_an_executed_chapter_leads_to_its_notebook_with_its_results_and_to_its_text(html, root):
    links = page(html, "linear/one").select(".chapter-links a")
    executed, text = (html / "chapters" / "linear" / link["href"] for link in links[:2])
    assert text.read_text() == (root / "chapters" / "linear" / "one.md").read_text()
    outputs = [cell.outputs for cell in nbformat.read(executed, as_version=4).cells if cell.cell_type == "code"]
    assert [len(shown) for shown in outputs] == [1, 1, 3, 0]


def test_where_the_repository_is_known_an_executed_chapter_leads_to_its_source_and_to_a_jupyter(html):
    links = page(html, "linear/one").select(".chapter-links a")
    assert [link["href"] for link in links[2:]] == [
        "https://mybinder.org/v2/gh/someone/somewhere/HEAD?urlpath=lab/tree/chapters/linear/one.md",
        f"{REPOSITORY}/blob/HEAD/chapters/linear/one.md",
    ]
    assert not page(html, "linear/two").select(".chapter-links")


def test_the_receipt_says_what_each_chapter_took_and_what_is_not_known(html, root):
    row, total = page(html, "receipt").select(".claims-table tbody tr")
    assert [cell.text.strip() for cell in row.select("td")] == ["One", "2.5", "not known", "4", "3"]
    assert [cell.text.strip() for cell in total.select("td")][1:] == ["2.5", "0", "4", "3"]
    receipt = json.loads((html / "receipt.json").read_text())
    assert receipt["claims"]["holds with a correction"] == 1
    assert receipt["figures"] == {"linear-fig-5": 1.5, "own-fig": None}
    assert receipt["lock"] == f"sha256:{sha256((root / 'requirements.txt').read_bytes()).hexdigest()}"


def test_the_ledger_lists_every_claim_and_the_errata_the_corrected_ones(html):
    rows = [row.text.split("\n") for row in page(html, "claims").select(".claims-table")[1].select("tbody tr")]
    assert len(rows) == 3
    assert {link["href"] for link in page(html, "claims").select(".claims-table a")} == {
        "linear/one.html#claim-linear-prop-3",
        "linear/one.html#claim-linear-eq-16",
        "linear/one.html#claim-linear-fig-5-round",
    }
    assert [link.text for link in page(html, "errata").select(".claims-table a")] == ["Equation (16)"]
    counts = json.loads((html / "claims.json").read_text())["counts"]
    assert (counts["holds"], counts["holds with a correction"]) == (2, 1)


def test_the_site_is_whole_and_asks_nothing_of_other_sites(root, html):
    parsed = pages(html)
    assert missing_pages(book(root).values(), html) == []
    assert broken_links(parsed) == []
    assert repeated_ids(parsed) == []
    assert outside_requests(parsed) == []


def test_what_is_wrong_with_a_site_is_noticed(root, tmp_path):
    text = (
        '<article><p id="a"><p id="a"><a href="#b"><a href="no.html"></article><script src="https://x.org/"></script>'
    )
    (tmp_path / "one.html").write_text(text)
    parsed = pages(tmp_path)
    assert missing_pages(book(root).values(), tmp_path)[0] == tmp_path / "index.html"
    assert broken_links(parsed) == [("one.html", "#b"), ("one.html", "no.html")]
    assert repeated_ids(parsed) == [("one.html", "a")]
    assert outside_requests(parsed) == [("one.html", "https://x.org/")]


def test_publishing_replaces_the_former_pages_as_a_whole(tmp_path):
    for name, text in (("built", "new"), ("html", "old")):
        (tmp_path / name).mkdir()
        (tmp_path / name / f"{text}.html").write_text(text)
    publish(tmp_path / "built", tmp_path / "html")
    assert [path.name for path in (tmp_path / "html").iterdir()] == ["new.html"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["built", "html"]


def test_a_warning_fails_the_build_and_names_the_line_of_the_text(tmp_path):
    text = "# One\n\n" + cell("a = 1") + "\nWords.\n\nAnd {eq}`nowhere`.\n"
    root = write_book(tmp_path, {"intro": "# Book\n", "one": text})
    chapters = book(root)
    executed = {"one": execute(chapters["one"], {}, tmp_path / "one.ipynb")}
    positions = stage(list(chapters.values()), executed, tmp_path / "stage", root=root)
    line = (root / "chapters" / "one.md").read_text().splitlines().index("And {eq}`nowhere`.") + 1
    with pytest.raises(RuntimeError, match=rf"chapters/one\.md:{line}: WARNING: equation not found: nowhere"):
        build_html(tmp_path / "stage", positions)
