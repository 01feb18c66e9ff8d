"""Numbers on the pages: those of the papers, and ours apart."""

from types import SimpleNamespace

from small_site import page

from edition.sphinx_ext.numbering import reading_order


def test_equations_carry_the_papers_numbers_and_ours_are_apart(html):
    assert [n.text.rstrip("#") for n in page(html, "linear/one").select(".eqno")] == ["(16)", "(E1)"]
    assert [n.text.rstrip("#") for n in page(html, "linear/two").select(".eqno")] == ["(E2)"]


def captions(html, name):
    return [n.text.strip() for n in page(html, name).select(".caption-number")]


def test_figures_and_statements_carry_the_papers_numbers(html):
    assert captions(html, "linear/one")[:4] == ["Property 3", "Theorem E1", "Figure 5", "Figure E1"]


def test_exercises_are_counted_from_one_in_each_chapter(html):
    assert captions(html, "linear/one")[4:] == ["Exercise 1", "Exercise 2"]
    assert captions(html, "linear/two") == ["Exercise 1"]


def test_references_show_the_same_numbers(html):
    links = [link.text for link in page(html, "linear/one").select("article p a.reference.internal")]
    assert links[:6] == ["(16)", "(E1)", "Figure 5", "Figure E1", "Property 3", "Two"]
    assert [link.text for link in page(html, "linear/two").select("article p a.reference.internal")] == ["(16)", "(E2)"]


def test_pages_are_numbered_in_the_order_of_the_contents_and_not_by_their_names():
    contents = {"z": ["m", "a"], "m": ["y", "b"]}
    config, found = SimpleNamespace(root_doc="z"), set("zmaybc")
    env = SimpleNamespace(config=config, found_docs=found, toctree_includes=contents)
    assert reading_order(env) == ["z", "m", "y", "b", "a", "c"]  # c is in no contents
