"""A figure that is displayed comes in all the forms that the book keeps."""

import json
from types import SimpleNamespace

import pytest
from IPython.core.formatters import DisplayFormatter
from IPython.core.pylabtools import select_figure_formats
from matplotlib import rc_context
from matplotlib.figure import Figure

from edition.figures.capture import IMAGE, MIME, NARROW, PRINT, is_loaded, load_ipython_extension
from edition.figures.content import drawn
from edition.figures.drawing import as_pdf
from edition.figures.narrow import narrowed


def test_with_the_extension_a_figure_is_data_a_page_to_print_and_a_narrow_image():
    figure = Figure(figsize=(6.3, 2.6), layout="constrained")
    for ax in figure.subplots(1, 2):
        ax.plot([1, 2, 4])
    figure.draw_without_rendering()
    formatter = DisplayFormatter()
    assert not {MIME, NARROW} & set(formatter.formatters)
    load_ipython_extension(SimpleNamespace(display_formatter=formatter))
    found = {kind: formatter.formatters[kind](figure) for kind in (MIME, PRINT, NARROW)}
    assert json.loads(json.dumps(found[MIME])) == json.loads(json.dumps(drawn(figure)))
    assert found[PRINT] == as_pdf(figure)
    assert found[NARROW].startswith("<?xml")
    assert len(found[NARROW]) == len(narrowed(figure))  # but for the names of clip paths, which are drawn by lot


@pytest.fixture
def drawings(monkeypatch):
    """Return a list that grows with each drawing of a figure."""
    draw, drawn = Figure.draw, []
    monkeypatch.setattr(Figure, "draw", lambda figure, renderer: (drawn.append(figure), draw(figure, renderer)))
    return drawn


def test_the_image_has_the_bytes_of_ipython_which_draws_it_twice(drawings):
    images = []
    for extended in (False, True):
        shell = SimpleNamespace(display_formatter=DisplayFormatter())
        if extended:
            load_ipython_extension(shell)
        select_figure_formats(shell, {"svg"}, metadata={"Date": None}, bbox_inches=None)
        figure = Figure(figsize=(6.3, 2.6), layout="constrained")
        figure.subplots().plot([1, 2, 4])
        with rc_context({"svg.hashsalt": "any"}):
            images.append(shell.display_formatter.formatters[IMAGE](figure))
    assert images[0] == images[1]
    assert len(drawings) == 2 + 1


def test_what_is_no_figure_is_displayed_as_without_the_extension():
    formatter = DisplayFormatter()
    load_ipython_extension(SimpleNamespace(display_formatter=formatter))
    assert formatter.formatters[IMAGE](SimpleNamespace(_repr_svg_=lambda: "<svg/>")) == "<svg/>"
    assert formatter.formatters[IMAGE](1) is None
    assert formatter.formatters[IMAGE](Figure()) is None  # nobody asked for this format


def test_where_there_is_no_kernel_the_extension_is_not_loaded():
    assert not is_loaded()
