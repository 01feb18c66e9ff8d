"""The command line: ``python -m edition --help``."""

import signal
import sys

if sys.platform == "win32":
    sys.exit("edition: expected Linux or macOS, whose file locks and processes it uses, got Windows; run it in WSL")

interrupted = signal.getsignal(signal.SIGINT)
if interrupted is not signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # there is nothing to clean up while modules are imported

from edition.cli import main  # noqa: E402
from edition.execution.scratch import take_own_temporary_folder  # noqa: E402
from edition.sphinx_ext.collector import search_rarely  # noqa: E402

signal.signal(signal.SIGINT, interrupted)
search_rarely()  # a notebook is a tree of many small objects, too
signal.signal(signal.SIGTERM, signal.default_int_handler)  # ends all that was started, as Ctrl-C does
take_own_temporary_folder()
main(prog_name="python -m edition")
