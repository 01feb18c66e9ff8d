"""The papers stand alone: where all that their part does without is deleted, it is tested and built.

Both have an environment of their own, so that nothing of this checkout is at hand.
"""

import shutil
import subprocess

import pytest
from pages import broken_links, missing_pages, pages

from edition.book import ROOT, book, left_out
from edition.publishing.build import site_folder

PART = "papers"


@pytest.fixture(scope="module")
def alone(tmp_path_factory, copied):
    """Return a copy of the repository without the rest of it."""
    root = copied(tmp_path_factory.mktemp("alone") / "repository")
    for path in left_out(PART):
        whole = root / path
        shutil.rmtree(whole) if whole.is_dir() else whole.unlink()
    shutil.copytree(ROOT / ".venv", root / ".venv", symlinks=True)  # which make setup makes the copy's own
    return root


def make(root, *words):
    done = subprocess.run(["make", *words], cwd=root, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    assert done.returncode == 0, done.stdout
    return done.stdout


def test_the_rest_is_not_at_hand(alone):
    make(alone, "setup")
    command = [alone / ".venv" / "bin" / "python", "-c", "import capacity, capacity_inspection"]
    done = subprocess.run(command, cwd=alone.parent, text=True, capture_output=True)
    assert "No module named 'capacity_inspection'" in done.stderr


def test_its_share_of_the_tests_passes(alone):
    assert " failed" not in make(alone, "test", f"PART={PART}")


def test_its_pages_are_built_and_lead_to_each_other(alone):
    make(alone, "book", f"PART={PART}", "SCALE=quick")
    html = site_folder(alone / "_build", "quick", PART)
    assert missing_pages(book(alone, PART).values(), html) == []
    assert broken_links(pages(html)) == []
