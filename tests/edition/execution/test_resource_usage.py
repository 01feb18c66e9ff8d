"""What executions took: kept for the notebooks that are kept, and never in the way."""

import pytest

from edition.execution.all_chapters import Result
from edition.execution.resource_usage import as_json, move, read, record

TOOK = {"seconds": 2.5, "megabytes": 90.0, "cells": {"one-2": 1.5}}


def test_the_usage_is_read_as_it_was_written(tmp_path):
    path = tmp_path / "usage.json"
    path.write_text(as_json({"one": {"first": TOOK}}))
    assert read(path) == {"one": {"first": TOOK}}


@pytest.mark.parametrize("content", [None, "", '{"one": {', "[1]", '{"one": 1}'])
def test_what_cannot_be_read_counts_as_nothing(tmp_path, content):
    path = tmp_path / "usage.json"
    if content is not None:
        path.write_text(content)
    assert read(path) == {}


@pytest.mark.parametrize(
    "damaged",
    [1, [], {}, {"seconds": 1}, TOOK | {"seconds": "long"}, TOOK | {"cells": [1]}, TOOK | {"cells": {"one-2": None}}],
)
def test_of_a_damaged_record_only_what_is_whole_counts(tmp_path, damaged):
    path = tmp_path / "usage.json"
    path.write_text(as_json({"one": {"first": damaged, "second": TOOK}, "two": damaged}))
    found = read(path)
    assert found["one"] == {"second": TOOK}
    assert not found.get("two")


def test_only_what_is_kept_is_recorded(tmp_path):
    (tmp_path / "new.ipynb").write_text("")
    usage = {"one": {"gone": TOOK}}
    record(usage, "one", Result(path=tmp_path / "new.ipynb", **TOOK))
    assert usage == {"one": {"new": TOOK}}


def test_cells_take_their_times_to_their_new_ids():
    usage = {"one": {"old": TOOK}}
    move(usage, "one", "old", "new", {"one-2": "one-3"})
    assert usage == {"one": {"new": TOOK | {"cells": {"one-3": 1.5}}}}
    move(usage, "one", "unknown", "other", {})
    assert set(usage["one"]) == {"new"}
