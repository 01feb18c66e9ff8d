"""Whether a figure can be read: an IPython extension that puts what is wrong beside each figure that is displayed.

At other parameters curves go elsewhere, and nobody looks at each figure of a book at each of them. What a program can
see is looked for: panels in which nothing is, words that are cut off or cover each other, legends that cover lines,
arrows that lead out of their panel. What it draws, and the words that say something of it, are noted too: where the one
differs between two executions, the other must not be the same.
"""

import hashlib
import json
import re
from itertools import combinations

import numpy as np
from IPython.core.formatters import JSONFormatter
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.text import Annotation, Text
from matplotlib.transforms import Bbox

from capacity_studies.notebook.content import drawn
from capacity_studies.notebook.drawing import drawn_on

__all__ = ["MIME", "problems", "said"]

MIME = "application/vnd.capacity.look+json"
FIGURE = "matplotlib.figure.FigureBase"
MOVING = "capacity_studies.notebook.live.Live", "capacity_studies.notebook.slider.Slider"
COVERED = 0.15  # of the smaller of two texts
SLACK = 2.0  # points beyond an edge that nobody sees
BARE = re.compile(r"\$[^$]*\$|[-+.,%\s\d]*")  # a symbol or a number: it says nothing of what is drawn
VERDICT = re.compile(
    r"\b(agree|all|almost|alike|always|better|differ|even|every|fewer|flat|gone|half|higher|less|longer|lower|missed|more|"
    r"most|nearly|never|no|none|nothing|only|rarely|same|shorter|smaller|steeper|still|twice|wider|narrower|worse|"
    r"(grow|fall|rise|stay|stop)s?)\b"
)
NAMES = re.compile(r"(?:eq\.|equation|Figure|layer|space|[_^]) ?[({]?\d+[)}]?")  # a number in a name is no value


def problems(figure):
    """Return what is wrong with a figure, a line each.

    >>> from matplotlib.figure import Figure
    >>> problems(Figure().subplots().figure)
    ['panel 1: nothing is in it']
    """
    with drawn_on(FigureCanvasAgg, figure) as canvas:
        canvas.draw()
        panels = [(f"panel {number}", ax) for number, ax in enumerate(figure.axes, 1) if ax.get_visible()]
        slack = SLACK * figure.dpi / 72
        return [*_lost(panels, slack), *_hidden(panels), *_unreadable(panels, figure.bbox.padded(slack))]


def said(figure):
    """Return the words of a figure that say something of what it draws: with a number, a verdict, or an arrow.

    Words that were written because a check of the data came out (`capacity.figures.point_out`) are not among them.
    """
    texts = [text for ax in figure.axes for text in (*_written(ax), ax.xaxis.label, ax.yaxis.label)]
    texts += [*figure.texts, *(text for legend in _legends(figure) for text in legend.get_texts())]
    return sorted({text.get_text() for text in filter(_is_seen, texts) if _says(text)})


def _says(text):
    words = text.get_text()
    pointing = isinstance(text, Annotation) and text.arrow_patch is not None
    return not (BARE.fullmatch(words) or getattr(text, "checked", False)) and (
        pointing or bool(re.search(r"\d", NAMES.sub("", words)) or VERDICT.search(words))
    )


def _legends(figure):
    return [*figure.legends, *(ax.get_legend() for ax in figure.axes if ax.get_legend())]


def _data(figure):
    """Return what tells the data of a figure from others, whatever its words are."""
    kinds = [[artist for artist in ax["artists"] if artist["kind"] != "text"] for ax in drawn(figure)["axes"]]
    return hashlib.sha256(json.dumps(kinds).encode()).hexdigest()


def _looked(figures):
    """Return what is wrong with the figures of one output, what they say, and what tells their data from others."""
    return {
        "problems": list(dict.fromkeys(problem for figure in figures for problem in problems(figure))),
        "said": sorted({words for figure in figures for words in said(figure)}),
        "data": " ".join(map(_data, figures)),
    }


def _lost(panels, slack):
    """Yield which panels are empty, and which arrows lead out of theirs."""
    for name, ax in panels:
        if ax.axison and not _is_filled(ax):
            yield f"{name}: nothing is in it"
        for text in filter(_is_seen, ax.texts):
            pointing = isinstance(text, Annotation) and text.arrow_patch is not None and text.xycoords == "data"
            if pointing and not ax.bbox.padded(slack).contains(*ax.transData.transform(text.xy)):
                yield f"{name}: {text.get_text()!r} points out of it"


def _hidden(panels):
    """Yield which lines have more than two of their points under a legend."""
    for name, ax in panels:
        legend = ax.get_legend()
        for line in ax.lines if legend and legend.get_visible() else ():
            points = line.get_transform().transform(np.column_stack(line.get_data(orig=False)))
            low, high = legend.get_window_extent().get_points()
            if np.count_nonzero(((low < points) & (points < high)).all(axis=1)) > 2:
                yield f"{name}: its legend covers {line.get_label()!r}"


def _unreadable(panels, paper):
    """Yield which words are cut off, and which cover each other."""
    words = [(name, text.get_text(), _extent(text)) for name, ax in panels for text in _words(ax)]
    for name, text, extent in words:
        if not (paper.contains(*extent.min) and paper.contains(*extent.max)):
            yield f"{name}: {text!r} is cut off"
    for (name, text, extent), (_, other, covered) in combinations(words, 2):
        common = Bbox.intersection(extent, covered)
        if common and np.prod(common.size) > COVERED * min(np.prod(extent.size), np.prod(covered.size)):
            yield f"{name}: {text!r} and {other!r} cover each other"


def _is_filled(ax):
    """Return whether something is drawn inside the limits of axes."""
    drawn = (*ax.lines, *ax.collections, *ax.patches, *ax.images, *ax.texts, *ax.artists, *ax.tables)
    extents = [artist.get_window_extent() for artist in drawn if artist.get_visible()]
    extents += [  # the window extent of segments is empty
        ax.transData.transform_bbox(each.get_datalim(ax.transData)) for each in ax.collections if each.get_visible()
    ]
    inside = ax.bbox.padded(1)
    return any(np.isfinite(e.get_points()).all() and Bbox.intersection(e, inside) for e in extents) or bool(
        ax.child_axes
    )


def _words(ax):
    """Return the texts of axes that are seen: the title, names of the axes, labels of ticks and what was written."""
    names = _written(ax)
    if ax.axison:
        names += [ax.xaxis.label, ax.yaxis.label, *_labels(ax.xaxis), *_labels(ax.yaxis)]
    return filter(_is_seen, names)


def _written(ax):
    """Return what was written into axes, their titles on the left, in the middle and on the right among it."""
    return [artist for artist in ax.get_children() if isinstance(artist, Text)]


def _labels(axis):
    """Return the labels of those ticks of an axis that lie within its limits."""
    low, high = sorted(axis.get_view_interval())
    ticks = [*axis.get_major_ticks(), *axis.get_minor_ticks()]
    return [tick.label1 for tick in ticks if low <= tick.get_loc() <= high]


def _is_seen(text):
    return text.get_visible() and bool(text.get_text().strip())


def _extent(text):
    """Return where the letters of a text are, without the arrow of an annotation."""
    return Bbox.from_extents(*Text.get_window_extent(text).extents)


class LookFormatter(JSONFormatter):
    """The formatter that IPython asks for this kind of data, as it asks others for the image."""

    format_type = MIME


def load_ipython_extension(shell):
    """Look at each figure that is displayed, and at all pictures of what a reader moves."""
    formatter = shell.display_formatter.formatters[MIME] = LookFormatter(parent=shell.display_formatter)
    formatter.for_type(FIGURE, lambda figure: _looked([figure]))
    for kind in MOVING:
        formatter.for_type(kind, lambda moving: _looked(moving.figures))
