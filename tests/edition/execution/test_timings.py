"""What executions took: kept for the notebooks that are kept, and never in the way."""

import pytest

from edition.execution.execute import Result
from edition.execution.timings import move, note, read, text

TOOK = {"seconds": 2.5, "megabytes": 90.0, "cells": {"one-2": 1.5}}


def test_timings_are_read_as_they_were_written(tmp_path):
    path = tmp_path / "timings.json"
    path.write_text(text({"one": {"first": TOOK}}))
    assert read(path) == {"one": {"first": TOOK}}


@pytest.mark.parametrize("content", [None, "", '{"one": {', "[1]", '{"one": 1}'])
def test_what_cannot_be_read_counts_as_nothing(tmp_path, content):
    path = tmp_path / "timings.json"
    if content is not None:
        path.write_text(content)
    assert read(path) == {}


def test_only_what_is_kept_is_noted(tmp_path):
    (tmp_path / "new.ipynb").write_text("")
    timings = {"one": {"gone": TOOK}}
    note(timings, "one", Result(path=tmp_path / "new.ipynb", **TOOK))
    assert timings == {"one": {"new": TOOK}}


def test_cells_take_their_times_to_their_new_ids():
    timings = {"one": {"old": TOOK}}
    move(timings, "one", "old", "new", {"one-2": "one-3"})
    assert timings == {"one": {"new": TOOK | {"cells": {"one-3": 1.5}}}}
    move(timings, "one", "unknown", "other", {})
    assert set(timings["one"]) == {"new"}
