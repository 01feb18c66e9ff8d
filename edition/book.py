"""The chapters: which there are, their notebooks, and the parameters that they declare."""

from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path

import yaml
from jupytext.myst import myst_to_notebook
from papermill.translators import PythonTranslator
from sphinx_external_toc.parsing import MalformedError, parse_toc_data

__all__ = ["ROOT", "SCALES", "Chapter", "book", "chosen", "parameters_at", "read_yaml"]

ROOT = Path(__file__).resolve().parents[1]
SCALES = ("default", "quick", "large")


@dataclass(frozen=True)
class Chapter:
    """A text notebook of the book.

    `name` is the path below the chapters' folder without its suffix, such as ``linear/5-1-hierarchical``.
    """

    name: str
    path: Path

    def notebook(self):
        """Return the notebook, its cells numbered by their ids, and the line of the text where each cell begins."""
        try:
            lines = self.path.read_text(encoding="utf-8").splitlines()
        except UnicodeDecodeError as error:
            raise ValueError(f"{self.path.name}: expected text in UTF-8, got {error}; save it as UTF-8") from None
        notebook = myst_to_notebook("\n".join(lines), add_source_map=True)
        starts = notebook.metadata.pop("source_map")
        for index, cell in enumerate(notebook.cells):
            cell.id = f"{Path(self.name).name[:56]}-{index + 1}"
            first = cell.source.split("\n", 1)[0]
            while starts[index] < len(lines) - 1 and lines[starts[index]].strip() != first.strip():
                starts[index] += 1
        return notebook, {cell.id: start + 1 for cell, start in zip(notebook.cells, starts)}

    def is_executable(self):
        """Return whether the chapter has code."""
        return any(cell.cell_type == "code" for cell in self.notebook()[0].cells)

    def parameters(self):
        """Return the names and default texts of the parameters that the chapter declares."""
        cells = [c for c in self.notebook()[0].cells if "parameters" in c.metadata.get("tags", [])]
        return {found.name: found.default for cell in cells for found in PythonTranslator.inspect(cell)}

    def check_parameters(self, parameters):
        """Refuse parameters that the chapter does not declare.

        Raises
        ------
        ValueError
            Naming the unknown parameters and the known ones.
        """
        known = self.parameters()
        if unknown := sorted(set(parameters) - set(known)):
            raise ValueError(f"{self.name}: unknown parameter {', '.join(unknown)}; {_suggest(unknown[0], known)}")


def read_yaml(path):
    """Return the mapping that a file of settings holds.

    Raises
    ------
    ValueError
        With the place where it is no YAML, or if it holds something else.
    """
    try:
        content = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        mark = getattr(error, "problem_mark", None)
        where, problem = f":{mark.line + 1}" if mark else "", getattr(error, "problem", None) or error
        raise ValueError(f"{path.name}{where}: expected YAML, got something else ({problem}); correct it") from None
    if not isinstance(content, dict | None):
        raise ValueError(f"{path.name}: expected name: value, got {type(content).__name__}; correct it")
    return content or {}


def book(root=ROOT):
    """Return the chapters of the table of contents by name, in reading order."""
    try:
        documents = parse_toc_data(read_yaml(Path(root) / "_toc.yml"))
    except MalformedError as error:
        raise ValueError(f"_toc.yml: expected a table of contents, got something else ({error}); correct it") from None
    paths = [(Path(root) / name).with_name(f"{Path(name).name.removesuffix('.md')}.md") for name in documents]
    if missing := [str(path.relative_to(root)) for path in paths if not path.exists()]:
        raise ValueError(f"_toc.yml: expected existing chapters, did not find {', '.join(missing)}")
    names = [path.relative_to(Path(root) / "chapters").with_suffix("").as_posix() for path in paths]
    return {name: Chapter(name, path) for name, path in zip(names, paths)}


def chosen(name, chapters):
    """Return the chapter called `name`, which may be given with its folder and suffix.

    Raises
    ------
    ValueError
        Listing the chapters, if there is none of this name.
    """
    name = name.removeprefix("./").removeprefix("chapters/").removesuffix(".md")
    if name not in chapters:
        raise ValueError(f"unknown chapter {name!r}; {_suggest(name, chapters)}")
    return chapters[name]


def parameters_at(scale, chapters, root=ROOT):
    """Return each chapter's parameters at a scale, checked: empty at the default scale, else from ``parameters/``.

    Raises
    ------
    ValueError
        If the scale, a chapter or a parameter is unknown; the message lists the known ones.
    """
    if scale not in SCALES:
        raise ValueError(f"unknown scale {scale!r}; {_suggest(scale, SCALES)}")
    parameters = {name: {} for name in chapters}
    if scale != "default":
        path = Path(root) / "parameters" / f"{scale}.yml"
        for name, values in read_yaml(path).items():
            if name not in chapters:
                raise ValueError(f"{path.name}: unknown chapter {name!r}; {_suggest(name, chapters)}")
            if not isinstance(values, dict):
                raise ValueError(f"{path.name}: expected parameter: value below {name}, got {values!r}")
            chapters[name].check_parameters(values)
            parameters[name] = values
    return parameters


def _suggest(name, known):
    near = get_close_matches(name, known, n=1)
    hint = f"did you mean {near[0]!r}? " if near else ""
    return f"{hint}known: {', '.join(known) or 'none'}"
