"""Numbers on the pages: those of the papers, and ours apart."""

from small_site import page


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
