"""What setup.py makes: a manual page of every command, and what a package index shows of the citation."""

import runpy
import shutil
import subprocess

import click
import pytest

from capacity_inspection.cli import main
from edition.book import ROOT

SETUP = runpy.run_path(str(ROOT / "setup.py"))
PAGE = SETUP["manual_page"](main, "1.2.3")


def test_every_option_of_every_command_has_its_line():
    sections = PAGE.split("\n.SH ")
    for name, command in main.commands.items():
        (section,) = (each for each in sections if each.startswith(f"{name.upper()}\n"))
        bold = [line.replace("\\&", "").replace("\\-", "-") for line in section.splitlines() if line.startswith(".B ")]
        for option in (each for each in command.params if isinstance(each, click.Option)):
            assert any(line.split()[1].rstrip(",") in option.opts for line in bold), option
        for example in command.epilog.strip().splitlines():
            assert example.strip().replace("-", "\\-") in section


def test_no_text_is_taken_for_a_request():
    requests = {line.split()[0] for line in PAGE.splitlines() if line.startswith((".", "'"))}
    assert requests == {".TH", ".SH", ".B", ".PP", ".TP", ".EX", ".EE"}


@pytest.mark.skipif(shutil.which("groff") is None, reason="needs groff")
def test_roff_has_nothing_to_complain_about():
    done = subprocess.run(["groff", "-man", "-ww", "-Tutf8"], input=PAGE, capture_output=True, text=True, check=True)
    assert done.stderr == ""
    assert "capacity-allocation 1.2.3" in done.stdout


def test_a_package_index_shows_what_the_citation_has_and_nothing_of_its_references():
    people = "- {name: A group}\n- {family-names: Two, given-names: Ben}\n"
    own = f"version: 1.2.3\nauthors:\n{people}repository-code: https://a.example/b\nurl: https://c.example/\n"
    found = SETUP["origin"](f"{own}references:\n- title: A paper\n  url: https://paper.example\n")
    assert (found["version"], found["author"]) == ("1.2.3", "A group, Ben Two")
    assert found["project_urls"] == {"Source": "https://a.example/b", "Book": "https://c.example/"}
    assert SETUP["origin"](f"version: 1.2.3\nauthors:\n{people}")["project_urls"] == {}
