"""The names of NumPy and SciPy that docstrings refer to: inventories of them for Sphinx, kept in the repository.

The inventories that the two projects publish list tens of thousands of names and change every day. These list what is
used, at the addresses that stay: a build finds them without asking another site, and is the same each time.
"""

import zlib
from pathlib import Path

from edition.book import ROOT
from edition.files import write_atomically

__all__ = ["FOLDER", "NAMES", "inventory", "write_inventories"]

FOLDER = Path("edition") / "inventories"
GENERATED = "reference/generated/$.html#$"  # the dollar stands for the name
NAMES = {
    "numpy": {
        "numpy.ndarray": ("py:class", GENERATED),
        "numpy.random.Generator": ("py:class", "reference/random/generator.html#$"),
        "array_like": ("std:term", "glossary.html#term-$"),
    },
    "scipy": {
        "scipy.linalg.subspace_angles": ("py:function", GENERATED),
        "scipy.sparse.csc_array": ("py:class", GENERATED),
        "scipy.sparse.csr_array": ("py:class", GENERATED),
        "scipy.sparse.linalg.LinearOperator": ("py:class", GENERATED),
    },
}


def inventory(project, names):
    """Return the inventory of a project, in the second version of Sphinx's format, as bytes.

    Parameters
    ----------
    project : str
    names : dict
        Domain and type, as ``py:class``, and address below the project's documentation of each name.
    """
    head = f"# Sphinx inventory version 2\n# Project: {project}\n# Version: \n"
    head += "# The remainder of this file is compressed using zlib.\n"
    lines = [f"{name} {kind} 1 {address.replace('$', name)} -\n" for name, (kind, address) in names.items()]
    return head.encode() + zlib.compress("".join(lines).encode(), 9)


def write_inventories(root=ROOT):
    """Write the inventories of NumPy and SciPy, and return their paths."""
    paths = {Path(root) / FOLDER / f"{project}.inv": inventory(project, names) for project, names in NAMES.items()}
    return [write_atomically(path, content) for path, content in paths.items()]
