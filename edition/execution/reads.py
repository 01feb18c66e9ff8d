"""What a kernel reads, and the memory that it takes: an IPython extension that writes both into a file.

Rooms of `capacity` load their names lazily, so that the modules of a kernel are those that its chapter uses.
"""

import json
import os
import resource
import sys
from pathlib import Path

__all__ = ["FILE", "OURS"]

FILE = "EDITION_READS"  # the variable of the environment that names the file
ROOT = Path(__file__).resolve().parents[2]
MADE = ("_build", "__pycache__")
OURS = ("capacity", "capacity_inspection", "capacity_studies", "edition")
INSTALLED = ("site-packages", "dist-packages")


def load_ipython_extension(shell):
    """Note each file that is opened, and write after each cell what was read."""
    reads = Reads()
    sys.addaudithook(reads.note)
    shell.events.register("post_run_cell", reads.write)


class Reads:
    """What was opened: the names of files that are sources, of the code or of the chapter's book, and of modules."""

    def __init__(self):
        self.opened, self.seen, self.names, self.modules = set(), set(), set(), set()

    def note(self, event, arguments):
        """Hear of what Python does."""
        if event == "open" and isinstance(arguments[0], str):
            self.opened.add(arguments[0])

    def write(self, result):
        """Write what was read so far."""
        modules = {
            name: file for name, module in sys.modules.copy().items() if (file := getattr(module, "__file__", None))
        }
        files = {*modules.values(), *(f"{file}i" for file in modules.values() if file.endswith("__init__.py"))}
        files |= self.opened
        for path in map(Path, files - self.seen):
            self.modules |= {after for name, after in zip(path.parts, path.parts[1:]) if name in INSTALLED}
            if path.is_file() and any(_is_source(path.resolve(), root) for root in (ROOT, Path.cwd().parent)):
                self.names.add(os.path.relpath(path, ROOT))
        self.seen |= files
        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1024 if sys.platform == "linux" else 1024**2)
        self.modules |= {name.partition(".")[0] for name in modules}
        found = {"reads": sorted(self.names), "modules": sorted(self.modules), "megabytes": round(most, 1)}
        Path(os.environ[FILE]).write_text(json.dumps(found), encoding="utf-8")


def _is_source(path, root):
    """Return whether a file is in a folder, and neither made there nor of an environment."""
    parts = path.relative_to(root).parts if path.is_relative_to(root) else (".",)
    return not any(part.startswith(".") or part in MADE for part in parts)
