"""What a kernel is started with: this interpreter, the code of this checkout, and no settings of whoever runs it."""

import os
import tempfile
from contextlib import contextmanager
from pathlib import Path

from jupyter_client import AsyncKernelManager
from jupyter_client.kernelspec import NATIVE_KERNEL_NAME, KernelSpecManager
from traitlets import default
from traitlets.config import Config

from edition.book import ROOT
from edition.execution.made_with import FIXED
from edition.execution.scratch import short_temporary_folder

__all__ = ["NAME", "Kernel", "environment", "settings"]

NAME = NATIVE_KERNEL_NAME
SETTINGS = ("COLUMNS", "IPYTHON", "JUPYTER", "LINES", "MATPLOTLIB", "MPL", "PYTHON")  # how names of variables begin
HARMLESS = ("PYTHONDONTWRITEBYTECODE", "PYTHONHOME", "PYTHONPATH", "PYTHONPYCACHEPREFIX")


class Kernel(AsyncKernelManager):
    """The kernel of this interpreter, whatever kernels called python3 somebody has installed."""

    @default("kernel_spec_manager")
    def _only_its_own(self):
        return KernelSpecManager(kernel_dirs=[])


@contextmanager
def settings():
    """Give a folder for what a kernel needs while it lives, the configuration of its manager and its environment."""
    with tempfile.TemporaryDirectory(
        prefix="chapter-", dir=short_temporary_folder(), ignore_cleanup_errors=True
    ) as name:
        folder = Path(name)
        manager = {"transport": "ipc", "ip": str(folder / "kernel"), "connection_file": str(folder / "kernel.json")}
        yield folder, Config({"KernelManager": manager}), environment(folder)


def environment(folder):
    """Return the environment of a kernel, with settings and temporary files of its own in a folder.

    What Matplotlib finds out of the fonts is kept beside what is built: it takes seconds.
    """
    fonts = ROOT / "_build" / "settings" / "matplotlib"
    fonts.mkdir(parents=True, exist_ok=True)
    kept = {k: value for k, value in os.environ.items() if k in HARMLESS or not k.startswith(SETTINGS)}
    jupyter = {f"JUPYTER_{kind}_DIR": str(folder / "jupyter" / kind.lower()) for kind in ("CONFIG", "DATA", "RUNTIME")}
    return (
        kept
        | FIXED
        | jupyter
        | {
            "IPYTHONDIR": str(folder / "ipython"),
            "JUPYTER_PREFER_ENV_PATH": "1",
            "MPLCONFIGDIR": str(fonts),
            "PYTHONPATH": os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")])),
            "TMPDIR": str(folder),
        }
    )
