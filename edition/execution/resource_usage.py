"""The time and memory that executions took, by chapter and notebook: for the order of execution and the receipt."""

import json

__all__ = ["as_json", "move", "read", "record"]


def read(path):
    """Return what each kept notebook took, by chapter and by the notebook's name; nothing if the file is damaged."""
    try:
        return {name: dict(runs) for name, runs in json.loads(path.read_text()).items()}
    except (OSError, ValueError, TypeError, AttributeError):
        return {}  # the order of execution and the receipt do without


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
