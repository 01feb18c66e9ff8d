"""The look of all figures: one style file, and one law of colours.

Vermillion is capacity, in line, bar and map, and nothing else; grey is what is free; blue is the network. Kinds of one
quantity have its tints, other categories the palette, which is without vermillion.
"""

from collections.abc import Sequence
from contextlib import suppress
from importlib import resources
from io import BytesIO
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure
from matplotlib.legend import Legend
from matplotlib.lines import Line2D
from scipy.optimize import isotonic_regression

from capacity._moved import former_keyword
from capacity._validation import check_choice

__all__ = [
    "COLORS",
    "PALETTE",
    "SHADES",
    "SIGNS",
    "capacity_colors",
    "channel_color",
    "channel_label",
    "component_axis",
    "direct_labels",
    "frameless",
    "input_axis",
    "lag_axis",
    "layer_colors",
    "legend_above",
    "log_channel_axis",
    "log_lag_axis",
    "log_ticks",
    "plain_log_ticks",
    "point_out",
    "readable",
    "tints",
    "use_style",
    "with_minus",
]

PALETTE = ["#0173b2", "#882255", "#029e73", "#6f4fa0", "#cc78bc", "#56b4e9", "#fbafe4", "#949494", "#ece133"]
"""The colour-blind-safe palette of seaborn, as in the style file, without what comes near the vermillion of capacity:
wine stands for its amber, violet for its vermillion, and brown is left out."""

_VERMILLION = "#d55e00"

COLORS = {
    "parameters": PALETTE[0],
    "capacity": _VERMILLION,
    "loss": PALETTE[2],
    "model": PALETTE[0],
    "target": PALETTE[2],
    "error": PALETTE[7],
    "constraint": _VERMILLION,
    "reference": "#444444",
}
"""One colour per quantity, the same in every figure."""

_FROM_WHITE = {
    "capacity": ["#ffffff", "#f7c9a3", _VERMILLION, "#4a1d00"],
    "model": ["#ffffff", "#9ecae1", PALETTE[0], "#012a44"],
}
SHADES = {name: mpl.colors.LinearSegmentedColormap.from_list(name, colors) for name, colors in _FROM_WHITE.items()}
"""Maps of a quantity, from white over its colour to dark."""

SIGNS = mpl.colormaps["PRGn"]
"""Map of what has both signs: violet below zero, white, green."""


STYLE: Any = resources.files("capacity.figures") / "edition.mplstyle"
"""The book's style, for ``matplotlib.style``."""


def use_style() -> None:
    """Apply the book's style, and in a notebook draw figures as reproducible SVG."""
    plt.style.use(STYLE)
    with suppress(ImportError):
        from IPython import get_ipython
        from matplotlib_inline.backend_inline import set_matplotlib_formats

        if (shell := get_ipython()) is not None:
            set_matplotlib_formats("svg")
            shell.display_formatter.formatters["image/svg+xml"].for_type(Figure, _as_svg)


def _as_svg(figure):
    """Return a figure as SVG without the date; `savefig` draws it once before, for the layout, which drawing finds."""
    file, canvas, dpi = BytesIO(), figure.canvas, figure.dpi
    FigureCanvasSVG(figure).print_svg(file, metadata={"Date": None})  # in 72 dots per inch
    figure.set_canvas(canvas)
    figure.set_dpi(dpi)
    return file.getvalue().decode()


def channel_color(channels: int) -> str:
    """Colour of the capacity of a model with that many channels: the more, the darker.

    Examples
    --------
    >>> len({channel_color(2**k) for k in range(5)})
    5
    """
    return mpl.colors.to_hex(SHADES["capacity"](np.interp(np.log2(channels), [0, 3, 7], [0.42, 0.95, 1.0])))


def tints(quantity: str, number: int) -> list[str]:
    """Colours of kinds of one quantity of `SHADES`, from dark to light; one kind has the colour itself.

    Examples
    --------
    >>> tints("capacity", 1) == [COLORS["capacity"]], len(set(tints("model", 3)))
    (True, 3)
    """
    if number == 1:
        return [COLORS[quantity]]
    return [mpl.colors.to_hex(color) for color in SHADES[quantity](np.linspace(0.95, 0.38, number))]


def capacity_colors(keys):
    """Colours of capacities {channels or name: ...}, by the same keys."""
    named = iter(tints("capacity", sum(isinstance(key, str) for key in keys)))
    return {key: next(named) if isinstance(key, str) else channel_color(key) for key in keys}


def layer_colors(n_layers: int) -> list[str]:
    """Colours of layers 1..L of a network, from dark (first) to light (last)."""
    return tints("model", n_layers)


def readable(color):
    """The same hue, darkened until text in it has the contrast 4.5 on white (WCAG 2, success criterion 1.4.3)."""
    rgb = np.array(mpl.colors.to_rgb(color))
    for share in np.linspace(1.0, 0.0, 41):
        dark = share * rgb
        linear = np.where(dark <= 0.04045, dark / 12.92, ((dark + 0.055) / 1.055) ** 2.4)
        if 1.05 / (linear @ [0.2126, 0.7152, 0.0722] + 0.05) >= 4.5:
            break
    return mpl.colors.to_hex(dark)


def with_minus(text):
    """Text of a number, with the minus sign that the axes have."""
    return str(text).replace("-", "\N{MINUS SIGN}")


def channel_label(channels: int | str) -> str:
    """Name of a model with that many channels, as legends have it; a name is its own."""
    if isinstance(channels, str):
        return channels
    return f"{channels} channel" + "s" * (channels > 1)


def frameless(ax):
    """Remove the grid, the frame and the tick marks: what a diagram does without."""
    ax.grid(visible=False)
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)


def lag_axis(ax: Axes, n: int, *, step: int | None = None) -> None:
    """Label the positions 0..n-1 of a receptive field by their lag, the most recent input on the right."""
    step = step or max(1, 2 ** int(np.log2(n / 4)))
    lags = sorted({1, *range(step, n + 1, step)})
    ax.set_xticks([n - lag for lag in lags], [str(lag) for lag in lags])
    ax.set_xlim(-0.5, n - 0.5)
    ax.set_xlabel("lag of the input (samples)")


def component_axis(ax: Axes, n: int) -> None:
    """Label the directions 0..n-1 by their rank, in the order of decreasing variance.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> ax = Figure().subplots()
    >>> component_axis(ax, 8)
    >>> ax.get_xlabel()
    'eigenvector (by variance)'
    """
    ax.set_xticks([0, *range(n // 4 - 1, n, n // 4)], list(map(str, [1, *range(n // 4, n + 1, n // 4)])))
    ax.set_xlabel("eigenvector (by variance)")


def input_axis(ax, n, kind):
    """Label n inputs by their lag or as directions: `kind` is 'lag' or 'component'."""
    axes = {"lag": lag_axis, "component": component_axis}
    axes[check_choice(kind, "kind", axes)](ax, n)


def log_lag_axis(ax, n):
    """Logarithmic axis of lags 1..n that runs to the left, so that the most recent input is on the right."""
    ax.set_xscale("log", base=2)
    ax.set_xlim(n * 1.05, 0.95)
    ax.xaxis.set_major_formatter(mpl.ticker.StrMethodFormatter("{x:g}"))
    ax.set_xlabel("lag of the input (samples, log scale)")


def plain_log_ticks(axis):
    """Label 1, 2 and 5 times powers of ten where the axis spans few of them, else the powers only."""
    low, high = axis.get_view_interval()
    subs = (1, 2, 5) if high / low < 50 else (1,)
    few = high / low < 4  # where a LogLocator falls back on as many as there is no room for
    axis.set_major_locator(mpl.ticker.MaxNLocator(3) if few else mpl.ticker.LogLocator(subs=subs))
    if subs != (1,):
        axis.set_major_formatter(mpl.ticker.FuncFormatter(lambda value, _: f"{value:g}"))
    axis.set_minor_formatter(mpl.ticker.NullFormatter())


def legend_above(ax: Axes, **kwargs: Any) -> Legend:
    """Put the legend of the axes above them, flush left."""
    return ax.legend(loc="lower left", bbox_to_anchor=(0, 1), borderaxespad=0.2, borderpad=0, **kwargs)


@former_keyword("gap", "spacing")
def direct_labels(
    ax: Axes, lines: Sequence[Line2D], labels: Sequence[str] | None = None, *, spacing: float = 0.055
) -> None:
    """Write each line's label to the right of its last point, moved apart where they would overlap.

    Parameters
    ----------
    ax : Axes
        With its limits and scales already set.
    lines : list of Line2D
        What to label; each is labelled in its own colour, darkened where it would be hard to read.
    labels : list of str, optional
        Instead of the lines' own labels.
    spacing : float, optional
        Smallest distance between labels, as a fraction of the height of the axes.
    """
    labels = labels or [str(line.get_label()) for line in lines]
    ends = [np.asarray(line.get_xydata(), dtype=float)[-1] for line in lines]
    to_axes = ax.transData + ax.transAxes.inverted()
    heights = np.array([to_axes.transform(end)[1] for end in ends])
    order, apart = np.argsort(heights), spacing * np.arange(len(heights))
    places = isotonic_regression(heights[order] - apart).x + apart  # the nearest that are so far apart
    for index, place in zip(order, places):
        ax.annotate(
            labels[index],
            xy=(1.0, place),
            xycoords="axes fraction",
            xytext=(4, 0),
            textcoords="offset points",
            color=readable(lines[index].get_color()),
            va="center",
            annotation_clip=False,
        )


def point_out(
    ax: Axes, text: str, at: tuple[float, float], words: tuple[float, float], *, when: bool | None = None, **kwargs: Any
) -> Any:
    """Write words into axes, with an arrow from them to what they are about, where they are true.

    They have a ground of their own, so that they can be read where a curve comes to lie below them.

    Parameters
    ----------
    ax : Axes
    text : str
    at : tuple of float
        Where the arrow ends, in the coordinates of the data.
    words : tuple of float
        The centre of the words, in fractions of the axes.
    when : bool, optional
        Whether the data are as the words say; where not, nothing is written. By default they are always written.
    **kwargs
        Properties of the text, such as `color`.

    Returns
    -------
    Annotation or None
    """
    if when is not None and not when:
        return None
    arrow = {"arrowstyle": "->", "color": COLORS["reference"], "shrinkA": 1, "shrinkB": 2}
    placed: dict[str, Any] = {"textcoords": "axes fraction", "ha": "center", "va": "center", "annotation_clip": False}
    ground = {"boxstyle": "square,pad=0.2", "facecolor": "white", "edgecolor": "none", "alpha": 0.6}
    written: Any = ax.annotate(text, at, words, arrowprops=arrow, bbox=ground, **placed | kwargs)
    written.checked = when is not None
    return written


def log_ticks(axis, values):
    """Label on a logarithmic axis the largest of ascending values, and those below it that there is room for."""
    shown, room = [values[-1]], (values[-1] / values[0]) ** (1 / 6)
    for value in values[-2::-1]:
        if shown[-1] / value >= room:
            shown.append(value)
    axis.set_ticks(shown, [f"{value:g}" for value in shown])


def log_channel_axis(ax, channels):
    """Show numbers of channels on a logarithmic axis."""
    ax.set_xscale("log", base=2)
    log_ticks(ax.xaxis, channels)
    ax.set_xlabel("channels $c$ (log scale)")
