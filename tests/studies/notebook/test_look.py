"""What is wrong with a figure: each kind once, and a sound one."""

from types import SimpleNamespace

import numpy as np
import pytest
from IPython.core.formatters import DisplayFormatter
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure

from capacity.figures import point_out
from capacity_studies.notebook import live as live_module
from capacity_studies.notebook import slider as slider_module
from capacity_studies.notebook.look import MIME, load_ipython_extension, problems, said


@pytest.fixture
def ax():
    ax = Figure(figsize=(6, 4), layout="constrained").subplots()
    ax.plot([0, 1], [0, 1])
    ax.set(title="a title", xlabel="x", ylabel="y")
    return ax


def point(ax, at):
    ax.annotate(
        "here", at, (0.3, 0.8), textcoords="axes fraction", arrowprops={"arrowstyle": "->"}, annotation_clip=False
    )


def test_a_figure_that_can_be_read_has_no_problems(ax):
    point(ax, (0.5, 0.5))
    ax.text(0.6, 0.2, "words")
    canvas, dpi = ax.figure.canvas, ax.figure.dpi
    assert problems(ax.figure) == []
    assert (ax.figure.canvas, ax.figure.dpi) == (canvas, dpi)


@pytest.mark.parametrize(("reach", "found"), [(0.5, []), (5.0, ["panel 1: nothing is in it"])])
def test_segments_alone_fill_a_panel_if_they_lie_in_it(ax, reach, found):
    ax.lines[0].remove()
    ax.add_collection(LineCollection([[(reach, reach), (2 * reach, reach)]]), autolim=False)
    ax.set(xlim=(0, 1), ylim=(0, 1))
    assert problems(ax.figure) == found


@pytest.mark.parametrize(
    ("spoil", "problem"),
    [
        (lambda ax: ax.set(xlim=(3, 4)), "panel 1: nothing is in it"),
        (lambda ax: ax.lines[0].set_ydata([np.nan, np.nan]), "panel 1: nothing is in it"),
        (lambda ax: ax.lines[0].set_visible(False), "panel 1: nothing is in it"),
        (lambda ax: point(ax, (0.5, 1.5)), "panel 1: 'here' points out of it"),
        (lambda ax: ax.text(0.9, 0.5, "words that are too long").set_in_layout(False), "is cut off"),
        (lambda ax: [ax.text(0.2, 0.6, words) for words in ("one", "two")], "'one' and 'two' cover each other"),
        (lambda ax: (ax.set_title(""), ax.set_title("a long title " * 9, loc="left")), "is cut off"),
        (
            lambda ax: [ax.plot([0.7] * 9, np.linspace(0.1, 0.4, 9), label="it"), ax.legend(loc=(0.65, 0.2))],
            "covers 'it'",
        ),
        (lambda ax: ax.set_xticks([0.5, 0.51], ["first", "second"]), "'first' and 'second' cover each other"),
    ],
)
def test_what_cannot_be_read_is_told(ax, spoil, problem):
    spoil(ax)
    (found,) = problems(ax.figure)
    assert problem in found


def test_labels_of_ticks_outside_the_limits_are_not_seen(ax):
    ax.set_xticks([0.5, 7.0, 7.01], ["in", "out", "away"])
    ax.set_xlim(0, 1)
    assert problems(ax.figure) == []


def test_words_say_something_of_what_is_drawn_if_they_have_a_number_a_verdict_or_an_arrow_and_no_check():
    ax = Figure().subplots()
    ax.plot([0, 1], [0, 1], label="8 channels")
    ax.legend()
    ax.set_title("full at 4", loc="left")
    for x, words in ((0.2, "0.35"), (0.4, "$y_1$"), (0.6, "by $w_1$, eq. 14"), (0.8, "nearly full")):
        ax.text(x, 0.5, words)
    point_out(ax, "a peak", (0.5, 0.5), (0.2, 0.8))
    for when in (True, False):
        point_out(ax, "full at 8", (0.5, 0.5), (0.8, 0.2), when=when)
    assert said(ax.figure) == ["8 channels", "a peak", "full at 4", "nearly full"]


def test_what_a_reader_moves_is_looked_at_in_all_its_pictures(monkeypatch):
    shown = []
    for module in (live_module, slider_module):
        monkeypatch.setattr(module, "display", shown.append)
    shell = SimpleNamespace(display_formatter=DisplayFormatter())
    load_ipython_extension(shell)

    def draw(value):
        ax = Figure().subplots()
        if value:
            ax.plot([0, value])
        ax.set(xlim=(0, 1), ylim=(0, 2), title=f"{value} in all")
        return ax.figure

    slider_module.slider("value", [2, 0, 1], draw, start=2)
    live_module.live(draw(0), "jars")
    moved, still = (shell.display_formatter.format(each)[0][MIME] for each in shown)
    assert moved["problems"] == still["problems"] == ["panel 1: nothing is in it"]
    assert moved["said"] == ["0 in all", "1 in all", "2 in all"]
    assert len(set(moved["data"].split())) == 3
    assert still["data"] == moved["data"].split()[1]
