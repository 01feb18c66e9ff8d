"""What extensions share: what the edition staged, trees that are looked at, and what is folded, on demand."""

import json
from functools import lru_cache
from html import escape
from pathlib import Path

from docutils import nodes
from sphinx.environment import BuildEnvironment
from sphinx.util.docutils import SphinxDirective


def staged(env, name):
    """Return the content of a file to look at, None where the chapters were not executed by the edition.

    A page that is read when it asks is read again when the file changes.
    """
    path = Path(env.srcdir) / name
    if "docname" in getattr(env, "temp_data", ()):  # it is an application before there is an environment
        env.note_dependency(str(path))
    return _read(path, path.stat().st_mtime_ns) if path.exists() else None


@lru_cache(maxsize=16)
def _read(path, _changed):
    return json.loads(path.read_text(encoding="utf-8"))


@lru_cache(maxsize=256)
def doctree_to_look_at(env, docname):
    """Return the doctree of a page; who changes it asks the environment for one of their own."""
    return BuildEnvironment.get_doctree(env, docname)


def insert_plumbing(app, docname, node, place):
    """Put what few readers look for at a place, parent and index, but on the first page below its first words."""
    parent, index = place
    if docname == app.config.root_doc:
        inner = parent.next_node(nodes.section)
        index = parent.index(inner) if inner is not None else len(parent)
    parent.insert(index, node)


class fold(nodes.General, nodes.Element):
    """What is folded: `summary` is the line that opens it."""


class Fold(SphinxDirective):
    """What a page folds: the argument is the line that opens it."""

    required_arguments, final_argument_whitespace, has_content = 1, True, True

    def run(self):
        return [fold("", *self.parse_content_to_nodes(), summary=self.arguments[0], classes=["quiet"])]


def visit_fold(writer, node):
    writer.body.append(writer.starttag(node, "details") + f"<summary>{escape(node['summary'])}</summary>\n")


def depart_fold(writer, node):
    writer.body.append("</details>\n")


def as_it_stands(writer, node):
    """Write the content only."""


def setup(app):
    app.add_directive("fold", Fold)
    app.add_node(fold, html=(visit_fold, depart_fold), latex=(as_it_stands, as_it_stands))
