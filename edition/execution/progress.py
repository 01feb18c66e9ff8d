"""How far the execution of the chapters is."""

import sys

from tqdm import tqdm

__all__ = ["Progress"]


class Progress:
    """A progress bar on a terminal, lines elsewhere."""

    def __init__(self, total, cached):
        self.bar = tqdm(total=total, initial=cached, desc="chapters", unit="chapter", disable=not sys.stderr.isatty())
        self.total, self.done = total, cached
        if self.bar.disable and cached:
            print(f"chapters: {cached} of {total} unchanged", flush=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.bar.close()

    def report(self, chapter, result):
        """Say that a chapter is done, or failed."""
        self.done += 1
        self.bar.update()
        outcome = "failed" if result.failure else "done"
        took = "" if result.seconds is None else f" in {result.seconds:.1f} s"
        line = f"[{self.done}/{self.total}] {chapter.name}: {outcome}{took}"
        if self.bar.disable:
            print(line, flush=True)
        elif result.failure:
            self.bar.write(line)
