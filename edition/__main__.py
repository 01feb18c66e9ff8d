"""The command line: ``python -m edition --help``."""

import signal

from edition.cli import main

signal.signal(signal.SIGTERM, signal.default_int_handler)  # ends all that was started, as Ctrl-C does
main(prog_name="python -m edition")
