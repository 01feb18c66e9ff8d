"""The commands that pages show do what these say."""

import re
import shlex
from functools import cache

import pytest
from click.testing import CliRunner

from capacity_inspection.cli import main
from edition.book import ROOT

PAGE, OTHER = (
    (ROOT / "chapters/beyond" / name).read_text(encoding="utf-8") for name in ("questions.md", "variance.md")
)
COMMANDS, OTHERS = (re.findall(r"^\$ capacity (.+)$", page, re.MULTILINE) for page in (PAGE, OTHER))


@cache
def run(words):
    result = CliRunner().invoke(main, shlex.split(words))
    assert result.exit_code == 0, result.output
    return result.output


@pytest.mark.parametrize("words", COMMANDS + OTHERS)
def test_each_command_runs_and_prints_a_table(words):
    one_fit = " --optima 1" if words.startswith(("compare", "summary ssm")) else ""
    assert re.search(r"^(inputs|parameters) +\d", run(words + one_fit), re.MULTILINE)


def test_the_command_prints_the_field_that_the_page_derives():
    (words,) = [words for words in COMMANDS if "--taps 4" in words]
    assert re.search(r"^field +763$", run(words), re.MULTILINE)
