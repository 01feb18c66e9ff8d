"""What a command writes: texts and tables on the screen, figures into files."""

import sys

import click

from capacity_inspection.cli.activity import announced
from capacity_inspection.cli.refusals import quoted

__all__ = ["draw_report", "save_figure", "screen_width", "spatial_table", "write"]

_MANY = 64  # lags that are listed one by one


def draw_report(report, path):
    """Draw a report into a file."""
    if path is not None:
        save_figure(report.plot, path)


def save_figure(draw, path):
    """Write the figure of what a function draws, in the place of an older one."""
    with announced(f"drawing {quoted(path.name)}"):
        artists = draw()
        from capacity._files import write_atomically
        from capacity_inspection.figures.reports import figure_file

        write_atomically(path, figure_file(artists[0], path.suffix.lower()[1:]))
    click.echo(f"figure: {path}", err=True)


def spatial_table(report):
    """Capacity by lag, the most recent first: one by one, or summed over octaves where there are many."""
    import numpy as np

    from capacity_inspection.reports.compared import LAG_ONE, lag_groups, lag_range
    from capacity_inspection.reports.screen import valued

    curves = {name: np.asarray(values) for name, values in report.allocation.items()}
    if report.step is None or any(values.ndim != 1 for values in curves.values()):
        return [report, "the capacity of each position is in --json and --figure"]
    n = len(next(iter(curves.values())))
    for label, (low, high) in report.bands.items() if n <= _MANY else ():  # a sum's interval is not that of its terms
        curves |= {f"{label}, from": np.asarray(low), "to": np.asarray(high)}
    rows = [
        [lag_range(*report.step + 1 - at[[-1, 0]]), *(f"{values[at].sum():.4f}" for values in curves.values())]
        for at in lag_groups(n, report.step, singly=n <= _MANY).values()
    ]
    remarks = ["intervals of single lags are in --json and --figure"] if report.bands and n > _MANY else []
    return [
        (["lag", *curves], rows),
        LAG_ONE,
        *remarks,
        *(
            f"{name}: {valued(number)}"
            for name, number in report.totals.items()
            if getattr(name, "extent", "") == "lags"
        ),
    ]


def write(*parts):
    """Write texts, tables and reports."""
    for part in parts:
        if isinstance(part, dict):
            import json

            click.echo(json.dumps(part, indent=2, allow_nan=False))
        elif isinstance(part, tuple):
            _table(*part)
        elif hasattr(part, "text"):
            click.echo(part.text(screen_width(), full=True))
        else:
            click.echo(_within(part))


def _within(text):
    """A text whose lines are no longer than the terminal."""
    from capacity_inspection.reports.screen import printable, wrapped

    width = screen_width()
    parts = [[line] if len(line) <= width else wrapped(line, width) for line in text.split("\n")]
    return "\n".join(printable(line) for lines in parts for line in lines)


def _table(titles, rows):
    from capacity_inspection.reports.screen import aligned

    columns = [([title], list(cells)) for title, *cells in zip(titles, *rows)]
    click.echo("\n".join(aligned(columns)))


def screen_width():
    """Columns of the terminal, at least 80; 80 where there is none."""
    import shutil

    return max(80, shutil.get_terminal_size().columns) if sys.stdout and sys.stdout.isatty() else 80
