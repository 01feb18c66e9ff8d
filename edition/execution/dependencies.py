"""What code depends on: the modules of some packages that it imports, transitively, found in the source text.

Rooms of `capacity` load their names lazily, so to import a room runs none of its files. A name is therefore resolved
through the room's stub (``__init__.pyi``) to the file that defines it, whether it is imported from the room or used as
an attribute of it. Where a use cannot be resolved (a room that is passed on as a value, as to ``getattr``; a star
import; an attribute that the stub does not have; code that no parser understands), all that the room offers counts. So
the answer may hold too much, never too little, as long as names of modules are not put together at run time.
"""

import ast
import hashlib
import re
from dataclasses import dataclass, field
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path

from IPython.core.inputtransformer2 import TransformerManager

__all__ = ["Code", "Packages", "dependencies", "read_code"]

IMPORT = re.compile(r"\bfrom\s+([\w.]+)\s+import\b([^\n;]*)|\bimport\s+([^\n;]+)")  # in a string that is code
DOTTED = re.compile(r"\w+(\.\w+)+\.?")  # a string that may name a module
ALL = "*"  # as the last part of a dotted name: all that a module offers
BELOW = "**"  # the same, and all modules below it
NAMESPACES = {"eval", "exec", "globals", "locals", "vars"}  # that use names unseen
IMPORTERS = {"import_module", "__import__"}
CODE_SUFFIXES = {".py", ".pyi", ".pyc", ".typed"}


@dataclass(frozen=True)
class Code:
    """What is known of a piece of code from its text.

    Attributes
    ----------
    tree : ast.Module or str
        Its syntax tree without docstrings; or its text, where no parser understands it.
    names : frozenset of str
        The dotted names that it imports or uses; one that is used as a value ends in ``.*``.
    bindings : dict
        The dotted names that each name imported by it may stand for.
    """

    tree: object = field(repr=False)
    names: frozenset
    bindings: dict

    @cached_property
    def text(self):
        """The code without docstrings and comments, in one layout."""
        return self.tree if isinstance(self.tree, str) else ast.unparse(self.tree)

    @cached_property
    def digest(self):
        """The hash of `text`."""
        return _hash(self.text.encode())


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


def read_code(source, package=""):
    """Return the `Code` of a module, or of the cells of a notebook one below the other.

    Parameters
    ----------
    source : str
        The text, in which lines may be IPython's.
    package : str, optional
        The full name of the package that relative imports start from.
    """
    try:
        tree, nodes = _parse(source)
    except SyntaxError:
        return Code(source, frozenset([BELOW]), {})
    names, bindings = set(), {}
    for node in nodes:
        if isinstance(node, ast.Import | ast.ImportFrom):
            for name, alias, stands_for in _imported(node, package):
                names.add(name)
                bindings.setdefault(alias, set()).add(stands_for)
    for first, *attributes in _chains(nodes):
        names |= {".".join([name, *attributes, ALL]) for name in bindings.get(first, ())}
    if any(isinstance(node, ast.Name) and node.id in NAMESPACES for node in nodes):
        names |= {f"{name}.{ALL}" for found in bindings.values() for name in found}
    names |= _named_by_strings(nodes)
    return Code(tree, frozenset(names), bindings)


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
    data = {f"{name}/{file.name}": _hash(file.read_bytes()) for file in beside if file.suffix not in CODE_SUFFIXES}
    if not stub.exists():
        return Module(code, code.bindings, False, data)
    return Module(code, read_code(stub.read_text(encoding="utf-8"), name).bindings, True, data)


def _parse(source):
    """Return the syntax tree without docstrings, statements that are nothing but a string, and all its nodes."""
    try:
        tree = ast.parse(source)
    except SyntaxError:
        tree = ast.parse(TransformerManager().transform_cell(source))
    nodes = [tree]
    for node in nodes:  # grows: the outermost first
        for value in vars(node).values():
            if isinstance(value, list):
                value[:] = [each for each in value if not _is_text(each)]
                nodes += [each for each in value if isinstance(each, ast.AST)]
            elif isinstance(value, ast.AST) and not isinstance(value, ast.expr_context):
                nodes.append(value)
    return tree, nodes


def _is_text(node):
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def _imported(node, package):
    """Yield the dotted name of each thing that a statement imports, the name that it binds and what this stands for."""
    if isinstance(node, ast.Import):
        for alias in node.names:
            first = alias.name.split(".")[0]
            yield alias.name, alias.asname or first, alias.name if alias.asname else first
        return
    above = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
    module = ".".join([*above, *([node.module] if node.module else [])])
    for alias in node.names:
        yield f"{module}.{alias.name}", alias.asname or alias.name, f"{module}.{alias.name}"


def _chains(nodes):
    """Yield the names that are used, each with the attributes that are taken of it one after the other."""
    inner = set()
    for node in nodes:  # from the outermost inwards
        attributes, base = [], node
        while isinstance(base, ast.Attribute):
            attributes, base = [base.attr, *attributes], base.value
            inner.add(id(base))
        if isinstance(base, ast.Name) and id(node) not in inner:
            yield base.id, *attributes


def _named_by_strings(nodes):
    """Return the dotted names of modules that strings hold: code that is executed elsewhere, or a name by itself."""
    names, packages_of_data = set(), set()
    for node in nodes:
        if isinstance(node, ast.Call):
            function = getattr(node.func, "attr", getattr(node.func, "id", ""))
            if function == "files":  # of importlib.resources: data, which count with their package
                packages_of_data |= {id(argument) for argument in node.args}
            if function in IMPORTERS:
                names.add(_module_asked_for(node))
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            for module, members, alone in IMPORT.findall(node.value):
                parts = [part.split(" as ")[0].strip() for part in members.split(",")]
                names |= {f"{module}.{part if part.isidentifier() else ALL}.{ALL}" for part in parts if module}
                names |= {f"{name}.{ALL}" for name in re.findall(r"[\w.]+", alone)}
            if DOTTED.fullmatch(node.value):
                name = node.value.rstrip(".")
                used = BELOW if node.value.endswith(".") else ALL
                names.add(name if id(node) in packages_of_data else f"{name}.{used}")
    return names


def _module_asked_for(call):
    """Return the dotted name of what is imported by a function: all modules, unless a string begins with a name."""
    argument = call.args[0] if call.args else None
    if isinstance(argument, ast.JoinedStr) and argument.values:
        begin = getattr(argument.values[0], "value", None)
        return f"{begin}{BELOW}" if isinstance(begin, str) and begin.endswith(".") else BELOW
    known = isinstance(argument, ast.Constant) and isinstance(argument.value, str)
    return f"{argument.value}.{ALL}" if known else BELOW


def _hash(content):
    return hashlib.sha256(content).hexdigest()
