"""What goes on meanwhile."""

import sys
from contextlib import contextmanager
from threading import Timer

import click

__all__ = ["announced", "on_terminal"]

_SILENT = 1.5  # seconds, after which it is said what goes on


def on_terminal():
    """Whether somebody sees what is said meanwhile."""
    return sys.stderr.isatty()


@contextmanager
def announced(what):
    """Say what goes on where it takes long; on a terminal the line goes at the end, and makes room for bars of fits."""
    passing = on_terminal()
    timer = Timer(_SILENT, click.echo, [f"{what} ..."], {"nl": not passing, "err": True})
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()
        if passing:
            click.echo(f"\r{'':{len(what) + 4}}\r", nl=False, err=True)
