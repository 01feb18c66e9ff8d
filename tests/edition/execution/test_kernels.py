"""Kernels: the code of this checkout and this interpreter, whatever somebody has set or installed for himself."""

import json
import tempfile
from pathlib import Path

import nbformat
import pytest
from small_books import cell, write_book

from edition.book import ROOT, book
from edition.execution.one_chapter import run_chapter

CODE = """import sys
from shutil import get_terminal_size
import edition
from matplotlib import pyplot as plt
get_terminal_size().columns
print(sys.prefix, edition.__file__, plt.get_backend(), sys.flags.optimize, "unasked" in globals())
plt.figure(figsize=(1, 1)).add_subplot()"""
STARTED = "unasked = 1\nprint('unasked')\n"
FOREIGN = {"argv": ["false", "{connection_file}"], "display_name": "Theirs", "language": "python"}


@pytest.fixture
def one(tmp_path):
    return book(write_book(tmp_path / "book", {"one": "# One\n\n" + cell(CODE)}))["one"]


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return str(path)


def test_no_settings_of_whoever_runs_it_reach_a_chapter(one, tmp_path, monkeypatch):
    here = run_chapter(one, {})[0]
    home = tmp_path / "home"
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("IPYTHONDIR", str(home / ".ipython"))
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(home / "data"))
    monkeypatch.setenv("MPLBACKEND", "svg")
    monkeypatch.setenv("PYTHONOPTIMIZE", "1")
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setenv("PYTHONSTARTUP", write(home / "start.py", STARTED))
    for name in ("MATPLOTLIBRC", "MPLCONFIGDIR"):
        monkeypatch.setenv(name, str(home / "mpl"))
    for folder in (home / "mpl", home / ".config" / "matplotlib", home / ".matplotlib"):
        write(folder / "matplotlibrc", "axes.facecolor: red\n")
    profile = home / ".ipython" / "profile_default"
    write(profile / "startup" / "start.py", STARTED)
    write(profile / "ipython_config.py", "get_config().InteractiveShell.ast_node_interactivity = 'all'\n")
    write(home / "data" / "kernels" / "python3" / "kernel.json", json.dumps(FOREIGN))
    assert run_chapter(one, {})[0] == here
    assert not (profile / "history.sqlite").exists()  # nor does it leave anything there
    assert str(ROOT / "edition" / "__init__.py") in here


def test_the_code_of_the_checkout_comes_before_that_of_another(one, tmp_path, monkeypatch):
    write(tmp_path / "other" / "edition" / "__init__.py", "raise ImportError('of another checkout')")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "other"))
    assert "edition/__init__.py" in run_chapter(one, {})[1]["reads"]


def test_a_temporary_folder_with_a_long_name_will_do_and_nothing_is_left_in_it(tmp_path, monkeypatch):
    folder = tmp_path / ("long" * 25)
    folder.mkdir()
    monkeypatch.setenv("TMPDIR", str(folder))
    monkeypatch.setattr(tempfile, "tempdir", None)
    code = "import tempfile\ntempfile.mkdtemp()\nprint(tempfile.gettempdir())"
    one = book(write_book(tmp_path / "book", {"one": "# One\n\n" + cell(code)}))["one"]
    used = Path(nbformat.reads(run_chapter(one, {})[0], as_version=4).cells[-1].outputs[0].text.strip())
    assert used.name.startswith("chapter-")
    assert not used.exists()
    assert not list(folder.iterdir())
