"""The commands: each builds what it is asked about, lets the package compute, and writes what was found."""

import os
import re
from pathlib import Path

import click
from click.core import ParameterSource

from capacity_inspection.cli import activity
from capacity_inspection.cli.activity import announced
from capacity_inspection.cli.arguments import EXISTING, Bytes, Command, as_unit
from capacity_inspection.cli.chosen import chosen_network, chosen_task, redrawn_network
from capacity_inspection.cli.options import (
    WANT,
    chance,
    fits,
    full,
    optima,
    output,
    reading,
    scale,
    seed,
    several,
    source,
    task,
    unit,
)
from capacity_inspection.cli.refusals import Commands, Refused, quoted
from capacity_inspection.cli.written import draw_report, save_figure, screen_width, spatial_table, write

__all__ = ["main"]


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
@full
def summary(as_json, figure, strict, full, **options):
    """How far a network can see, how far it does look on data, and what to do; then a row per layer."""
    report = _report(strict=strict, **options)
    draw_report(report, figure)
    write(report.to_dict() if as_json else report.text(screen_width(), full=full))


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
    draw_report(report, figure)
    if as_json:
        found = report.to_dict()
        write({key: found[key] for key in ("title", "total", "allocation", "intervals")})
    else:
        write(report.title, *spatial_table(report))


@main.command(
    cls=Command,
    short_help="Which layers matter, and which can go, alone and together.",
    epilog="""
    capacity layers tcn --dilations 1 2 4 8 --channels 2 --process power-law
    capacity layers tcn --dilations 1 2 4 8 --channels 4 --nonlinear --residual --data series.csv --column level
    """,
)
@several(source, reading, task, unit, optima, seed, output, full)
def layers(as_json, figure, full, network, node, at, redrawn, scale, optima, seed, **options):
    """Capacity of each layer, alone and beside the others, and what is lost without it.

    Alone: the others being constants. Only: what it adds to all the others, 0 if it is redundant. Added: to the layers
    before it. A linear layer is removed by leaving it its most recent tap, and the loss is given before and after a new
    fit. With data, a layer of a network with activations is held constant or cut to one tap.
    """
    model, parameters, process, data = chosen_network(network, options)
    from capacity_inspection.graphs import Graph
    from capacity_inspection.reports import layer_shares_report

    model = redrawn_network(model, seed, redrawn, scale)
    if isinstance(model, Graph):
        _refuse_fits("optima")
    chosen = {"output": node, "at": as_unit(at), "parameters": parameters, "optima": optima}
    with announced(f"looking at {_size(model)}"):
        report = layer_shares_report(
            model, process=process, data=data, rng=seed, progress=activity.on_terminal(), **chosen
        )
    draw_report(report, figure)
    write(report.to_dict() if as_json else report.text(screen_width(), full=full))


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
    model, *_ = chosen_network(network, options | dict.fromkeys(("process", "data", "column", "memory")))
    if not hasattr(model, "jacobian"):
        raise Refused(
            "network: expected a linear model, got one with activations or residuals; exact ranks are of those without"
        )
    from capacity.allocation import exact_capacity, exact_layer_capacities

    with announced("computing ranks modulo a prime"):
        found = exact_layer_capacities(model, rounds=rounds, rng=seed)
        total = exact_capacity(model, rounds=rounds, rng=seed)
    if as_json:
        plain = {name: {"independent": each.total} for name, each in found.items()}
        counts = {"parameters": model.n_parameters, "independent": total.total, "inputs": model.n_inputs}
        counts["failure probability"] = float(total.failure_probability)
        write({"layers": plain, "total": counts})
        return
    sizes = {name: part.stop - part.start for name, part in model.layers.items()}
    rows = [[name, str(sizes[name]), str(each.total)] for name, each in found.items()]
    rows.append(["all", str(model.n_parameters), str(total.total)])
    error = f"wrong with a probability of at most {float(total.failure_probability):.1g}"
    write((["layer", "parameters", "independent"], rows), f"{model.n_inputs} inputs; {error}")


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
    from capacity_inspection.reports import comparison

    if len(set(networks)) < len(networks):
        raise ValueError(f"networks: expected different ones, got {', '.join(networks)}; name each once")
    if scale and not redrawn:
        raise ValueError("scale: expected --redrawn N with it, got none; or write it beside a network, in its quotes")
    reports, draws = {}, {"draws": redrawn} | ({"scale": scale} if scale else {})
    for text in networks:
        if activity.on_terminal():  # above its bars
            click.echo(text, err=True)
        options = _options(text, [*given, "as_json", "figure"])
        reports[text] = _report(alone=False, **options | given)
        if redrawn:
            reports[f"{text}, {redrawn} untrained draw{'s' * (redrawn > 1)}"] = _report(
                alone=False, **options | given | draws
            )
    write(
        {text: report.to_dict() for text, report in reports.items()} if as_json else comparison(reports, screen_width())
    )
    if figure:
        save_figure(lambda: _drawn("plot_steps_back", _profiles(reports)), figure)


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
@click.option("--jobs", type=click.IntRange(1), default=1, show_default=True, help="Fits at once; at most the cores.")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Of all random numbers.")
@output
def design(budget, wants, process, data, column, memory, max_lags, as_json, figure, **options):
    """Stacks of convolutions within a budget whose capacity lies where it is wanted, the best first.

    Without a process or data they are estimated before training. With one they are fitted, but for those that cannot be
    better. What falls short of each want is listed, 0 where it is met, and what was searched.
    """
    from capacity.tasks import GaussianProcess, empirical
    from capacity_inspection.design import search
    from capacity_inspection.reports import design_text

    stationary, series = chosen_task(process, data, column, memory)
    if series is not None:
        stationary = GaussianProcess(empirical(series), "data")
    limits = {} if max_lags is None else {"max_lags": max_lags}
    options["jobs"] = min(options["jobs"], os.cpu_count() or 1)
    wanted = [_want(text) for text in wants]
    with announced("searching stacks of convolutions"):
        found = search(wanted, budget, process=stationary, progress=activity.on_terminal(), **limits, **options)
    if figure:
        save_figure(lambda: _drawn("plot_design", found), figure)
    counts = {"stacks": found.stacks, "estimated": len(found.estimates), "fitted": len(found.fits), "left": found.left}
    write(counts | {"front": found.rows()} if as_json else design_text(found, screen_width()))


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
@click.option("--season", type=click.IntRange(2), metavar="N", help="Period whose means are removed first.")
@output
def window(networks, data, column, memory, max_lags, season, as_json, figure):
    """How far back a series is worth looking, and what linear networks can hold there.

    For each look-back k, the values at lags 1 to k, lag 1 being the one just before that to be predicted: the share of
    the variance that least squares leaves on values later than those that are fitted, a quarter of the later half at a
    time, with the standard error of its difference from the least; and on the values that are fitted. A network, in
    quotes with its options, has fewer coefficients: its independent parameters. Its row is a lower bound, since it may
    not reach the best prediction.
    """
    from capacity_inspection.look_backs import look_back, season_of, without_season
    from capacity_inspection.reports import Quantity
    from capacity_inspection.reports.screen import letters, valued

    models = {text: _linear_network(text) for text in networks}
    _, series = chosen_task(None, data, column, memory)
    with announced("looking back"):
        period, share = season_of(series) if season is None else (0, 0.0)
        found = look_back(series if season is None else without_season(series, season), max_lags)
        rows = {text: _held(text, model, found) for text, model in models.items()}
    if figure:
        save_figure(lambda: _drawn("plot_look_back", found, _sized(rows)), figure)
    if as_json:
        known = {"look-back": found.shortest, "best": found.best, "season": period}
        curves = {"held out": found.held_out, "errors": found.errors, "left": found.left}
        known |= {name: curve.tolist() for name, curve in curves.items()}
        numbers = {name: {"value": value, "kind": "numerical"} for name, value in known.items()}
        rows = {text: {name: number.to_dict() for name, number in row.items()} for text, row in rows.items()}
        write({"samples": {"value": found.samples, "kind": "exact"}} | numbers | {"networks": rows})
        return
    last, shortest, best = found.left.size - 1, found.shortest, found.best
    removed = "" if season is None else f", less what returns every {season}"
    text = f"{found.samples} values{removed}; linear prediction of the next one, tested on values later than the fit.\n"
    text += {0: "The mean alone predicts", 1: "The last value predicts"}.get(shortest, f"The last {shortest} predict")
    text += f" as well as the last {'value' if best == 1 else best}, the best" if shortest < best else " best"
    text += f" of up to {last}{', within one standard error' * (shortest < best)}"
    text += f": {_share(found.held_out[shortest])} of the variance is left."
    text += " More may do better: try --max-lags." * (best == last)
    if period:
        text += f"\nOf what moves within {period} steps {_share(share)} returns every {period}, a season; "
        text += f"--season {period} removes it."
    shown = sorted({0, shortest, best, last, *(2**k for k in range(last.bit_length()))})
    curves = (found.held_out, found.errors, found.left)
    table = [[str(k), *(valued(Quantity(float(curve[k]), "numerical")) for curve in curves)] for k in shown]
    write(
        text,
        "",
        (["look-back", "held out", "error", "fitted"], table),
        "",
        "Without a mark: exact; ~ numerical" + ", * under an assumption: to first order" * bool(rows) + ".",
    )
    if rows:
        titles, names = list(next(iter(rows.values()))), letters(len(rows))
        cells = [[name, *(valued(row[title]) for title in titles)] for name, row in zip(names, rows.values())]
        write("", *(f"{name}: {text}" for name, text in zip(names, rows)), (["", *titles], cells))


def _linear_network(text):
    """The linear model of one series that a text in quotes describes."""
    common = ["rounds", "seed", "as_json"]
    options = _options(text, common, exact)
    own = {name: value for name, value in options.items() if name not in ["network", *common]}
    model, *_ = chosen_network(options["network"], own | dict.fromkeys(("process", "data", "column", "memory")))
    if not hasattr(model, "jacobian") or model.components != 1:
        raise Refused(
            f"{text}: expected a linear model of one series, got another, which may do better or worse than linear "
            "prediction at any look-back; capacity summary with --data says how many inputs it needs"
        )
    return model


def _held(text, model, found):
    """What a network reaches of a look-back: a bound on its loss, and what fitting its parameters adds."""
    from capacity.allocation import exact_capacity
    from capacity_inspection.reports import Quantity

    lags, total = model.n_inputs, exact_capacity(model, rng=0).total
    if lags >= found.left.size:
        raise ValueError(
            f"{text}: expected at most {found.left.size - 1} lags, got {lags}; pass --max-lags, or a longer series"
        )
    left = float(found.left[lags])
    gap = 2 * total / found.samples * left
    counts = {"lags": Quantity(lags), "parameters": Quantity(model.n_parameters), "independent": Quantity(total)}
    counts["left"] = Quantity(left, "numerical")
    return counts | {
        name: Quantity(value, "assumed", "to first order") for name, value in (("gap", gap), ("expected", left + gap))
    }


def _share(number):
    return f"~{100 * number:.3g} %"


def _profiles(reports):
    """Curves of the networks that read a series, by the rule that stands last."""
    from capacity_inspection.reports.screen import letters

    profiles = {
        f"{letter}: {text}": (list(report.allocation.values())[-1], report.step)
        for letter, (text, report) in zip(letters(len(reports)), reports.items())
        if report.allocation and report.step is not None
    }
    if len(profiles) < len(reports):
        count = f"{len(profiles)} of {len(reports)}"
        raise ValueError(
            f"figure: expected networks with a capacity by step, got {count}; pass a task, leave out images"
        )
    return profiles


def _sized(rows):
    """Lags and expected loss of networks, by how many coefficients they have."""
    from capacity_inspection.reports.screen import letters

    return {
        f"{letter}: {row['independent']} coefficients in {row['lags']} lags": (row["lags"].value, row["expected"].value)
        for letter, row in zip(letters(len(rows)), rows.values())
    }


def _drawn(name, *data):
    from capacity_inspection import figures
    from capacity_inspection.figures.reports import new_axes

    with new_axes() as ax:
        return getattr(figures, name)(ax, *data)


def _want(text):
    """What is wanted, from LAGS:share=NUMBER or LAGS:full=NUMBER, LAGS being FIRST-LAST, FIRST- or one lag."""
    from capacity_inspection.design import Want

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


def _refuse_fits(*names):
    """Refuse options of fits beside a network that is not fitted."""
    context = click.get_current_context()
    for name in names:
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            raise ValueError(
                f"{name}: expected a linear model, which is fitted, got a network with activations; leave it out"
            )


def _report(
    network,
    node,
    at,
    redrawn,
    scale,
    optima,
    resamples,
    seed,
    samples=None,
    strict=False,
    draws=0,
    alone=True,
    **options,
):
    """The report on a network, or on so many draws of its weights before training; `alone` if not one of several."""
    for name in ("as_json", "figure", "full"):
        options.pop(name, None)
    model, parameters, process, data = chosen_network(network, options)
    from capacity_inspection.graphs import Graph
    from capacity_inspection.reports import redrawn_report
    from capacity_inspection.reports import summary as summarised

    graph, unit = isinstance(model, Graph), {"output": node, "at": as_unit(at)}
    if graph and alone:
        _refuse_fits("optima", "resamples")
    model = redrawn_network(model, seed, redrawn or (draws and scale), scale)
    with announced(f"looking at {_size(model)} of {quoted(Path(network).name)}"):
        if draws:
            unit = unit if graph else {"samples": samples}
            return redrawn_report(model, process=process, data=data, draws=draws, rng=seed, **unit)
        trained = {} if parameters is None else {"parameters": parameters}
        fits = {
            "samples": samples,
            "optima": optima,
            "resamples": resamples,
            "rng": seed,
            "progress": activity.on_terminal(),
        }
        return summarised(model, process=process, data=data, strict=strict, **unit, **trained, **fits)


def _size(model):
    """What tells how long a report may take."""
    return f"{len(model.nodes)} nodes" if hasattr(model, "nodes") else f"{model.n_parameters} parameters"
