"""The commands that the README and the page on re-running tell readers to type are executed as they stand."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from edition.book import ROOT

PAGES = ("README.md", "chapters/rerun.md")
BLOCK = re.compile(r"^```(?P<language>sh|python|)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
ELSEWHERE = {  # what takes minutes or a network, and the file by which it is executed
    "make setup": ".ci/test_jupyter.py",
    "make book": ".ci/run",
    "make test": ".ci/run",
    "make reproduce SCALE=quick": ".github/workflows/book.yml",
    "make benchmark": "PUBLISH.md",
    ".venv/bin/python -m pip install jupyterlab": ".ci/test_jupyter.py",
    ".venv/bin/jupytext-config set-default-viewer": ".ci/test_jupyter.py",
    ".venv/bin/jupyter lab chapters/linear/2-intuitions.md": ".ci/test_jupyter.py",
}


def blocks(page):
    text = (ROOT / page).read_text(encoding="utf-8")
    return [(match["language"] or "sh", match["text"].strip()) for match in BLOCK.finditer(text)]


ALL = [(language, text) for page in PAGES for language, text in blocks(page)]
COMMANDS = [line for language, text in ALL if language == "sh" for line in text.splitlines()]
COMPARE = ".venv/bin/python -m edition compare THEIRS"
HERE = [command for command in COMMANDS if command not in ELSEWHERE and command != COMPARE]
SCRIPTS = [text for language, text in ALL if language == "python"]


@pytest.fixture(scope="module")
def copy(tmp_path_factory, copied):
    """A copy of the repository, with the environment that runs the tests."""
    root = copied(tmp_path_factory.mktemp("copy") / "repository")
    (root / "_build").mkdir()
    (root / ".venv").mkdir()
    for path in Path(sys.prefix).iterdir():
        (root / ".venv" / path.name).symlink_to(path)
    (root / ".venv" / ".ready").unlink(missing_ok=True)
    (root / ".venv" / ".ready").touch()
    return root


def run(copy, *command):
    found = os.environ | {"PATH": f"{copy / '.venv' / 'bin'}{os.pathsep}{os.environ['PATH']}"}  # where `capacity` is
    done = subprocess.run(command, cwd=copy, env=found, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    assert done.returncode == 0, done.stdout
    return done.stdout


@pytest.mark.parametrize("command", HERE)
def test_a_command_ends_well_and_what_it_names_is_there(copy, command):
    output = run(copy, "sh", "-c", command)
    for place in re.findall(r"^(?:the executed notebook|as a page): (.*)$", output, re.MULTILINE):
        assert Path(place).is_file()
    if "make run" in command:
        assert "as a page: " in output


@pytest.mark.parametrize("script", SCRIPTS)
def test_a_script_gives_the_numbers_in_its_comments(script, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = {}
    for line in script.splitlines():
        code, _, comment = line.partition("  # ")
        if comment.isdigit():
            assert eval(code, names) == int(comment)
        else:
            exec(code, names)


def test_the_command_that_compares_does(copy):
    shutil.copytree(ROOT / "_build" / "html", copy / "_build" / "html")
    output = run(copy, "sh", "-c", COMPARE.replace("THEIRS", str(ROOT / "_build" / "html")))
    assert output.endswith("the copies agree\n")
