"""The command, run as from a shell."""

import json

from click.testing import CliRunner

from capacity_inspection.cli import main

STACK = ["tcn", "--dilations", "1", "2", "4", "--channels", "1"]


def run(*arguments):
    return CliRunner().invoke(main, list(arguments), catch_exceptions=False, prog_name="capacity")


def plain(*arguments):
    done = run(*arguments, "--json")
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)
