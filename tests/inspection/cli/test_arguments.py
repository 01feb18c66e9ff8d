"""Arguments of the command: lists of numbers, names that a shell completes, numbers of bytes."""

import pytest
from click.shell_completion import ShellComplete

from capacity_inspection.cli import main
from capacity_inspection.cli.arguments import Bytes, gathered


@pytest.mark.parametrize(
    ("line", "word", "found"),
    [
        ("summary", "s", ["ssm"]),
        ("summary tcn --activation", "leaky", ["leaky-relu"]),
        ("spatial tcn --process", "f", ["fractional-noise"]),
        ("", "--de", ["--debug"]),
    ],
)
def test_the_shell_completes_names(line, word, found):
    completion = ShellComplete(main, {}, "capacity", "_CAPACITY_COMPLETE")
    assert [item.value for item in completion.get_completions(line.split(), word)] == found


def test_a_number_of_bytes_has_units_of_ten_or_two():
    assert [Bytes().convert(text, None, None) for text in ("12", "1k", "2KB", "1.5 MiB", "1G")] == [
        12, 1000, 2000, 1.5 * 2**20, 10**9
    ]  # fmt: skip


def test_numbers_behind_an_option_are_one_value_up_to_the_first_that_is_none():
    assert gathered(["--size", "8", "8", "cnn", "--seed", "3", "--at", "0", "-1"]) == [
        *["--size", "8,8", "cnn", "--seed", "3", "--at", "0,-1"]
    ]
    assert gathered(["--dilations", "1,2", "4"]) == ["--dilations", "1,2,4"]
