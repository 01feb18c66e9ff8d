"""The text of a chapter as a notebook: MyST Markdown with code cells, each with its options."""

import json
import re
from copy import deepcopy
from functools import lru_cache
from hashlib import sha256
from itertools import count

from jupytext.myst import MystMetadataParsingError, myst_to_notebook
from nbformat import ValidationError
from papermill.translators import PythonTranslator
from yaml import YAMLError

from edition.parameters import Parameter

__all__ = ["declared", "parse"]

AT_LINE = re.compile(r"cell \d+ at line (\d+)")
CLAIMED = re.compile(r"""\b(?:claim|check)\(\s*["']([^"']+)""")
BOUND = re.compile(r"^(?:def |class |(?=[\w, ]+(?:: [\w\[\]]+)? = ))(\w+)", re.MULTILINE)


def parse(text, place):
    """Return the notebook that a text is, and the line where each of its cells begins, counted from zero.

    The id of a cell is a name of its own, which stays when others come and go: that of its figure, the first claim that
    it checks, the first name that it binds, or else a digest.
    """
    return deepcopy(_parsed(text, place))


def declared(notebook, tag="parameters"):
    """Return the parameters that the cells of a tag set, by name."""
    cells = [cell for cell in notebook.cells if tag in cell.metadata.get("tags", [])]
    return {found.name: Parameter.declared(found) for cell in cells for found in PythonTranslator.inspect(cell)}


@lru_cache(maxsize=128)  # whoever looks at all chapters asks for each of them several times
def _parsed(text, place):
    try:
        notebook = myst_to_notebook(text, add_source_map=True)
    except ValidationError as error:
        key = ".".join(map(str, error.absolute_path))
        raise _unreadable(place, f"{key}: {error.message.splitlines()[0]}") from None
    except (MystMetadataParsingError, YAMLError) as error:
        found = AT_LINE.search(str(error))
        problem = getattr(error.__context__, "problem", None) or " ".join(str(error).split())
        raise _unreadable(f"{place}:{found[1]}" if found else place, problem) from None
    starts = notebook.metadata.pop("source_map")
    ids = set()
    for cell, start in zip(notebook.cells, starts):
        _check_options(cell.metadata, f"{place}:{start + 1}")
        name = _name_of(cell)
        cell.id = next(id for n in count(1) if (id := f"{name}-{n}" if n > 1 else name) not in ids)
        ids.add(cell.id)
    language = notebook.metadata.get("kernelspec", {}).get("language")
    if language != "python" and any(cell.cell_type == "code" for cell in notebook.cells):
        raise ValueError(
            f"{place}: expected front matter with a kernelspec whose language is python, got {language!r}; "
            "copy it from another chapter"
        )
    return notebook, starts


def _name_of(cell):
    name = sha256(cell.source.encode()).hexdigest()[:8]
    if cell.cell_type == "code":
        found = CLAIMED.search(cell.source) or BOUND.search(cell.source)
        name = cell.metadata.get("mystnb", {}).get("figure", {}).get("name") or (found[1] if found else name)
    return re.sub(r"[^A-Za-z0-9_-]+", "-", name)[:56]  # notebooks allow 64


def _unreadable(place, problem):
    return ValueError(
        f"{place}: expected front matter and options of cells as name: value in YAML, got something else ({problem}); "
        "correct it"
    )


def _check_options(options, place):
    """Refuse options of a cell that a notebook can hold and that mean nothing."""
    try:
        json.dumps(options)
    except TypeError as error:
        raise ValueError(
            f"{place}: expected texts and numbers as options, got something else ({error}); quote it"
        ) from None
    shown = options.get("mystnb", {})
    inner = {f"mystnb: {key}": shown.get(key, {}) for key in ("figure", "image")} if isinstance(shown, dict) else {}
    for key, value in ({"mystnb": shown} | inner).items():
        if not isinstance(value, dict):
            raise ValueError(f"{place}: expected name: value below {key}, got {value!r}; correct it")
    if not isinstance(options.get("varies", ""), str):
        raise ValueError(f"{place}: expected a reason as varies, got {options['varies']!r}; say in words what varies")
