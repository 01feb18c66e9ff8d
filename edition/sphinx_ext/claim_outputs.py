"""Checks among the outputs of a cell: MyST-NB's renderer of their records.

MyST-NB finds renderers of MIME types as entry points of what is installed, once. The edition is run from its checkout
and not installed, so it adds its own to what was found.
"""

from myst_nb.core.render import load_mime_renders

from capacity_studies.notebook.check import MIME
from edition.sphinx_ext.claim_nodes import checked


class CheckRenderer:
    """The plugin: of all that a check's output offers, its record is kept, in a node that is not seen."""

    mime_priority_overrides = (("*", MIME, 1),)

    @staticmethod
    def handle_mime(renderer, data, inline):
        """Return the node of a check in a list, None for any other output."""
        if data.mime_type != MIME or inline:
            return None
        return [checked("", id=data.content["id"], record=dict(data.content))]


def setup(app):
    """Register the extension."""
    if CheckRenderer not in (found := load_mime_renders()):  # the list that MyST-NB keeps
        found.append(CheckRenderer)
