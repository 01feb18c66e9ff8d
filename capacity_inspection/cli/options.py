"""Options that several commands share, in groups."""

import click

from capacity_inspection.cli.arguments import EXISTING, Bytes, Figure, Integers, Named, Network

__all__ = ["WANT", "chance", "fits", "full", "output", "reading", "scale", "several", "source", "task", "unit"]

WANT = (
    "Capacity wanted, as in 257-:share=0.5 (of the whole), 1-64:full or 24:full=0.9 (of what these lags can hold); "
    "lag 1 is the most recent input."
)
_WEIGHTS = "tcn: npz, safetensors; layers in the order of the numbers in their names."


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
full = click.option("--full", is_flag=True, help="Show all columns and totals: shares, capacities, counts.")
optima = click.option("--optima", type=click.IntRange(1), default=3, show_default=True, help="Fits of a linear model.")
seed = click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Of all random numbers.")
fits = several(
    optima,
    click.option("--resamples", type=click.IntRange(0), default=20, show_default=True, help="Of data, for intervals."),
    seed,
)
chance = click.option("--samples", type=click.IntRange(1), help="Of a process: expected loss of a fit to so many.")
scale = click.option("--scale", type=click.Choice(["he", "pytorch"]), help="Of weights that are drawn, he by default.")
unit = several(
    click.option("--output", "node", metavar="NAME", help="Node of a network with activations; the last one."),
    click.option("--at", metavar="centre|last|I...", help="Its unit: channel, then position."),
    click.option("--causal", "at", flag_value="last", help="The same as --at last: lags count from there."),
    click.option("--redrawn", is_flag=True, help="Draw the weights of that network anew."),
    scale,
)
reading = several(
    click.option("--input-size", type=Integers(), metavar="N...", help=".onnx without sizes: those, batch first."),
    click.option("--time-axis", type=int, metavar="N", help=".onnx: axis of the input that is time, 0 the batch's."),
    click.option("--outputs", multiple=True, metavar="NAME", help=".onnx: read up to this array or node."),
    click.option("--gain", multiple=True, metavar="NAME", help=".onnx: hold this node, which multiplies another."),
)
