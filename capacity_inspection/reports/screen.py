"""A report as text: sentences, tables that fit a width, totals, what marks mean."""

import re
import textwrap
from itertools import compress, groupby
from string import ascii_uppercase

import numpy as np

from capacity_inspection.reports.quantity import HeldIn

__all__ = ["aligned", "letters", "printable", "screen", "side_by_side", "valued", "wrapped"]

_MARKS = {"numerical": "~", "assumed": "*"}
_KINDS = {"numerical": "~ numerical", "assumed": "* under an assumption", "unavailable": "- unavailable"}
_HEADINGS = {
    "field": "receptive field",
    "held constant": "variance lost, held constant",
    "one tap": "variance lost, one tap",
    "loss without": "loss without it",
    "refitted": "loss, refitted",
    "start": "first unit starts at",
    "linear": "share, linear",
    "measured": "share, measured",
    "pseudo-random": "share, pseudo-random",
    "sampled": "share, gains held",
}
_LEAST, _LONGEST = 40, 28  # characters of a line, and of a layer's name on a line that is too short


def screen(report, width, full=False):
    """Text of a report in lines of at most `width` characters, but for names of layers and words longer than that.

    Without `full`, the columns and totals are those of `report.first`. A column that is unavailable for one reason is
    left to the reasons below the totals. A reason that stands below the table is not repeated.
    """
    width, notes = max(width, _LEAST), {}
    missing = _missing(report)
    named = ["operator", "shape", *(report.rows[0].numbers if report.rows else ())]
    shown = [name for name in named if full or not report.first or name in report.first]
    columns = _columns(report, [name for name in shown if name not in missing], notes)
    totals = {name: each for name, each in report.totals.items() if full or not report.first or name in report.first}
    parts = [wrapped(report.title, width), [line for each in report.says for line in wrapped(each, width)]]
    parts += [_ruled(table) for table in _tables(_first(report, columns, width), [[each] for each in columns], width)]
    parts.append(_totals({name: number for name, number in totals.items() if number.kind != "unavailable"}, width))
    missing = {name: number for name, number in missing.items() if name in shown}
    missing |= {name: number for name, number in totals.items() if number.kind == "unavailable"}
    parts.append(_reasons({name: number for name, number in missing.items() if number.note not in notes}, width))
    cells = [row.numbers[name] for row in report.rows for name in shown if name in row.numbers]
    stated = [number for number in report.totals.values() if number.kind == "numerical" and "~" in "".join(report.says)]
    legend = _legend([*cells, *totals.values(), *stated], notes, width)
    if len(shown) < len(named) or len(totals) < len(report.totals):
        legend += wrapped("More: --full, or in Python text(full=True).", width)
    return "\n\n".join("\n".join(map(printable, part)) for part in [*parts, legend] if part)


def printable(text):
    """A line whose control characters, which a terminal would obey, are written as escapes."""
    return "".join(each if each.isprintable() else ascii(each)[1:-1] for each in text)


def side_by_side(heading, columns, names, remarks, width):
    """Text of columns of numbers by name, in as many tables as the width asks for, between sentences and marks.

    Parameters
    ----------
    heading, remarks : list of str
        Above and below the tables.
    columns : dict of str to dict of str to Quantity
        Those of one network, whose titles have the same first word, stay in one table if they can.
    names : list of str
        The rows in their order.
    """
    width, notes = max(width, _LEAST), {}
    groups = [list(group) for _, group in groupby(columns, lambda title: title.partition(",")[0])]
    made = [[_numbers(title, list(map(columns[title].get, names)), notes) for title in group] for group in groups]
    tables = _tables(([""], names), made, width)
    parts = [[line for text in heading for line in wrapped(text, width, "   ")], *map(_without_blanks, tables)]
    parts.append([line for text in remarks for line in wrapped(text, width)])
    parts.append(_legend([number for numbers in columns.values() for number in numbers.values()], notes, width))
    return "\n\n".join("\n".join(map(printable, part)) for part in parts if part)


def _tables(first, groups, width):
    """Columns in as many tables as the width asks for, each behind the first one; groups stay in one if they can."""
    tables = []
    for group in groups:
        for part in [group] if _fits([first, *group], width) else [[column] for column in group]:
            if tables and _fits([*tables[-1], *part], width):
                tables[-1] += part
            else:
                tables.append([first, *part])
    return tables


def _ruled(columns):
    """Lines of a table with a rule below its heading."""
    lines = aligned(columns, left=2 if columns[1][0] == ["operator"] else 1)
    lines.insert(max(len(heading) for heading, _ in columns), "-" * max(map(len, lines)))
    return lines


def _fits(columns, width):
    return sum(2 + max(map(len, [*heading, *cells])) for heading, cells in columns) - 2 <= width


def _without_blanks(columns):
    """Lines of a table, but for rows in which no column has a number."""
    kept = [any(cells) for cells in zip(*(cells for _, cells in columns[1:]))]
    return aligned([(heading, list(compress(cells, kept))) for heading, cells in columns])


def _legend(numbers, notes, width):
    """Lines that say what the marks of the kinds mean, as far as they occur, and those of notes."""
    kinds = {number.kind for number in numbers}
    found = ", ".join(meaning for kind, meaning in _KINDS.items() if kind in kinds)
    legend = wrapped(f"Without a mark: exact; {found}.", width) if found else []
    return legend + [line for note, index in notes.items() for line in wrapped(f"[{index}] {note}", width, "    ")]


def valued(number):
    """A number with the mark of its kind."""
    return _MARKS.get(number.kind, "") + str(number)


def aligned(columns, left=1):
    """Lines of a table.

    Parameters
    ----------
    columns : list of (list of str, list of str)
        Lines of the heading, and cells.
    left : int, optional
        Columns that are flush left; the others are flush right.
    """
    height = max((len(heading) for heading, _ in columns), default=0)
    padded = []
    for index, (heading, cells) in enumerate(columns):
        width = max(map(len, [*heading, *cells]))
        flush = str.ljust if index < left else str.rjust
        padded.append([flush(text, width) for text in [""] * (height - len(heading)) + heading + cells])
    return ["  ".join(cells).rstrip() for cells in zip(*padded)]


def _missing(report):
    """Columns, by name, of which all rows lack the number for the same reason, with that."""
    found = {}
    for name in report.rows[0].numbers if report.rows else ():
        numbers = [row.numbers[name] for row in report.rows]
        if all(number.kind == "unavailable" and number.note == numbers[0].note for number in numbers):
            found[name] = numbers[0]
    return found


def _columns(report, names, notes):
    """Columns of a report."""
    texts = {
        "operator": [row.operator for row in report.rows],
        "shape": ["x".join(map(str, row.shape)) for row in report.rows],
    }
    return [
        ([name], texts[name]) if name in texts else _numbers(name, [row.numbers[name] for row in report.rows], notes)
        for name in names
    ]


def _first(report, columns, width):
    """The column of names, which are shortened where another one would not fit beside them."""
    widest = max((len(text) for heading, cells in columns for text in (*heading, *cells)), default=0)
    tree = [_shortened(name, max(width - widest - 2, _LONGEST)) for name in _tree([row.name for row in report.rows])]
    return ["layer"], tree


def _numbers(name, numbers, notes):
    """Heading and cells of a column, None being a blank; a note that all marks share stands in the heading."""
    noted = ["" if number is None or number.kind == "exact" else number.note for number in numbers]
    marks = {note: f"[{notes.setdefault(note, len(notes) + 1)}]" for note in dict.fromkeys(filter(None, noted))}
    marked = {note for note, number in zip(noted, numbers) if number is not None and number.kind != "exact"}
    shared = marked.pop() if len(marked) == 1 else ""
    cells = [
        ""
        if number is None
        else valued(number).replace(" x ", "x") + (f" {marks[note]}" if note not in ("", shared) else "")
        for number, note in zip(numbers, noted)
    ]
    title = _HEADINGS.get(name, name)
    if isinstance(name, HeldIn) and not name.rule:
        title = f"{100 * name.share:g} % in {'last' if name.extent == 'lags' else 'box'}"
    heading = textwrap.wrap(title, max(9, *map(len, cells)), break_long_words=False)
    return heading + ([marks[shared]] if shared else []), cells


def _tree(names):
    """Names without what they have in common with the one before, up to a dot or slash, and indented by its depth.

    Only where that is narrower: else they stand as other texts, and options, have them.
    """
    found, before = [], []
    for name in names:
        parts = re.findall(r"[^./]+[./]*|[./]+", name)
        common = 0
        while common < min(len(parts), len(before)) - 1 and parts[common] == before[common]:
            common += 1
        found.append("  " * common + "".join(parts[common:]))
        before = parts
    return found if max(map(len, found), default=0) < max(map(len, names), default=0) else names


def _shortened(name, width):
    return name if len(name) <= width else f"{name[: width // 2 - 1]}...{name[len(name) - (width - width // 2 - 2) :]}"


def _totals(totals, width):
    """Lines of name, value and remark, the latter in a column of its own that is wrapped."""
    lines = [(name, valued(number), remark(number)) for name, number in totals.items()]
    wide, long = (max((len(line[i]) for line in lines), default=0) for i in (0, 1))
    hanging = " " * (wide + long + 4)
    return [
        line
        for name, value, note in lines
        for line in wrapped(f"{name.ljust(wide)}  {value.ljust(long)}  {note}".rstrip(), width, hanging)
    ]


def _reasons(totals, width):
    """A line for each reason why numbers are unavailable."""
    names: dict[str, list] = {}
    for name, number in totals.items():
        names.setdefault(number.note, []).append(name)
    lines = [f"- {', '.join(which)}: {note}" for note, which in names.items()]
    return [line for text in lines for line in wrapped(text, width, "  ")]


def remark(number):
    """What there is to say of a total: its note, and the gap of a rank."""
    gap = number.gap and (f"gap {number.gap:.2g}" if np.isfinite(number.gap) else "no singular value was cut")
    return "; ".join(filter(None, [number.note, gap]))


def letters(count):
    """Names of columns: A, B, ..., Z, AA, BB, ..."""
    return [ascii_uppercase[i % 26] * (i // 26 + 1) for i in range(count)]


def wrapped(text, width, hanging=""):
    """Lines of a text, which keeps the spaces it has; words longer than a line, as names may be, are shortened."""
    room = max(width - len(hanging), _LONGEST)
    text = re.sub(rf"\S{{{room + 1},}}", lambda found: _shortened(found[0], room), text)
    return textwrap.wrap(text, width, subsequent_indent=hanging, break_long_words=False, break_on_hyphens=False)
