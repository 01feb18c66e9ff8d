"""What the tests of the plots share: axes, and what every plot owes to its reader."""

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib import pyplot as plt
from matplotlib.figure import Figure

from capacity.figures import use_style

__all__ = ["ax", "check", "drawn_cases", "nothing_is_saved", "plots"]


@pytest.fixture
def ax():
    """Axes in the style of the book, on a canvas that shows nothing."""
    mpl.use("agg")
    with mpl.rc_context():
        use_style()
        yield plt.subplots()[1]
        plt.close("all")


@pytest.fixture(autouse=True)
def nothing_is_saved(monkeypatch):
    def refuse(*args, **kwargs):
        raise AssertionError("a plot saved its figure")

    monkeypatch.setattr(Figure, "savefig", refuse)


def plots(module):
    """Return the names of a module's plots, each of which needs a case."""
    return {name for name in module.__all__ if name.startswith("plot_")}


def drawn_cases(cases, apart=()):
    """Return two tests of modules: that each plot has a case, but for those apart, and that it draws its data.

    A case has the arguments, the options, the curves, the axes that must have a label, by default both, and error bars.
    """

    def each_has_one():
        for module, own in cases.items():
            assert own.keys() == plots(module) - {*apart}

    @pytest.mark.parametrize(
        ("module", "name"), [pytest.param(module, name, id=name) for module, own in cases.items() for name in own]
    )
    def drawn(ax, module, name):
        arguments, options, *wanted = cases[module][name]
        check(ax, getattr(module, name)(ax, *arguments, **options), *wanted)

    return each_has_one, drawn


def check(ax, artists, curves, labels="xy", bars=()):
    """Check that a plot returned artists of its axes, drew the curves exactly and is fit to be read.

    Each curve, a pair (x, y), must be the data of a line, number by number. The axes in `labels` must have one. Bars
    are pairs of lower and upper ends. Text is of 9 points or more, no other figure is made and none saved.
    """
    artists = list(artists)
    assert artists
    for artist in artists:
        assert all(
            part.axes is ax for part in ([artist] if isinstance(artist, mpl.artist.Artist) else artist.get_children())
        )
    drawn = [line.get_xydata() for line in ax.get_lines()]
    for x, y in curves:
        wanted = np.column_stack(np.broadcast_arrays(np.asarray(x, float), np.asarray(y, float)))
        assert any(np.array_equal(line, wanted) for line in drawn)
    for ends in bars:
        lines = [np.array(c.get_segments()) for c in ax.collections if isinstance(c, mpl.collections.LineCollection)]
        found = [line[..., axis].T for line in lines for axis in (0, 1)]
        assert any(one.shape == np.shape(ends) and np.allclose(one, ends) for one in found)
    assert all(getattr(ax, f"get_{axis}label")() for axis in labels)
    assert all(text.get_size() >= 9 for text in ax.findobj(mpl.text.Text) if text.get_text())
    assert plt.get_fignums() == [ax.figure.number]
