"""Values as people write them, on the command line and in files of parameters: YAML with the scalars of version 1.2.

PyYAML reads version 1.1, where 1e4 is a word, 010 is eight, ``no`` is false, 1:30 is ninety and a date is no text, and
where the second of two equal names counts. Here 1e4 and all other numbers of JSON are numbers, and so are nan and inf.
"""

import re

import yaml

__all__ = ["Loader", "read_value"]

SCALARS = {  # YAML 1.2.2, section 10.3.2; and nan and inf as Python and JSON write them
    "null": (r"null|Null|NULL|~|", [*"nN~", ""]),
    "bool": (r"true|True|TRUE|false|False|FALSE", [*"tTfF"]),
    "int": (r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+", [*"-+0123456789"]),
    "float": (
        r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?|[-+]?(\.?(inf|Inf|INF)|Infinity)|\.?(nan|NaN|NAN)",
        [*"-+.0123456789iInN"],
    ),
}


class Loader(yaml.SafeLoader):
    """A reader of YAML for PyYAML."""

    yaml_implicit_resolvers = {}  # noqa: RUF012 - PyYAML's own way to leave out those of version 1.1

    def construct_mapping(self, node, deep=False):
        """Return a mapping, in which no name may occur twice."""
        found = [self.construct_object(name, deep=True) for name, _ in node.value]
        for index, name in enumerate(found):
            if name in found[:index]:
                mark = node.value[index][0].start_mark
                raise yaml.constructor.ConstructorError(None, None, f"{name} occurs twice", mark)
        return super().construct_mapping(node, deep)


def _int(loader, node):
    text = loader.construct_scalar(node)
    return int(text, {"0o": 8, "0x": 16}.get(text[:2], 10))


def _float(loader, node):
    return float(re.sub(r"\.(?=[iInN])", "", loader.construct_scalar(node)))


for _kind, (_pattern, _first) in SCALARS.items():
    Loader.add_implicit_resolver(f"tag:yaml.org,2002:{_kind}", re.compile(rf"(?:{_pattern})\Z"), _first)
Loader.add_constructor("tag:yaml.org,2002:int", _int)
Loader.add_constructor("tag:yaml.org,2002:float", _float)


def read_value(name, text):
    """Return the value that a text stands for: a number, a boolean, None, a text, or lists and mappings of them.

    >>> read_value("rates", "[1e-05, 1e4, inf, 2001-01-31, no]")
    [1e-05, 10000.0, inf, '2001-01-31', 'no']
    """
    try:
        value = yaml.load(text, Loader)
        _check_plain(value)
    except (yaml.YAMLError, ValueError, TypeError, RecursionError):
        raise ValueError(f"{name}: expected a value in YAML, such as 4, 0.5, word or '[1, 2]'; got {text!r}") from None
    return value


def _check_plain(value):
    """Refuse what no chapter can be given."""
    if isinstance(value, dict):
        if not all(isinstance(name, str) for name in value):
            raise TypeError("names are texts")
        value = list(value.values())
    if isinstance(value, list):
        for each in value:
            _check_plain(each)
    elif not isinstance(value, bool | int | float | str | None):
        raise TypeError("no plain value")
