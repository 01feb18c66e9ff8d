"""Two commands do not work in one folder."""

import pytest
from click.testing import CliRunner
from small_books import cell, write_book

from edition.cli import main
from edition.locking import exclusive_lock


@pytest.mark.parametrize(
    ("folder", "command"),
    [("_build", ["build"]), ("_build", ["reference"]), ("_build", ["reproduce"]), ("_build/runs", ["run", "one"])],
)
def test_a_second_command_is_told_and_the_folder_is_free_again_after_the_first(tmp_path, folder, command):
    root = write_book(tmp_path, {"one": "# One\n\n" + cell("1")})
    with exclusive_lock(root / folder):
        done = CliRunner().invoke(main, ["--root", str(root), *command])
        assert done.exit_code == 1
        assert "another command is at work in" in done.output
    with exclusive_lock(root / folder):
        pass
