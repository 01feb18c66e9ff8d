"""Processes that end with the command that started them, however it ends."""

import asyncio
import multiprocessing
import os
import signal
import sys
import tempfile
from contextlib import contextmanager
from multiprocessing import resource_tracker, util
from multiprocessing.connection import wait
from threading import Thread

from edition.execution.scratch import short_temporary_folder

__all__ = ["ended_by", "outcomes"]


def outcomes(work, tasks, *, jobs, preload):
    """Run tasks in processes of their own; yield the name, the result and the exit code of each as it ends.

    What the system refuses to one of them, such as room on the disk, ends the loop; a task that fails otherwise has no
    result. Where the loop over them is left early, those still under way are ended in order: each may clean up.
    """
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(preload)
    _make_room_for_sockets()
    pending, running = list(tasks.items())[::-1], {}
    try:
        while pending or running:
            while pending and len(running) < jobs:
                name, arguments = pending.pop()
                receiver, sender = context.Pipe(duplex=False)
                process = context.Process(target=_work, args=(sender, work, arguments))
                with _uninterrupted():
                    process.start()
                    running[receiver] = name, process
                sender.close()
            for receiver in wait(running):
                name, process = running[receiver]
                try:
                    result = receiver.recv()
                except EOFError:
                    result = None
                process.join()
                del running[receiver]
                if isinstance(result, OSError):
                    raise result
                yield name, result, process.exitcode
    finally:
        for _, process in running.values():
            process.terminate()
        for _, process in running.values():
            process.join()


def ended_by(code):
    """Return for people how a process without a result ended: a negative exit code is that of a signal."""
    if code == -signal.SIGKILL:
        return "was killed, perhaps for want of memory; give the same command again, what is finished is kept"
    return f"was ended by {signal.Signals(-code).name}" if code < 0 else f"ended with {code}"


def _make_room_for_sockets():
    """Have multiprocessing keep its sockets where their names are short enough, as it does from Python 3.14 on."""
    former, tempfile.tempdir = tempfile.tempdir, short_temporary_folder()
    try:
        util.get_temp_dir()
    finally:
        tempfile.tempdir = former


@contextmanager
def _uninterrupted():
    """Hold Ctrl-C back, here and in processes that are started meanwhile, until they have imported what they need."""
    resource_tracker.ensure_running()  # started by the first process otherwise, and lets Ctrl-C through
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})


def _work(sender, work, arguments):
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches all processes of a terminal; the first one decides
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    signal.signal(signal.SIGTERM, _leave)
    Thread(target=_end_with_the_command, daemon=True).start()
    try:
        try:
            result = work(*arguments)
        except OSError as error:
            result = error
        sender.send(result)
    except asyncio.CancelledError:  # nbclient takes signals over, and ends so while its kernel starts
        _leave()


def _end_with_the_command():
    """End this process, which may clean up, when the one that started it was killed."""
    multiprocessing.parent_process().join()
    os.kill(os.getpid(), signal.SIGTERM)


def _leave(*_):
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)  # an exit from a callback of ZeroMQ or asyncio is printed as an error
    sys.exit(128 + signal.SIGTERM)
