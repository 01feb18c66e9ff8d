"""What code depends on: the modules of some packages that it imports, transitively, without any of them being executed.

Rooms of `capacity` load their names lazily, so to import a room runs none of its files. A name is therefore resolved
through the room's stub (``__init__.pyi``) to the file that defines it, whether it is imported from the room or used as
an attribute of it. Where a use cannot be resolved (a room that is passed on as a value, as to ``getattr``; a star
import; an attribute that the stub does not have; code that no parser understands), all that the room offers counts.
"""

from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path

from edition.execution.source_code import ALL, BELOW, Code, read_code

__all__ = ["Packages", "dependencies"]

CODE_SUFFIXES = {".py", ".pyi", ".pyc", ".typed"}


@dataclass(frozen=True)
class Module:
    """A file of a package: its `Code`; what its stub says, if it is a room with one; its data, each file with its hash.

    `offered` has the dotted names that each of its names may stand for: those of the stub, or else what it imports.
    """

    code: Code
    offered: dict
    is_lazy: bool
    data: dict


@dataclass(frozen=True)
class Packages:
    """Packages at one time: each file is read and parsed once, when it is first asked for.

    Attributes
    ----------
    folders : dict
        The folder of each package by its name.
    """

    folders: dict
    _modules: dict = field(default_factory=dict, init=False, repr=False, compare=False)

    @classmethod
    def installed(cls, *names):
        """Return packages as Python finds them."""
        return cls({name: Path(find_spec(name).submodule_search_locations[0]) for name in names})

    @cached_property
    def files(self):
        """The file of each module by its full name."""
        found = {}
        for name, folder in self.folders.items():
            for path in sorted(folder.rglob("*.py")):
                parts = path.relative_to(folder).with_suffix("").parts
                found[".".join([name, *(parts[:-1] if parts[-1] == "__init__" else parts)])] = path
        return found

    def module(self, name):
        """Return the `Module` of this full name."""
        if name not in self._modules:
            self._modules[name] = _module(self.files[name], name)
        return self._modules[name]


def dependencies(code, packages):
    """Return what a piece of code depends on in some packages.

    Parameters
    ----------
    code : Code
        The code.
    packages : Packages
        The packages; all others are left out.

    Returns
    -------
    dict of str to str
        The digest of the code of each module by its full name, the hash of each file of data of a package, and for each
        name that was loaded lazily what it stands for.
    """
    found, seen, pending = {}, set(), list(code.names)
    while pending:
        if (name := pending.pop()) not in seen:
            seen.add(name)
            pending += _follow(name, packages, found)
    return dict(sorted(found.items()))


def _follow(name, packages, found):
    """Note the modules that a dotted name leads through, and return the names to follow from there."""
    first, *parts = name.split(".")
    if first == BELOW:
        return list(packages.files)
    if first not in packages.folders:
        return []
    place, further = first, _enter(first, packages, found)
    for index, part in enumerate(parts):
        if part == BELOW:
            return further + [each for each in packages.files if each.startswith(f"{place}.")]
        module, below = packages.module(place), f"{place}.{part}"
        if part == ALL:
            return further + [f"{target}.{ALL}" for targets in module.offered.values() for target in targets]
        for target in sorted(module.offered.get(part, set()) - {below}):
            if module.is_lazy:
                found[f"{below} = {target}"] = ""
            further.append(".".join([target, *parts[index + 1 :]]))
        if below not in packages.files:
            unknown = module.is_lazy and part not in module.offered
            return further + [f"{place}.{ALL}"] * unknown
        place = below
        further += _enter(place, packages, found)
    return further


def _enter(name, packages, found):
    """Note a module, and return the names that its code refers to."""
    if name in found:
        return []
    module = packages.module(name)
    found |= {name: module.code.digest} | module.data
    return list(module.code.names)


def _module(path, name):
    if path.stem != "__init__":
        code = read_code(path.read_text(encoding="utf-8"), name.rpartition(".")[0])
        return Module(code, code.bindings, False, {})
    code, stub = read_code(path.read_text(encoding="utf-8"), name), path.with_suffix(".pyi")
    beside = [file for file in sorted(path.parent.iterdir()) if file.is_file() and not file.name.startswith(".")]
    data = {
        f"{name}/{file.name}": sha256(file.read_bytes()).hexdigest()
        for file in beside
        if file.suffix not in CODE_SUFFIXES
    }
    if not stub.exists():
        return Module(code, code.bindings, False, data)
    return Module(code, read_code(stub.read_text(encoding="utf-8"), name).bindings, True, data)
