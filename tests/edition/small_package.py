"""A small package whose room loads its names lazily, as those of `capacity` do."""

LAZY = '''"""A room."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
'''
STUB = """\
from . import room as room
from ._version import version as version
from .room import one as one
"""
STUB_OF_ROOM = """\
from ._three import (
    three as three,
)
from .one_file import one as one
from .two_file import two as two
"""
EXPERIMENTS = """\
from pack import room
from pack.room.one_file import one


def late():
    return room.two()
"""

FILES = {
    "__init__.py": LAZY,
    "__init__.pyi": STUB,
    "_version.py": "version = 1\n",
    "base.py": '"""Base."""\n\n\ndef base():\n    """Nothing."""\n    return 0  # nothing\n',
    "experiments.py": EXPERIMENTS,
    "room/__init__.py": LAZY,
    "room/__init__.pyi": STUB_OF_ROOM,
    "room/one_file.py": "from pack.base import base\n\n\ndef one():\n    return base()\n",
    "room/two_file.py": "def two():\n    return 2\n",
    "room/_three.py": "def three():\n    from ..attic import old\n\n    return old\n",
    "room/style.txt": "color: blue\n",
    "attic.py": "old = 3\n",
    "unused.py": "nobody = 4\n",
}


def write_package(folder):
    """Write the package `pack` into a folder and return its own."""
    for name, text in FILES.items():
        path = folder / "pack" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder / "pack"
