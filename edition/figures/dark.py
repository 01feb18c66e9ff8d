"""Figures for the dark mode: the same drawing on a dark ground, with colours that have the same names as before.

What is grey, and what belongs to a map of colours (an image, or a collection of many colours), keeps its contrast with
the ground: white becomes the ground, black nearly white. All other colours keep their hue and become lighter where that
takes it to be read on the ground. Contrast is that of WCAG 2, success criterion 1.4.3.
"""

import re
from base64 import b64decode, b64encode
from functools import cache
from io import BytesIO

import numpy as np
from matplotlib import image
from matplotlib.colors import to_hex, to_rgb

__all__ = ["GROUND", "contrast", "darkened"]

GROUND = "#121212"  # of the theme's pages in the dark mode
LEGIBLE = 4.5
HIGHEST = 15.0  # below that of white on the ground: bright text on a dark page is tiring
GREY = 0.05  # largest difference of the channels
MAP = 5  # a collection of more colours than this shows values by them
WEIGHTS = np.array([0.2126, 0.7152, 0.0722])

COLOR = re.compile(r"#[0-9a-fA-F]{6}\b")
GROUPS = re.compile(r'(?=<g id="[A-Za-z.]+_\d+")')
COLLECTION = re.compile(r'<g id="\w*Collection_')
RASTER = re.compile(r'(?<=xlink:href="data:image/png;base64,)[^"]*')


def darkened(svg):
    """Return a figure that matplotlib wrote, for a dark page.

    Parameters
    ----------
    svg : str
        On a white ground.

    Returns
    -------
    str
        Of the same size; only colours and the pixels of images differ.
    """
    root, *groups = GROUPS.split(svg)
    root = root.replace("<svg ", f'<svg fill="{_of_map("#000000")}" ', 1)  # what states no colour is black
    return root + "".join(map(_group, groups))


def contrast(first, second):
    """Return the contrast of two colours, from 1 to 21.

    Examples
    --------
    >>> round(contrast("white", "black"), 3)
    21.0
    """
    low, high = sorted(float(_luminance(_linear(np.array(to_rgb(color))))) for color in (first, second))
    return (high + 0.05) / (low + 0.05)


def _group(text):
    many = COLLECTION.match(text) and len(set(COLOR.findall(text))) > MAP
    text = RASTER.sub(lambda found: _image(found[0]), text)
    return COLOR.sub(lambda found: (_of_map if many else _of_line)(found[0].lower()), text)


@cache
def _of_line(color):
    rgb = np.array(to_rgb(color))
    if np.ptp(rgb) <= GREY:
        return _of_map(color)
    lighter = (to_hex(rgb + share * (1 - rgb)) for share in np.linspace(0, 1, 101))
    return next(found for found in lighter if contrast(found, GROUND) >= LEGIBLE)


@cache
def _of_map(color):
    return to_hex(_mapped(np.array(to_rgb(color))))


def _mapped(rgb):
    """Return colours that have with the ground the contrast that these have with white."""
    linear = _linear(rgb)
    ratio = np.minimum(1.05 / (_luminance(linear) + 0.05), HIGHEST)
    return _encoded(_with_luminance(linear, _luminance_at(ratio)))


def _image(text):
    """Return an embedded image with its colours mapped."""
    pixels = image.imread(BytesIO(b64decode(text)), format="png")
    file = BytesIO()
    pixels[..., :3] = _mapped(pixels[..., :3].astype(float))
    image.imsave(file, pixels, format="png", metadata={"Software": None})
    return "\n" + b64encode(file.getvalue()).decode()


def _with_luminance(linear, wanted):
    """Return colours of the same hue and a wanted luminance, dimmed or mixed with white; none of them has gamma."""
    have = _luminance(linear)
    dimmed = np.minimum(wanted / np.maximum(have, 1e-9), 1)
    white = np.clip((wanted - have) / np.maximum(1 - have, 1e-9), 0, 1)
    return (1 - white)[..., np.newaxis] * dimmed[..., np.newaxis] * linear + white[..., np.newaxis]


def _luminance_at(ratio):
    """Return the luminance that has a contrast with the ground."""
    return ratio * (_luminance(_linear(np.array(to_rgb(GROUND)))) + 0.05) - 0.05


def _luminance(linear):
    return linear @ WEIGHTS


def _linear(rgb):
    return np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)


def _encoded(linear):
    return np.clip(np.where(linear <= 0.0031308, linear * 12.92, 1.055 * linear ** (1 / 2.4) - 0.055), 0, 1)
