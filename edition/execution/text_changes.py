"""Text that changes after a chapter was executed: the results stand as long as the code and the parameters do.

Words, captions and comments can change without the code being executed again. The executed notebook then takes
over the present text, and is the same byte for byte as if it had been executed with it.
"""

import ast
import io
import tokenize

__all__ = ["code", "renew"]

APART = {tokenize.COMMENT, tokenize.NL}


def code(notebook):
    """Return what decides the results of a notebook: its kernel, and the tokens and tags of each code cell."""
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    return [notebook.metadata, [(_tokens(cell.source), cell.metadata.get("tags", [])) for cell in cells]]


def _tokens(source):
    """Return what decides of a source: no comment, but the semicolon that keeps a value from being shown."""
    try:
        ast.parse(source)
    except SyntaxError:
        return source  # for IPython alone, where # may mean something else
    found = tokenize.generate_tokens(io.StringIO(source).readline)
    return ["\n" if token.type == tokenize.NEWLINE else token.string for token in found if token.type not in APART]


def renew(executed, notebook):
    """Give an executed notebook the text of the chapter's present one, which has the same code."""
    cells, results = [], iter(executed.cells)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            former = next(found for found in results if found.cell_type == "code" and not _is_injected(found))
            cell.outputs, cell.execution_count = former.outputs, former.execution_count
        cells.append(cell)
        if "parameters" in cell.metadata.get("tags", []):
            cells += [found for found in executed.cells if _is_injected(found)]
    executed.cells = cells


def _is_injected(cell):
    return "injected-parameters" in cell.metadata.get("tags", [])
