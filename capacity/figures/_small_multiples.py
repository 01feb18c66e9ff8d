"""Small multiples: the same plot once per case, with common axes, and labels and legend once."""

from collections.abc import Iterable, Sequence
from typing import Any

from matplotlib import pyplot as plt
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.legend import Legend

__all__ = ["label_once", "small_multiples"]

WIDTHS, HEIGHT, MARGIN = (4.6, 6.3), 1.1, 0.8  # inches: of two columns and of more, of a row, of labels and legend


def small_multiples(titles: Iterable[str], *, columns: int = 2) -> list[Axes]:
    """Make a figure of titled panels, row by row; one of two columns is narrow enough to be read on a phone.

    Parameters
    ----------
    titles : iterable of str
        One per panel.
    columns : int, optional
        Panels in a row. Those of a column share their horizontal axis, and all panels the vertical one.

    Returns
    -------
    list of Axes
        In the order of the titles.
    """
    titles = list(titles)
    rows, rest = divmod(len(titles), columns)
    if not titles or rest:
        raise ValueError(
            f"titles: expected a multiple of {columns} to fill the rows, got {len(titles)}; pass other `columns`"
        )
    size = (WIDTHS[columns > 2], MARGIN + HEIGHT * rows)
    axes = plt.subplots(rows, columns, figsize=size, sharex="col", sharey=True, squeeze=False)[1].ravel()
    for ax, title in zip(axes, titles):
        ax.set_title(title)
    return list(axes)


def label_once(axes: Sequence[Any], lines: Sequence[Artist], *, ncols: int = 4) -> Legend:
    """Label drawn panels as a whole: a legend above all, one label at their left, one below each column.

    Parameters
    ----------
    axes : list of Axes
        Those of `small_multiples`.
    lines : list of Artist
        What the legend shows.
    ncols : int, optional
        Entries in a row of the legend.

    Returns
    -------
    Legend
    """
    figure, label = axes[0].figure, axes[0].yaxis.label
    figure.supylabel(label.get_text(), fontsize=label.get_size())
    for ax in axes:
        ax.set_ylabel("")
        ax.set_xlabel(ax.get_xlabel() if ax.get_subplotspec().is_last_row() else "")
    return figure.legend(handles=lines, loc="outside upper center", ncols=ncols)
