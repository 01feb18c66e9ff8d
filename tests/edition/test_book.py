"""Chapters, their parameters, and the errors of people who mistype them."""

import pytest
from small_books import cell, write_book

from edition.book import book, chosen, parameters_at

TEXT = (
    "# One\n\nWords.\n\n" + cell("n = 12  # how many\nwidth = 0.5", "parameters") + "\nMore words.\n\n" + cell("n + 1")
)


@pytest.fixture
def root(tmp_path):
    (tmp_path / "parameters").mkdir()
    return write_book(tmp_path, {"intro": "# Book\n", "linear/one": TEXT})


def test_chapters_come_in_the_order_of_the_contents(root):
    assert list(book(root)) == ["intro", "linear/one"]
    assert [chapter.is_executable() for chapter in book(root).values()] == [False, True]


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
    notebook, lines = chapter.notebook()
    text = chapter.path.read_text().splitlines()
    assert all(text[lines[c.id] - 1] == c.source.splitlines()[0] for c in notebook.cells)


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
    assert chapter.parameters() == {"n": "12", "width": "0.5"}
    assert chapter.checked({"n": 3}) == {"n": 3}
    with pytest.raises(ValueError, match=r"unknown parameter m; .*known: n, width"):
        chapter.checked({"n": 3, "m": 3})


def test_a_number_is_whole_where_the_chapters_own_is_and_no_text(root):
    chapter = root / "chapters" / "linear" / "one.md"
    chapter.write_text(
        chapter.read_text().replace("width = 0.5", "width = 0.5\nsizes = [1, 2]\nname = 'a'\nfree = None")
    )
    checked = book(root)["linear/one"].checked
    given = {"n": 1e4, "width": 2.0, "sizes": [1e3, 2.5], "name": 1.0, "free": "a"}
    assert repr(checked(given)) == repr(given | {"n": 10000, "sizes": [1000, 2.5]})
    for name, value in (("n", "1o4"), ("width", "a"), ("sizes", [1, "a"])):
        with pytest.raises(ValueError, match=f"linear/one: {name}: expected a number, such as the chapter's own"):
            checked({name: value})


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
