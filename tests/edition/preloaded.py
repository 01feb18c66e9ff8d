"""Jupyter Book in forks of one process that has imported it: to import takes longer than to build a small book."""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

from edition.book import ROOT

SERVER = """
import importlib, json, os, sys
from pathlib import Path
from jupyter_book.config import get_final_config
from sphinx.application import builtin_extensions

root, options = Path(sys.argv[1]), {"latex_individualpages": False}
config, _ = get_final_config(user_yaml=root / "_config.yml", sourcedir=root, cli_config=options)
for name in ["jupyter_book.cli.main", *builtin_extensions, *config["extensions"]]:
    importlib.import_module(name)
for line in sys.stdin:
    request = json.loads(line)
    child = os.fork()
    if not child:
        output = os.open(request["output"], os.O_WRONLY)
        for stream in (1, 2):
            os.dup2(output, stream)
        os.environ.clear()
        os.environ.update(request["env"])
        _, _, _, code, *arguments = request["command"]
        sys.argv = ["-c", *arguments]
        exec(code)  # which exits
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""


class Preloaded:
    """What stands for `subprocess` where pages are built, but not where two builds from nothing are compared."""

    PIPE, STDOUT = subprocess.PIPE, subprocess.STDOUT

    def __init__(self):
        self.server = None

    def run(self, command, *, env, **_):
        """Run a command of Jupyter Book; return what it prints and its exit code."""
        if self.server is None:
            options = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True, "env": env}
            self.server = subprocess.Popen([sys.executable, "-P", "-c", SERVER, ROOT], **options)
        command = [*map(str, command)]
        with tempfile.NamedTemporaryFile() as output:
            request = {"command": command, "env": dict(env), "output": output.name}
            print(json.dumps(request), file=self.server.stdin, flush=True)
            code = int(self.server.stdout.readline())
            return subprocess.CompletedProcess(command, code, Path(output.name).read_text(encoding="utf-8"))

    def close(self):
        """End the process."""
        if self.server is not None:
            self.server.communicate()
