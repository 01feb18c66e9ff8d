"""A chapter on its own: nothing leads to pages that are not there, and the values stand below the title."""

import nbformat
import pytest
from click.testing import CliRunner
from small_books import cell, claim, write_book

from edition.cli import main
from edition.publishing.single import detach, tell_values

OWN = "# One\n\nFirst words.\n\n$$ x $$ (linear-eq-3)\n\n"


def detached(text, values=None):
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell(text)])
    detach(notebook)
    tell_values(notebook, values or {}, [])
    return [found.source for found in notebook.cells]


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("{eq}`linear-eq-3`", "{eq}`linear-eq-3`"),
        ("{eq}`linear-eq-16` and {numref}`layers-fig-2`", "(16) and Figure 2"),
        ("{prf:ref}`linear-prop-2`", "Property 2"),
        ("{ref}`the angle <linear-own-angle>`", "the angle"),
        ("{term}`capacity`, {term}`caps <capacity>`", "capacity, caps"),
        ("{explorer}`two <tiled.32.2.sunspots>`", "two"),
        ("[Section 4](4-linear-models.md), [this](../a.md#b)", "Section 4, this"),
        ("[page](https://example.org/a.md), {cite:t}`raghu2016survey`", None),
        ("{glue:text}`level:.2f`", None),
    ],
)
def test_what_leads_elsewhere_becomes_words_and_all_else_stays(text, left):
    assert detached(OWN + text) == [OWN + (text if left is None else left)]


def test_the_values_stand_below_the_title():
    title, note, rest = detached("(label)=\n" + OWN + "More.", {"n": 3, "process": "white"})
    assert title == "(label)=\n# One"
    assert "`n = 3`, `process = 'white'`" in note
    assert rest.startswith("First words.")
    assert rest.endswith("More.")


def test_the_note_tells_the_books_values_too_and_captions_those_that_are_words():
    parameters = nbformat.v4.new_code_cell("n = 2  # how many\nprocess = 'white'", metadata={"tags": ["parameters"]})
    shown = {"mystnb": {"figure": {"name": "one", "caption": "A picture.\n"}, "image": {"alt": "A square."}}}
    figure, plain = nbformat.v4.new_code_cell("draw()", metadata=shown), nbformat.v4.new_code_cell("1")
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell(OWN), parameters, figure, plain])
    tell_values(notebook, {"n": 3, "process": "power law"}, [])
    assert "`n = 3` (in the book `2`), `process = 'power law'` (in the book `'white'`)." in notebook.cells[1].source
    shown = figure.metadata.mystnb
    assert shown.figure.caption.startswith("A picture. *Drawn with `process = 'power law'`, and described")
    assert shown["image"]["alt"] == "With the book's values: A square."
    assert "mystnb" not in plain.metadata


def test_the_note_names_what_comes_out_differently_and_apart_what_should_not():
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell("# One")])
    outcomes = {"linear/eq-1": (None, True), "linear/eq-2": ("x", False), "linear/eq-3": ("y", True)}
    claims = [{"id": id, "problem": problem, "applies": applies} for id, (problem, applies) in outcomes.items()]
    tell_values(notebook, {"n": 3}, claims)
    note = notebook.cells[1].source
    assert "2 of 3 claims come out differently" in note
    stated, elsewhere = note.partition("Not stated for these values")[::2]
    assert "(#claim-linear-eq-3)" in stated
    assert "(#claim-linear-eq-2)" in elsewhere
    assert "eq-2" not in stated
    assert "eq-1" not in note


@pytest.mark.usefixtures("imported_once")
def test_a_run_tells_its_values_and_the_claims_that_come_out_otherwise(tmp_path):
    code = 'from capacity_studies import check\ncheck("linear/eq-1", n, 2)'
    text = (
        "# One\n\nSee [two](two.md) and {download}`a script <../tests/oracles/script.py>`.\n\n"
        + cell("n = 2\nm = 1", "parameters")
        + "\n"
        + claim("linear/eq-1")
        + cell(code)
    )
    root = write_book(tmp_path, {"one": text, "two": "# Two\n"})
    (root / "parameters").mkdir()
    (root / "parameters" / "quick.yml").write_text("one: {m: 4}")
    (root / "tests" / "oracles").mkdir(parents=True)
    (root / "tests" / "oracles" / "script.py").write_text("1 + 1\n")
    done = CliRunner().invoke(main, ["--root", str(root), "run", "one", "-p", "n", "3", "--scale", "quick"])
    assert done.exit_code == 0, done.output
    assert "1 of 1 claims come out differently" in done.output
    assert "linear/eq-1: the paper's values" in done.output
    page_folder = root / "_build" / "runs" / "one"
    page = (page_folder / "chapters" / "one.html").read_text(encoding="utf-8")
    assert "<code" in page.partition("This page was run with")[2][:200]
    assert [path.name for path in page_folder.glob("_downloads/*/*")] == ["script.py"]
    assert "two.md" not in page.partition("<article")[2].partition("</article>")[0]
