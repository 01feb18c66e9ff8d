"""What goes on meanwhile."""

import sys
import time
from contextlib import contextmanager, redirect_stderr
from threading import Event, Thread

import click

__all__ = ["announced", "on_terminal"]

_SILENT = 1.5  # seconds, after which it is said what goes on


def on_terminal():
    """Whether somebody sees what is said meanwhile."""
    return sys.stderr.isatty()


class _Watched:
    """A stream that knows when it was last written to."""

    def __init__(self, stream):
        self.stream, self.written = stream, time.monotonic()

    def write(self, text):
        """Write, and remember when."""
        self.written = time.monotonic()
        return self.stream.write(text)

    def __getattr__(self, name):
        return getattr(self.stream, name)


@contextmanager
def announced(what):
    """Say what goes on, and since when, wherever nothing else, as a bar of fits, did so for a while.

    On a terminal the line is renewed, and goes at the end; elsewhere lines are added, ever more rarely.
    """
    ended, start, stream, lines = Event(), time.monotonic(), _Watched(sys.stderr), on_terminal()

    def tell():
        silent = _SILENT
        while not ended.wait(0.5):
            if time.monotonic() - stream.written > silent:
                text = f"{what}: {time.monotonic() - start:.0f} s"
                click.echo(f"\r{text}" if lines else text, nl=not lines, file=stream.stream)
                if not lines:
                    silent, stream.written = 2 * silent, time.monotonic()

    thread = Thread(target=tell, daemon=True)
    thread.start()
    try:
        with redirect_stderr(stream):
            yield
    finally:
        ended.set()
        thread.join()
        if lines:
            click.echo(f"\r{'':{len(what) + 9}}\r", nl=False, err=True)
