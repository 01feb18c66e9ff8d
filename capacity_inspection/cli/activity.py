"""What goes on meanwhile, said on a terminal."""

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
    """Say on a terminal what goes on, and since when, wherever nothing else, as a bar of fits, did so for a while."""
    if not on_terminal():
        yield
        return
    ended, start, stream = Event(), time.monotonic(), _Watched(sys.stderr)

    def tell():
        while not ended.wait(0.5):
            if time.monotonic() - stream.written > _SILENT:
                click.echo(f"\r{what}: {time.monotonic() - start:.0f} s", nl=False, file=stream.stream)

    thread = Thread(target=tell, daemon=True)
    thread.start()
    try:
        with redirect_stderr(stream):
            yield
    finally:
        ended.set()
        thread.join()
        click.echo(f"\r{'':{len(what) + 9}}\r", nl=False, err=True)
