"""Options of the commands: each says what it does, and takes what is listed."""

import click
import pytest
from command_line import STACK, plain

from capacity import DilatedConvolution, standard_process
from capacity_inspection.cli import main
from capacity_inspection.reports import linear_report


def test_every_command_has_examples_and_every_option_a_word():
    for command in main.commands.values():
        assert command.epilog
        assert command.help
        assert all(option.help for option in command.params if isinstance(option, click.Option))


def test_processes_take_numbers():
    found = plain("spatial", *STACK, "--process", "fractional-noise:hurst=0.6", "--optima", "1")
    report = linear_report(DilatedConvolution([1, 2, 4]), process=standard_process("fractional noise"), optima=1)
    assert found["total"]["residual variance"]["value"] > report["total", "residual variance"].value
    other = plain("spatial", *STACK, "--process", "autoregressive:coefficients=0.5", "--optima", "1")
    assert other["total"]["residual variance"]["value"] == pytest.approx(0.75)
