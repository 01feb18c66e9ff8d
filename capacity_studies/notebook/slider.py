"""Sliders: a figure of which a reader chooses the value, among pictures that were drawn when the chapter was executed.

At rest, on paper and without scripts it is an ordinary figure: the picture of the value that it starts with. The others
travel in the same output until the figures are collected (`edition.figures.records`), which makes files of them.
"""

from dataclasses import dataclass

import numpy as np
from IPython.display import display
from matplotlib import pyplot as plt
from matplotlib.figure import Figure

from capacity_studies.notebook import capture
from capacity_studies.notebook.content import drawn
from capacity_studies.notebook.drawing import picture

__all__ = ["Slider", "slider"]

LARGEST = 400_000  # bytes of all pictures of a slider: what a page can ask of a phone for one figure
SHIFT = 0.5  # of a point: how far the axes of two pictures may stand apart


@dataclass(frozen=True)
class Slider:
    """A slider: its label, and for each value a text, a picture and two numbers that change with what is drawn.

    `bundle` is what the figure at rest is displayed as, and `figures` are what the pictures were drawn from.
    """

    label: str
    values: list
    texts: list
    start: int
    pictures: list
    marks: list
    bundle: dict
    figures: list

    def __repr__(self):
        """Return what the tests of the chapters compare: a line for each picture."""
        head = f"slider: {self.label}; {len(self.values)} pictures, at rest {self.texts[self.start]}"
        return "\n".join([head, *(f"{text} | {a:.7g} {b:.7g}" for text, (a, b) in zip(self.texts, self.marks))])

    def _repr_mimebundle_(self, include=None, exclude=None):
        content = {key: getattr(self, key) for key in ("label", "values", "texts", "start", "pictures")}
        return {"text/plain": repr(self), capture.SLIDER: content} | self.bundle


def slider(label, values, draw, *, start, texts=None):
    """Display a figure whose value a reader chooses with a slider below it.

    Parameters
    ----------
    label : str
        What is chosen, with its unit: it names the slider.
    values : list of int, float or str
        At least two different ones, in the order of the slider.
    draw : callable
        Returns the figure of a value. All have the same size and the same axes with the same limits, so that what moves
        is what depends on the value. Each is closed once it is captured.
    start : int, float or str
        The value that is shown at rest and on paper.
    texts : list of str, optional
        A short sentence for each value, shown below the slider and read out; by default the value itself.

    Raises
    ------
    ValueError
        If there are fewer than two values or equal ones, the lengths differ, `start` is not among the values, the
        pictures differ in size or in their axes, or are too many for a page.
    TypeError
        If a value is neither a number nor a text, or what is drawn for it is not a figure.
    """
    values, texts = _checked(label, values, texts, start)
    chosen, captured, figures = values.index(start), [], []
    for index, value in enumerate(values):
        figure = draw(value)
        if not isinstance(figure, Figure):
            raise TypeError(
                f"draw: expected a Figure of matplotlib for each value, got {type(figure).__name__} for {value}; "
                "return the figure itself"
            )
        captured.append(_captured(figure, with_bundle=index == chosen))
        figures.append(figure)
        plt.close(figure)
        _check_frame(captured[0]["frame"], captured[-1]["frame"], values[0], value)
    pictures = [each["picture"] for each in captured]
    if (size := sum(map(len, pictures))) > LARGEST:
        raise ValueError(
            f"draw: expected at most {LARGEST // 1000} kB in all, got {size // 1000} kB in {len(pictures)} "
            "pictures; draw fewer of them, or fewer points in each"
        )
    marks = [each["marks"] for each in captured]
    display(Slider(label, values, texts, chosen, pictures, marks, captured[chosen]["bundle"], figures))


def _checked(label, values, texts, start):
    """Return values and texts as lists of what JSON has."""
    if not isinstance(label, str) or not label.strip():
        raise ValueError(f"label: expected words that say what is chosen, got {label!r}; name it, with its unit")
    values = [value.item() if isinstance(value, np.generic) else value for value in values]
    if wrong := [value for value in values if not _is_value(value)]:
        raise TypeError(f"values: expected finite numbers or texts, got {wrong[0]!r}; convert it")
    if len(values) < 2 or len(set(values)) < len(values):
        raise ValueError(f"values: expected at least two, all different, got {values}; list each value once")
    if start not in values:
        raise ValueError(f"start: expected one of the values {_listed(values)}, got {start!r}; choose one of them")
    texts = [_text(value) for value in values] if texts is None else [str(text) for text in texts]
    if len(texts) != len(values):
        raise ValueError(
            f"texts: expected one for each of {len(values)} values, got {len(texts)}; give as many, or none at all"
        )
    return values, texts


def _is_value(value):
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return isinstance(value, str) or (number and np.isfinite(value))


def _text(value):
    return value if isinstance(value, str) else f"{value:g}"


def _listed(values):
    texts = [_text(value) for value in values]
    return ", ".join(texts if len(texts) < 8 else [*texts[:3], "...", texts[-1]])


def _captured(figure, with_bundle):
    """Return what is kept of a figure: its picture, its frame, its marks, and for the one at rest what is displayed."""
    content = drawn(figure)
    made = {"picture": picture(figure), "marks": _marks(content), "bundle": None}
    if with_bundle:
        made["bundle"] = capture.bundle(figure, made["picture"], content)
    limits = [(*ax.get_xlim(), *ax.get_ylim()) for ax in figure.axes]  # places as they are once it is drawn
    places = [ax.get_window_extent().extents * 72 / figure.dpi for ax in figure.axes]
    return made | {"frame": {"size": figure.get_size_inches(), "limits": limits, "places": places}}


def _marks(drawn):
    """Return two numbers of what is drawn: its mean, and the mean of its squares, of which later ones count more."""
    numbers = np.array(list(_numbers(drawn)), dtype=float)
    if numbers.size == 0:
        return 0.0, 0.0
    return float(numbers.mean()), float(np.mean(numbers**2 * np.linspace(0.5, 1.5, numbers.size)))


def _numbers(content):
    """Yield all numbers of plain data, in their order."""
    if isinstance(content, dict | list):
        for entry in content.values() if isinstance(content, dict) else content:
            yield from _numbers(entry)
    elif isinstance(content, float):
        yield content


def _check_frame(first, other, one, two):
    """Refuse a picture in which something else would move than what depends on the value."""
    size, new = (" x ".join(f"{inches:g}" for inches in frame["size"]) for frame in (first, other))
    if size != new:
        raise ValueError(
            f"draw: expected pictures of one size, got {size} in for {one} and {new} in for {two}; "
            "draw all with the same figsize"
        )
    counts = [len(frame["limits"]) for frame in (first, other)]
    if counts[0] != counts[1]:
        raise ValueError(
            f"draw: expected the same axes in all pictures, got {counts[0]} for {one} and {counts[1]} for {two}; "
            "make as many for each"
        )
    if not np.allclose(first["limits"], other["limits"], rtol=1e-9, atol=0):
        raise ValueError(
            f"draw: expected the same limits of the axes in all pictures, got {first['limits']} for {one} and "
            f"{other['limits']} for {two}; set xlim and ylim"
        )
    if counts[0] and (shift := np.abs(np.subtract(first["places"], other["places"])).max()) > SHIFT:
        raise ValueError(
            f"draw: expected the axes at one place in all pictures, got them {shift:.1f} points apart for {one} and "
            f"{two}; keep the texts around the axes the same, or leave them out of the layout with set_in_layout(False)"
        )
