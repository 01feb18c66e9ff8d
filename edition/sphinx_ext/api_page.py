"""The programming interface: an overview of the package's rooms, and a page of each room with all its public names.

The chapters ``api`` and ``api/<room>`` hold a title and a marker, which is replaced while they are read.
"""

import inspect
import re
import tomllib
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from docutils import nodes
from numpydoc import docscrape_sphinx
from numpydoc.docscrape_sphinx import SandboxedEnvironment
from numpydoc.xref import DEFAULT_LINKS
from sphinx.util.docutils import SphinxRole

import capacity
from edition.book import ROOT

OVERVIEW, MARKER = "chapters/api", "% The names are listed here when the book is built."
MARKUP = re.compile(r"(`+.*?`+|(?<!\S)\*{1,2}[^\s*][^*]*\*{1,2}(?!\w))")  # what is meant as such: `code`, *words*
CLASS = re.compile(r"[A-Z]\w*[a-z]")  # the name of one, and of nothing else
LONGEST = 60  # characters of a constant's value that is shown
PACKAGES = {"capacity": "", "capacity_inspection": "inspection/"}  # what is public, and the folder of its pages


@cache
def rooms():
    """Return the public names of each room of the packages, and of each module that stands for one.

    A room comes after those that it may import from, which pyproject.toml declares.
    """
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    contracts = tomllib.loads(text)["tool"]["importlinter"]["contracts"]
    found = {}
    for package in filter(find_spec, PACKAGES):  # who builds a part of the book may not have both
        storeys = next(each["layers"] for each in contracts if each.get("containers") == [package])[::-1]
        height = {room: storey for storey, names in enumerate(storeys) for room in re.findall(r"\w+", names)}
        offered = import_module(package).__all__
        inner = [name for name in offered if name in height and find_spec(f"{package}.{name}")]
        for name in sorted(inner, key=lambda name: (height[name], name)):
            found[f"{package}.{name}"] = tuple(import_module(f"{package}.{name}").__all__)
    return found


def page_of(room):
    """Return the page of a room, below that of all rooms.

    >>> page_of("capacity.linalg"), page_of("capacity_inspection.graphs")
    ('linalg', 'inspection/graphs')
    """
    package, name = room.split(".")
    return PACKAGES[package] + name


def full_name(text):
    """Return the name under which a public name is documented, None if it is not public.

    >>> full_name("capacity.Basis"), full_name("Basis.rank"), full_name("capacity.linalg"), full_name("linalg")
    ('capacity.linalg.Basis', 'capacity.linalg.Basis.rank', 'capacity.linalg', None)
    """
    package, _, path = text.partition(".")
    if package not in PACKAGES:
        package, path = "", text
    if package and (room := next((room for room in rooms() if f"{text}.".startswith(f"{room}.")), None)):
        inside = text[len(room) + 1 :].split(".")[0]
        return text if not inside or inside in rooms()[room] else None
    home = next((room for room, names in rooms().items() if path.split(".")[0] in names), None)
    return f"{home}.{path}" if home else None


def overview():
    """Return what each room is for, with a link to its page, and the names that the package offers itself."""
    lines = [
        f":doc:`{room} </chapters/api/{page_of(room)}>`\n    {_purpose(import_module(room))}\n" for room in rooms()
    ]
    face = [f"capacity.{name}" for name in capacity.__all__ if not name.startswith("_")]
    links = ", ".join(f":py:obj:`~{full_name(name)}`" for name in face if name not in rooms())
    return "\n".join([*lines, f"What most analyses need is in ``capacity`` itself too: {links}.", ""])


def room_page(room):
    """Return what a room is for, a table of its names, and the documentation of each; constants have no row."""
    found = {name: getattr(import_module(room), name) for name in rooms()[room]}
    lines = [f".. automodule:: {room}\n   :no-members:\n\n.. currentmodule:: {room}\n"]
    lines.append(
        ".. list-table::\n   :class: names\n   :stub-columns: 1\n   :widths: 10 90\n"
    )  # autosummary has no heads
    for name, member in found.items():
        if callable(member):
            lines.append(f"   * - :py:obj:`{name} <{room}.{name}>`\n     - {_purpose(member)}")
    return "\n".join([*lines, "", *(_directive(name, member) for name, member in found.items())])


def _purpose(member):
    """Return the first paragraph of a docstring, in one line."""
    return _escaped(inspect.getdoc(member).split("\n\n")[0].replace("\n", " "))


def _directive(name, member):
    if callable(member):
        own = f".. autoclass:: {name}\n   :members:\n   :inherited-members:\n"
        return own if inspect.isclass(member) else f".. autofunction:: {name}\n"
    value = f"   :value: {member!r}\n" if len(repr(member)) <= LONGEST else ""
    return f".. py:data:: {name}\n{value}"


def fill(app, docname, source):
    """Put the text of a page in place of its marker."""
    if docname == OVERVIEW or docname.startswith(f"{OVERVIEW}/"):
        pages = {f"{OVERVIEW}/{page_of(room)}": room for room in rooms()}
        text = overview() if docname == OVERVIEW else room_page(pages[docname])
        source[0] = source[0].replace(MARKER, f"```{{eval-rst}}\n{text}```")


def belong(app, doctree):
    """Let all nodes of a page belong to it.

    Those of ``eval-rst`` belong to a document of their own, whose settings hold Sphinx's whole environment: it would be
    kept with each of these pages, and be read with it.
    """
    for node in doctree.findall():
        node.document = doctree


def documented(env, text):
    """Return the name under which the pages of the book document a public name, None if they do not."""
    return full_name(text) if OVERVIEW in env.found_docs else None


class Name(SphinxRole):
    """What stands in single backticks in a docstring: a link, if it is a public name; else a parameter or the like."""

    def run(self):
        target = documented(self.env, self.text)
        if target is None:
            return [nodes.title_reference(self.rawtext, self.text)], []
        link = self.env.get_domain("py").role("obj")
        return link("py:obj", self.rawtext, f"{self.text} <{target}>", self.lineno, self.inliner)


def escape_formulas(app, what, name, obj, options, lines):
    """Let formulas, which docstrings write as plain text, stand as they are: abs(a)*b and a_+ are no markup."""
    doctest = False
    for index, line in enumerate(lines):
        doctest = line.lstrip().startswith(">>>") or (doctest and bool(line.strip()))
        if not doctest:
            lines[index] = _escaped(line)


def _escaped(line):
    parts = MARKUP.split(line)
    parts[::2] = [re.sub(r"[|*]|(?<=\w)_(?!\w)", r"\\\g<0>", part) for part in parts[::2]]
    return "".join(parts)


def link_types(app, config):
    """Let numpydoc link the package's classes where a docstring names them as types, and nothing of Python's own.

    A book without pages of rooms shows no docstring. Classes are told by their names: to load them takes two seconds.
    """
    if not Path(app.srcdir, OVERVIEW).is_dir():
        return
    python = {word: word for word, target in DEFAULT_LINKS.items() if "python:" in target}
    classes = {name: f"{room}.{name}" for room in rooms() for name in rooms()[room] if CLASS.match(name)}
    config.numpydoc_xref_ignore = "all"  # of what is no alias; a text in _config.yml would not do for a set
    config.numpydoc_xref_aliases = python | classes | config.numpydoc_xref_aliases


def setup(app):
    kept = {}  # with its template, which numpydoc would compile for each docstring
    docscrape_sphinx.SandboxedEnvironment = lambda loader: kept.setdefault(app, SandboxedEnvironment(loader=loader))
    app.add_role("name", Name())
    app.connect("config-inited", link_types, priority=400)  # before numpydoc
    app.connect("source-read", fill)
    app.connect("doctree-read", belong)
    app.connect("autodoc-process-docstring", escape_formulas, priority=400)  # before numpydoc
