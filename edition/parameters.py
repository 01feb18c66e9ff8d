"""What a chapter's parameters may be: the type, the range and the meaning that stand in its parameters cell.

A line of that cell reads as papermill has it, ``n_layers: int = 6  # 1 to 12: layers of the stack``: the comment begins
with what is allowed, where anything is said of it, and a colon. Of a list, that is how many entries there are, their
order, and what each may be. Where no type is given, it is that of the default. Which values make sense together say the
assertions of a cell with the tag ``conditions`` below that cell.
"""

import ast
import re
from dataclasses import dataclass, replace
from itertools import pairwise
from shlex import quote

import yaml

__all__ = ["Parameter", "check_conditions", "line_to_run"]

TYPES = {"int": (int,), "float": (int, float), "str": (str,), "bool": (bool,)}
WORDS = {"int": "a whole number", "float": "a number", "str": "a text", "bool": "true or false"}
SMALL = 24  # one more is no step from here on
NUMBER = r"(-?[\d._]+(?:e-?\d+)?)"
OF_ALL = {  # what is said of a list as a whole
    r"(\d+)( or more)? entries": lambda entries, n, more: len(entries) == int(n) or (more and len(entries) > int(n)),
    "ascending": lambda entries: all(a < b for a, b in pairwise(entries)),
    "distinct": lambda entries: all(entry not in entries[:index] for index, entry in enumerate(entries)),
    f"with {NUMBER}": lambda entries, one: float(one) in entries,
}
OF_EACH = {  # what is said of a value, or of each entry of a list
    f"{NUMBER} to {NUMBER}": lambda value, low, high: float(low) <= value <= float(high),
    f"{NUMBER} or more": lambda value, low: value >= float(low),
    f"above {NUMBER}": lambda value, low: value > float(low),
    "even": lambda value: value % 2 == 0,
    "powers? of two": lambda value: value > 0 and value & (value - 1) == 0,
    "squares?": lambda value: value >= 0 and round(value**0.5) ** 2 == value,
    r"multiples? of (\d+)": lambda value, unit: value % int(unit) == 0,
    "one of (.+)": lambda value, names: value in names.split(" | "),
}


@dataclass(frozen=True)
class Parameter:
    """A parameter as its line declares it: name, type, default as a text, and the comment."""

    name: str
    type: str
    default: str
    help: str = ""

    @classmethod
    def declared(cls, found):
        """Return what papermill found in the line."""
        given = cls(found.name, found.inferred_type_name, found.default, found.help)
        return given if given.type != "None" else replace(given, type=_type_of(given.value))

    @property
    def value(self):
        """The default as a value, None where the chapter computes it."""
        try:
            return ast.literal_eval(self.default)
        except (ValueError, SyntaxError):
            return None

    @property
    def allowed(self):
        """What the comment says is allowed, in its parts; empty where it does not begin so."""
        parts = [part.removeprefix("each ") for part in self.help.partition(": ")[0].split(", ")]
        return parts if all(any(re.fullmatch(p, part) for p in OF_ALL | OF_EACH) for part in parts) else []

    def checked(self, value):
        """Return a value that is allowed, with whole numbers as such: 1e4 as 10000."""
        if value is None and self.default == "None":
            return None
        found = _as_type(value, self.type)
        if found is None or not all(_holds(part, found) for part in self.allowed):
            said = ", ".join([_in_words(self.type), *self.allowed])
            raise ValueError(f"{self.name}: expected {said}; got {value!r}, here it is {self.default}")
        return found

    def steps(self, value):
        """Return values that are one step away from one; they need not be allowed."""
        if isinstance(value, bool):
            return [not value]
        if isinstance(value, list):
            return [value[:-1], value[1:]] if len(value) > 1 else []
        if isinstance(value, int):
            if any("of two" in part for part in self.allowed):
                return [value // 2, 2 * value]
            one = 2 if "even" in self.allowed else 1
            return [value - one, value + one] if value < SMALL else [round(value / 2) * 3]
        if isinstance(value, float):
            return [1.5 * value]
        names = [name for part in self.allowed if part.startswith("one of ") for name in part[7:].split(" | ")]
        return [name for name in names if name != value][:1]


def check_conditions(notebook, values):
    """Refuse values that make no sense together, for the reason that the cells tagged ``conditions`` have.

    Such a cell has assertions, and imports what they need.
    """
    cells, known = [cell for cell in notebook.cells if "conditions" in cell.metadata.get("tags", [])], dict(values)
    for condition in [node for cell in cells for node in ast.parse(cell.source).body]:
        if not isinstance(condition, ast.Assert):
            exec(compile(ast.Module([condition], []), "conditions", "exec"), known)
        elif not eval(compile(ast.Expression(condition.test), "conditions", "eval"), known):
            names = {node.id for node in ast.walk(condition.test) if isinstance(node, ast.Name)}
            given = ", ".join(f"{name} = {value!r}" for name, value in values.items() if name in names)
            raise ValueError(f"expected {condition.msg.value}; got {given}")


def line_to_run(chapter, values):
    """Return the line for a shell that executes a chapter at some values of its parameters.

    >>> print(line_to_run("linear/fourier", {"process_names": ["white", "power law"], "n_layers": 5}))
    make run CHAPTER=linear/fourier PARAMETERS="-p process_names '[white, power law]' -p n_layers 5"
    """
    written = {
        name: yaml.safe_dump([value], default_flow_style=True, width=1e9)[1:-2] for name, value in values.items()
    }
    given = " ".join(f"-p {name} {quote(text)}" for name, text in written.items())
    escaped = re.sub(r'["\\$`]', r"\\\g<0>", given.replace("$", "$$"))  # for the shell; twice for make
    return f"make run CHAPTER={chapter}" + (f' PARAMETERS="{escaped}"' if given else "")


def _type_of(value):
    """Return the type of a default as an annotation, empty where it says nothing."""
    if isinstance(value, list | tuple):
        kinds = {_type_of(entry) for entry in value}
        return f"list[{kinds.pop() if len(kinds) == 1 else 'float' if kinds == {'int', 'float'} else ''}]"
    return "" if value is None else type(value).__name__


def _as_type(value, kind):
    """Return a value as one of a type, None where it is none; a list has entries."""
    if kind.startswith("list["):
        entries = [_as_type(entry, kind[5:-1]) for entry in value] if isinstance(value, list) else []
        return entries if entries and None not in entries else None
    if kind == "int" and isinstance(value, float) and value.is_integer():
        value = int(value)
    known = isinstance(value, TYPES.get(kind, object)) and (kind == "bool" or not isinstance(value, bool))
    return value if known or kind not in TYPES else None


def _in_words(kind):
    return f"a list, each {_in_words(kind[5:-1])}" if kind.startswith("list[") else WORDS.get(kind, "a value")


def _holds(part, value):
    for pattern, holds in OF_ALL.items():
        if found := re.fullmatch(pattern, part):
            return holds(value, *found.groups())
    pattern, holds = next((p, holds) for p, holds in OF_EACH.items() if re.fullmatch(p, part))
    given = re.fullmatch(pattern, part).groups()
    return all(holds(entry, *given) for entry in _entries(value))


def _entries(value):
    return [entry for each in value for entry in _entries(each)] if isinstance(value, list) else [value]
