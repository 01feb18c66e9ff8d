"""The time and memory that executions took, by chapter and notebook: for the order of execution and the receipt."""

import json
from contextlib import suppress
from numbers import Real

__all__ = ["as_json", "move", "read", "record"]


def read(path):
    """Return what each kept notebook took, by chapter and by the notebook's name, without what is damaged."""
    with suppress(OSError, ValueError, RecursionError):  # the order of execution and the receipt do without
        content = json.loads(path.read_text(encoding="utf-8"))
        found = {name: _whole(runs) for name, runs in content.items()} if isinstance(content, dict) else {}
        return {name: runs for name, runs in found.items() if runs}
    return {}


def _whole(runs):
    return {stem: run for stem, run in runs.items() if _is_whole(run)} if isinstance(runs, dict) else {}


def _is_whole(run):
    """Return whether a record of one execution has its three entries, and nothing but numbers in them."""
    if not isinstance(run, dict) or set(run) != {"seconds", "megabytes", "cells"} or not isinstance(run["cells"], dict):
        return False
    return all(isinstance(number, Real) for number in (run["seconds"], run["megabytes"], *run["cells"].values()))


def as_json(usage):
    """Return the usage as the text of a JSON file."""
    return json.dumps(usage, indent=1, sort_keys=True)


def record(usage, name, result):
    """Record what a chapter's notebook took, and forget those that are not kept any more."""
    kept = {path.stem for path in result.path.parent.glob("*.ipynb")}
    took = {key: getattr(result, key) for key in ("seconds", "megabytes", "cells")}
    runs = usage.get(name, {}) | {result.path.stem: took}
    usage[name] = {stem: run for stem, run in runs.items() if stem in kept}


def move(usage, name, old, new, ids):
    """Give a chapter's notebook with new text what the old one took, and its cells by their new ids."""
    runs = usage.get(name, {})
    if old in runs:
        run = runs.pop(old)
        runs[new] = run | {"cells": {ids[id]: seconds for id, seconds in run.get("cells", {}).items() if id in ids}}
