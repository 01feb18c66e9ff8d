"""Exercises and their solutions, on a page and on paper."""

import re

from docutils import nodes
from small_site import page
from sphinx_exercise.nodes import exercise_node

from edition.sphinx_ext.exercises import print_exercises
from edition.verification.pages import repeated_ids


def document_with_exercise():
    content = nodes.section("", nodes.paragraph("", "Predict."))
    return nodes.section("", exercise_node("", nodes.title("", "Exercise"), content, label="ex"))


def test_the_solution_stands_folded_below_its_exercise_with_its_code(html):
    exercises = page(html, "linear/one").select("article .exercise")
    assert [found.select_one(".admonition-title").text.strip() for found in exercises] == [
        "Exercise 1  (Of a)",
        "Exercise 2",
    ]
    solutions = [found.find_next_sibling() for found in exercises]
    assert [(found.name, found.get("class")) for found in solutions] == [("details", ["solution"])] * 2
    assert [found.find(True).name for found in solutions] == ["summary"] * 2
    assert [found.summary.text for found in solutions] == ["Solution"] * 2
    assert not any(found.has_attr("open") for found in solutions)
    first, second = solutions
    assert "Compute it." in first.text
    assert "a = 1" in first.select_one("div.cell pre").text
    assert second.find("p").text == "As before."


def test_what_refers_to_an_exercise_shows_its_number(html):
    (link,) = page(html, "linear/one").select('.exercise a[href="#ex-two"]')
    assert link.text == "Exercise 2"


def test_no_id_is_used_twice_and_the_style_is_loaded_where_there_are_exercises(html):
    parsed = {name: page(html, name) for name in ("linear/one", "linear/two", "counts")}
    assert repeated_ids({html / name: found for name, found in parsed.items()}) == []
    styles = {name: [link["href"] for link in found.select("link[rel=stylesheet]")] for name, found in parsed.items()}
    own = {name: [href for href in found if "exercise" in href] for name, found in styles.items()}
    assert [len(found) for found in own.values()] == [1, 1, 0]
    assert "_static/exercises.css" in own["linear/one"][0]


def test_on_paper_the_solutions_are_a_chapter_and_each_names_the_page_of_its_exercise_and_is_named_there(latex):
    (document,) = latex.glob("*.tex")
    text, _, after = document.read_text().partition(r"\chapter{Solutions to the exercises}")
    solutions = after.partition(r"\chapter")[0]
    found = re.findall(r"\\label{exercise:ex-\w+}\\begin{statement}(.*?)\\end{statement}", text, re.S)
    assert [re.search(r"Exercise \d", statement)[0] for statement in found] == ["Exercise 1", "Exercise 2"]
    assert r"\hyperref[exercise:ex-two]{Exercise 2}" in found[0]
    assert "sphinxadmonition}{note}{Exercise" not in text
    assert "Compute it." not in text
    assert re.findall(r"\\section{(.*?)}", solutions) == ["One"]
    _, first, second = re.split(r"\\label{solution:ex-\w+}", solutions)
    for statement, solution, name in zip(found, (first, second), ("one", "two")):
        assert rf"page~\pageref{{solution:ex-{name}}}" in statement
        assert rf"page~\pageref{{exercise:ex-{name}}}" in solution
    assert r"strong{Exercise 1 (Of \(a\))}" in re.sub(r"\s+\(", " (", first)
    assert "Compute it." in first
    assert "seen" in first
    assert "As before." in second


def test_an_exercise_without_a_solution_names_no_page():
    page = document_with_exercise()
    assert print_exercises(page) == []
    assert "Solution" not in page.astext()
