"""Sliders: at rest an ordinary figure, with the pictures of all values beside it, drawn alike and small."""

import numpy as np
import pytest
from matplotlib import pyplot as plt
from matplotlib.figure import Figure

from capacity_studies import slider
from capacity_studies.notebook import capture
from capacity_studies.notebook.capture import IMAGE
from capacity_studies.notebook.content import drawn
from capacity_studies.notebook.drawing import picture
from edition.verification.chapter_references import agree

VALUES = [0, 0.5, 1]


def draw(value, figsize=(2, 1), limits=(0, 1), panels=1, label=""):
    figure = Figure(figsize=figsize, layout="constrained" if label else None)
    for ax in np.ravel(figure.subplots(1, panels)):
        ax.plot([0, value], [value, 0])
        ax.set(xlim=limits, ylim=(0, 1), ylabel=label, xticks=[], yticks=[])
    return figure


@pytest.fixture
def show(monkeypatch):
    """Return what a slider displays."""
    shown = []
    monkeypatch.setattr("capacity_studies.notebook.slider.display", shown.append)

    def show(label="n", values=VALUES, draw=draw, start=0.5, **options):
        slider(label, values, draw, start=start, **options)
        return shown.pop()._repr_mimebundle_()

    return show


def test_what_is_displayed_is_the_figure_at_rest_with_all_pictures_beside_it(show):
    bundle = show()
    assert bundle[capture.SLIDER]["pictures"] == [picture(draw(value)) for value in VALUES]
    assert bundle[IMAGE] == bundle[capture.SLIDER]["pictures"][1]
    assert bundle[capture.MIME] == drawn(draw(0.5))
    assert capture.PRINT not in bundle
    assert (bundle[capture.SLIDER]["values"], bundle[capture.SLIDER]["start"]) == (VALUES, 1)
    assert bundle[capture.SLIDER]["texts"] == ["0", "0.5", "1"]


def test_it_is_kept_for_print_where_figures_are(show, monkeypatch):
    monkeypatch.setattr(capture, "is_loaded", lambda: True)
    assert show()[capture.PRINT].startswith(b"%PDF")


def test_values_may_be_an_array(show):
    assert show(values=np.array(VALUES), start=np.float64(0.5)) == show()


def test_no_figure_stays_open(show):
    def pyplot(value):
        assert plt.get_fignums() == []
        figure, ax = plt.subplots(figsize=(2, 1))
        ax.set(xlim=(0, 1), ylim=(0, value), yticks=[])
        return figure

    show(values=[1, 2], draw=lambda value: (pyplot(1), value)[0], start=1)
    assert plt.get_fignums() == []


@pytest.mark.parametrize("place", [0, 1, 2])
def test_the_printed_text_tells_a_picture_that_changed_and_not_a_rounding_error(show, place):
    printed = show()["text/plain"]
    assert printed.startswith("slider: n; 3 pictures, at rest 0.5\n0 | ")
    for factor, same in ((1 + 1e-12, True), (0.99, False)):
        changed = [draw(value) for value in VALUES]
        for line in changed[place].axes[0].get_lines():
            x, y = line.get_data()
            line.set_data([x[0] + 1 - factor, x[1]], y * factor)
        assert agree(printed, show(draw=dict(zip(VALUES, changed)).get)["text/plain"]) == same


@pytest.mark.parametrize(
    ("what", "options"),
    [
        ("values", {"values": [1], "start": 1}),
        ("values", {"values": [1, 2, 1], "start": 1}),
        ("values", {"values": [1, None], "start": 1}),
        ("values", {"values": [1, np.inf], "start": 1}),
        ("start", {"start": 0.7}),
        ("texts", {"texts": ["a", "b"]}),
        ("draw: expected a Figure", {"draw": lambda value: draw(value).axes[0]}),
        ("draw: expected pictures of one size", {"draw": lambda value: draw(value, figsize=(2, 1 + value))}),
        ("draw: expected the same limits", {"draw": lambda value: draw(value, limits=(0, 1 + value))}),
        ("draw: expected the same axes", {"draw": lambda value: draw(value, panels=1 + (value == 1))}),
        (
            "draw: expected the axes at one place",
            {"draw": lambda value: draw(value, label="a\n" * (value == 0.5) + "b")},
        ),
        ("label", {"label": " "}),
    ],
)
def test_what_makes_no_slider_is_refused(show, what, options):
    with pytest.raises((TypeError, ValueError), match=what):
        show(**options)


def test_pictures_that_are_too_heavy_for_a_page_are_refused(show, monkeypatch):
    monkeypatch.setattr("capacity_studies.notebook.slider.LARGEST", 2000)
    with pytest.raises(ValueError, match=r"draw: expected at most 2 kB in all, got \d kB in 3 pictures; draw fewer"):
        show()
