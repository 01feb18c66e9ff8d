"""Small books to try the machinery on: their chapters import nothing heavy."""

import shutil
from pathlib import Path

import yaml

from edition.book import ROOT

HEADER = """---
jupytext: {text_representation: {extension: .md, format_name: myst}}
kernelspec: {display_name: Python 3, language: python, name: python3}
---
"""


def cell(code, tags=""):
    options = f":tags: [{tags}]\n" if tags else ""
    return f"```{{code-cell}} ipython3\n{options}{code}\n```\n"


def claim(id, text="It adds up."):
    return f":::{{claims}}\n- {id} (result): {text}\n:::\n\n"


def write_book(root, chapters):
    """Write a book of chapters by name; the first is its root."""
    root.mkdir(exist_ok=True)
    for name, text in chapters.items():
        path = root / "chapters" / f"{name}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text((HEADER if "code-cell" in text else "") + text, encoding="utf-8")
    first, *others = [{"file": f"chapters/{name}"} for name in chapters]
    toc = {"format": "jb-book", "root": first["file"]} | ({"chapters": others} if others else {})
    (root / "_toc.yml").write_text(yaml.safe_dump(toc))
    for name in ("_config.yml", "CITATION.cff", "references.bib", "requirements.txt"):
        shutil.copy(ROOT / name, root)
    shutil.copytree(ROOT / "edition" / "static", root / "edition" / "static", dirs_exist_ok=True)
    return Path(root)
