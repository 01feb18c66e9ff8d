"""Kill a process of a build at the n-th moment at which it is about to change something on the disk.

Python imports this module where it is on the path. Moments are those of a role: the command until it publishes, then
publishing; the workers together; Jupyter Book. A file named after it has one byte for each, in the folder KILLED_LOG.
At the moment KILLED_AT of KILLED_ROLE that process is killed, or with KILLED_VICTIM=command the command.
"""

import os
import signal
import sys

CHANGES = {"os.mkdir", "os.remove", "os.rename", "os.rmdir", "os.symlink"}
FIRST, STARTED_AS = os.getpid(), " ".join(sys.orig_argv[1:])
COMMAND = STARTED_AS.startswith("-m edition")


def role():
    """Return the role of this process."""
    if COMMAND:
        return "publishing" if publishing else "command"
    if "jupyter_book.cli" in STARTED_AS:
        return "book"
    return "worker" if "multiprocessing.forkserver" in STARTED_AS and os.getpid() != FIRST else None


def watch(event, arguments):
    """Count a moment, and kill at the one that is asked for."""
    global publishing
    written = event == "open" and isinstance(arguments[2], int) and arguments[2] & (os.O_WRONLY | os.O_RDWR)
    if not (written or event in CHANGES):
        return
    publishing = publishing or (COMMAND and event == "os.mkdir" and os.fsdecode(arguments[0]).endswith(".html.new"))
    if (now := role()) in logs:
        os.write(logs[now], b".")
        asked = now == os.environ.get("KILLED_ROLE") and os.fstat(logs[now]).st_size == int(os.environ["KILLED_AT"])
        if asked:
            of_command = os.environ["KILLED_VICTIM"] == "command"
            os.kill(int(os.environ["KILLED_COMMAND"]) if of_command else os.getpid(), signal.SIGKILL)


if folder := os.environ.get("KILLED_LOG"):
    publishing = False
    if COMMAND:
        os.environ["KILLED_COMMAND"] = str(FIRST)
    names = ("command", "publishing", "worker", "book")
    logs = {name: os.open(f"{folder}/{name}", os.O_WRONLY | os.O_CREAT | os.O_APPEND) for name in names}
    sys.addaudithook(watch)
