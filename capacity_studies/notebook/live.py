"""Live pictures: figures that a reader's hand changes, by a script of their own.

On paper and without scripts a live picture is an ordinary figure, at the values that it starts with. Its script
computes what it shows at others; the tests in a browser compare that with the package.
"""

from dataclasses import dataclass

import numpy as np
from IPython.display import display
from matplotlib import pyplot as plt

from capacity_studies.notebook import capture
from capacity_studies.notebook.content import drawn
from capacity_studies.notebook.drawing import picture

__all__ = ["Live", "live", "show"]


@dataclass(frozen=True)
class Live:
    """A live picture: what its scene begins with, a text that is compared, what is displayed, and its figure."""

    scene: dict
    text: str
    shown: dict
    figures: list

    def __repr__(self):
        """Return what the tests of the chapters compare."""
        return self.text

    def _repr_mimebundle_(self, include=None, exclude=None):
        return {"text/plain": self.text, capture.LIVE: self.scene} | self.shown


def live(figure, scene, **values):
    """Display a figure that a script of the edition brings to life.

    Parameters
    ----------
    figure : Figure
        What is shown at rest and on paper; it is closed once it is captured.
    scene : str
        What the script shows, one of ``edition.sphinx_ext.interactive.SCENES``.
    **values : array_like of numbers
        What it begins with, by the names that the script knows.
    """
    values = {name: np.asarray(value, dtype=float).tolist() for name, value in values.items()}
    words = "; ".join(f"{name} {_compared(np.ravel(found))}" for name, found in values.items())
    show(figure, {"scene": scene} | values, f"{scene}: {words}")


def _compared(numbers):
    """Return a few numbers as they are, of many their count, mean and norm."""
    many = numbers.size > 12
    few = [numbers.size, numbers.mean(), np.linalg.norm(numbers)] if many else numbers
    return " ".join(f"{number:.7g}" for number in few)


def show(figure, scene, text):
    """Display a figure with its scene, and with the text that the tests of the chapters compare."""
    shown = capture.bundle(figure, picture(figure), drawn(figure))
    plt.close(figure)
    display(Live(scene, text, shown, [figure]))
