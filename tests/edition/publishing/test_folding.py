"""Folding: the code behind claims and figures is kept back; the parameters of a run say what they are."""

import nbformat
import pytest

from capacity_studies.notebook.check import MIME
from edition.publishing.folding import IN_SIGHT, INJECTED, fold


def folded(source, *kinds, tags=()):
    outputs = [nbformat.v4.new_output("display_data", data={kind: ""}) for kind in kinds]
    metadata = {"tags": list(tags)} if tags else {}
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source, outputs=outputs, metadata=metadata)])
    fold(notebook)
    return notebook.cells[0]


@pytest.mark.parametrize(
    ("kinds", "hidden"),
    [
        (["image/svg+xml"], True),
        ([MIME, "text/html"], True),
        (["text/html"], False),
        ([], True),
        (["application/papermill.record/text/plain"], True),
    ],
)
def test_the_code_of_claims_and_figures_and_what_shows_nothing_is_folded_and_other_code_is_not(kinds, hidden):
    assert ("hide-input" in folded("a = 1", *kinds).metadata.get("tags", [])) == hidden


def test_long_cells_are_folded_and_say_how_long_they_are_unless_the_chapter_keeps_them_open():
    long = "\n".join(f"a{i} = {i}" for i in range(IN_SIGHT + 1))
    assert "tags" not in folded(long.rpartition("\n")[0], "text/plain").metadata
    assert folded(long, "text/plain").metadata["tags"] == ["hide-input"]
    assert folded(long).metadata["mystnb"]["code_prompt_show"] == f"Show the code, {IN_SIGHT + 1} lines"
    assert folded("a = 1").metadata["mystnb"]["code_prompt_show"] == "Show the code, one line"
    assert folded(long, tags=["show-input"]).metadata["tags"] == ["show-input"]
    assert folded(long, tags=["parameters"]).metadata["tags"] == ["parameters"]


def test_what_a_cell_prints_keeps_its_code_in_sight():
    printed = nbformat.v4.new_output("stream", text="1")
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("print(1)", outputs=[printed])])
    fold(notebook)
    assert "tags" not in notebook.cells[0].metadata


def test_a_cell_that_is_folded_already_gets_no_second_tag():
    assert folded("a = 1", "image/svg+xml", tags=["hide-input"]).metadata["tags"] == ["hide-input"]


def test_the_parameters_of_a_run_say_that_they_replace_those_above():
    assert folded("# Parameters\nn = 3\n", tags=["injected-parameters"]).source == f"{INJECTED}\nn = 3\n"
    assert folded("# Parameters\nn = 3\n", tags=["parameters"]).source == "# Parameters\nn = 3\n"
