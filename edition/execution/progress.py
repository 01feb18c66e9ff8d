"""How far the execution of the chapters is."""

import sys

from tqdm import tqdm

__all__ = ["Progress"]


class Progress:
    """A progress bar on a terminal, lines elsewhere."""

    def __init__(self, total, cached, unit="chapter"):
        self.bar = tqdm(total=total, initial=cached, desc=f"{unit}s", unit=unit, disable=not sys.stderr.isatty())
        self.total, self.done = total, cached
        if self.bar.disable and cached:
            print(f"{unit}s: {cached} of {total} unchanged", flush=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.bar.close()

    def report(self, name, *, failed, seconds=None, said=""):
        """Say that a chapter is done, or failed, or what else is `said` of it."""
        self.done += 1
        self.bar.update()
        took = "" if seconds is None else f" in {seconds:.1f} s"
        line = f"[{self.done}/{self.total}] {name}: {said or ('failed' if failed else 'done')}{took}"
        if self.bar.disable:
            print(line, flush=True)
        elif failed:
            self.bar.write(line)
