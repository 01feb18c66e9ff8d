"""The chapters: which there are, in the whole book and in a part of it, their notebooks and their parameters.

A chapter that has another name now is still found by its former one, which an address once had.
"""

import posixpath
import re
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path, PurePosixPath

import yaml
from sphinx_external_toc.parsing import MalformedError, parse_toc_data

from edition.chapter_text import declared, parse
from edition.parameters import check_conditions
from edition.yaml_values import Loader

__all__ = ["IN_WHOLE", "ROOT", "SCALES", "WHOLE", "Chapter", "book", "chosen", "is_in", "left_out", "parameters_at"]
__all__ += ["onward", "page_name", "read_yaml", "renamed"]

ROOT = Path(__file__).resolve().parents[1]
SCALES = ("default", "quick")
WHOLE = "all"  # the name of the whole book among its parts
IN_WHOLE = "whole"  # the tag of a cell, and of a block of text, that only the whole book has
NAME = re.compile(r"chapters(/[A-Za-z0-9_-]+)+(\.md)?")


@dataclass(frozen=True)
class Chapter:
    """A text notebook of the book.

    `name` is the path below the chapters' folder without its suffix, such as ``linear/5-1-hierarchical``. Unless it
    is taken as `whole`, it is without what it has for the whole book only.
    """

    name: str
    path: Path
    whole: bool = True

    def notebook(self):
        """Return the notebook, and by each cell's id the line of the text where it begins."""
        try:
            lines = self.path.read_text(encoding="utf-8").splitlines()
        except UnicodeDecodeError as error:
            raise ValueError(f"{self.path.name}: expected text in UTF-8, got {error}; save it as UTF-8") from None
        notebook, starts = parse("\n".join(lines), f"chapters/{self.name}.md")
        for index, cell in enumerate(notebook.cells):
            code = cell.source.lstrip("\n")
            first = code.split("\n", 1)[0]
            while starts[index] < len(lines) - 1 and lines[starts[index]].strip() != first.strip():
                starts[index] += 1
            starts[index] -= len(cell.source) - len(code)  # blank lines at its beginning
        lines = {cell.id: start + 1 for cell, start in zip(notebook.cells, starts)}
        if not self.whole:
            notebook.cells = [cell for cell in notebook.cells if IN_WHOLE not in cell.metadata.get("tags", [])]
        return notebook, {cell.id: lines[cell.id] for cell in notebook.cells}

    def is_executable(self):
        """Return whether the chapter has code."""
        return any(cell.cell_type == "code" for cell in self.notebook()[0].cells)

    def parameters(self):
        """Return the parameters that the chapter declares, by name."""
        return declared(self.notebook()[0])

    def checked(self, parameters):
        """Return parameters that the chapter declares and allows, alone and together, whole numbers as such."""
        notebook, known = self.notebook()[0], self.parameters()
        if unknown := sorted(set(parameters) - set(known)):
            raise ValueError(f"{self.name}: unknown parameter {', '.join(unknown)}; {_suggest(unknown[0], known)}")
        try:
            values = {name: known[name].checked(value) for name, value in parameters.items()}
            check_conditions(notebook, {name: each.value for name, each in known.items()} | values)
        except ValueError as error:
            raise ValueError(f"{self.name}: {error}") from None
        return values


def read_yaml(path, loader=yaml.SafeLoader):
    """Return the mapping that a file of settings holds."""
    try:
        content = yaml.load(path.read_text(encoding="utf-8"), loader)
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        mark = getattr(error, "problem_mark", None)
        where, problem = f":{mark.line + 1}" if mark else "", getattr(error, "problem", None) or error
        raise ValueError(f"{path.name}{where}: expected YAML, got something else ({problem}); correct it") from None
    if not isinstance(content, dict | None):
        raise ValueError(f"{path.name}: expected name: value, got {type(content).__name__}; correct it")
    return content or {}


def book(root=ROOT, part=WHOLE):
    """Return the chapters of a part of the book, by default all of it, by name in reading order."""
    listed, others = _contents(root), left_out(part, root)
    chapters = [Chapter(c.name, c.path, part == WHOLE) for c in listed if not is_in(f"chapters/{c.name}.md", others)]
    if missing := [str(chapter.path.relative_to(root)) for chapter in chapters if not chapter.path.exists()]:
        raise ValueError(f"_toc.yml: expected existing chapters, did not find {', '.join(missing)}")
    return {chapter.name: chapter for chapter in chapters}


def onward(redirects):
    """Return by the name of each former page that of the page which its address leads on to."""
    places = {
        old: posixpath.normpath(posixpath.join(posixpath.dirname(old), new.partition("#")[0]))
        for old, new in redirects.items()
    }
    pages = {old.removeprefix("chapters/"): page_name(place) for old, place in places.items()}
    for _ in pages:  # one that was renamed twice
        pages = {old: pages.get(now, now) for old, now in pages.items()}
    return pages


def renamed(root=ROOT):
    """Return by its former names what each chapter is called now, as the redirects in the settings of a book say."""
    path = Path(root) / "_config.yml"
    try:
        return onward(read_yaml(path)["sphinx"]["config"].get("redirects") or {}) if path.exists() else {}
    except (AttributeError, KeyError, TypeError):
        return {}  # staging says what is wrong with the settings


def page_name(address):
    """Return the name of the chapter that a file of the contents, or an address, is that of."""
    return re.sub(r"\.(md|html)$", "", address).removeprefix("chapters/")


def left_out(part, root=ROOT):
    """Return what a part does without, pages, code and tests, as the table of contents has it.

    These are paths of files and folders, relative to the book's.
    """
    try:
        parts = {WHOLE: {}} | ((read_yaml(Path(root) / "_toc.yml").get("meta") or {}).get("parts") or {})
        found = {name: [PurePosixPath(f, n) for f, names in out.items() for n in names] for name, out in parts.items()}
    except (AttributeError, TypeError) as error:
        raise ValueError(
            f"_toc.yml: expected part: {{folder: [names]}} below meta: parts, got something else ({error}); correct it"
        ) from None
    if part not in found:
        raise ValueError(f"unknown part {part!r}; {_suggest(part, found)}")
    return found[part]


def is_in(path, folders):
    """Return whether a path is one of some or lies in one of them, all of them relative to the same folder."""
    return any(PurePosixPath(path).is_relative_to(folder) for folder in folders)


def _contents(root):
    """Return the chapters that the table of contents lists, be they there or not."""
    try:
        documents = parse_toc_data(read_yaml(Path(root) / "_toc.yml"))
    except MalformedError as error:
        raise ValueError(f"_toc.yml: expected a table of contents, got something else ({error}); correct it") from None
    if wrong := [name for name in documents if not NAME.fullmatch(name)]:  # it becomes a path, a link and an anchor
        raise ValueError(
            f"_toc.yml: expected files below chapters/ named by letters, digits, - and _, got {wrong[0]!r}"
        )
    paths = [(Path(root) / name).with_name(f"{Path(name).name.removesuffix('.md')}.md") for name in documents]
    names = [path.relative_to(Path(root) / "chapters").with_suffix("").as_posix() for path in paths]
    return [Chapter(name, path) for name, path in zip(names, paths)]


def chosen(name, chapters, *, with_code=False, root=ROOT):
    """Return the chapter called `name`, now or formerly, which may be given with its folder and suffix."""
    name = name.removeprefix("./").removeprefix("chapters/").removesuffix(".md")
    name = name if name in chapters else renamed(root).get(name, name)
    if name in chapters and (not with_code or chapters[name].is_executable()):
        return chapters[name]
    problem = f"{name} has no code to execute" if name in chapters else f"unknown chapter {name!r}"
    known = [each for each in chapters if not with_code or chapters[each].is_executable()]
    raise ValueError(f"{problem}; {_suggest(name, known)}")


def parameters_at(scale, chapters, root=ROOT):
    """Return each chapter's parameters at a scale, checked: empty at the default scale, else from ``parameters/``.

    The chapters may be those of a part; the file is about the whole book.
    """
    if scale not in SCALES:
        raise ValueError(f"unknown scale {scale!r}; {_suggest(scale, SCALES)}")
    parameters = {name: {} for name in chapters}
    if scale != "default":
        path = Path(root) / "parameters" / f"{scale}.yml"
        known = {chapter.name for chapter in _contents(root)} | set(chapters)
        former = renamed(root)
        for listed, values in read_yaml(path, Loader).items():
            name = former.get(listed, listed)
            if name not in known:
                raise ValueError(f"{path.name}: unknown chapter {name!r}; {_suggest(name, chapters)}")
            if not isinstance(values, dict):
                raise ValueError(f"{path.name}: expected parameter: value below {name}, got {values!r}")
            if name in chapters:
                parameters[name] = chapters[name].checked(values)
    return parameters


def _suggest(name, known):
    """Return which known names hold the one that was given, or else which is the nearest, and all that are known."""
    near = [each for each in known if len(name) > 2 and name in each] or get_close_matches(name, known, n=1)
    hint = f"did you mean {' or '.join(map(repr, near))}? " if 0 < len(near) < 4 else ""
    return f"{hint}known: {', '.join(known) or 'none'}"
