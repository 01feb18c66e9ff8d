"""The networks, processes and series that arguments name."""

import re
from pathlib import Path

import click

from capacity_inspection.cli.activity import announced
from capacity_inspection.cli.arguments import ARCHITECTURES
from capacity_inspection.cli.refusals import quoted

__all__ = ["chosen_network", "chosen_task", "redrawn_network"]


def chosen_network(network, options):
    """The model of a name or a file, and the process or the data that go with it."""
    options = dict(options)
    process, data, column, memory = (options.pop(name) for name in ("process", "data", "column", "memory"))
    named = network in ARCHITECTURES
    reads = {name: options.pop(name, None) for name in ("input_size", "time_axis", "outputs", "gain")}
    if not named:
        reads["inputs"] = options.pop("inputs")
    reads = {name: value for name, value in reads.items() if value not in (None, ())}
    if not network.lower().endswith(".onnx") and reads:
        option = next(iter(reads)).replace("_", "-")
        raise ValueError(f"{option}: expected it beside a file .onnx, got it beside {network}; leave it out")
    nonlinear = options.pop("nonlinear", False)
    arguments = {name: value for name, value in options.items() if value not in (None, ())}
    if "inputs" in arguments:
        arguments["inputs"] = _one_number(arguments["inputs"])
    if nonlinear and arguments.setdefault("activation", "relu") != "relu":
        raise ValueError("activation: expected either --nonlinear or another one, got both; leave --nonlinear out")
    stationary, series = chosen_task(process, data, column, memory)
    weights = arguments.pop("weights", None)
    if named:
        from capacity_inspection.readers import described_model

        if weights is None:
            with announced("drawing weights"):
                return described_model({"architecture": network} | arguments), None, stationary, series
        return *_trained(network, arguments, weights), stationary, series
    if weights is not None:
        raise ValueError(f"weights: expected them of a tcn, got the file {network!r} beside them; leave them out")
    if arguments:
        raise ValueError(f"{next(iter(arguments))}: expected no options of an architecture beside the file {network!r}")
    from capacity_inspection.reports import read_network

    with announced(f"reading {quoted(Path(network).name)}"):
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
    from capacity.models import DilatedConvolution
    from capacity_inspection.readers import read_weights

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


def redrawn_network(model, seed, asked, scale):
    """A network with the weights of a seed, where that is asked for or they are random anyway; their own seed is 0."""
    if not (asked or scale or seed):
        return model
    from capacity_inspection.graphs import Graph, redrawn_weights

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


def chosen_task(process, data, column, memory):
    """The process and the series that are to be predicted, at most one of them."""
    if process is not None and data is not None:
        raise ValueError("process: expected either --process or --data, got both; leave one out")
    if column is not None and data is None:
        raise ValueError("column: expected --data with it, got none; pass the file")
    if process is None and data is None:
        return None, None
    if data is not None:
        from capacity_inspection.readers.series import described_series

        with announced(f"reading {quoted(data.name)}"):
            series, description = described_series(data, column=column, samples=True, **_limit(memory))
        shown = click.get_current_context().meta.setdefault(__name__, set())
        if data not in shown:  # once for all networks of a comparison
            click.echo(f"{quoted(data.name)}: {quoted(description)}", err=True)
        shown.add(data)
        return None, series
    from capacity_inspection.readers import described_process

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
