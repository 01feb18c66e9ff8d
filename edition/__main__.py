"""The command line: ``python -m edition --help``."""

import signal
import sys
from pathlib import Path

if sys.platform == "win32":
    sys.exit("edition: expected Linux or macOS, whose file locks and processes it uses, got Windows; run it in WSL")

here, owner = Path(__file__).resolve().parents[1], Path(sys.prefix).resolve().parent
if here not in (owner, Path.cwd()) and (owner / "edition" / "__main__.py").is_file():
    sys.exit(
        f"edition: expected the code of {owner}, to which this environment belongs, got that of {here}, from where it "
        f"was copied; give the command in {owner}, or remove {sys.prefix} and give make setup there"
    )

interrupted = signal.getsignal(signal.SIGINT)
if interrupted is not signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # there is nothing to clean up while modules are imported

from edition.cli import main  # noqa: E402
from edition.execution.scratch import take_own_temporary_folder  # noqa: E402
from edition.sphinx_ext.jupyter_book import search_rarely  # noqa: E402

signal.signal(signal.SIGINT, interrupted)
search_rarely()  # a notebook is a tree of many small objects, too
signal.signal(signal.SIGTERM, signal.default_int_handler)  # ends all that was started, as Ctrl-C does
take_own_temporary_folder()
main(prog_name="python -m edition")
