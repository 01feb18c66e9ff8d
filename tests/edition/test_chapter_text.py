"""The text of a chapter: what is wrong with it is told with its file, and its line where that is known."""

import os
import re
import shutil
import subprocess
from itertools import pairwise
from pathlib import Path

import jupytext
import jupytext.cli
import nbformat
import pytest
from myst_nb.core.read import is_myst_markdown_notebook
from nbformat.v4 import new_output
from small_books import HEADER, cell

from edition.book import ROOT
from edition.chapter_text import parse

CODE = "```{code-cell} ipython3\n---\n%s\n---\n1\n```\n"
LINE = HEADER.count("\n") + 3


def test_a_text_is_its_cells_and_the_lines_where_they_begin():
    notebook, starts = parse(f"{HEADER}# One\n\n{cell('1', 'parameters')}", "one.md")
    assert [each.cell_type for each in notebook.cells] == ["markdown", "code"]
    assert starts == [LINE - 3, LINE]
    assert "source_map" not in notebook.metadata


def test_a_cell_has_a_name_of_its_own_that_stays_when_others_come():
    options = "---\nmystnb: {figure: {name: own-fig}}\n---\n"
    codes = [
        "a, b = 1, 2",
        'c = 3\ncheck("linear/eq-6", c, 3)',
        f"{options}a = 1",
        "def f(x): ...",
        "a = 2",
        "print(a)",
    ]
    notebook, _ = parse(HEADER + "# One\n\n" + "".join(map(cell, codes)), "one.md")
    _, *ids, last = [each.id for each in notebook.cells]
    assert ids == ["a", "linear-eq-6", "own-fig", "f", "a-2"]
    more, _ = parse(HEADER + "# One\n\n" + "".join(map(cell, ["import os", *codes])), "one.md")
    assert [each.id for each in more.cells][-6:] == [*ids, last]


@pytest.mark.parametrize(
    ("options", "line", "message"),
    [
        ("tags: [a", f":{LINE}", r"expected ',' or '\]'"),
        ("- a", "", r"metadata: \['a'\] is not of type 'object'"),
        ("tags: a", "", "metadata.tags: 'a' is not of type 'array'"),
        ("a: 2001-01-31", f":{LINE + 1}", "expected texts and numbers as options"),
        ("mystnb: a", f":{LINE + 1}", "expected name: value below mystnb, got 'a'"),
        ("mystnb: {figure: a}", f":{LINE + 1}", "expected name: value below mystnb: figure, got 'a'"),
        ("varies: [a]", f":{LINE + 1}", "expected a reason as varies"),
    ],
)
def test_options_of_a_cell_that_mean_nothing_are_refused(options, line, message):
    with pytest.raises(ValueError, match=f"^chapters/one.md{line}: .*{message}"):
        parse(f"{HEADER}# One\n\n{CODE % options}", "chapters/one.md")


@pytest.mark.parametrize(
    ("header", "message"),
    [
        (HEADER.replace("{display", "{{display"), "expected front matter .*expected ',' or '}'"),
        ("---\n- a\n---\n", "expected front matter .*is not of type 'object'"),
        ("", "expected front matter with a kernelspec whose language is python, got None"),
        (HEADER.replace("language: python", "language: R"), ".*whose language is python, got 'R'"),
    ],
)
def test_front_matter_that_means_nothing_is_refused(header, message):
    with pytest.raises(ValueError, match=f"^one.md: {message}"):
        parse(f"{header}# One\n\n{cell('1')}", "one.md")


def test_words_alone_need_no_front_matter():
    assert len(parse("# One\n", "one.md")[0].cells) == 1


def opened(text):
    return jupytext.reads(text, "md:myst")


def executed(text):
    notebook = opened(text)
    notebook.metadata["language_info"] = {"name": "python", "pygments_lexer": "ipython3", "version": "3.14.0"}
    for each in notebook.cells:
        if each.cell_type == "code":
            each |= {"execution_count": 1, "outputs": [new_output("stream", text="2")]}
            each.metadata["execution"] = {"iopub.status.busy": "2026-01-01T00:00:00Z"}
    return notebook


@pytest.mark.parametrize("way", [opened, executed])
def test_a_save_without_an_edit_changes_nothing(way, chapters):
    texts = {name: chapter.path.read_text() for name, chapter in chapters.items() if chapter.is_executable()}
    changed = [name for name, text in texts.items() if jupytext.writes(way(text), "md:myst") != text]
    assert not changed, "jupytext --to myst chapters/..."


def test_jupyter_book_by_itself_takes_the_chapters_for_notebooks(chapters):
    for name, chapter in chapters.items():
        assert is_myst_markdown_notebook(chapter.path.read_text()) == chapter.is_executable(), name


def test_a_notebook_beside_a_chapter_is_kept_the_same_and_written_back(tmp_path, monkeypatch):
    shutil.copy(ROOT / "pyproject.toml", tmp_path)  # says which texts have one
    monkeypatch.chdir(tmp_path)
    text, reference = Path("chapters/linear/2-intuitions.md"), Path("tests/chapters/linear/2-intuitions.json")
    for path in (text, reference):
        path.parent.mkdir(parents=True)
        shutil.copy(ROOT / path, path)
    beside, before = text.with_suffix(".ipynb"), text.read_text()

    def sync(newer):
        os.utime(newer, (time := max(map(os.path.getmtime, text.parent.iterdir())) + 2, time))
        assert jupytext.cli.jupytext(["--quiet", "--sync", str(newer)]) == 0

    sync(text)
    notebook = nbformat.read(beside, as_version=4)
    nbformat.write(notebook, beside)
    sync(beside)
    assert text.read_text() == before
    notebook.cells[0].source += "\n\nA sentence more."
    nbformat.write(notebook, beside)
    sync(beside)
    assert text.read_text() == before.replace(
        notebook.cells[0].source[: -len("\n\nA sentence more.")], notebook.cells[0].source, 1
    )
    assert reference.read_bytes() == (ROOT / reference).read_bytes()


@pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
def test_a_notebook_beside_a_chapter_is_not_committed():
    beside = ROOT / "chapters" / "linear" / "2-intuitions.ipynb"
    ignored = subprocess.run(["git", "check-ignore", "--quiet", beside], cwd=ROOT)
    assert ignored.returncode in (0, 128)  # 128: no checkout, such as an archive of the sources


def test_alternative_texts_hold_in_both_themes(chapters):
    alts = [line for chapter in chapters.values() for line in re.findall("^ +alt: .*", chapter.path.read_text(), re.M)]
    assert len(alts) > 50
    assert [alt for alt in alts if re.search(r"\b(dark|pal)(e|er|est)?\b|\bblack\b|\bwhite\b(?! noise)", alt)] == []


def test_checks_are_the_last_cells_of_their_section(chapters):
    """One cell has those whose output is compared with the reference, another those that differ between processors."""
    last = re.compile(r"\(.*\)=\n|#+ |`+\{solution-end\}")
    for name, chapter in chapters.items():
        cells = chapter.notebook()[0].cells
        tagged = ["checks" in cell.metadata.get("tags", []) for cell in cells]
        checking = [cell.cell_type == "code" and bool(re.search(r"^ *check\(", cell.source, re.M)) for cell in cells]
        assert tagged == checking, name
        for (one, other), following in zip(pairwise(tagged), cells[1:]):
            assert not one or other or last.match(following.source), f"{name}: {following.source[:80]}"
