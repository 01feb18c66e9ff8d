"""What arguments of the command take: several numbers, names of a table, networks, bytes, files of figures."""

import re
import textwrap
from pathlib import Path

import click
from click.shell_completion import CompletionItem

__all__ = ["ARCHITECTURES", "EXISTING", "FILES", "as_unit", "gathered"]
__all__ += ["Bytes", "Command", "Figure", "Integers", "Named", "Network"]

ARCHITECTURES = ("tcn", "recurrent", "ssm", "cnn")
FILES = (".onnx", ".toml")
EXISTING = click.Path(exists=True, dir_okay=False, path_type=Path)
_FIGURES = (".svg", ".png", ".pdf")
_LISTS = ("--dilations", "--channels", "--taps", "--size", "--kernel", "--strides", "--input-size", "--at")
_NUMBERS = re.compile(r"-?\d+(,-?\d+)*,?")


class Command(click.Command):
    """A command whose options take several numbers, as in --dilations 1 2 4."""

    def parse_args(self, context, args):
        """Read the arguments, successive numbers being one value."""
        return super().parse_args(context, gathered(args))

    def format_epilog(self, context, formatter):
        """Write the examples as they are."""
        if self.epilog:
            with formatter.section("Examples"):
                for line in self.epilog.strip().splitlines():
                    parts = textwrap.wrap(line.strip(), 74, subsequent_indent="    ", break_on_hyphens=False)
                    formatter.write("  " + " \\\n  ".join(parts) + "\n")


def gathered(arguments):
    """Arguments in which the numbers behind an option that takes several are one, divided by commas.

    Parameters
    ----------
    arguments : list of str

    Returns
    -------
    list of str

    Examples
    --------
    >>> gathered(["tcn", "--dilations", "1", "2", "4", "--stacks", "2"])
    ['tcn', '--dilations', '1,2,4', '--stacks', '2']
    """
    found = []
    for each in arguments:
        if found[1:] and found[-2] in _LISTS and _NUMBERS.fullmatch(found[-1]) and _NUMBERS.fullmatch(each):
            found[-1] = found[-1].strip(",") + "," + each
        else:
            found.append(each)
    return found


class Integers(click.ParamType):
    """Whole numbers, divided by commas."""

    name = "numbers"

    def __init__(self, one=False):
        self.one = one

    def convert(self, value, parameter, context):
        """One number as such where that is asked for, several as a list."""
        if not isinstance(value, str):
            return value
        if not _NUMBERS.fullmatch(value):
            self.fail(f"{value!r} is not made of whole numbers; write 1 2 4", parameter, context)
        numbers = [int(part) for part in value.split(",") if part]
        return numbers[0] if self.one and len(numbers) == 1 else numbers


class Named(click.ParamType):
    """A name of a table, maybe with parameters behind a colon; the table is read when there is a name."""

    name = "name"

    def __init__(self, table):
        self.table = table

    def _names(self):
        return {re.sub("[ _]", "-", name): name for name in self.table()}

    def convert(self, value, parameter, context):
        """The name as it stands in the table, whatever divides its words, with its parameters."""
        name, *pairs = value.split(":")
        names = self._names()
        if (found := names.get(re.sub("[ _]", "-", name))) is None:
            self.fail(f"{name!r} is none of {', '.join(names)}", parameter, context)
        return ":".join([found, *pairs])

    def shell_complete(self, context, parameter, incomplete):
        """The names that begin so."""
        return [CompletionItem(name) for name in self._names() if name.startswith(incomplete)]


class Network(click.ParamType):
    """An architecture, or a file that describes or holds a network."""

    name = "network"

    def convert(self, value, parameter, context):
        """The name, if it is known or a file has it."""
        if value not in ARCHITECTURES:
            if Path(value).suffix.lower() not in FILES:
                known = ", ".join(ARCHITECTURES)
                self.fail(f"{value!r} is none of {known}, nor a file {' or '.join(FILES)}", parameter, context)
            EXISTING.convert(value, parameter, context)
        return value

    def shell_complete(self, context, parameter, incomplete):
        """Architectures that begin so, then files."""
        found = [CompletionItem(name) for name in ARCHITECTURES if name.startswith(incomplete)]
        return found or [CompletionItem(incomplete, type="file")]


class Bytes(click.ParamType):
    """A number of bytes, as in 500MB, 2GiB or 4G."""

    name = "bytes"

    def convert(self, value, parameter, context):
        """The number itself."""
        match = re.fullmatch(r"(\d+(?:\.\d+)?) *(?:([kKMGT])(i?)B?|B?)", value)
        if match is None:
            self.fail(f"{value!r} is no number of bytes; write 500MB or 4GiB", parameter, context)
        power = "KMGT".index(match[2].upper()) + 1 if match[2] else 0
        return int(float(match[1]) * (1024 if match[3] else 1000) ** power)


class Figure(click.ParamType):
    """A file that can hold a figure, in a folder that is there."""

    name = "file"

    def convert(self, value, parameter, context):
        """The path, if its ending is known and its folder exists."""
        path = Path(value)
        if path.suffix.lower() not in _FIGURES:
            self.fail(f"{path.name!r} ends in none of {', '.join(_FIGURES)}; choose one of them", parameter, context)
        if not path.parent.is_dir():
            self.fail(f"there is no folder {str(path.parent)!r}; make it, or choose another", parameter, context)
        return path


def as_unit(text):
    """The unit of an output that --at names: centre, last, or its channel and positions as a tuple."""
    if text is None or text in ("centre", "last"):
        return text
    if not _NUMBERS.fullmatch(text):
        raise ValueError(f"at: expected centre, last or whole numbers, got {text!r}; write the channel, then positions")
    return tuple(map(int, text.strip(",").split(",")))
