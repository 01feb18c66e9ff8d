"""The files of the package and what they import, for tests that look at all of them."""

import ast
import pkgutil
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

# Who builds a part of the book may not have both.
PACKAGES = [import_module(name) for name in ("capacity", "capacity_inspection") if find_spec(name)]


def rooms():
    """Full names of the rooms, whose `__all__` is public: subpackages, and files beside them."""
    found = [each for it in PACKAGES for each in pkgutil.walk_packages(it.__path__, f"{it.__name__}.")]
    beside = (each for each in found if each.ispkg or each.name.count(".") == 1)
    return sorted(each.name for each in beside if "._" not in each.name)


def imported():
    """Top-level names of all packages that the files import, at any depth of their code."""
    paths = [path for package in PACKAGES for path in Path(package.__file__).parent.rglob("*.py")]
    return {name for path in paths for name in imports(path.read_text(encoding="utf-8"))}


def imports(code):
    """Top-level names of all packages that some code imports, at any depth."""
    found = set()
    for node in ast.walk(ast.parse(code)):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        names += [node.module] if isinstance(node, ast.ImportFrom) and node.module and not node.level else []
        found |= {name.split(".")[0] for name in names}
    return found
