"""One chapter at many values of its parameters: a table of what its claims measure, and the executed notebooks."""

import json
from functools import partial, update_wrapper
from hashlib import sha256
from pathlib import Path

import nbformat
import yaml

from capacity.sweeps import grid, sweep
from edition.claims import ledger
from edition.execution.execute import execute, source_digest

__all__ = ["measured", "sweep_chapter"]


def sweep_chapter(chapter, values, build, *, root, jobs=1, progress=False):
    """Execute a chapter at every combination of some values of its parameters.

    Parameters
    ----------
    chapter : Chapter
        The chapter; a claim that does not come out as recorded does not stop it.
    values : dict
        A list of values for each parameter.
    build : Path
        The folder of everything that is made. What the sweep makes has a place of its own for each content of chapter
        and package, so that it can be interrupted and resumed, and a change starts a new one.
    jobs, progress
        As in `capacity.sweeps.sweep`.

    Returns
    -------
    table : dict
        The columns: the parameters, the path of the notebook, how many claims were made and which of them did not
        come out as recorded, and the numbers that claims measured.
    folder : Path
        Where ``table.csv`` and the notebooks are.

    Raises
    ------
    ValueError
        If a parameter is unknown or has no list of values.
    RuntimeError
        If the chapter fails at a point.
    """
    if wrong := [name for name, found in values.items() if not isinstance(found, list) or not found]:
        raise ValueError(f"{wrong[0]}: expected a list of values, such as '[1, 2]', got {values[wrong[0]]!r}")
    if not values:
        raise ValueError("expected at least one parameter with its values, got none; pass -p NAME '[VALUE, ...]'")
    chapter.check_parameters(values)
    content = chapter.path.read_text(encoding="utf-8") + source_digest(root)
    folder = Path(build) / "sweeps" / f"{chapter.name}-{sha256(content.encode()).hexdigest()[:8]}"
    point = update_wrapper(partial(measured, chapter, folder), measured)
    points = grid(**{name: [_text(value) for value in found] for name, found in values.items()})
    return sweep(point, points, folder, jobs=jobs, progress=progress), folder


def measured(chapter, folder, **texts):
    """Execute a chapter at parameters given as YAML and return what its claims measure: a point of the sweep."""
    values = {name: yaml.safe_load(text) for name, text in texts.items()}
    name = sha256(json.dumps(values, sort_keys=True).encode()).hexdigest()[:12]
    path = execute(chapter, values, folder / "notebooks" / f"{name}.ipynb", report=True)
    claims = ledger.collect({chapter.name: nbformat.read(path, as_version=4)}, as_recorded=False)
    other = [claim["id"] for claim in claims if claim["problem"]]
    numbers = {claim["id"]: claim["evidence"]["measured"] for claim in claims if claim["evidence"]}
    return {
        "notebook": str(path.relative_to(folder)),
        "claims": len(claims),
        "not as recorded": " ".join(other) or "none",
        **{id: value for id, value in numbers.items() if isinstance(value, int | float)},
    }


def _text(value):
    """Return a value as YAML: words as they are, anything else as JSON."""
    return value if isinstance(value, str) and yaml.safe_load(value) == value else json.dumps(value)
