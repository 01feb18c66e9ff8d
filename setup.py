"""What pyproject.toml cannot say: what CITATION.cff does, and the manual page, made of the commands at installation."""

import sys
from pathlib import Path

import click
import yaml
from setuptools import setup  # which brings distutils along

from distutils.command.install_data import install_data  # isort: skip


def manual_page(commands, version):
    """Text of capacity(1), in the macros of man(7), of a group of commands.

    Parameters
    ----------
    commands : click.Group
    version : str
        Of the package.

    Returns
    -------
    str
    """
    context = click.Context(commands, info_name="capacity", **commands.context_settings)
    title, *told = commands.help.split("\n\n")
    lines = [f'.TH CAPACITY 1 "" "capacity-allocation {version}" "User Commands"', ".SH NAME"]
    lines += [f"capacity \\- {_plain(title)}", ".SH SYNOPSIS", ".B capacity", _plain("[OPTIONS] COMMAND [ARGS]...")]
    lines += [".SH DESCRIPTION", *_paragraphs(told), *_options(context)]
    for name, command in sorted(commands.commands.items()):
        inner = click.Context(command, parent=context, info_name=name)
        lines += [f".SH {name.upper()}", f".B capacity {name}", _plain(" ".join(command.collect_usage_pieces(inner)))]
        lines += [".PP", *_paragraphs(command.help.split("\n\n")), *_options(inner), ".PP", "Examples:", ".EX"]
        lines += [*map(_plain, map(str.strip, command.epilog.strip().splitlines())), ".EE"]
    lines += [
        ".SH EXIT STATUS",
        "0 where all went well, 2 where something was asked for that cannot be done, which one",
    ]
    lines += ["line on standard error explains, and 130 after an interruption."]
    return "\n".join(lines) + "\n"


def _paragraphs(texts):
    for text in texts:
        yield from (_plain(" ".join(text.split())), ".PP")


def _options(context):
    for option in context.command.get_params(context):
        if isinstance(option, click.Option):
            names, told = option.get_help_record(context)
            yield from (".TP", f".B {_plain(names)}", _plain(told))


def _plain(text):
    """A text as roff prints it: hyphens that can be copied, and no line that looks like a request."""
    return "\\&" + text.replace("\\", "\\e").replace("-", "\\-")


class InstallPage(install_data):
    """Writes the page where `man` looks for those of the commands beside it."""

    def run(self):
        """Write it into share/man/man1."""
        sys.path.insert(0, str(Path(__file__).parent))
        from capacity_inspection.cli import main

        folder = Path(self.install_dir, "share", "man", "man1")
        self.mkpath(str(folder))
        page = folder / "capacity.1"
        page.write_text(manual_page(main, self.distribution.get_version()), encoding="utf-8")
        self.outfiles.append(str(page))


def origin(citation):
    """Version, authors and addresses, by the names that setuptools has for them, of the text of CITATION.cff."""
    found = yaml.safe_load(citation)
    names = [each.get("name") or f"{each['given-names']} {each['family-names']}" for each in found["authors"]]
    labels = {"url": "Book", "repository-code": "Source"}
    addresses = {label: found[key] for key, label in labels.items() if found.get(key)}
    return {"version": str(found["version"]), "author": ", ".join(names), "project_urls": addresses}


if __name__ == "__main__":
    setup(
        cmdclass={"install_data": InstallPage},
        data_files=[("share/man/man1", [])],
        **origin((Path(__file__).parent / "CITATION.cff").read_text(encoding="utf-8")),
    )
