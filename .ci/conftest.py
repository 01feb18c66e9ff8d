"""What the checks share: a copy of the repository without what was made in it, as a clone would have it."""

import shutil

import pytest

from edition.book import ROOT

MADE = shutil.ignore_patterns(".git", ".venv*", "_build", "__pycache__", ".*_cache", ".hypothesis", "*.egg-info")


@pytest.fixture(scope="session")
def copied():
    """Copy the repository to a folder that is not there yet, and return the folder."""
    return lambda folder: shutil.copytree(ROOT, folder, ignore=MADE)
