"""The command line: ``python -m edition --help``."""

import signal
import sys

if sys.platform == "win32":
    sys.exit("edition: expected Linux or macOS, whose file locks and processes it uses, got Windows; run it in WSL")

from edition.cli import main

signal.signal(signal.SIGTERM, signal.default_int_handler)  # ends all that was started, as Ctrl-C does
main(prog_name="python -m edition")
