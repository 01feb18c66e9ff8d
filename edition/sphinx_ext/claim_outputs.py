"""Checks among the outputs of a cell: MyST-NB's renderer of their records.

MyST-NB finds renderers of MIME types as entry points of distributions. The edition is run from its checkout and not
installed, so it presents itself to `importlib.metadata` as a distribution that has this entry point.
"""

import sys
from importlib.metadata import Distribution, DistributionFinder

from edition.book import ROOT
from edition.claims.check import MIME
from edition.sphinx_ext.claim_nodes import checked

FILES = {
    "METADATA": "Metadata-Version: 2.1\nName: capacity-allocation-edition\nVersion: 0\n",
    "entry_points.txt": f"[myst_nb.mime_renderers]\nchecks = {__name__}:CheckRenderer\n",
}


class CheckRenderer:
    """The plugin: of all that a check's output offers, its record is kept, in a node that is not seen."""

    mime_priority_overrides = (("*", MIME, 1),)

    @staticmethod
    def handle_mime(renderer, data, inline):
        """Return the node of a check in a list, None for any other output."""
        if data.mime_type != MIME or inline:
            return None
        return [checked("", id=data.content["id"], record=dict(data.content))]


class Checkout(Distribution):
    """The edition as a distribution, with nothing but its name and its entry point."""

    def read_text(self, filename):
        """Return the text of a file of the metadata, None if there is no such file."""
        return FILES.get(filename)

    def locate_file(self, path):
        """Return where a file of the distribution is."""
        return ROOT / path


class CheckoutFinder(DistributionFinder):
    """What `importlib.metadata` asks for distributions: it knows of one, and of no module."""

    @staticmethod
    def find_spec(fullname, path=None, target=None):
        """Return None: modules are found by others."""
        return None

    @staticmethod
    def find_distributions(context):
        """Return the edition's distribution, if all are asked for."""
        return [Checkout()] if context.name is None else []


def setup(app):
    """Register the extension."""
    if not any(isinstance(finder, CheckoutFinder) for finder in sys.meta_path):
        sys.meta_path.append(CheckoutFinder())
