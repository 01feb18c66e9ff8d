"""What the page on re-running says of Jupyter, on a machine that has neither the environment nor JupyterLab."""

import json
import os
import socket
import subprocess
import time
from contextlib import suppress
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

import nbformat
import pytest
from nbclient import NotebookClient

from edition.book import ROOT, book

INSTALL = ("make setup", ".venv/bin/python -m pip install jupyterlab", ".venv/bin/jupytext-config set-default-viewer")
START = ".venv/bin/jupyter lab"
CHAPTER = "chapters/linear/2-intuitions.md"
QUIET = (
    "--no-browser --allow-root --ServerApp.port_retries=0 --IdentityProvider.token= "
    "--ServerApp.disable_check_xsrf=True --port"
)


@pytest.fixture(scope="module")
def copy(tmp_path_factory, copied):
    """A fresh copy of the repository under Git, with a Jupyter that keeps its settings to itself."""
    folder = tmp_path_factory.mktemp("copy")
    root = copied(folder / "repository")
    environment = os.environ | {f"JUPYTER_{name}_DIR": str(folder / name) for name in ("CONFIG", "DATA", "RUNTIME")}
    for command in (*INSTALL, "git init --quiet && git add --all"):
        subprocess.run(command, shell=True, cwd=root, env=environment, check=True)
    return root, environment


@pytest.fixture(params=["", CHAPTER])
def contents(request, copy):
    """The address of the contents of Jupyter, and the chapters that it serves by their names there."""
    root, environment = copy
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = f"exec {START} {request.param} {QUIET} {port}"
    server = subprocess.Popen(command, shell=True, cwd=root, env=environment)
    served = (root / request.param).parent if request.param else root  # from the folder of a file on
    address = f"http://127.0.0.1:{port}/api/contents"
    try:
        while True:
            assert server.poll() is None
            time.sleep(0.5)
            with suppress(ConnectionError, URLError):
                _answer(f"{address}?content=0")
                break
        paths = [chapter.path.relative_to(ROOT) for chapter in book().values() if chapter.is_executable()]
        names = [(root / path).relative_to(served) for path in paths if (root / path).is_relative_to(served)]
        yield address, [name.as_posix() for name in names]
    finally:
        server.terminate()
        server.wait()


def test_what_jupyter_opens_runs_and_saves_is_the_same_text(contents, copy):
    address, names = contents
    root, _ = copy
    assert names
    for name in names:
        opened = _answer(f"{address}/{name}?type=notebook")
        assert opened["type"] == "notebook"
        notebook = nbformat.from_dict(opened["content"])
        if name.endswith("2-intuitions.md"):
            assert any("parameters" in cell.metadata.get("tags", []) for cell in notebook.cells)
            _run_a_cell(notebook, root)
        saved = {"type": "notebook", "format": "json", "content": notebook}
        _answer(Request(f"{address}/{name}", json.dumps(saved).encode(), method="PUT"))
    assert _changed(root) == ""


def _run_a_cell(notebook, root):
    """Run the first cell of code; the notebook keeps what the kernel tells of itself."""
    cell = next(cell for cell in notebook.cells if cell.cell_type == "code")
    alone = nbformat.v4.new_notebook(cells=[cell], metadata=notebook.metadata)
    NotebookClient(alone, kernel_name="python3", resources={"metadata": {"path": str(root)}}).execute()
    notebook.metadata = alone.metadata
    assert cell.execution_count == 1
    assert notebook.metadata["language_info"]["pygments_lexer"] == "ipython3"


def _changed(root):
    """Return what Git sees changed or added."""
    told = subprocess.run(["git", "status", "--porcelain"], cwd=root, check=True, capture_output=True, text=True).stdout
    return "".join(line for line in told.splitlines(True) if not line.startswith("A  "))


def _answer(address):
    """Return what the server says, also where it refuses."""
    try:
        return json.load(urlopen(address))
    except HTTPError as error:
        raise AssertionError(f"{error.url}: {error}") from None
