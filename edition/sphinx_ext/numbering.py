"""Numbers as in the papers.

What is labelled ``linear-eq-16``, ``layers-fig-3`` or ``linear-prop-2`` carries the number that the paper gives it:
(16), Figure 3, Property 2. Everything else of the same kind is numbered E1, E2, ... through the book, and so is a
theorem that states an equation of the paper and has its label. Exercises, which the papers do not have, are counted
from 1 in each chapter.
"""

from collections import Counter
from functools import partial
from unittest.mock import patch

from docutils import nodes
from sphinx.domains.std import StandardDomain
from sphinx_proof.domain import ProofDomain

from edition.claims.labels import paper_number
from edition.sphinx_ext.shared import doctree_to_look_at


def part(docname):
    """Return the part of the book that a document belongs to: the folder below the chapters' folder.

    >>> part("chapters/linear/3-capacity"), part("chapters/intro")
    ('linear', '')
    """
    return "/".join(docname.split("/")[1:-1])


def number(labels, counter, kind):
    """Return the number of each label: the paper's, or E with the next count of its kind.

    >>> number(["linear-eq-3", "own", "other"], Counter(), "equation")
    {'linear-eq-3': '3', 'own': 'E1', 'other': 'E2'}
    >>> number(["linear-thm-1", "linear-eq-3"], Counter(), "theorem")
    {'linear-thm-1': '1', 'linear-eq-3': 'E1'}
    """
    numbers = {}
    for label in labels:
        of_equation = kind != "equation" and "-eq-" in label
        if of_equation or (found := paper_number(label)) is None:
            counter[kind] += 1
            found = f"E{counter[kind]}"
        numbers[label] = found
    return numbers


def reading_order(env):
    """Return the documents in the order of the table of contents."""
    ordered, stack = [], [env.config.root_doc]
    while stack:
        docname = stack.pop()
        if docname not in ordered and docname in env.found_docs:
            ordered.append(docname)
            stack.extend(reversed(env.toctree_includes.get(docname, [])))
    return ordered + sorted(env.found_docs - set(ordered))


def note_labels(app, doctree):
    """Remember the labelled equations of a document in their order; make unique the id that sphinx-proof repeats."""
    labels = [node["label"] for node in doctree.findall(nodes.math_block) if node.get("label")]
    _labels(app.env)[app.env.docname] = labels
    for section in doctree.findall(nodes.section):
        if section["ids"] == ["proof-content"]:
            section["ids"] = [f"{section.parent['label']}-content"]


def assign_numbers(app, env):
    """Number all equations, figures, tables and statements, once Sphinx has numbered them its own way."""
    counter, equations = Counter(), env.get_domain("math").equations
    for docname in reading_order(env):
        numbers = number(_labels(env).get(docname, []), counter, "equation")
        equations.update({label: (docname, text) for label, text in numbers.items()})
        for kind, found in env.toc_fignumbers.get(docname, {}).items():
            counted = {label: str(place) for place, label in enumerate(found, start=1)}
            numbers = counted if kind == "exercise" else number(found, counter, kind)
            found.update({label: (text,) for label, text in numbers.items()})
    return []


def show_numbers(app, doctree, docname):
    """Write the numbers at the equations themselves."""
    equations = app.env.get_domain("math").equations
    for node in doctree.findall(nodes.math_block):
        if node.get("label") in equations:
            node["number"] = equations[node["label"]][1]


class Standard(StandardDomain):
    """Sphinx's, which for each number that is referred to would read the page that has it anew."""

    def _resolve_numref_xref(self, env, *reference):
        with patch.object(env, "get_doctree", partial(doctree_to_look_at, env)):
            return super()._resolve_numref_xref(env, *reference)


class Statements(ProofDomain):
    """Sphinx-proof's, which keeps what it knows in the environment."""

    def merge_domaindata(self, docnames, otherdata):
        """Merge nothing."""


def _labels(env):
    if not hasattr(env, "edition_labels"):
        env.edition_labels = {}
    return env.edition_labels


def setup(app):
    app.add_domain(Standard, override=True)
    app.add_domain(Statements, override=True)
    app.connect("doctree-read", note_labels)
    app.connect("env-get-updated", assign_numbers, priority=900)
    app.connect("doctree-resolved", show_numbers)
