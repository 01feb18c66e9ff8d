"""New words for an executed notebook: its results stay where the code that made them is."""

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from edition.execution.text_changes import code, renew


def words(id, text="Words."):
    return new_markdown_cell(text, id=id)


def declared(id):
    return new_code_cell("n = 2", id=id, metadata={"tags": ["parameters"]})


def prints(id, source="print(n)", tags=("a",), **results):
    return new_code_cell(source, id=id, metadata={"tags": [*tags]}, **results)


def test_results_stay_and_words_change():
    results = {"outputs": [new_output("stream", name="stdout", text="3\n")], "execution_count": 3}
    injected = new_code_cell("n = 3", id="one-parameters", metadata={"tags": ["injected-parameters"]})
    executed = new_notebook(cells=[words("one-1"), declared("one-2"), injected, prints("one-3", **results)])
    present = [words("one-1"), words("one-2", "More."), declared("one-3"), prints("one-4")]
    renew(executed, new_notebook(cells=present))
    assert [cell.id for cell in executed.cells] == ["one-1", "one-2", "one-3", "one-parameters", "one-4"]
    assert {name: executed.cells[-1][name] for name in results} == results


@pytest.mark.parametrize(
    ("cells", "same"),
    [
        ([words("one-1", "Others."), prints("one-2")], True),
        ([prints("one-1")], True),
        ([prints("one-1", "# Words.\nprint(\n    n  # words\n)  # words\n\n# Words.")], True),
        ([prints("one-1", "print(n);")], False),
        ([prints("one-1", "print('# n')")], False),
        ([prints("one-1", "print(n + 1)")], False),
        ([prints("one-1", tags=("a", "hide-input"))], False),
    ],
)
def test_the_code_of_a_notebook_is_its_sources_and_tags_without_its_words_and_comments(cells, same):
    notebook = new_notebook(cells=[words("one-1"), prints("one-2")])
    assert (code(new_notebook(cells=cells)) == code(notebook)) == same


def test_an_indentation_counts():
    sources = "if n:\n    a()\n    b()", "if n:\n    a()\nb()"
    assert len({str(code(new_notebook(cells=[prints("one", source)]))) for source in sources}) == 2


def test_what_only_ipython_can_read_counts_as_it_stands():
    sources = "!ls a#b", "!ls a#c", "!ls a"
    assert len({str(code(new_notebook(cells=[prints("one", source)]))) for source in sources}) == 3
