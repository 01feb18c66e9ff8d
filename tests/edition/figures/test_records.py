"""The figures: every one is described, its drawn data are what is drawn, and its record tells where it comes from."""

import csv
import json
import re
from io import StringIO

import nbformat
import pytest
from small_books import cell, write_book

from capacity_studies.notebook import capture as drawing
from edition.book import book
from edition.claims.labels import place_in_paper
from edition.execution.all_chapters import execute
from edition.figures.records import collect, described

LINES = """---
varies: its end
mystnb: {figure: {name: linear-fig-5, caption: "**Two points**. A line."}, image: {alt: A rising line.}}
---
from matplotlib import pyplot as plt
from capacity import figures
figures.use_style()
fig, ax = plt.subplots()
ax.plot([1, 2], [3, n], label="a line")
plt.show()"""


@pytest.fixture(scope="module")
def figures(chapters):
    """The cell of each figure of the book, with its place."""
    return [
        (cell, f"{name}:{cell.id}")
        for name, chapter in chapters.items()
        for cell in chapter.notebook()[0].cells
        if "figure" in cell.metadata.get("mystnb", {})
    ]


def test_every_figure_of_the_book_has_a_name_a_caption_and_another_text_for_those_who_cannot_see_it(figures):
    assert len(figures) > 50
    for code, place in figures:
        described(code, place)


def test_every_caption_begins_with_a_title_of_a_few_words_and_then_says_which_figure_of_a_paper_it_is(figures):
    for code, place in figures:
        found = described(code, place)
        source = place_in_paper(found["name"]) or ""
        if found["name"].startswith("geometry-") and "-own-" not in found["name"]:
            source = "the slides"  # whose figures have no numbers
        where = f" ({source[0].upper()}{source[1:]})" if "Figure" in source or "slides" in source else ""
        assert re.match(rf"\*\*[^*]+\*\*{re.escape(where)}\. \S", found["caption"]), place
        assert 2 <= len(found["title"].split()) <= 8, place


def test_no_two_figures_of_the_book_have_the_same_name(figures):
    names = [code.metadata["mystnb"]["figure"]["name"] for code, _ in figures]
    assert sorted({name for name in names if names.count(name) > 1}) == []


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"figure": {"name": "a", "caption": "Words."}}, "no alt"),
        ({"figure": {"caption": "Words."}, "image": {"alt": "A dot."}}, "no name"),
        ({"figure": {"name": "a", "caption": " \n"}, "image": {"alt": "A dot."}}, "no caption"),
        ({"figure": {"name": "a", "caption": "Words."}, "image": {"alt": "A dot."}}, "no title"),
        ({"figure": {"name": "a", "caption": "A\ndot."}, "image": {"alt": "A dot."}}, "repeats"),
        ({"figure": {"name": "a", "caption": "Words.", "varies": "x"}, "image": {"alt": "A dot."}}, "got varies too"),
        ({}, "no name and no caption and no alt"),
        *(
            ({"figure": {"name": name, "caption": "**A dot**."}, "image": {"alt": "A dot."}}, "words joined by hyphens")
            for name in ("../../a", "/a", "a/b", "a b", 'a"onload="b', "a<b", "A")
        ),
    ],
)
def test_a_figure_without_description_is_refused_with_its_place(options, message):
    with pytest.raises(ValueError, match=f"one.md:3.*{message}"):
        described(nbformat.v4.new_code_cell("", metadata={"mystnb": options}), "one.md:3")


def _claim(id, cell, chapter="linear/one"):
    return {"id": id, "verdict": "holds", "link": id, "chapter": chapter, "cell": cell}


@pytest.fixture(scope="module")
def collected(tmp_path_factory):
    text = "# One\n\n" + cell("n = 4\nseed = 1", "parameters") + "\n" + cell(LINES)
    root = write_book(tmp_path_factory.mktemp("book"), {"linear/one": text})
    chapter = book(root)["linear/one"]
    notebook = nbformat.read(execute(chapter, {"n": 5}, root / "one.ipynb"), as_version=4)
    claims = [_claim(id, "one-9") for id in ("linear/fig-5", "linear/fig-5/a", "linear/fig-50")]
    records, files = collect({"linear/one": notebook}, {"linear/one": chapter}, claims)
    return root, notebook, records, files


def test_a_record_says_where_the_figure_comes_from(collected):
    root, _, (record,), _ = collected
    text = (root / "chapters" / "linear" / "one.md").read_text().splitlines()
    assert text[record["line"] - 1] == "from matplotlib import pyplot as plt"
    assert (record["parameters"], record["seed"]) == ({"n": "5", "seed": "1"}, "1")
    assert [claim["id"] for claim in record["claims"]] == ["linear/fig-5", "linear/fig-5/a"]
    assert record["link"] == "chapters/linear/one.html#linear-fig-5"
    assert record["again"] == 'make run CHAPTER=linear/one PARAMETERS="-p n 5"'


def test_the_drawn_data_are_collected_as_a_file_and_leave_the_notebook(collected):
    _, notebook, (record,), files = collected
    (axes,) = json.loads(files[record["data"]])["axes"]
    assert axes["artists"] == [{"kind": "line", "label": "a line", "data": "xy", "x": [1.0, 2.0], "y": [3.0, 5.0]}]
    assert list(csv.DictReader(StringIO(files[record["table"]].decode())))[1]["y"] == "5.0"
    assert b"<svg" in files[record["image"]]
    kept = {kind for c in notebook.cells for output in c.get("outputs", []) for kind in output.get("data", {})}
    assert "image/svg+xml" in kept
    assert drawing.MIME not in kept
    assert record["size"] == [604.8, 249.6]


def test_the_image_for_print_is_the_same_each_time(collected, tmp_path):
    root, _, (record,), files = collected
    assert files[record["print"]].startswith(b"%PDF")
    again = nbformat.read(execute(book(root)["linear/one"], {"n": 5}, tmp_path / "one.ipynb"), as_version=4)
    _, repeated = collect({"linear/one": again}, book(root))
    assert repeated == files


def test_plot_functions_are_listed_in_the_order_of_their_calls(chapters):
    source = "figures.plot_totals(ax)\nlines = plot_allocation(ax)\nfigures.plot_totals(ax)"
    shown = nbformat.v4.new_output("display_data", {"image/svg+xml": "<svg/>"})
    options = {"figure": {"name": "a", "caption": "**A title**. Words."}, "image": {"alt": "A dot."}}
    code = nbformat.v4.new_code_cell(source, outputs=[shown], metadata={"mystnb": options})
    records, _ = collect({"intro": nbformat.v4.new_notebook(cells=[code])}, chapters)
    assert records[0]["functions"] == ["plot_totals", "plot_allocation"]
    assert records[0]["claims"] == []
    code.outputs.append(shown)
    with pytest.raises(ValueError, match="expected one figure, got 2"):
        collect({"intro": nbformat.v4.new_notebook(cells=[code])}, chapters)


def test_the_pictures_of_a_slider_become_files_and_leave_the_notebook(chapters):
    content = {"label": "n", "values": [1, 2], "texts": ["1", "2"], "start": 1, "pictures": ["<svg>1</svg>", "<svg/>"]}
    code = _figure("own-a", "figure")
    code.outputs[0].data[drawing.SLIDER] = content
    (record,), files = collect({"intro": nbformat.v4.new_notebook(cells=[code])}, chapters)
    assert record["slider"]["pictures"] == ["figures/own-a/0.svg", "figures/own-a/1.svg"]
    assert [files[path] for path in record["slider"]["pictures"]] == [b"<svg>1</svg>", b"<svg/>"]
    assert {key: record["slider"][key] for key in ("label", "start")} == {"label": "n", "start": 1}
    assert code.outputs[0].data.keys() == {"image/svg+xml"}


def _figure(name, id):
    shown = nbformat.v4.new_output("display_data", {"image/svg+xml": "<svg/>"})
    options = {"figure": {"name": name, "caption": "**A title**. Words."}, "image": {"alt": "A dot."}}
    return nbformat.v4.new_code_cell("", id=id, outputs=[shown], metadata={"mystnb": options})


@pytest.mark.parametrize(
    ("cells", "found"),
    [
        ("before figure reading after", ["reading", "after"]),
        ("before figure heading after", ["before"]),
        ("before heading figure other after", ["other", "after"]),
        ("before heading figure", []),
        ("figure", []),
    ],
)
def test_a_figure_that_no_claim_is_named_after_has_those_that_read_it(cells, found, chapters):
    made = {"figure": _figure("linear-own-a", "figure"), "other": _figure("linear-own-b", "other")}
    made["heading"] = nbformat.v4.new_markdown_cell("Words.\n\n## A heading")
    made |= {id: nbformat.v4.new_code_cell("", id=id) for id in ("before", "reading", "after")}
    notebook = nbformat.v4.new_notebook(cells=[made[id] for id in cells.split()])
    claims = [_claim(f"linear/{id}", id, "intro") for id in cells.split()]
    claims += [_claim("linear/elsewhere", "after", "linear/one")]
    records, _ = collect({"intro": notebook}, chapters, claims)
    (record,) = [record for record in records if record["name"] == "linear-own-a"]
    assert record["claims"] == [{"id": f"linear/{id}", "verdict": "holds", "link": f"linear/{id}"} for id in found]
