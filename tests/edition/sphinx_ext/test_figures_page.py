"""The index of the figures, and the passport below each."""

import json

from small_site import page


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
