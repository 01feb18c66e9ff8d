"""Text that changes after a chapter was executed: the results stand as long as the code and the parameters do.

Words and captions can change without the code being executed again. The executed notebook then takes
over the present text, and is the same byte for byte as if it had been executed with it.
"""

__all__ = ["code", "renew"]


def code(notebook):
    """Return what decides the results of a notebook: its kernel, and the source and tags of each code cell."""
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    return [notebook.metadata, [(cell.source, cell.metadata.get("tags", [])) for cell in cells]]


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
