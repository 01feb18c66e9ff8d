"""A figure that is displayed comes in all the forms that the book keeps."""

import json
from types import SimpleNamespace

from IPython.core.formatters import DisplayFormatter
from matplotlib.figure import Figure

from capacity_studies.notebook.capture import MIME, PRINT, is_loaded, load_ipython_extension
from capacity_studies.notebook.content import drawn
from capacity_studies.notebook.drawing import as_pdf


def test_with_the_extension_a_figure_is_data_and_a_page_to_print():
    figure = Figure(figsize=(6.3, 2.6), layout="constrained")
    for ax in figure.subplots(1, 2):
        ax.plot([1, 2, 4])
    figure.draw_without_rendering()
    formatter = DisplayFormatter()
    assert MIME not in formatter.formatters
    load_ipython_extension(SimpleNamespace(display_formatter=formatter))
    found = {kind: formatter.formatters[kind](figure) for kind in (MIME, PRINT)}
    assert json.loads(json.dumps(found[MIME])) == json.loads(json.dumps(drawn(figure)))
    assert found[PRINT] == as_pdf(figure)


def test_where_there_is_no_kernel_the_extension_is_not_loaded():
    assert not is_loaded()
