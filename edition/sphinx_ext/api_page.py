"""The programming interface: an overview of the package's rooms, and a page of each room with all its public names.

The chapters ``api`` and ``api/<room>`` hold a title and a marker, which is replaced while they are read.
"""

import inspect
import re
from functools import cache
from importlib import import_module

from docutils import nodes
from numpydoc.xref import DEFAULT_LINKS
from sphinx.util.docutils import SphinxRole

import capacity

OVERVIEW, MARKER = "chapters/api", "% The names are listed here when the book is built."
MARKUP = re.compile(r"(`+.*?`+|(?<!\S)\*{1,2}[^\s*][^*]*\*{1,2}(?!\w))")  # what is meant as such: `code`, *words*
LONGEST = 60  # characters of a constant's value that is shown


@cache
def rooms():
    """Return the public names of each room of the package, and of each module that stands for one."""
    names = [name for name in capacity.__all__ if inspect.ismodule(getattr(capacity, name))]
    return {name: tuple(import_module(f"capacity.{name}").__all__) for name in names}


def full_name(text, module=""):
    """Return the name under which a public name is documented, None if it is not public.

    Parameters
    ----------
    text : str
        A room, a name with its room, one of the names that the package itself offers, or a name in `module`; what
        follows the name of a class is kept.
    module : str
        The room at hand.

    Examples
    --------
    >>> full_name("capacity.Basis.rank"), full_name("Basis", "capacity.linalg"), full_name("rtol", "capacity.linalg")
    ('capacity.linalg.Basis.rank', 'capacity.linalg.Basis', None)
    """
    for path in (text, f"{module}.{text}"):
        package, room, name, *_ = (*path.split("."), None, None)
        if package != "capacity":
            continue
        if room in capacity.__all__ and room not in rooms():
            return path.replace("capacity", f"capacity.{_home(room)}", 1)
        if room in rooms() and (name is None or name in rooms()[room]):
            return path
    return None


def _home(name):
    """Return the room of a name that the package itself offers."""
    return next(room for room, names in rooms().items() if name in names)


def overview():
    """Return what each room is for, with a link to its page, and the names that the package offers itself."""
    lines = []
    for room in rooms():
        summary = inspect.getdoc(import_module(f"capacity.{room}")).split("\n\n")[0].replace("\n", " ")
        lines += [f":doc:`capacity.{room} </chapters/api/{room}>`", f"    {_escaped(summary)}", ""]
    face = [name for name in capacity.__all__ if name not in rooms() and not name.startswith("_")]
    links = ", ".join(f":py:obj:`~{full_name(f'capacity.{name}')}`" for name in face)
    return "\n".join([*lines, f"What most analyses need is in ``capacity`` itself too: {links}.", ""])


def room_page(room):
    """Return what a room is for, a table of its names, and the documentation of each."""
    module, directives, documented = import_module(f"capacity.{room}"), [], []
    for name in rooms()[room]:
        found = getattr(module, name)
        if inspect.isclass(found):
            directives.append(f".. autoclass:: {name}\n   :members:\n")
        elif inspect.isroutine(found):
            directives.append(f".. autofunction:: {name}\n")
        else:
            value = f"   :value: {found!r}\n" if len(repr(found)) <= LONGEST else ""
            directives.append(f".. py:data:: {name}\n{value}")
            continue
        documented.append(f"   {name}\n")
    head = f".. automodule:: capacity.{room}\n   :no-members:\n\n.. currentmodule:: capacity.{room}\n"
    table = f".. autosummary::\n   :nosignatures:\n\n{''.join(documented)}"
    return "\n".join([head, table, *directives])


def fill(app, docname, source):
    """Put the text of a page in place of its marker."""
    if docname == OVERVIEW or docname.startswith(f"{OVERVIEW}/"):
        text = overview() if docname == OVERVIEW else room_page(docname.rpartition("/")[2])
        source[0] = source[0].replace(MARKER, f"```{{eval-rst}}\n{text}```")


class Name(SphinxRole):
    """What stands in single backticks in a docstring: a link, if it is a public name; else a parameter or the like."""

    def run(self):
        """Return the link, or the text as it stands."""
        target = full_name(self.text, self.env.ref_context.get("py:module", ""))
        if target is None:
            return [nodes.title_reference(self.rawtext, self.text)], []
        link = self.env.get_domain("py").role("obj")
        return link("py:obj", self.rawtext, f"{self.text} <{target}>", self.lineno, self.inliner)


def escape_formulas(app, what, name, obj, options, lines):
    """Let |k - j|, a*b and a_+ stand as they are: docstrings write formulas as plain text, without markup."""
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
    """Let numpydoc link the package's classes where a docstring names them as types, and nothing of Python's own."""
    classes = {name for room, names in rooms().items() for name in names if _is_class(room, name)}
    python = {word: word for word, target in DEFAULT_LINKS.items() if "python:" in target}
    ours = {name: f"capacity.{_home(name)}.{name}" for name in classes}
    config.numpydoc_xref_ignore = "all"  # of what is no alias; a text in _config.yml would not do for a set
    config.numpydoc_xref_aliases = python | ours | config.numpydoc_xref_aliases


def _is_class(room, name):
    return inspect.isclass(getattr(import_module(f"capacity.{room}"), name))


def setup(app):
    """Register the extension."""
    app.add_role("name", Name())
    app.connect("config-inited", link_types, priority=400)  # before numpydoc
    app.connect("source-read", fill)
    app.connect("autodoc-process-docstring", escape_formulas, priority=400)  # before numpydoc
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
