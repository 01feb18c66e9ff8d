"""One chapter at many values of its parameters: a table of what its claims measure, and the executed notebooks."""

import itertools
import json
from contextlib import closing
from functools import partial
from hashlib import sha256
from pathlib import Path

import nbformat
from tqdm import tqdm

from capacity._point_store import PointStore, evaluate
from edition.claims import ledger
from edition.execution.all_chapters import execute
from edition.execution.cache import cache_key, sources
from edition.execution.workers import ended_by, outcomes
from edition.yaml_values import read_value

__all__ = ["measured", "sweep_chapter"]


def sweep_chapter(chapter, values, build, *, jobs=1, progress=False):
    """Execute a chapter at every combination of some values of its parameters."""
    if wrong := [name for name, found in values.items() if not isinstance(found, list) or not found]:
        raise ValueError(f"{wrong[0]}: expected a list of values, such as '[1, 2]', got {values[wrong[0]]!r}")
    if not values:
        raise ValueError("expected at least one parameter with its values, got none; pass -p NAME '[VALUE, ...]'")
    each = [chapter.checked(dict(zip(values, point))) for point in itertools.product(*values.values())]
    folder = Path(build) / "sweeps" / f"{chapter.name}-{cache_key(chapter, {}, sources())[:8]}"
    points = [{name: _text(value) for name, value in point.items()} for point in each]
    store = PointStore.open(folder, points, f"{measured.__module__}.{measured.__qualname__}")
    _compute_missing(chapter, store, jobs, progress)
    return store.table(), folder


def measured(chapter, folder, **texts):
    """Execute a chapter at parameters given as YAML and return what its claims measure: a point of the sweep."""
    values = {name: read_value(name, text) for name, text in texts.items()}
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


def _compute_missing(chapter, store, jobs, progress):
    """Compute the points that are not finished; each is kept as soon as it is, whatever becomes of others."""
    missing, total, problems = store.missing(), len(store.points), []
    tasks = {index: (chapter, store.folder, parameters) for index, parameters in enumerate(missing)}
    with (
        tqdm(total=total, initial=total - len(missing), desc="points", disable=not progress) as bar,
        closing(outcomes(_work, tasks, jobs=jobs, preload=[__name__])) as finished,
    ):
        for index, outcome, exitcode in finished:
            died = f"the point {missing[index]} of the sweep failed: its process {ended_by(exitcode)}"
            results, problem = outcome or (None, died)
            if problem:
                problems.append(problem)
            else:
                store.save(missing[index], results)
            bar.update()
    if problems:
        raise RuntimeError("\n".join([*problems, f"{len(problems)} of {total} points failed; the others are kept"]))


def _work(chapter, folder, parameters):
    """Compute a point in a process of its own; return its results, or else what is wrong."""
    try:
        return evaluate(partial(measured, chapter, folder), parameters), None
    except RuntimeError as error:
        return None, str(error)


def _text(value):
    """Return a value as YAML: words as they are, anything else as JSON."""
    if isinstance(value, str):
        try:
            if read_value("word", value) == value:
                return value
        except ValueError:  # such as [a
            pass
    return json.dumps(value)
