"""What goes on meanwhile."""

import sys
from contextlib import contextmanager
from threading import Event, Thread

import click

__all__ = ["announced", "on_terminal"]

_SILENT = 1.5  # seconds, after which it is said what goes on


def on_terminal():
    """Whether somebody sees what is said meanwhile."""
    return sys.stderr.isatty()


@contextmanager
def announced(what):
    """Say what goes on where it takes long.

    On a terminal the line stands until the end, or makes room for bars of fits; elsewhere it comes again, ever more
    rarely.
    """
    passing, ended = on_terminal(), Event()

    def tell():
        silent = _SILENT
        while not ended.wait(silent):
            click.echo(f"{what} ...", nl=not passing, err=True)
            silent = None if passing else 2 * silent

    thread = Thread(target=tell, daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()
        if passing:
            click.echo(f"\r{'':{len(what) + 4}}\r", nl=False, err=True)
