"""What the page on re-running says of Jupyter, on a machine that has neither the environment nor JupyterLab."""

import json
import os
import socket
import subprocess
import time
from contextlib import suppress
from urllib.error import HTTPError, URLError
from urllib.request import urlopen

import pytest

INSTALL = ("make setup", ".venv/bin/python -m pip install jupyterlab", ".venv/bin/jupytext-config set-default-viewer")
START = ".venv/bin/jupyter lab chapters/linear/2-intuitions.md"
QUIET = "--no-browser --allow-root --ServerApp.port_retries=0 --IdentityProvider.token= --port"


@pytest.fixture(scope="module")
def copy(tmp_path_factory, copied):
    """A fresh copy of the repository, with a Jupyter that keeps its settings to itself."""
    folder = tmp_path_factory.mktemp("copy")
    root = copied(folder / "repository")
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
    address = f"http://127.0.0.1:{port}/api/contents/2-intuitions.md?type=notebook"  # from the folder of the file on
    opened = None
    try:
        while opened is None:
            assert server.poll() is None
            time.sleep(0.5)
            with suppress(ConnectionError, URLError):
                opened = _answer(address)
    finally:
        server.terminate()
        server.wait()
    cells = opened["content"]["cells"]
    assert opened["type"] == "notebook"
    assert any("parameters" in cell["metadata"].get("tags", []) for cell in cells)


def _answer(address):
    """Return what the server says, also where it refuses."""
    try:
        return json.load(urlopen(address))
    except HTTPError as error:
        raise AssertionError(f"{address}: {error}") from None
