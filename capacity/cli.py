"""The command ``capacity``: where a network spends its capacity, from the shell.

Everything that computes is imported when a command needs it, so that help and mistakes are answered at once.
"""

import errno
import os
import re
import sys
import textwrap
import time
from contextlib import contextmanager, redirect_stderr
from pathlib import Path
from threading import Event, Thread

import click
from click.core import ParameterSource
from click.shell_completion import CompletionItem

__all__ = ["main"]

_LISTS = ("--dilations", "--channels", "--taps", "--size", "--kernel", "--strides", "--input-size", "--at")
_NUMBERS = re.compile(r"-?\d+(,-?\d+)*,?")
_ARCHITECTURES = ("tcn", "recurrent", "ssm", "cnn")
_FILES = (".onnx", ".toml")
_FIGURES = (".svg", ".png", ".pdf")
_WEIGHTS = "tcn: npz, safetensors; layers in the order of the numbers in their names."
_MANY = 64  # lags that are listed one by one
_LONGEST = 1000  # characters of a message
_SILENT = 1.5  # seconds, after which it is said what goes on


class Refused(click.ClickException):
    """What was asked for cannot be done; one line says why, and what to do."""

    exit_code = 2


class Commands(click.Group):
    """Commands that tell in one line what went wrong."""

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
        if args[0] in _ARCHITECTURES or Path(args[0]).suffix.lower() in _FILES:
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
            raise Refused(_quoted(str(error))) from None
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
            told = f"{type(error).__name__}: {error}; a mistake of this program, which --debug shows the place of"
            raise Refused(_quoted(told)) from None


def _quoted(text):
    """A text as one line of a bounded length, without what a terminal would obey."""
    from capacity.inspection.reports.screen import printable

    line = printable(" ".join(text.split()))
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST // 2]} ... {line[-_LONGEST // 2 :]}"


def _refused(error):
    remedy = f"; see {error.ctx.command_path} --help" if error.ctx else ""
    return Refused(" ".join(error.format_message().split()).rstrip(".") + remedy)


class Command(click.Command):
    """A command whose options take several numbers, as in --dilations 1 2 4."""

    def parse_args(self, context, args):
        """Read the arguments, successive numbers being one value."""
        return super().parse_args(context, gathered(args))

    def format_epilog(self, context, formatter):
        """Write the examples as they are."""
        if self.epilog:
            with formatter.section("Examples"):
                for line in self.epilog.strip().splitlines():
                    parts = textwrap.wrap(line.strip(), 74, subsequent_indent="    ", break_on_hyphens=False)
                    formatter.write("  " + " \\\n  ".join(parts) + "\n")


def gathered(arguments):
    """Arguments in which the numbers behind an option that takes several are one, divided by commas.

    Parameters
    ----------
    arguments : list of str

    Returns
    -------
    list of str

    Examples
    --------
    >>> gathered(["tcn", "--dilations", "1", "2", "4", "--stacks", "2"])
    ['tcn', '--dilations', '1,2,4', '--stacks', '2']
    """
    found, arguments = [], list(arguments)
    while arguments:
        found.append(arguments.pop(0))
        if found[-1] in _LISTS:
            numbers = []
            while arguments and _NUMBERS.fullmatch(arguments[0]):
                numbers.append(arguments.pop(0).strip(","))
            found += [",".join(numbers)] if numbers else []
    return found


class Integers(click.ParamType):
    """Whole numbers, divided by commas."""

    name = "numbers"

    def __init__(self, one=False):
        self.one = one

    def convert(self, value, parameter, context):
        """One number as such where that is asked for, several as a list."""
        if not isinstance(value, str):
            return value
        if not _NUMBERS.fullmatch(value):
            self.fail(f"{value!r} is not made of whole numbers; write 1 2 4", parameter, context)
        numbers = [int(part) for part in value.split(",") if part]
        return numbers[0] if self.one and len(numbers) == 1 else numbers


class Named(click.ParamType):
    """A name of a table, maybe with parameters behind a colon; the table is read when there is a name."""

    name = "name"

    def __init__(self, table):
        self.table = table

    def _names(self):
        return {re.sub("[ _]", "-", name): name for name in self.table()}

    def convert(self, value, parameter, context):
        """The name as it stands in the table, whatever divides its words, with its parameters."""
        name, *pairs = value.split(":")
        names = self._names()
        if (found := names.get(re.sub("[ _]", "-", name))) is None:
            self.fail(f"{name!r} is none of {', '.join(names)}", parameter, context)
        return ":".join([found, *pairs])

    def shell_complete(self, context, parameter, incomplete):
        """The names that begin so."""
        return [CompletionItem(name) for name in self._names() if name.startswith(incomplete)]


class Network(click.ParamType):
    """An architecture, or a file that describes or holds a network."""

    name = "network"

    def convert(self, value, parameter, context):
        """The name, if it is known or a file has it."""
        if value not in _ARCHITECTURES:
            if Path(value).suffix.lower() not in _FILES:
                known = ", ".join(_ARCHITECTURES)
                self.fail(f"{value!r} is none of {known}, nor a file {' or '.join(_FILES)}", parameter, context)
            EXISTING.convert(value, parameter, context)
        return value

    def shell_complete(self, context, parameter, incomplete):
        """Architectures that begin so, then files."""
        found = [CompletionItem(name) for name in _ARCHITECTURES if name.startswith(incomplete)]
        return found or [CompletionItem(incomplete, type="file")]


class Bytes(click.ParamType):
    """A number of bytes, as in 500MB, 2GiB or 4G."""

    name = "bytes"

    def convert(self, value, parameter, context):
        """The number itself."""
        match = re.fullmatch(r"(\d+(?:\.\d+)?) *(?:([kKMGT])(i?)B?|B?)", value)
        if match is None:
            self.fail(f"{value!r} is no number of bytes; write 500MB or 4GiB", parameter, context)
        power = "KMGT".index(match[2].upper()) + 1 if match[2] else 0
        return int(float(match[1]) * (1024 if match[3] else 1000) ** power)


class Figure(click.ParamType):
    """A file that can hold a figure, in a folder that is there."""

    name = "file"

    def convert(self, value, parameter, context):
        """The path, if its ending is known and its folder exists."""
        path = Path(value)
        if path.suffix.lower() not in _FIGURES:
            self.fail(f"{path.name!r} ends in none of {', '.join(_FIGURES)}; choose one of them", parameter, context)
        if not path.parent.is_dir():
            self.fail(f"there is no folder {str(path.parent)!r}; make it, or choose another", parameter, context)
        return path


EXISTING = click.Path(exists=True, dir_okay=False, path_type=Path)


def several(*options):
    """Decorator of all the given ones, in their order."""

    def decorated(function):
        for option in reversed(options):
            function = option(function)
        return function

    return decorated


def _activations():
    from capacity.activations.scalar_functions import SCALAR_FUNCTIONS

    return SCALAR_FUNCTIONS


def _processes():
    from capacity.tasks.autocovariances import PROCESSES

    return ["list", *PROCESSES]


architecture = several(
    click.option("--dilations", type=Integers(), metavar="D...", help="tcn: of the layers of one stack."),
    click.option("--stacks", type=int, metavar="N", help="tcn: how often the dilations are repeated."),
    click.option("--channels", type=Integers(one=True), metavar="C...", help="tcn, recurrent, cnn: of hidden layers."),
    click.option("--taps", type=Integers(one=True), metavar="K...", help="tcn: lengths of the filters."),
    click.option("--components", type=int, metavar="D", help="tcn, cnn: channels of the input."),
    click.option("--inputs", multiple=True, metavar="N|NAME", help="recurrent, ssm: how many; .onnx: where to begin."),
    click.option("--states", type=int, metavar="N", help="ssm: size of the state."),
    click.option("--size", type=Integers(), metavar="N...", help="cnn: positions along each axis."),
    click.option("--kernel", type=Integers(one=True), metavar="K...", help="cnn: sides of the filters."),
    click.option("--strides", type=Integers(one=True), metavar="S...", help="cnn: of each layer."),
    click.option("--classes", type=int, metavar="N", help="cnn: outputs of a last dense layer."),
    click.option("--activation", type=Named(_activations), help="tcn, cnn: after hidden layers; tcn: none by default."),
    click.option("--nonlinear", is_flag=True, help="tcn: the same as --activation relu."),
    click.option("--weights", type=EXISTING, metavar="FILE", help=_WEIGHTS),
    click.option("--residual", is_flag=True, default=None, help="tcn, cnn: add the input of each layer to its output."),
)
source = several(click.argument("network", metavar="NETWORK", type=Network()), architecture)


def _listed(context, parameter, value):
    """The processes with their parameters, where these are asked for."""
    if value != "list":
        return value
    import inspect

    from capacity.tasks.autocovariances import PROCESSES

    for name, function in PROCESSES.items():
        words = [name.replace(" ", "-")]
        for each in inspect.signature(function).parameters.values():
            numbers = each.default if isinstance(each.default, tuple) else [each.default]
            words += [f"{each.name}={','.join(map(str, numbers))}"] * (each.default is not None)
        click.echo(":".join(words))
    context.exit()


DATA = (
    "Or a series: csv, npy, wav. A network with activations reads it scaled to mean 0 and variance 1, "
    "and an npy of three or more axes as it is."
)
WHAT = "What to predict, as in power-law:exponent=0.5; list names them all."
task = several(
    click.option("--process", type=Named(_processes), metavar="NAME[:KEY=VALUE]...", callback=_listed, help=WHAT),
    click.option("--data", type=EXISTING, metavar="FILE", help=DATA),
    click.option("--column", metavar="NUMBER|TITLE", help="Of the data; counted from 0."),
    click.option("--memory", type=Bytes(), metavar="SIZE", help="What reading a file may take, as in 4GiB."),
)
output = several(
    click.option("--json", "as_json", is_flag=True, help="Write plain values for other programs."),
    click.option("--figure", type=Figure(), metavar="FILE", help="Also draw: .svg, .png or .pdf."),
)
fits = several(
    click.option("--optima", type=click.IntRange(1), default=3, show_default=True, help="Fits of a linear model."),
    click.option("--resamples", type=click.IntRange(0), default=20, show_default=True, help="Of data, for intervals."),
    click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Of all random numbers."),
)
chance = click.option("--samples", type=click.IntRange(1), help="Of a process: expected loss of a fit to so many.")
scale = click.option("--scale", type=click.Choice(["he", "pytorch"]), help="Of weights that are drawn, he by default.")
unit = several(
    click.option("--output", "node", metavar="NAME", help="Node of a network with activations; the last one."),
    click.option("--at", metavar="centre|last|I...", help="Its unit: channel, then position."),
    click.option("--causal", "at", flag_value="last", help="The same as --at last: lags count from there."),
    click.option(
        "--redrawn",
        is_flag=True,
        help="Draw the weights of that network anew.",
    ),
    scale,
)
reading = several(
    click.option("--input-size", type=Integers(), metavar="N...", help=".onnx without sizes: those, batch first."),
    click.option("--outputs", multiple=True, metavar="NAME", help=".onnx: read up to this array or node."),
    click.option("--gain", multiple=True, metavar="NAME", help=".onnx: hold this node, which multiplies another."),
)


WANT = (
    "Capacity wanted, as in 257-:share=0.5 (of the whole), 1-64:full or 24:full=0.9 (of what these lags can hold); "
    "lag 1 is the most recent input."
)


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="capacity-allocation")
@click.option("--debug", is_flag=True, help="Where something goes wrong, show where in the code.")
def main(debug):
    """Where does a network spend its capacity?

    NETWORK is the name of an architecture (tcn, recurrent, ssm, cnn) with its options, a file .toml that describes
    one, or a trained network as a file .onnx.
    """


@main.command(
    cls=Command,
    short_help="One network on one screen: its layers, and where capacity lies.",
    epilog="""
    capacity summary tcn --dilations 1 2 4 8 --stacks 2 --channels 2 --process power-law
    capacity summary tcn --dilations 1 2 4 8 --nonlinear --residual --figure out.svg
    capacity summary cnn --size 32 32 --channels 8 16 16 --strides 1 2 2 --json
    capacity summary network.toml --strict
    """,
)
@several(source, reading, task, chance, unit, fits, output)
@click.option("--strict", is_flag=True, help="Fail where a number is unavailable.")
def summary(as_json, figure, strict, **options):
    """One row per layer: parameters, receptive field, capacity, and the lags that hold it."""
    report = _report(strict=strict, **options)
    _drawn(report, figure)
    _written(report.to_dict() if as_json else report)


@main.command(
    cls=Command,
    short_help="Capacity of each input of a network, by lag.",
    epilog="""
    capacity spatial tcn --dilations 1 2 4 8 --channels 2 --process fractional-noise:hurst=0.8 --figure out.svg
    capacity spatial recurrent --inputs 64 --channels 4 --data series.csv --column level --resamples 4
    capacity spatial ssm --inputs 32 --states 4 --process exponential-mixture:time_scales=2,16 --optima 1
    """,
)
@several(source, reading, task, unit, fits, output)
def spatial(as_json, figure, **options):
    """Capacity of each input, with intervals where there are data."""
    report = _report(**options)
    if not report.allocation:
        raise Refused("no capacity per input without a task: pass --process NAME or --data FILE")
    _drawn(report, figure)
    if as_json:
        found = report.to_dict()
        _written({key: found[key] for key in ("title", "total", "allocation", "intervals")})
    else:
        _written(report.title, *_lag_table(report))


@main.command(
    cls=Command,
    short_help="Which layers matter, and which can go, alone and together.",
    epilog="""
    capacity layers tcn --dilations 1 2 4 8 --channels 2 --process power-law
    capacity layers tcn --dilations 1 2 4 8 --channels 4 --nonlinear --residual --data series.csv --column level
    """,
)
@several(source, reading, task, unit, fits, output)
def layers(as_json, figure, network, resamples, node, at, redrawn, scale, optima, seed, **options):
    """Capacity of each layer, alone and beside the others, and what is lost without it.

    Alone: the others being constants. Only: what it adds to all the others, 0 if it is redundant. Added: to the layers
    before it. A linear layer is removed by leaving it its most recent tap, and the loss is given before and after a new
    fit. With data, a layer of a network with activations is held constant or cut to one tap.
    """
    model, parameters, process, data = _network(network, options)
    from capacity.inspection.graphs import Graph
    from capacity.inspection.reports import layer_shares_report

    model = _redrawn(model, seed, redrawn, scale)
    if isinstance(model, Graph):
        chosen = {"output": node, "at": _at(at)}
    else:
        for name, value in {"output": node, "at": at}.items():
            if value is not None:
                raise ValueError(f"{name}: expected a network with activations, got a linear model; leave it out")
        chosen = {"parameters": parameters, "optima": optima}
    with _told(f"looking at {_size(model)}"):
        report = layer_shares_report(model, process=process, data=data, rng=seed, progress=_progress(), **chosen)
    _drawn(report, figure)
    _written(report.to_dict() if as_json else report)


@main.command(
    cls=Command,
    short_help="How many parameters of a linear model are independent.",
    epilog="""
    capacity exact tcn --dilations 1 2 4 8 --stacks 2 --channels 2
    capacity exact ssm --inputs 64 --states 8 --rounds 2 --json
    """,
)
@source
@click.option("--rounds", type=click.IntRange(1), default=1, show_default=True, help="Random points of the rank.")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Of these points.")
@click.option("--json", "as_json", is_flag=True, help="Write plain values for other programs.")
def exact(network, rounds, seed, as_json, **options):
    """Independent parameters of a linear model: the exact rank at almost all parameters."""
    model, *_ = _network(network, options | dict.fromkeys(("process", "data", "column", "memory")))
    if not hasattr(model, "jacobian"):
        raise Refused(
            "network: expected a linear model, got one with activations or residuals; exact ranks are of those without"
        )
    from capacity.allocation import exact_capacity, exact_layer_capacities

    with _told("computing ranks modulo a prime"):
        found = exact_layer_capacities(model, rounds=rounds, rng=seed)
        total = exact_capacity(model, rounds=rounds, rng=seed)
    if as_json:
        plain = {name: {"independent": each.total} for name, each in found.items()}
        counts = {"parameters": model.n_parameters, "independent": total.total, "inputs": model.n_inputs}
        counts["failure probability"] = float(total.failure_probability)
        _written({"layers": plain, "total": counts})
        return
    sizes = {name: part.stop - part.start for name, part in model.layers.items()}
    rows = [[name, str(sizes[name]), str(each.total)] for name, each in found.items()]
    rows.append(["all", str(model.n_parameters), str(total.total)])
    told = f"wrong with a probability of at most {float(total.failure_probability):.1g}"
    _written((["layer", "parameters", "independent"], rows), f"{model.n_inputs} inputs; {told}")


@main.command(
    cls=Command,
    short_help="Networks side by side, on the same process or data.",
    epilog="""
    capacity compare "tcn --dilations 1 2 4 8 16 --channels 2" "tcn --dilations 1 2 4 8 --stacks 2 --channels 2"
    capacity compare "tcn --dilations 1 2 4" "recurrent --inputs 8 --channels 2" --process power-law --figure out.svg
    capacity compare "tcn --dilations 1 2 4 --nonlinear" network.toml --redrawn 3 --data series.csv --column level
    """,
)
@click.argument("networks", nargs=-1, required=True, metavar="NETWORK...")
@several(task, chance, fits, output)
@click.option("--redrawn", type=click.IntRange(1), metavar="N", help="Also each with N draws of untrained weights.")
@scale
def compare(networks, as_json, figure, redrawn, scale, **given):
    """Several networks side by side; one with options is put in quotes.

    What they look at is compared, not how well they predict: measure their errors on data that none was trained on.
    """
    from capacity.inspection.reports import comparison

    if len(set(networks)) < len(networks):
        raise ValueError(f"networks: expected different ones, got {', '.join(networks)}; name each once")
    if scale and not redrawn:
        raise ValueError("scale: expected --redrawn N with it, got none; or write it beside a network, in its quotes")
    reports, draws = {}, {"draws": redrawn} | ({"scale": scale} if scale else {})
    for text in networks:
        if _progress():  # above its bars
            click.echo(text, err=True)
        options = _options(text, [*given, "as_json", "figure"])
        reports[text] = _report(**options | given)
        if redrawn:
            reports[f"{text}, {redrawn} untrained draw{'s' * (redrawn > 1)}"] = _report(**options | given | draws)
    _written({text: report.to_dict() for text, report in reports.items()} if as_json else comparison(reports, _width()))
    if figure:
        _saved(lambda: _profile_artists(reports), figure)


@main.command(
    cls=Command,
    short_help="Which stack within a budget puts capacity where it is wanted.",
    epilog="""
    capacity design --budget 300 --want 17-:share=0.5 --want 1-4:full --figure out.svg
    capacity design --budget 150 --want 9-:share=0.5 --process power-law --json
    """,
)
@click.option("--budget", type=click.IntRange(1), required=True, help="Largest number of parameters.")
@click.option("--want", "wants", multiple=True, required=True, metavar="LAGS:KEY=NUMBER", help=WANT)
@task
@click.option("--max-lags", type=click.IntRange(2), metavar="N", help="Longest receptive field.")
@click.option("--fits", type=click.IntRange(1), default=100, show_default=True, help="Stacks that are fitted, at most.")
@click.option("--folder", type=click.Path(path_type=Path), help="Keep fits there, so that a search can be resumed.")
@click.option("--jobs", type=click.IntRange(1), default=1, show_default=True, help="Fits at once; at most the cores.")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Of all random numbers.")
@output
def design(budget, wants, process, data, column, memory, max_lags, as_json, figure, **options):
    """Stacks of convolutions within a budget whose capacity lies where it is wanted, the best first.

    Without a process or data they are estimated before training. With one they are fitted, but for those that cannot be
    better. What falls short of each want is listed, 0 where it is met, and what was searched.
    """
    from capacity.design import search
    from capacity.inspection.reports import design_text
    from capacity.tasks import GaussianProcess, empirical

    stationary, series = _task(process, data, column, memory)
    if series is not None:
        stationary = GaussianProcess(empirical(series), "data")
    limits = {} if max_lags is None else {"max_lags": max_lags}
    options["jobs"] = min(options["jobs"], os.cpu_count() or 1)
    wanted = [_want(text) for text in wants]
    if options["folder"] and not options["folder"].exists():
        click.echo(f"folder: {options['folder']} is made for the fits", err=True)
    with _told("searching stacks of convolutions"):
        found = search(wanted, budget, process=stationary, progress=_progress(), **limits, **options)
    if figure:
        _saved(lambda: _design_artists(found), figure)
    counts = {"stacks": found.stacks, "estimated": len(found.estimates), "fitted": len(found.fits), "left": found.left}
    _written(counts | {"front": found.rows()} if as_json else design_text(found, _width()))


@main.command(
    cls=Command,
    short_help="How far back a series is worth looking.",
    epilog="""
    capacity window --data series.csv --column level
    capacity window "tcn --dilations 1 2 4 8 --channels 2" "ssm --inputs 32 --states 4" --data series.csv --column level
    capacity window "ssm --inputs 32 --states 4" --data series.csv --column level --figure out.svg
    """,
)
@click.argument("networks", nargs=-1, metavar="[NETWORK]...")
@click.option("--data", type=EXISTING, required=True, metavar="FILE", help="The series: csv, npy, wav.")
@click.option("--column", metavar="NUMBER|TITLE", help="Of the data; counted from 0.")
@click.option("--memory", type=Bytes(), metavar="SIZE", help="What reading the file may take, as in 4GiB.")
@click.option("--max-lags", type=click.IntRange(1), metavar="N", help="Longest look-back; a sixteenth of the series.")
@click.option("--resamples", type=click.IntRange(2), default=200, show_default=True, help="Of the data, for errors.")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Of all random numbers.")
@output
def window(networks, data, column, memory, max_lags, resamples, seed, as_json, figure):
    """How far back a series is worth looking, and what linear networks can hold there.

    For each look-back: the share of the variance that the best linear prediction of the next value leaves, and what is
    expected on new samples if all its coefficients are fitted. A network, in quotes with its options, has fewer of
    them: its independent parameters. Its row is a lower bound, since it may not reach the best prediction.
    """
    from capacity.tasks import look_back

    models = {text: _linear_network(text) for text in networks}
    _, series = _task(None, data, column, memory)
    with _told("looking back"):
        found = look_back(series, max_lags, resamples=resamples, rng=seed)
        rows = {text: _held(text, model, found, seed) for text, model in models.items()}
    if figure:
        _saved(lambda: _window_artists(found, rows), figure)
    if as_json:
        counts = {"samples": found.samples, "look-back": found.shortest, "best": found.best}
        curves = {"left": found.left, "expected": found.expected, "errors": found.errors}
        _written(counts | {name: curve.tolist() for name, curve in curves.items()} | {"networks": rows})
        return
    last = found.left.size - 1
    shown = sorted({0, found.shortest, found.best, last, *(2**k for k in range(last.bit_length()))})
    table = [[str(k), f"{found.left[k]:.4f}", f"{found.expected[k]:.4f}", f"{found.errors[k]:.4f}"] for k in shown]
    told = f"{found.samples} values. The last {found.shortest} predict as well as the last {found.best}, which are"
    told += " expected to be best, within one standard error"
    if found.shortest == found.best:
        told = f"{found.samples} values. The last {found.shortest} are expected to predict best"
    _written(
        f"{told}{f'; no more than {last} were tried' if found.best == last else ''}.",
        (["look-back", "left", "expected", "error"], table),
        "A look-back of k are lags 1 to k; lag 1 is the value just before the one to be predicted.",
    )
    if rows:
        from capacity.inspection.reports.screen import letters

        titles, names = list(next(iter(rows.values()))), letters(len(rows))
        cells = [[name, *(f"{row[title]:.4g}" for title in titles)] for name, row in zip(names, rows.values())]
        _written("", *(f"{name}: {text}" for name, text in zip(names, rows)), (["", *titles], cells))


def _linear_network(text):
    """The linear model of one series that a text in quotes describes."""
    common = ["rounds", "seed", "as_json"]
    options = _options(text, common, exact)
    own = {name: value for name, value in options.items() if name not in ["network", *common]}
    model, *_ = _network(options["network"], own | dict.fromkeys(("process", "data", "column", "memory")))
    if not hasattr(model, "jacobian") or model.components != 1:
        raise Refused(
            f"{text}: expected a linear model of one series, got another, which may do better or worse than linear "
            "prediction at any look-back; capacity summary with --data says how many inputs it needs"
        )
    return model


def _held(text, model, found, seed):
    """What a network reaches of a look-back: a bound on its loss, and what fitting its parameters adds."""
    from capacity.allocation import exact_capacity

    lags, total = model.n_inputs, exact_capacity(model, rng=seed).total
    if lags >= found.left.size:
        raise ValueError(
            f"{text}: expected at most {found.left.size - 1} lags, got {lags}; pass --max-lags, or a longer series"
        )
    left = float(found.left[lags])
    gap = 2 * total / found.samples * left
    counts = {"lags": lags, "parameters": model.n_parameters, "independent": total}
    return counts | {"left": left, "gap": gap, "expected": left + gap}


def _profile_artists(reports):
    """Curves of the networks that read a series, by the rule that stands last."""
    from capacity.inspection.reports.screen import letters

    profiles = {
        f"{letter}: {text}": (list(report.allocation.values())[-1], report.step)
        for letter, (text, report) in zip(letters(len(reports)), reports.items())
        if report.allocation and report.step is not None
    }
    if len(profiles) < len(reports):
        told = f"{len(profiles)} of {len(reports)}"
        raise ValueError(
            f"figure: expected networks with a capacity by step, got {told}; pass a task, leave out images"
        )
    from capacity.figures import plot_steps_back
    from capacity.figures.reports import new_axes

    return plot_steps_back(new_axes(), profiles)


def _window_artists(found, rows):
    from capacity.figures import plot_look_back
    from capacity.figures.reports import new_axes
    from capacity.inspection.reports.screen import letters

    networks = {
        f"{letter}: {row['independent']} coefficients in {row['lags']} lags": (row["lags"], row["expected"])
        for letter, row in zip(letters(len(rows)), rows.values())
    }
    return plot_look_back(new_axes(), found, networks)


def _design_artists(found):
    from capacity.figures import plot_design
    from capacity.figures.reports import new_axes

    return plot_design(new_axes(), found)


def _want(text):
    """What is wanted, from LAGS:share=NUMBER or LAGS:full=NUMBER, LAGS being FIRST-LAST, FIRST- or one lag."""
    from capacity.design import Want

    match = re.fullmatch(r"(\d+)(-\d*)?:(share|full)(?:=((?:\d+\.?\d*|\.\d+)(?:e-?\d+)?))?", text)
    if match is None or (match[3] == "share" and match[4] is None):
        raise ValueError(
            f"want: expected LAGS:share=NUMBER or LAGS:full, got {text!r}; write 257-:share=0.5, 1-64:full or 24:full"
        )
    last = match[1] if match[2] is None else match[2][1:]
    return Want((int(match[1]), int(last) if last else None), **{match[3]: float(match[4] or 1)})


def _options(text, common, command=summary):
    """The options that a network in quotes has, none of which is common to all networks."""
    import shlex

    try:
        words = shlex.split(text)
    except ValueError:
        raise ValueError(
            f"network: expected a name with its options, got {text!r}, where a quotation mark is not closed; close it"
        ) from None
    found = command.make_context(f"capacity {command.name}", words)
    for name in common:
        if found.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            option = next(each.opts[0] for each in command.params if each.name == name)
            raise ValueError(f"{option}: expected it behind the networks, for all of them, got it in {text!r}; move it")
    return found.params


def _network(network, options):
    """The model of a name or a file, and the process or the data that go with it."""
    options = dict(options)
    process, data, column, memory = (options.pop(name) for name in ("process", "data", "column", "memory"))
    named = network in _ARCHITECTURES
    reads = {name: options.pop(name, None) for name in ("input_size", "outputs", "gain")}
    if not named:
        reads["inputs"] = options.pop("inputs")
    reads = {name: value for name, value in reads.items() if value}
    if not network.lower().endswith(".onnx") and reads:
        option = next(iter(reads)).replace("_", "-")
        raise ValueError(f"{option}: expected it beside a file .onnx, got it beside {network}; leave it out")
    nonlinear = options.pop("nonlinear", False)
    arguments = {name: value for name, value in options.items() if value not in (None, ())}
    if "inputs" in arguments:
        arguments["inputs"] = _one_number(arguments["inputs"])
    if nonlinear and arguments.setdefault("activation", "relu") != "relu":
        raise ValueError("activation: expected either --nonlinear or another one, got both; leave --nonlinear out")
    stationary, series = _task(process, data, column, memory)
    weights = arguments.pop("weights", None)
    if named:
        from capacity.inspection.readers import described_model

        if weights is None:
            with _told("drawing weights"):
                return described_model({"architecture": network} | arguments), None, stationary, series
        return *_trained(network, arguments, weights), stationary, series
    if weights is not None:
        raise ValueError(f"weights: expected them of a tcn, got the file {network!r} beside them; leave them out")
    if arguments:
        raise ValueError(f"{next(iter(arguments))}: expected no options of an architecture beside the file {network!r}")
    from capacity.inspection.reports import read_network

    with _told(f"reading {_quoted(Path(network).name)}"):
        model, stationary, series = read_network(network, process=stationary, data=series, **reads, **_limit(memory))
    return model, None, stationary, series


def _one_number(texts):
    if len(texts) > 1 or not texts[0].isdecimal():
        raise ValueError(f"inputs: expected one whole number, got {' '.join(texts)!r}; write --inputs 64")
    return int(texts[0])


def _limit(memory):
    return {} if memory is None else {"memory": memory}


def _trained(network, arguments, weights):
    """A stack of convolutions with the weights of a file, one array per layer, and its parameters."""
    from capacity.inspection.readers import read_weights
    from capacity.models import DilatedConvolution

    if network != "tcn" or set(arguments) - {"dilations", "stacks"} or "dilations" not in arguments:
        raise ValueError(
            "weights: expected --dilations, and --stacks, of a tcn without activations, and no other options, "
            "as shapes are in the file; export a network with activations to an ONNX file and pass that"
        )
    dilations = arguments["dilations"] * arguments.get("stacks", 1)
    arrays = read_weights(weights)
    return DilatedConvolution.from_weights([arrays[name] for name in _in_order(list(arrays), weights)], dilations)


def _in_order(names, path):
    """Names of layers by the numbers in them; without numbers that of the file, unless it is that of the alphabet."""
    if len({re.sub(r"\d+", "", name) for name in names}) == 1:
        return sorted(names, key=lambda name: [int(part) for part in re.findall(r"\d+", name)])
    if names == sorted(names):
        raise ValueError(
            f"weights: expected names that number the layers, got {', '.join(names)} in {path.name!r}, in the order of "
            "the alphabet, which need not be that of the layers; save them as layer1, layer2, ..."
        )
    return names


def _redrawn(model, seed, asked, scale):
    """A network with the weights of a seed, where that is asked for or they are random anyway; their own seed is 0."""
    if not (asked or scale or seed):
        return model
    from capacity.inspection.graphs import Graph, redrawn_weights

    wanted = "redrawn" if asked else "scale"
    if (asked or scale) and not isinstance(model, Graph):
        raise ValueError(f"{wanted}: expected a network with activations, got a linear model; leave it out")
    if not (asked or getattr(model, "drawn", "")):
        if scale:
            raise ValueError(
                "scale: expected it beside weights that are drawn, got those of a file; pass --redrawn too"
            )
        return model
    return redrawn_weights(model, scale=scale, rng=seed)


def _task(process, data, column, memory):
    """The process and the series that are to be predicted, at most one of them."""
    if process is not None and data is not None:
        raise ValueError("process: expected either --process or --data, got both; leave one out")
    if column is not None and data is None:
        raise ValueError("column: expected --data with it, got none; pass the file")
    if process is None and data is None:
        return None, None
    if data is not None:
        from capacity.inspection.readers.series import told_series

        with _told(f"reading {_quoted(data.name)}"):
            series, told = told_series(data, column=column, samples=True, **_limit(memory))
        said = click.get_current_context().meta.setdefault(__name__, set())
        if data not in said:  # once for all networks of a comparison
            click.echo(f"{_quoted(data.name)}: {_quoted(told)}", err=True)
        said.add(data)
        return None, series
    from capacity.inspection.readers import described_process

    return described_process(_process(process)), None


def _process(text):
    """The table of a process from its name and parameters, as in power-law:exponent=0.5."""
    import inspect

    from capacity.tasks.autocovariances import PROCESSES

    name, *pairs = text.split(":")
    table, known = {"name": name}, inspect.signature(PROCESSES[name]).parameters
    for pair in pairs:
        key, mark, value = pair.partition("=")
        try:
            numbers = [float(part) for part in value.split(",")]
        except ValueError:
            mark = ""
        if key in table:
            raise ValueError(f"process: expected each parameter once, got {key!r} twice in {text!r}; remove one")
        if not mark:
            raise ValueError(f"process: expected NAME:KEY=NUMBER, got {text!r}; write power-law:exponent=0.5")
        one = len(numbers) == 1 and key in known and isinstance(known[key].default, int | float)
        table[key] = numbers[0] if one else numbers
    return table


def _report(network, node, at, redrawn, scale, optima, resamples, seed, samples=None, strict=False, draws=0, **options):
    """The report on a network, or on so many draws of its weights before training."""
    for name in ("as_json", "figure"):
        options.pop(name, None)
    model, parameters, process, data = _network(network, options)
    from capacity.inspection.graphs import Graph
    from capacity.inspection.reports import redrawn_report
    from capacity.inspection.reports import summary as summarised

    graph, unit = isinstance(model, Graph), {"output": node, "at": _at(at)}
    model = _redrawn(model, seed, redrawn or (draws and scale), scale)
    with _told(f"looking at {_size(model)} of {_quoted(Path(network).name)}"):
        if draws:
            unit = unit if graph else {"samples": samples}
            return redrawn_report(model, process=process, data=data, draws=draws, rng=seed, **unit)
        trained = {} if parameters is None else {"parameters": parameters}
        fits = {"samples": samples, "optima": optima, "resamples": resamples, "rng": seed, "progress": _progress()}
        return summarised(model, process=process, data=data, strict=strict, **unit, **trained, **fits)


def _size(model):
    """What tells how long a report may take."""
    return f"{len(model.nodes)} nodes" if hasattr(model, "nodes") else f"{model.n_parameters} parameters"


def _at(text):
    if text is None or text in ("centre", "last"):
        return text
    if not _NUMBERS.fullmatch(text):
        raise ValueError(f"at: expected centre, last or whole numbers, got {text!r}; write the channel, then positions")
    return tuple(map(int, text.split(",")))


def _progress():
    return sys.stderr.isatty()


class _Watched:
    """A stream that knows when it was last written to."""

    def __init__(self, stream):
        self.stream, self.written = stream, time.monotonic()

    def write(self, text):
        """Write, and remember when."""
        self.written = time.monotonic()
        return self.stream.write(text)

    def __getattr__(self, name):
        return getattr(self.stream, name)


@contextmanager
def _told(what):
    """Say on a terminal what goes on, and since when, wherever nothing else, as a bar of fits, did so for a while."""
    if not _progress():
        yield
        return
    ended, start, stream = Event(), time.monotonic(), _Watched(sys.stderr)

    def tell():
        while not ended.wait(0.5):
            if time.monotonic() - stream.written > _SILENT:
                click.echo(f"\r{what}: {time.monotonic() - start:.0f} s", nl=False, file=stream.stream)

    thread = Thread(target=tell, daemon=True)
    thread.start()
    try:
        with redirect_stderr(stream):
            yield
    finally:
        ended.set()
        thread.join()
        click.echo(f"\r{'':{len(what) + 9}}\r", nl=False, err=True)


def _drawn(report, path):
    """Draw a report into a file."""
    if path is not None:
        _saved(report.plot, path)


def _saved(draw, path):
    """Write the figure of what a function draws, in the place of an older one."""
    with _told(f"drawing {_quoted(path.name)}"):
        artists = draw()
        from capacity._files import write_atomically
        from capacity.figures.reports import figure_file

        write_atomically(path, figure_file(artists[0], path.suffix.lower()[1:]))
    click.echo(f"figure: {path}", err=True)


def _lag_table(report):
    """Capacity by lag, the most recent first: one by one, or summed over octaves where there are many."""
    import numpy as np

    from capacity.inspection.reports.compared import LAG_ONE, lag_groups, lag_range
    from capacity.inspection.reports.screen import valued

    curves = {name: np.asarray(values) for name, values in report.allocation.items()}
    if report.step is None or any(values.ndim != 1 for values in curves.values()):
        return [report, "the capacity of each position is in --json and --figure"]
    n = len(next(iter(curves.values())))
    for label, (low, high) in report.bands.items() if n <= _MANY else ():  # a sum's interval is not that of its terms
        curves |= {f"{label}, from": np.asarray(low), "to": np.asarray(high)}
    rows = [
        [lag_range(*report.step + 1 - at[[-1, 0]]), *(f"{values[at].sum():.4f}" for values in curves.values())]
        for at in lag_groups(n, report.step, singly=n <= _MANY).values()
    ]
    told = ["intervals of single lags are in --json and --figure"] if report.bands and n > _MANY else []
    return [
        (["lag", *curves], rows),
        LAG_ONE,
        *told,
        *(f"{name}: {valued(number)}" for name, number in report.totals.items() if "lags" in name),
    ]


def _written(*parts):
    """Write texts, tables and reports."""
    for part in parts:
        if isinstance(part, dict):
            import json

            click.echo(json.dumps(part, indent=2, allow_nan=False))
        elif isinstance(part, tuple):
            _table(*part)
        elif hasattr(part, "text"):
            click.echo(part.text(_width()))
        else:
            click.echo(_within(part))


def _within(text):
    """A text whose lines are no longer than the terminal."""
    from capacity.inspection.reports.screen import printable, wrapped

    width = _width()
    parts = [[line] if len(line) <= width else wrapped(line, width) for line in text.split("\n")]
    return "\n".join(printable(line) for lines in parts for line in lines)


def _table(titles, rows):
    from capacity.inspection.reports.screen import aligned

    columns = [([title], list(cells)) for title, *cells in zip(titles, *rows)]
    click.echo("\n".join(aligned(columns)))


def _width():
    """Columns of the terminal, at least 80; 80 where there is none."""
    import shutil

    return max(80, shutil.get_terminal_size().columns) if sys.stdout and sys.stdout.isatty() else 80
