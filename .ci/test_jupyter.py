"""What the page on re-running says of Jupyter, on a machine that has neither the environment nor JupyterLab."""

import json
import os
import shutil
import socket
import subprocess
import time
from urllib.error import URLError
from urllib.request import urlopen

import pytest

from edition.chapters import ROOT

INSTALL = ("make setup", ".venv/bin/python -m pip install jupyterlab", ".venv/bin/jupytext-config set-default-viewer")
START = ".venv/bin/jupyter lab chapters/linear/2-intuitions.md"
QUIET = "--no-browser --allow-root --ServerApp.port_retries=0 --IdentityProvider.token= --port"


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    """A fresh copy of the repository, with a Jupyter that keeps its settings to itself."""
    folder = tmp_path_factory.mktemp("copy")
    root = folder / "repository"
    shutil.copytree(ROOT, root, ignore=shutil.ignore_patterns(".git", ".venv", "_build", "__pycache__", ".*_cache"))
    environment = os.environ | {f"JUPYTER_{name}_DIR": str(folder / name) for name in ("CONFIG", "DATA", "RUNTIME")}
    for command in INSTALL:
        subprocess.run(command, shell=True, cwd=root, env=environment, check=True)
    return root, environment


def test_jupyter_opens_a_chapter_as_a_notebook(copy):
    root, environment = copy
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = subprocess.Popen(f"exec {START} {QUIET} {port}", shell=True, cwd=root, env=environment)
    address = f"http://127.0.0.1:{port}/api/contents/chapters/linear/2-intuitions.md?type=notebook"
    try:
        for _ in range(120):
            time.sleep(0.5)
            try:
                opened = json.load(urlopen(address))
                break
            except URLError:
                assert server.poll() is None
    finally:
        server.terminate()
        server.wait()
    cells = opened["content"]["cells"]
    assert opened["type"] == "notebook"
    assert any("parameters" in cell["metadata"].get("tags", []) for cell in cells)
