"""Chapters, their parameters, and the errors of people who mistype them."""

import json
import os
import re
import shlex
import subprocess
from dataclasses import replace

import pytest
from small_books import HEADER, cell, write_book

from edition.book import ROOT, book, chosen, parameters_at
from edition.parameters import line_to_run
from edition.yaml_values import read_value

DECLARED = cell("n = 12  # how many\nwidth = 0.5", "parameters")
TEXT = f"# One\n\nWords.\n\n{DECLARED}\nMore words.\n\n{cell('n + 1')}"


@pytest.fixture
def root(tmp_path):
    (tmp_path / "parameters").mkdir()
    return write_book(tmp_path, {"intro": "# Book\n", "linear/one": TEXT})


def test_chapters_come_in_the_order_of_the_contents(root):
    assert list(book(root)) == ["intro", "linear/one"]
    assert [chapter.is_executable() for chapter in book(root).values()] == [False, True]


@pytest.mark.whole
def test_values_in_the_commands_of_the_book_are_allowed():
    texts = [ROOT / "README.md", *(ROOT / "chapters").rglob("*.md")]
    command = re.compile(r"(?:edition run |CHAPTER=)(\S+) (?:PARAMETERS=\")?(-p [^`\"]*)")
    found = [match.groups() for path in texts for match in command.finditer(path.read_text(encoding="utf-8"))]
    assert len(found) >= 5
    for name, given in found:
        words = shlex.split(given)
        values = {words[k + 1]: read_value(*words[k + 1 : k + 3]) for k, word in enumerate(words) if word == "-p"}
        book(ROOT)[name].checked(values)


def test_a_missing_chapter_is_named(root):
    (root / "chapters" / "intro.md").unlink()
    with pytest.raises(ValueError, match=r"chapters/intro\.md"):
        book(root)


@pytest.mark.parametrize("name", ["chapters/../../one", "one", "/chapters/one", 'chapters/a"b', "chapters/a b"])
def test_a_chapter_whose_name_is_no_name_of_a_page_below_the_chapters_is_refused(root, name):
    contents = (root / "_toc.yml").read_text()
    (root / "_toc.yml").write_text(contents.replace("chapters/linear/one", name))
    with pytest.raises(ValueError, match=r"_toc\.yml: expected files below chapters/ named by letters") as told:
        book(root)
    assert repr(name) in str(told.value)


def test_cells_know_their_line(root):
    chapter = book(root)["linear/one"]
    with chapter.path.open("a") as file:
        file.write("\n```{code-cell} ipython3\n:tags: [checks]\n\n\nafter_two_blank_lines = 1\n```\n")
    notebook, lines = chapter.notebook()
    text = chapter.path.read_text().splitlines()
    for each in notebook.cells:
        source = each.source.splitlines()
        assert text[lines[each.id] - 1 :][: len(source)] == source


@pytest.mark.parametrize("name", ["linear/one", "chapters/linear/one", "chapters/linear/one.md", "./linear/one"])
def test_a_chapter_is_found_by_its_name_and_by_its_path(root, name):
    assert chosen(name, book(root)).name == "linear/one"


def test_an_unknown_chapter_brings_the_list_and_the_nearest(root):
    with pytest.raises(ValueError, match=r"did you mean 'linear/one'\? known: intro, linear/one"):
        chosen("liner/one", book(root))


def test_a_part_of_a_name_suggests_the_chapters_that_have_it(root):
    book_with_two = book(root) | {"layers/one-more": book(root)["linear/one"]}
    with pytest.raises(ValueError, match=r"unknown chapter 'one-'; did you mean 'layers/one-more'\? known"):
        chosen("one-", book_with_two)
    with pytest.raises(ValueError, match=r"did you mean 'linear/one' or 'layers/one-more'\? known"):
        chosen("one", book_with_two)


def test_where_code_is_needed_only_chapters_that_have_some_are_chosen_and_listed(root):
    assert chosen("linear/one", book(root), with_code=True).name == "linear/one"
    with pytest.raises(ValueError, match=r"^intro has no code to execute; known: linear/one$"):
        chosen("intro", book(root), with_code=True)


def test_declared_parameters_are_found_and_others_refused(root):
    chapter = book(root)["linear/one"]
    assert {name: each.value for name, each in chapter.parameters().items()} == {"n": 12, "width": 0.5}
    assert chapter.checked({"n": 3}) == {"n": 3}
    with pytest.raises(ValueError, match=r"unknown parameter m; .*known: n, width"):
        chapter.checked({"n": 3, "m": 3})


@pytest.mark.parametrize(
    ("line", "given", "taken"),
    [
        ("n = 12", 1e4, 10000),
        ("n: int = 12  # 1 to 12: layers, x: y", 12.0, 12),
        ("width = 0.5", 2, 2),
        ("rates: list[float] = [0, 1]", [0.5, 1], [0.5, 1]),
        ("mixed = [0, 0.5]", [0, 0.25], [0, 0.25]),
        ("sizes = [1, 2]  # ascending, powers of two: how many", [1e3 + 24], [1024]),
        ("sizes: list[list[int]] = [[1], [2, 3]]  # distinct, each 1 or more: n", [[4, 5]], [[4, 5]]),
        ("free = None", "a", "a"),
        ("data: str = None", None, None),
        ("name = 'a'  # one of a | b c: which", "b c", "b c"),
        ("word = 'a'  # a word: any", "other", "other"),
    ],
)
def test_what_is_allowed_is_taken_with_whole_numbers_as_such(root, line, given, taken):
    rewrite(root, line)
    (name,) = book(root)["linear/one"].parameters()
    assert repr(book(root)["linear/one"].checked({name: given})) == repr({name: taken})


@pytest.mark.parametrize(
    ("line", "given", "expected"),
    [
        *(("n = 12", each, "a whole number") for each in (2.5, None, True, [3], "1o4", float("inf"))),
        *(("width = 0.5", each, "a number") for each in (None, False, "a")),
        ("width: float = 1  # above 0: of it", float("nan"), "a number, above 0"),
        ("n: int = 6  # 1 to 12: layers", 13, "a whole number, 1 to 12"),
        ("n: int = 6  # even, 4 or more: inputs", 7, "a whole number, even, 4 or more"),
        *(("sizes = [1, 2]", each, "a list, each a whole number") for each in ([1, 2.5], [], 3, [None], [[1]])),
        ("sizes: list[int] = [1, 2]  # ascending, each 1 or more: n", [2, 2], "a list, each a whole number, ascending"),
        ("sizes: list[int] = [1, 2]  # 2 or more entries: n", [1], "a list, each a whole number, 2 or more entries"),
        ("sizes = [[1], [2]]  # distinct: n", [[1], [1]], "a list, each a list, each a whole number, distinct"),
        ("name = 'a'  # one of a | b c: which", "b", r"a text, one of a \| b c"),
        ("name = 'a'", 1.0, "a text"),
        ("data: str = None", 3, "a text"),
    ],
)
def test_what_is_not_allowed_is_refused_with_what_is(root, line, given, expected):
    rewrite(root, line)
    (name,) = book(root)["linear/one"].parameters()
    with pytest.raises(ValueError, match=rf"^linear/one: {name}: expected {expected}.*; got .*, here it is"):
        book(root)["linear/one"].checked({name: given})


def test_values_that_make_no_sense_together_are_refused_with_the_reason(root):
    test = 'from operator import lt\n\nassert lt(kappa, n), "kappa below n, so that a direction is free"'
    condition = cell(test, "conditions")
    rewrite(root, "n = 12\nkappa = 5", condition)
    chapter = book(root)["linear/one"]
    assert chapter.checked({"n": 6}) == {"n": 6}
    for given, got in (({"n": 5}, "n = 5, kappa = 5"), ({"n": 3, "kappa": 4}, "n = 3, kappa = 4")):
        with pytest.raises(ValueError, match=f"^linear/one: expected kappa below n, so that .*; got {got}$"):
            chapter.checked(given)


def rewrite(root, parameters, more=""):
    """Give the chapter other parameters, and cells below them."""
    path = root / "chapters" / "linear" / "one.md"
    path.write_text(path.read_text().replace(DECLARED, cell(parameters, "parameters") + "\n" + more))


def test_the_default_scale_sets_nothing_and_others_come_from_their_file(root):
    (root / "parameters" / "quick.yml").write_text("linear/one: {n: 3e0}\n")
    assert parameters_at("default", book(root), root) == {"intro": {}, "linear/one": {}}
    assert parameters_at("quick", book(root), root)["linear/one"] == {"n": 3}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("linear/two: {n: 3}", r"unknown chapter 'linear/two'.*known: intro, linear/one"),
        ("linear/one: {m: 3}", r"unknown parameter m"),
        ("linear/one: 3", r"expected parameter: value"),
        ("linear/one: {n: 3, n: 4}", r"quick\.yml:1: .*n occurs twice"),
    ],
)
def test_a_mistake_in_a_parameter_file_is_named(root, content, message):
    (root / "parameters" / "quick.yml").write_text(content)
    with pytest.raises(ValueError, match=message):
        parameters_at("quick", book(root), root)


def test_an_unknown_scale_is_refused(root):
    with pytest.raises(ValueError, match="known: default, quick"):
        parameters_at("small", book(root), root)


def test_every_number_of_the_book_says_what_is_allowed_and_its_own_value_is(chapters):
    for chapter in chapters.values():
        chapter.checked({name: each.value for name, each in chapter.parameters().items()})
        for each in chapter.parameters().values():
            assert each.allowed or each.type in ("str", "list[str]"), (chapter.name, each)
    assert any(parameters_at("quick", chapters).values())


def test_a_part_is_without_what_the_contents_list_for_it_be_that_there_or_not(root):
    text = TEXT + '\n+++ {"tags": ["whole"]}\n\nOf all.\n\n' + cell("n + 2", "whole")
    (root / "chapters" / "linear" / "one.md").write_text(HEADER + text)
    (root / "chapters" / "intro.md").unlink()
    contents = (root / "_toc.yml").read_text()
    (root / "_toc.yml").write_text(f"{contents}\nmeta: {{parts: {{some: {{chapters: [intro.md]}}}}}}")
    (root / "parameters" / "quick.yml").write_text("intro: {n: 1}\nlinear/one: {n: 2}")
    found = book(root, "some")
    assert parameters_at("quick", found, root) == {"linear/one": {"n": 2}}
    cells = found["linear/one"].notebook()[0].cells
    assert [c.source for c in cells][-1] == "n + 1"
    assert replace(found["linear/one"], whole=True).notebook()[0].cells[-1].source == "n + 2"


def test_an_unknown_part_brings_the_list_and_a_wrong_list_is_refused(root):
    contents = (root / "_toc.yml").read_text()
    (root / "_toc.yml").write_text(f"{contents}\nmeta: {{parts: {{papers: {{chapters: [intro.md]}}}}}}")
    with pytest.raises(ValueError, match=r"^unknown part 'paper'; did you mean 'papers'\? known: all, papers$"):
        book(root, "paper")
    (root / "_toc.yml").write_text(f"{contents}\nmeta: {{parts: {{papers: [intro.md]}}}}")
    with pytest.raises(ValueError, match=r"^_toc\.yml: expected part: \{folder: \[names\]\} below meta: parts"):
        book(root, "papers")


@pytest.mark.parametrize(
    "values", [{}, {"n": 3, "rates": [1e-5, 2.0, -3]}, {"a": ["power law", "it's"], "b": 'a $HOME "b"'}]
)
def test_the_line_that_runs_a_chapter_gives_its_values_back_through_make_and_a_shell(tmp_path, values):
    make = "run:\n\t@python3 -c 'import json, sys; print(json.dumps(sys.argv[1:]))' $(CHAPTER) $(PARAMETERS)\n"
    (tmp_path / "Makefile").write_text(make)
    line = line_to_run("linear/one", values)
    alone = {name: value for name, value in os.environ.items() if "MAKE" not in name}  # not a part of another make
    done = subprocess.run(["sh", "-c", line], cwd=tmp_path, env=alone, capture_output=True, text=True, check=True)
    chapter, *given = json.loads(done.stdout)
    assert chapter == "linear/one"
    assert {name: read_value(name, text) for name, text in zip(given[1::3], given[2::3])} == values
