"""Exercises and their solutions, on a page and on paper."""

import re

from pages import repeated_ids
from small_site import page


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


def test_on_paper_each_solution_follows_its_exercise(latex):
    (document,) = latex.glob("*.tex")
    text = document.read_text()
    found = re.findall(r"\\label{exercise:ex-\w+}\\begin{statement}(.*?)\\end{statement}(.*?)(?=\\label|$)", text, re.S)
    assert [re.search(r"Exercise \d", statement)[0] for statement, _ in found] == ["Exercise 1", "Exercise 2"]
    assert r"\hyperref[exercise:ex-two]{Exercise 2}" in found[0][0]
    assert "sphinxadmonition}{note}{Exercise" not in text
    places = [text.index(words) for words in ("Predict, then", "Compute it.", "seen", "Predict again.", "As before.")]
    assert places == sorted(places)
