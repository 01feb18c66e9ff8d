"""What cannot be done, in one line that says why and what to do."""

import errno
import os
import sys
from pathlib import Path

import click

from capacity_inspection.cli.arguments import ARCHITECTURES, FILES

__all__ = ["Commands", "Refused", "quoted"]

_LONGEST = 1000  # characters of a message


class Refused(click.ClickException):
    """What was asked for cannot be done; one line says why, and what to do."""

    exit_code = 2


class Commands(click.Group):
    """Commands that tell in one line what went wrong."""

    def main(self, *args, **extra):
        """Run, unless there is nowhere to write to."""
        if sys.stdout is None:
            click.echo("Error: standard output is closed; leave it open, or write to /dev/null", err=True)
            raise SystemExit(2)
        return super().main(*args, **extra)

    def make_context(self, *args, **extra):
        """Read the arguments before the name of a command."""
        try:
            return super().make_context(*args, **extra)
        except click.exceptions.NoArgsIsHelpError:
            raise
        except click.UsageError as error:
            raise _refused(error) from None

    def resolve_command(self, context, args):
        """The command of that name; the name of a network where a command is expected has its own remedy."""
        if args[0] in ARCHITECTURES or Path(args[0]).suffix.lower() in FILES:
            context.fail(f"{args[0]!r} is a network and no command; write capacity summary {args[0]}")
        return super().resolve_command(context, args)

    def invoke(self, context):
        """Run the command that was chosen."""
        # Beside other work, threads that wait busily for each other take several times as long.
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
        if context.params["debug"]:
            return super().invoke(context)
        try:
            return super().invoke(context)
        except click.UsageError as error:
            raise _refused(error) from None
        except (ValueError, TypeError, ImportError, OverflowError) as error:
            raise Refused(quoted(str(error))) from None
        except MemoryError:
            raise Refused("the memory does not suffice; take a smaller model") from None
        except OSError as error:
            if error.errno == errno.EPIPE:  # nobody reads on, and click ends quietly
                raise
            place = f"{error.filename}: " if error.filename else ""
            remedy = "make room there" if error.errno == errno.ENOSPC else "check the name and the permissions"
            raise Refused(f"{place}{error.strerror or error}; {remedy}") from None
        except KeyboardInterrupt:
            click.echo("interrupted", err=True)
            raise click.exceptions.Exit(130) from None
        except (click.exceptions.Exit, click.Abort, click.ClickException):
            raise
        except Exception as error:
            message = f"{type(error).__name__}: {error}; a mistake of this program, which --debug shows the place of"
            raise Refused(quoted(message)) from None


def quoted(text):
    """A text as one line of a bounded length, without what a terminal would obey."""
    from capacity_inspection.reports.screen import printable

    line = printable(" ".join(text.split()))
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST // 2]} ... {line[-_LONGEST // 2 :]}"


def _refused(error):
    remedy = f"; see {error.ctx.command_path} --help" if error.ctx else ""
    return Refused(" ".join(error.format_message().split()).rstrip(".") + remedy)
