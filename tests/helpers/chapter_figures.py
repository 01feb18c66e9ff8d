"""The modules that draw the figures of the chapters, and the public plots that they use."""

import re
from functools import cache
from pathlib import Path

from capacity import figures
from edition.book import ROOT, book, renamed


def figures_of(chapter):
    """Return the module that draws the figures of a chapter, which is named after it, or as it was once called."""
    names = [chapter, *(old for old, now in renamed().items() if now == chapter)]
    paths = [path.replace("-", "_").rpartition("/") for path in names]
    below = [Path(part, f"{'section_' * name[0].isdigit()}{name}.py") for part, _, name in paths]
    files = [ROOT / "capacity_studies" / "figures" / path for path in below]
    return next((file for file in files if file.exists()), files[0])


@cache
def drawn_in():
    """Return the chapters whose figures call a public plot, by its name: these are its examples."""
    found = {name: [] for name in figures.__all__}
    for chapter, text in book().items():
        code = "".join(path.read_text(encoding="utf-8") for path in (text.path, figures_of(chapter)) if path.exists())
        for name in set(re.findall(r"\b\w+(?=\()", code)) & set(found):
            found[name].append(chapter)
    return {name: chapters for name, chapters in found.items() if chapters}
