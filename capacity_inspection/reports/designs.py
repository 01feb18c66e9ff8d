"""What a search of an architecture found, as text: the best stack first, what was searched, and what was not."""

import textwrap
from itertools import groupby, pairwise

from capacity._validation import check_instance, check_integer
from capacity_inspection.design import Design
from capacity_inspection.reports.screen import aligned, letters, wrapped

__all__ = ["design_text"]


def design_text(design: Design, width: int = 80) -> str:
    """Text of a design in lines of at most `width` characters: wants, the front, and how far the search looked.

    Parameters
    ----------
    design : Design
    width : int, optional
        In characters, at least 80.

    Returns
    -------
    str

    Examples
    --------
    >>> from capacity_inspection.design import Want, search
    >>> print(design_text(search(Want((17, None), share=0.5), budget=60)))
    A  50% of the capacity beyond lag 16
    <BLANKLINE>
    parameters  total  lags  taps  channels  A  dilations
             2      2    17     2         -  0  16
    <BLANKLINE>
    A: what falls short of the want by estimate, before any training; 0 where it is
    met. The best stack is first.
    46914 stacks are within 60 parameters, of up to 68 lags: any dilations of up to
    3 layers, deeper ones in blocks of dilations 1, b, b^2, ... of base up to 4; 2,
    3, 4, 5, 6 or 8 taps in each layer; 1 to 32 channels, the same in each layer.
    67 were estimated; the others have no fewer parameters than what meets all
    wants.
    """
    check_instance(design, "design", Design, "pass what search(...) returned")
    width = check_integer(width, "width", minimum=80)
    names = letters(len(design.wants))
    wants = [f"{letter}  {want}" for letter, want in zip(names, design.wants)]
    above = [_about(names, design), f"{design.stacks} stacks are within {design.budget} parameters{design.searched}."]
    parts = [
        wants,
        _table(design, names, width),
        [line for text in [*above, _reach(design)] for line in wrapped(text, width)],
    ]
    return "\n\n".join("\n".join(part) for part in parts)


def _table(design, names, width):
    """The front; what is long, the dilations, stands last and goes on in lines of its own."""
    front, fitted = design.front, bool(design.fits)
    numbers = {
        "parameters": [point.parameters for point in front],
        "total": [point.total for point in front],
        "lags": [point.model.n_positions for point in front],
        "taps": [_runs(point.model.taps) for point in front],
        "channels": [_runs(point.model.channels) for point in front],
    }
    numbers |= {letter: [f"{point.shortfalls[i]:.3g}" for point in front] for i, letter in enumerate(names)}
    if fitted:
        numbers["loss"] = [("" if point.converged else "~") + f"{point.loss:.4g}" for point in front]
    table = aligned([([name], list(map(str, column))) for name, column in numbers.items()], left=0)
    used, lines = max(map(len, table)) + 2, [table[0].ljust(max(map(len, table))) + "  dilations"]
    for row, point in zip(table[1:], front):
        first, *more = textwrap.wrap(_dilations(point.model.dilations), max(width - used, 20))
        lines += [f"{row.ljust(used)}{first}", *(" " * used + line for line in more)]
    return lines


def _about(names, design):
    ends = names[0] if len(names) == 1 else f"{names[0]} to {names[-1]}"
    how = "after a fit" if design.fits else "by estimate, before any training"
    stopped = "" if all(getattr(each, "converged", True) for each in design.front) else ", ~ the fit had not converged"
    want = "the want" if len(names) == 1 else "each want"
    return f"{ends}: what falls short of {want} {how}; 0 where it is met{stopped}. The best stack is first."


def _reach(design):
    """What was done with the stacks."""
    looked, fits = len(design.estimates), len(design.fits)
    if not fits:
        others = "; the others have no fewer parameters than what meets all wants" if looked < design.stacks else ""
        return f"{looked} were estimated{others}."
    rest = design.stacks - fits - design.left
    sentences = [f"{looked} were estimated and {fits} fitted."]
    if rest:
        sentences.append(
            f"{rest} cannot be better, by a bound or since they have no fewer parameters than what meets all wants."
        )
    if design.left:
        sentences.append(f"{design.left} might be, and were not fitted: allow more fits.")
    return " ".join(sentences)


def _runs(values):
    """Numbers, of which equal ones in a row stand once: 2 4x3 2; one where all are equal."""
    if len(set(values)) <= 1:
        return str(values[0]) if values else "-"
    runs = [(value, len(list(group))) for value, group in groupby(values)]
    return " ".join(f"{value}x{times}" if times > 1 else str(value) for value, times in runs)


def _dilations(values):
    """Dilations, where a block that is repeated stands once: 1 2 4 (x 2); of a long geometric one, its ends."""
    period = next(
        p for p in range(1, len(values) + 1) if len(values) % p == 0 and values == values[:p] * (len(values) // p)
    )
    block, base = values[:period], values[1] // values[0] if period > 1 else 1
    if period > 4 and all(second == first * base for first, second in pairwise(block)):
        block = [*block[:2], "...", block[-1]]
    words = " ".join(map(str, block))
    return words if period == len(values) else f"{words} (x {len(values) // period})"
