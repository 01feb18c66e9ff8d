"""The direction of imports, declared in pyproject.toml, and what is public."""

import ast
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from edition.book import ROOT

CELL = re.compile(r"^```(?:\{code-cell\}[^\n]*|python)\n(.*?)^```\s*$", re.MULTILINE | re.DOTALL)
OPTIONS = re.compile(r"\A(?:---\n.*?\n---\n)?(?::[\w-]+:[^\n]*\n)*", re.DOTALL)
READERS = sorted([*(ROOT / "chapters").rglob("*.md"), *(ROOT / "benchmarks").glob("*.py"), ROOT / "README.md"])


def lint(folder):
    command = [Path(sys.executable).with_name("lint-imports"), "--no-logo", "--no-cache"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True)


@pytest.mark.whole
def test_every_import_goes_in_the_declared_direction():
    done = lint(ROOT)
    assert done.returncode == 0, done.stdout


def imported_by(path):
    """Modules of the package with the names that a chapter, a benchmark or the README imports from them."""
    text = path.read_text(encoding="utf-8")
    cells = [text] if path.suffix == ".py" else [OPTIONS.sub("", cell) for cell in CELL.findall(text)]
    for node in (node for cell in cells for node in ast.walk(ast.parse(cell))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "capacity":
            yield from ((node.module, alias.name) for alias in node.names)
        if isinstance(node, ast.Import):
            yield from ((alias.name, None) for alias in node.names if alias.name.startswith("capacity."))


def test_chapters_and_benchmarks_import_what_is_public_only():
    hidden = [
        (path.relative_to(ROOT).as_posix(), module, name)
        for path in READERS
        for module, name in imported_by(path)
        if name and name not in getattr(import_module(module), "__all__", [])
    ]
    assert hidden == []


@pytest.mark.whole
def test_the_public_face_is_loaded_when_it_is_used():
    later = {"import capacity": "numpy", "capacity.fit": "matplotlib"}
    code = "\n".join(f"{used}; print({module!r} in sys.modules)" for used, module in later.items())
    code = f"import sys\n{code}\ncapacity.figures.tints; print('matplotlib' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False", "True"]
