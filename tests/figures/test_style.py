"""The look of the figures."""

from importlib import resources
from io import BytesIO

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib import pyplot as plt
from matplotlib.colors import rgb_to_hsv, to_hex, to_rgb
from matplotlib.figure import Figure
from numpy.testing import assert_allclose

from capacity.figures import (
    COLORS,
    PALETTE,
    SHADES,
    direct_labels,
    lag_axis,
    layer_colors,
    plot_allocation,
    point_out,
    tints,
)
from capacity.figures.style import _as_svg, log_channel_axis, readable


def test_categories_never_have_the_colour_of_capacity():
    assert COLORS["capacity"] not in PALETTE
    assert COLORS["capacity"] == to_hex(SHADES["capacity"](2 / 3)) == tints("capacity", 1)[0]


def _lab(linear):
    """Return CIE L*a*b* of linear RGB, white D65."""
    xyz = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]) @ linear
    x, y, z = (t ** (1 / 3) if t > 0.008856 else 7.787 * t + 16 / 116 for t in xyz / [0.9505, 1.0, 1.089])
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


@pytest.mark.parametrize(
    "eyes",
    [  # what remains of linear RGB; Machado, Oliveira and Fernandes 2009, Table 1, severity 1
        np.eye(3),
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
    ],
    ids=["all colours", "no red", "no green", "no blue"],
)
def test_no_category_comes_near_the_colour_of_capacity_for_any_eyes(eyes):
    def seen(color):
        rgb = np.array(to_rgb(color))
        linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
        return _lab(np.clip(eyes @ linear, 0, 1))

    distances = [np.linalg.norm(seen(color) - seen(COLORS["capacity"])) for color in PALETTE]
    assert min(distances) > 30


def test_capacities_without_colours_of_their_own_are_drawn_in_tints_of_one(ax):
    lines = plot_allocation(ax, {"a": np.zeros(8), 2: np.ones(8), "b": np.ones(8)})
    hues = [rgb_to_hsv(to_rgb(line.get_color()))[0] for line in lines]
    assert_allclose(hues, rgb_to_hsv(to_rgb(COLORS["capacity"]))[0], atol=0.02)


@pytest.mark.parametrize("color", ["black", "#de8f05", "#ece133", *layer_colors(8)])
def test_readable_colours_have_the_contrast_that_is_asked_for(color):
    red, green, blue = ((v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4) for v in to_rgb(readable(color)))
    assert 1.05 / (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05) >= 4.5


def test_direct_labels_do_not_overlap(ax):
    lines = [ax.plot([0, 1], [0, height], label=f"{height}")[0] for height in (1.0, 1.01, 1.02)]
    direct_labels(ax, lines, spacing=0.1)
    heights = sorted(text.xy[1] for text in ax.texts)
    assert {text.get_text() for text in ax.texts} == {"1.0", "1.01", "1.02"}
    assert np.allclose(np.diff(heights), 0.1)
    middle = (ax.transData + ax.transAxes.inverted()).transform((1, 1.01))[1]
    assert heights[1] == pytest.approx(middle)  # none goes further than it must


def test_lags_run_to_the_right_down_to_one(ax):
    lag_axis(ax, 64)
    assert [label.get_text() for label in ax.get_xticklabels()] == ["1", "16", "32", "48", "64"]
    assert list(ax.get_xticks()) == [63, 48, 32, 16, 0]


def test_the_palette_is_that_of_the_style_file():
    style = mpl.rc_params_from_file(resources.files("capacity.figures") / "edition.mplstyle")
    assert style["axes.prop_cycle"].by_key()["color"] == PALETTE


@pytest.mark.parametrize("channels", [[1, 2, 4, 8, 16, 32, 64, 128, 256], [*range(1, 11), 300], [1, 2, 8, 9, 10], [3]])
def test_ticks_stand_a_sixth_of_the_axis_apart_with_the_largest(ax, channels):
    log_channel_axis(ax, np.array(channels))
    shown = ax.get_xticks()
    assert [label.get_text() for label in ax.get_xticklabels()] == [f"{number:g}" for number in shown]
    assert max(shown) == channels[-1]
    assert np.all(6 * np.abs(np.diff(np.log(shown))) >= np.log(channels[-1] / channels[0]) - 1e-9)


def test_words_can_be_read_where_a_curve_lies_below_them(ax):
    ground = point_out(ax, "here", (0.5, 0.5), (0.5, 0.9)).get_bbox_patch()
    assert ground.get_facecolor() == (1, 1, 1, 0.6)


def test_words_that_the_data_contradict_are_not_written(ax):
    assert point_out(ax, "full", (4, 10), (0.5, 0.9), when=False) is None
    assert not ax.texts


@pytest.mark.usefixtures("ax")
def test_a_notebook_draws_a_figure_once_and_shows_what_savefig_writes(monkeypatch):
    drawings, draw, file = [], Figure.draw, BytesIO()
    monkeypatch.setattr(Figure, "draw", lambda *args: (drawings.append(args), draw(*args)))
    for _ in range(2):
        fig, ax = plt.subplots()
        ax.plot([1, 10], [1, 100])
        ax.set(xscale="log", yscale="log", title="one $x$")
    shown, canvas = _as_svg(plt.figure(fig.number - 1)), fig.canvas
    assert len(drawings) == 1
    fig.canvas.print_figure(file, format="svg", metadata={"Date": None})
    assert len(drawings) == 3
    assert shown == file.getvalue().decode()
    _as_svg(fig)
    assert (fig.canvas, fig.dpi) == (canvas, 100)
