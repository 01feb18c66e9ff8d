"""Figures for the dark mode: legible, of the same shapes, with the same colours where these can be seen."""

import re
from base64 import b64decode
from io import BytesIO, StringIO

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib import image
from matplotlib.colors import rgb_to_hsv, to_rgb
from matplotlib.figure import Figure

from capacity.figures import COLORS, PALETTE
from edition.figures.dark import GROUND, contrast, darkened

COLOR = re.compile(r"#[0-9a-f]{6}\b")


def svg(draw):
    with mpl.rc_context():
        mpl.rcdefaults()  # the book's style, which other tests may have set, draws axes before what is in them
        figure, file = Figure(facecolor="white"), StringIO()
        draw(figure.subplots())
        figure.savefig(file, format="svg", metadata={"Date": None})
    return file.getvalue()


def lines(ax):
    for color in PALETTE:
        ax.plot([1, 2], color=color)
        ax.text(1, 1, "word", color=color)


@pytest.mark.parametrize(
    ("colors", "ratio"), [(("#000000", "#ffffff"), 21), (("#777777", "#ffffff"), 4.48), (("#0000ff", "#ffffff"), 8.59)]
)
def test_contrast_is_that_of_the_guidelines(colors, ratio):
    assert contrast(*colors) == pytest.approx(ratio, abs=0.005)
    assert contrast(*colors[::-1]) == contrast(*colors)


def test_only_colours_differ():
    before = svg(lines)
    after = darkened(before)
    assert after != before
    assert COLOR.sub("", after).replace(' fill=""', "", 1) == COLOR.sub("", before)


def test_the_ground_is_that_of_the_page_and_what_states_no_colour_can_be_read_on_it():
    after = darkened(svg(lines))
    assert re.search(r'id="patch_1">.*?fill: (#\w+)', after, re.DOTALL)[1] == GROUND
    assert contrast(re.search(r'<svg fill="(#\w+)"', after)[1], GROUND) > 10
    assert "#ffffff" not in after


@pytest.mark.parametrize("color", [*PALETTE, *COLORS.values()])
def test_a_colour_of_the_book_keeps_its_hue_and_can_be_read(color):
    (after,) = re.findall(
        r"stroke: (#\w+); stroke-width: 3", darkened(f'<svg ><g id="line_1" style="stroke: {color}; stroke-width: 3"/>')
    )
    (hue, *_), (before, saturation, _) = (rgb_to_hsv(to_rgb(found)) for found in (after, color))
    assert contrast(after, GROUND) >= min(4.5, 0.98 * contrast(color, "white"))
    assert saturation < 0.05 or hue == pytest.approx(before, abs=0.02)


def test_values_shown_by_colours_keep_their_order_of_contrast():
    values = np.linspace(0, 1, 64)[np.newaxis]
    after = darkened(svg(lambda ax: ax.imshow(values, cmap="Reds", interpolation="nearest")))
    pixels = image.imread(BytesIO(b64decode(re.search(r'base64,([^"]*)', after)[1])), format="png")
    ratios = [contrast(pixel[:3], GROUND) for pixel in pixels[len(pixels) // 2]]
    assert np.all(np.diff(ratios) >= -0.05)
    assert ratios[0] < 1.2 < 9 < ratios[-1]

    points = darkened(svg(lambda ax: ax.scatter(values[0], values[0], c=values[0], cmap="Reds")))
    fills = re.findall(r"fill: (#\w+)", points[points.index("PathCollection_1") : points.index("matplotlib.axis_1")])
    assert len(set(fills)) > 30
    assert np.all(np.diff([contrast(fill, GROUND) for fill in fills]) >= -0.05)
