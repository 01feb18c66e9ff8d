"""A figure is written as savefig writes it, and is left as it was."""

import re
from io import BytesIO

import numpy as np
import pytest
from matplotlib import rc_context
from matplotlib.figure import Figure

from capacity_studies.notebook.drawing import as_pdf, as_svg, picture


def figure(layout, panels=2):
    """Return a figure of lines, formulas, an image and a legend that looks for its place."""
    figure = Figure(figsize=(6, 2), layout=layout, dpi=100)
    for index, ax in enumerate(figure.subplots(1, panels)):
        ax.plot(np.arange(20.0) ** (index + 1), label=rf"$\kappa_{index}$")
        ax.imshow(np.eye(3), extent=(2, 4, 1, 10), aspect="auto")
        ax.set(yscale="log", title="Panel", xlabel="lag $n$")
        ax.legend()
    figure.suptitle("both")
    return figure


def saved(figure, kind, **metadata):
    file = BytesIO()
    figure.savefig(file, format=kind, metadata=metadata)
    return file.getvalue()


@pytest.mark.parametrize("layout", ["constrained", "tight", "none"])
def test_an_svg_and_a_pdf_have_the_bytes_of_savefig(layout):
    with rc_context({"svg.hashsalt": "any"}):
        assert as_svg(figure(layout)).encode() == saved(figure(layout), "svg", Date=None)
    figures = figure(layout), figure(layout)
    for each in figures:
        each.draw_without_rendering()
    expected = figures[1]
    expected.set_layout_engine("none")
    assert as_pdf(figures[0]) == saved(expected, "pdf", CreationDate=None)


def test_print_has_the_layout_of_the_figure_that_was_drawn():
    drawn = figure("constrained")
    drawn.draw_without_rendering()
    places = [ax.get_position().bounds for ax in drawn.axes]
    drawn.axes[0].set_ylabel("a label that asks for room")
    as_pdf(drawn)
    assert [ax.get_position().bounds for ax in drawn.axes] == places


@pytest.mark.parametrize("write", [as_svg, as_pdf])
def test_a_figure_that_is_written_keeps_its_canvas_its_resolution_and_its_layout(write):
    written = figure("constrained")
    before = written.canvas, written.dpi, written.get_layout_engine(), tuple(written.get_size_inches())
    with rc_context({"svg.hashsalt": "any"}):
        assert write(written) == write(written)
    assert (written.canvas, written.dpi, written.get_layout_engine(), tuple(written.get_size_inches())) == before


def test_a_picture_is_the_figure_with_its_coordinates_to_a_hundredth_of_a_point():
    drawn = figure("constrained")
    whole, short = saved(drawn, "svg").decode(), picture(drawn)
    pairs = zip(*([n for d in re.findall(r' d="([^"]*)"', text) for n in numbers(d)] for text in (whole, short)))
    gaps = [abs(a - b) for a, b in pairs]
    assert len(gaps) > 50
    assert 0 < max(gaps) <= 0.005 + 1e-9
    assert whole.count("<path") == short.count("<path")
    assert whole.count("<use") == short.count("<use")
    assert len(short) < 0.85 * len(whole)
    assert picture(drawn) == short


def numbers(text):
    return [float(number) for number in re.findall(r"-?\d+(?:\.\d+)?", text)]
