"""Pages are written by several processes, and ask nothing of other sites."""

import subprocess
import sys

import pytest
from pages import outside_requests, pages

from edition.book import ROOT

PAGES = 25


CONFIGURATION = """
import os
from pathlib import Path

extensions = {extensions!r}

def note(app, pagename, *others):
    (Path(app.outdir) / f"{{pagename}}.writer").write_text(str(os.getpid()))

def setup(app):
    app.connect("html-page-context", note)
"""


@pytest.fixture
def built(tmp_path):
    """Return a function that builds pages which refer to each other, with extensions."""
    source = tmp_path / "source"
    source.mkdir()
    names = [f"page{number}" for number in range(PAGES)]
    for name, other in zip(names, names[1:] + names[:1]):
        (source / f"{name}.rst").write_text(f"{name.title()}\n======\n\nSee :doc:`{other}` for :math:`x^2`.\n")
    (source / "index.rst").write_text("All\n===\n\n.. toctree::\n\n" + "".join(f"   {name}\n" for name in names))

    def build(*extensions):
        (source / "conf.py").write_text(CONFIGURATION.format(extensions=list(extensions)))
        out = tmp_path / f"out{len(extensions)}"
        subprocess.run([sys.executable, "-m", "sphinx", "-q", "-W", source, out], check=True, cwd=ROOT)
        writers = {name: (out / f"{name}.writer").read_text() for name in names}
        return writers, {path.name: path.read_bytes() for path in out.glob("*.html")}

    return build


def test_several_processes_write_the_pages_that_one_writes(built):
    (one, expected), (several, found) = built(), built("edition.sphinx_ext.jupyter_book")
    assert len(set(one.values())) == 1
    assert (len(set(several.values())) > 2) == (sys.platform == "linux")
    assert found == expected
    assert len(found) >= PAGES


def test_no_page_asks_anything_of_other_sites(html):
    assert outside_requests(pages(html)) == []
