"""What a piece of code refers to, found in its text: the dotted names that it imports, and those that it uses of them.

Names count at any depth of the code, and in strings that hold code; whatever scope a name belongs to, it may stand for
all that is imported under it. So the answer may hold too much, never too little, as long as names of modules are not
put together at run time.
"""

import ast
import re
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256

from IPython.core.inputtransformer2 import TransformerManager

__all__ = ["ALL", "BELOW", "Code", "read_code"]

ALL = "*"  # as the last part of a dotted name: all that a module offers
BELOW = "**"  # the same, and all modules below it
IMPORT = re.compile(r"\bfrom\s+([\w.]+)\s+import\b([^\n;]*)|\bimport\s+([^\n;]+)")  # in a string that is code
DOTTED = re.compile(r"\w+(\.\w+)+\.?")  # a string that may name a module
NAMESPACES = {"eval", "exec", "globals", "locals", "vars"}  # that use names unseen
IMPORTERS = {"import_module", "__import__"}


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
        return sha256(self.text.encode()).hexdigest()


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


def _parse(source):
    """Return the syntax tree without docstrings, statements that are nothing but a string, and all its nodes."""
    try:
        tree = ast.parse(source)
    except SyntaxError:
        tree = ast.parse(TransformerManager().transform_cell(source))
    nodes = [tree]
    for node in nodes:  # grows: the outermost first
        for _, value in ast.iter_fields(node):  # not vars: other tools hang parents on operators, which trees share
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
