"""The text of a chapter as a notebook: MyST Markdown with code cells, each with its options."""

import json
import re
from copy import deepcopy
from functools import lru_cache

from jupytext.myst import MystMetadataParsingError, myst_to_notebook
from nbformat import ValidationError
from yaml import YAMLError

__all__ = ["parse"]

AT_LINE = re.compile(r"cell \d+ at line (\d+)")


def parse(text, place):
    """Return the notebook that a text is, and the line where each of its cells begins, counted from zero.

    Parameters
    ----------
    text : str
        The text.
    place : str
        Its file, for messages.

    Raises
    ------
    ValueError
        With the place, if front matter or the options of a cell are not what a notebook can hold, or if the front
        matter does not say that the code is Python.
    """
    return deepcopy(_parsed(text, place))


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
    for cell, start in zip(notebook.cells, starts):
        _check_options(cell.metadata, f"{place}:{start + 1}")
    language = notebook.metadata.get("kernelspec", {}).get("language")
    if language != "python" and any(cell.cell_type == "code" for cell in notebook.cells):
        raise ValueError(
            f"{place}: expected front matter with a kernelspec whose language is python, got {language!r}; "
            "copy it from another chapter"
        )
    return notebook, starts


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
