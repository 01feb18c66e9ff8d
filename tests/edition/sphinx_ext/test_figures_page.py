"""The index of the figures, and a figure on another page."""

from small_site import page

from edition.sphinx_ext.figures_page import place


def test_the_index_has_the_papers_figures_and_ours_apart(html):
    sections = page(html, "figures").select("section section")
    listed = [[link.text for link in s.select(".figure-text a.internal:not(.claim)")] for s in sections]
    assert listed == [["Figure 5"], [], [], ["Figure E1"]]
    assert [image["alt"] for image in sections[0].select("img")] == ["A dot."]
    assert sections[0].select_one(".figure-text > p").text == "Figure 5. A picture"
    assert sections[0].select_one("p .math").text == "x"
    (badge,) = sections[0].select("a.claim")
    assert badge["href"] == "linear/one.html#claim-linear-fig-5-round"


def test_a_page_shows_a_figure_of_another_chapter_with_words_of_its_own(html):
    (shown,) = page(html, "counts").select(".figure-shown")
    assert {image["alt"] for image in shown.select("img")} == {"A dot."}
    assert {link["href"].split("#")[0].split("/")[-1] for link in shown.select("a")} == {"one.html"}
    assert (shown.select_one("p").text, shown.select_one("p a").text) == ("Figure 5. Once more, x.", "Figure 5")
    assert "when the book is built as a whole" in page(html, "counts").text


def test_figures_of_a_paper_are_in_the_order_of_their_numbers():
    names = [f"linear-fig-{number}" for number in ("a-1", "10", "2", "a-10", "a-2")]
    found = sorted(({"name": name} for name in names), key=place)
    assert [record["name"][11:] for record in found] == ["2", "10", "a-1", "a-2", "a-10"]
