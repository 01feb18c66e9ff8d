"""Figures for phones: the same artists on a narrower sheet, panels that stood side by side now one below the other.

The text keeps its size, so that it can be read without moving the figure sideways. All this happens to a copy.
"""

import textwrap
import warnings
from copy import deepcopy
from io import StringIO
from itertools import product

from matplotlib.axis import Tick
from matplotlib.backends.backend_svg import RendererSVG
from matplotlib.figure import Figure
from matplotlib.gridspec import GridSpec
from matplotlib.offsetbox import VPacker
from matplotlib.text import Text

from edition.figures.drawing import as_svg

__all__ = ["WIDTHS", "narrowed"]

WIDTHS = (4.2, 4.6)  # inches, in the order of trial: at 390 pixels text of 9 points is 10 pixels high
BESIDE = 2  # panels of equal scales, such as maps, remain in pairs, and those that do not become narrower by that
LABELS = 0.7  # inches beside a panel
BELOW = 0.3  # inches for the labels below a panel that it left to others
SVG = 72  # units in an inch
EDGE = 0.01  # inches that text may leave the sheet by, or lie on other text


def narrowed(figure):
    """Return a figure as SVG for a phone.

    Parameters
    ----------
    figure : Figure
        Left as it is.

    Returns
    -------
    str or None
        None where the figure is narrow enough, where its panels are not those of one grid, and where its text does not
        fit on the narrower sheet.
    """
    if figure.get_size_inches()[0] <= max(WIDTHS) or not _is_grid(figure):
        return None
    return next(filter(None, (_laid_out(figure, *trial) for trial in product(_columns(figure), WIDTHS))), None)


def _is_grid(figure):
    grids = {ax.get_subplotspec() and ax.get_subplotspec().get_gridspec() for ax in figure.axes}
    return len(grids) == 1 and None not in grids


def _columns(figure):
    """Return the numbers of panels in a row, in the order of trial."""
    former = figure.axes[0].get_gridspec().ncols
    as_wide = figure.get_size_inches()[0] / former <= WIDTHS[0] / BESIDE
    return (BESIDE, 1) if former % BESIDE == 0 and (as_wide or _are_squares(figure)) else (1,)


def _are_squares(figure):
    return all(ax.get_aspect() != "auto" for ax in figure.axes)


def _laid_out(figure, columns, width):
    """Return a figure at a width as SVG, None where its text does not fit, or matplotlib finds no layout."""
    sheet = _copy(figure)
    renderer = RendererSVG(0, 0, StringIO())  # measures text; what is saved is drawn by its own
    taken, growth = _fold_legends(sheet, width, renderer)
    _stack(sheet, columns, width, taken, growth)
    _break_titles(sheet, width / columns, renderer)
    with warnings.catch_warnings():
        warnings.filterwarnings("error", "constrained_layout not applied")
        sheet.set_dpi(figure.dpi)  # that of its images
        try:
            svg = as_svg(sheet)
        except UserWarning:
            return None
        sheet.set_dpi(SVG)
    return None if any(_faults(sheet, renderer)) else svg


def _copy(figure):
    """Return a copy that pyplot does not know of."""
    state = figure.__getstate__()
    state.pop("_restore_to_pylab", None)
    copy = Figure.__new__(Figure)
    copy.__setstate__(deepcopy(state, {id(figure): copy}))
    copy.set_dpi(SVG)  # so that its text is measured as it is drawn
    return copy


def _stack(sheet, columns, width, taken, growth):
    """Put the panels of a grid in rows of a few, on a sheet of the narrow width, as high as they were.

    `taken` is the height in inches that the legends of the sheet had, `growth` what all legends need beyond that.
    """
    (former_width, height), panels = sheet.get_size_inches(), _panels(sheet)
    if len(panels) > 1:
        former = sheet.axes[0].get_gridspec()
        grid = GridSpec(-(-len(panels) // columns), columns, figure=sheet)
        labelled = [name for ax in sheet.axes for name in _label(ax)]
        for index, axes in enumerate(panels.values()):
            for ax in axes:
                ax.set_subplotspec(grid[divmod(index, columns)])
        row = (height - taken) / former.nrows
        row *= (width / columns) / (former_width / former.ncols) if columns > 1 and _are_squares(sheet) else 1
        height = taken + grid.nrows * (row + BELOW * ("x" in labelled))
    sheet.set_size_inches(width, height + growth)


def _panels(sheet):
    """Return the axes of a sheet by their place in its grid, row by row; twins share theirs."""
    found = {}
    for ax in sheet.axes:
        found.setdefault(_place(ax), []).append(ax)
    return dict(sorted(found.items()))


def _place(ax):
    """Return row and column of axes in their grid."""
    spec = ax.get_subplotspec()
    return spec.rowspan.start, spec.colspan.start


def _label(ax):
    """Give axes the labels that they left to others, whose scales they share; return the names of these scales."""
    shared = []
    for name, side in (("x", "labelbottom"), ("y", "labelleft")):
        siblings = getattr(ax, f"get_shared_{name}_axes")().get_siblings(ax)
        if len({_place(other) for other in siblings}) > 1:
            ax.tick_params(axis=name, **{side: True})
            texts = [getattr(other, f"get_{name}label")() for other in (ax, *siblings)]
            getattr(ax, f"set_{name}label")(next(filter(None, texts), ""))
            shared.append(name)
    return shared


def _fold_legends(sheet, width, renderer):
    """Put the entries of each legend in as many columns as there is room for.

    Returns
    -------
    taken, growth : float
        The height in inches that the legends of the sheet had, and by how much all legends became higher.
    """
    taken = growth = 0.0
    for legend in filter(None, (*sheet.legends, *(ax.get_legend() for ax in sheet.axes))):
        box = legend._legend_handle_box  # has no public way to another number of columns
        first, *more = box.get_children()
        items = [item for column in (first, *more) for item in column.get_children()]
        columns, before = 1 + len(more), legend.get_window_extent(renderer).height
        while columns > 1 and legend.get_window_extent(renderer).width > (width - 2 * EDGE) * sheet.dpi:
            columns -= 1
            rows = -(-len(items) // columns)
            parts = [items[start : start + rows] for start in range(0, len(items), rows)]
            box._children = [VPacker(pad=first.pad, sep=first.sep, align=first.align, children=part) for part in parts]
            box.set_figure(legend.get_figure(root=False))
        growth += (legend.get_window_extent(renderer).height - before) / sheet.dpi
        taken += before / sheet.dpi if legend in sheet.legends else 0
    return taken, growth


def _break_titles(sheet, width, renderer):
    """Break the titles that are longer than a panel is wide."""
    room = (width - LABELS) * sheet.dpi
    for ax in sheet.axes:
        for title in (ax.title, ax._left_title, ax._right_title):
            words, length = title.get_text(), title.get_window_extent(renderer).width
            if words and length > room:
                title.set_text(textwrap.fill(words, int(len(words) * room / length)))


def _faults(sheet, renderer):
    """Yield the texts that leave the sheet, and those that lie on another."""
    boxes = [(text.get_text(), Text.get_window_extent(text, renderer)) for text in _texts(sheet)]  # without arrows
    for index, (text, box) in enumerate(boxes):
        if min(box.x0, box.y0, sheet.bbox.x1 - box.x1, sheet.bbox.y1 - box.y1) < -EDGE * sheet.dpi:
            yield f"cut off: {text}"
        for other, under in boxes[:index]:
            if _overlap(box, under, EDGE * sheet.dpi):
                yield f"overlap: {text} and {other}"


def _texts(sheet):
    """Return the texts that are drawn: of the ticks only those within the limits."""
    axes = [axis for ax in sheet.axes for axis in (ax.xaxis, ax.yaxis) if axis.get_visible()]
    ticks = [tick for axis in axes for tick in axis._update_ticks()]
    labels = [label for tick in ticks for label in (tick.label1, tick.label2)]
    of_any_tick = {label for tick in sheet.findobj(Tick) for label in (tick.label1, tick.label2)}
    others = [text for text in sheet.findobj(Text) if text not in of_any_tick]
    return [text for text in (*labels, *others) if text.get_visible() and text.get_text().strip()]


def _overlap(a, b, allowed):
    across, down = min(a.x1, b.x1) - max(a.x0, b.x0), min(a.y1, b.y1) - max(a.y0, b.y0)
    return across > allowed and down > allowed
