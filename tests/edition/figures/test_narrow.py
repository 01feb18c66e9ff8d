"""Figures for phones: narrow, stacked, nothing on top of anything, and the figure itself untouched."""

import re
from io import BytesIO, StringIO

import numpy as np
import pytest
from matplotlib import pyplot as plt
from matplotlib.figure import Figure

from capacity.figures import use_style
from edition.figures.narrow import WIDTHS, narrowed


@pytest.fixture(autouse=True)
def _style():
    with plt.rc_context():
        use_style()
        yield
    plt.close("all")


def panels(rows=1, columns=2, *, width=6.3, **shared):
    """Panels whose title says their place."""
    figure, axes = plt.subplots(rows, columns, figsize=(width, 2.4 * rows), squeeze=False, **shared)
    for (row, column), ax in np.ndenumerate(axes):
        ax.plot([1, 2, 3], [row, column, 2], label="a line of some length")
        ax.set_title(f"panel {row} {column}")
        ax.set(xlabel="abscissa", ylabel="ordinate")
        ax.label_outer()
    return figure


def size(svg):
    return [float(value) / 72 for value in re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', svg).groups()]


def words(svg):
    """The texts of a figure in the order in which they are drawn, with the places of each."""
    found = re.findall(r"<!-- (.*?) -->\s*<g [^>]*translate\(([\d.]+) ([\d.]+)\)", svg)
    return [(text, float(x), float(y)) for text, x, y in found]


def saved(figure, kind):
    file = BytesIO() if kind == "pdf" else StringIO()
    figure.savefig(file, format=kind, metadata={"Date": None} if kind == "svg" else {"CreationDate": None})
    return file.getvalue()


def test_panels_side_by_side_are_one_below_the_other_row_by_row():
    figure = panels(2, 2)
    svg = narrowed(figure)
    places = {text: (x, y) for text, x, y in words(svg) if text.startswith("panel")}
    assert size(svg)[0] == pytest.approx(WIDTHS[0], abs=0.01)
    heights = [places[f"panel {row} {column}"][1] for row in (0, 1) for column in (0, 1)]
    assert heights == sorted(heights)
    assert len({x for x, _ in places.values()}) == 1
    assert size(svg)[1] == pytest.approx(2 * figure.get_size_inches()[1], rel=0.1)


def test_a_panel_that_stands_alone_has_the_labels_that_it_shared():
    drawn = [text for text, _, _ in words(narrowed(panels(2, 2, sharex=True, sharey=True)))]
    assert drawn.count("ordinate") == drawn.count("abscissa") == 4


def test_labels_that_are_added_take_nothing_from_the_panels():
    shared, own = (size(narrowed(panels(2, 2, sharex=share)))[1] for share in ("col", False))
    assert shared - own == pytest.approx(4 * 0.3, abs=0.01)


def test_twins_stay_together():
    figure = panels(1, 2)
    figure.axes[0].twinx().set_ylabel("other ordinate")
    figure.axes[1].twinx()
    assert size(narrowed(figure))[1] == pytest.approx(4.8, rel=0.1)


def test_panels_of_equal_scales_stay_in_pairs():
    figure, axes = plt.subplots(1, 4, figsize=(6.3, 2))
    for ax in axes:
        ax.imshow(np.eye(3))
        ax.set_title("map")
        ax.set(xticks=[], yticks=[])
    lefts = [x for text, x, _ in words(narrowed(figure)) if text == "map"]
    assert len({round(x) for x in lefts}) == 2


def test_panels_that_do_not_become_narrower_stay_in_pairs():
    drawn = words(narrowed(panels(1, 4, width=6.9)))
    places = {text: (x, y) for text, x, y in drawn if text.startswith("panel")}
    assert places["panel 0 0"][0] == places["panel 0 2"][0] < places["panel 0 1"][0]
    assert places["panel 0 0"][1] == places["panel 0 1"][1] < places["panel 0 2"][1]


def test_pairs_that_have_no_room_are_one_below_the_other():
    figure, axes = plt.subplots(1, 2, figsize=(6.3, 3.4), subplot_kw={"aspect": "equal"})
    for ax, title in zip(axes, ("left", "right")):
        ax.set_title(title)
        ax.plot([0, 1], label="a name that has the width of a phone")
        ax.legend(loc="lower left", bbox_to_anchor=(0, 1.1))
    places = {text: y for text, _, y in words(narrowed(figure)) if text in ("left", "right")}
    assert places["left"] < places["right"]


def test_text_is_measured_as_it_is_drawn_and_words_without_their_arrows():
    figure = panels(1, 1)
    figure.axes[0].set_title("")
    figure.supxlabel("i" * 122, size=9)  # whole pixels per letter would make it wider than it is drawn
    arrow = {"arrowprops": {"arrowstyle": "->"}, "textcoords": "axes fraction"}
    figure.axes[0].annotate("above", (3, 0.2), (0.1, 0.9), **arrow)
    figure.axes[0].annotate("below", (3, 1.9), (0.1, 0.1), **arrow)
    assert narrowed(figure) is not None


def test_a_legend_that_is_too_wide_takes_more_rows():
    figure = panels(1, 2)
    handles = [*figure.axes[0].lines] * 4
    figure.legend(handles=handles, loc="outside upper center", ncols=4)
    entries = [(x, y) for text, x, y in words(narrowed(figure)) if text == "a line of some length"]
    assert len(entries) == 4
    assert len({x for x, _ in entries}) < 4


def test_a_long_title_is_broken():
    figure = panels(1, 2, width=9)
    figure.axes[0].set_title("a title that is far too long for a phone, but fitted on the wide sheet")
    assert narrowed(figure) is not None


def test_what_is_narrow_or_cannot_be_narrow_has_no_other_layout():
    assert narrowed(panels(width=WIDTHS[-1])) is None
    crowded = panels(1, 1)
    crowded.axes[0].set_xticks(np.linspace(1, 3, 30), [f"label {i}" for i in range(30)])
    assert narrowed(crowded) is None
    nested = plt.figure(figsize=(6, 3))
    for part in nested.subfigures(1, 2):
        part.subplots()
    assert narrowed(nested) is None
    free = panels()
    free.add_axes((0.8, 0.8, 0.1, 0.1))
    assert narrowed(free) is None


def test_the_figure_itself_is_left_as_it_is():
    figures = [panels(sharey="row"), panels(sharey="row")]
    for figure in figures:
        figure.legend(handles=[*figure.axes[0].lines] * 4, loc="outside upper center", ncols=4)
    numbers = plt.get_fignums()
    assert narrowed(figures[0]) == narrowed(figures[0])
    assert plt.get_fignums() == numbers
    for kind in ("svg", "pdf"):
        first, second = (saved(figure, kind) for figure in figures)
        assert first == second


def test_a_figure_for_which_matplotlib_finds_no_narrow_layout_has_none():
    figure = Figure(figsize=(6.3, 2.1), layout="constrained")
    for ax in figure.subplots(1, 2):
        ax.bar_label(ax.bar([1], [1]), ["a label"], label_type="center")
    assert narrowed(figure) is None
