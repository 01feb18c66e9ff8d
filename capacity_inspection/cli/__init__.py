"""The command ``capacity``: where a network spends its capacity, from the shell.

Everything that computes is imported when a command needs it, so that help and mistakes are answered at once.
"""

from capacity_inspection.cli.commands import main

__all__ = ["main"]
