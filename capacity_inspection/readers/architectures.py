"""Architectures by name: causal stacks, recurrences, state spaces and convolutional networks, from a few numbers.

Those that are linear and that the package knows as a `LinearModel` come as one, so that everything that holds exactly
for linear models can be computed; the others come as a `Graph` with random weights at the usual scale.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np

from capacity._typing import Rng
from capacity._validation import as_generator, check_choice, check_integer, check_integers, check_size
from capacity.activations.scalar_functions import SCALAR_FUNCTIONS
from capacity.models import DiagonalRecurrence, DilatedConvolution
from capacity_inspection.graphs import Graph, from_layers
from capacity_inspection.models.state_space import DiagonalStateSpace

__all__ = ["ARCHITECTURES", "cnn", "recurrent", "ssm", "tcn"]


_LAYERS = 10_000  # beyond, a report would take minutes
_WEIGHTS = 2**27  # that are drawn, or values of a layer: a gibibyte of them


def tcn(
    dilations: Sequence[int],
    *,
    stacks: int = 1,
    channels: int | Sequence[int] = 16,
    taps: int | Sequence[int] = 2,
    components: int = 1,
    activation: str | None = None,
    residual: bool = False,
    rng: Rng = 0,
) -> DilatedConvolution | Graph:
    """A stack of dilated causal convolutions with one output, seen from its last output.

    Parameters
    ----------
    dilations : sequence of int
        Of the layers of one stack.
    stacks : int, optional
        How many times they are repeated.
    channels : int or sequence of int, optional
        Of the hidden layers.
    taps : int or sequence of int, optional
        Filter lengths.
    components : int, optional
        Series that are read.
    activation : str, optional
        After each hidden layer, one of those of a `Graph`; None for a linear model.
    residual : bool, optional
        Whether the input of each layer is added to its output, through a convolution of one tap where their channels
        differ. One of one tap then reads out the result.
    rng : int, Generator or None
        Of the weights of a `Graph`.

    Returns
    -------
    DilatedConvolution or Graph
        The second where there is an activation or a residual. Both have the receptive field as their input.

    Examples
    --------
    >>> tcn([1, 2, 4, 8], stacks=2).n_inputs
    31
    >>> tcn([1, 2, 4, 8], stacks=2, activation="relu").layers[-1].shape
    (1, 31)
    """
    stacks = check_integer(stacks, "stacks", minimum=1, maximum=_LAYERS, remedy="repeat the dilations less often")
    dilations = check_integers(dilations, "dilations")
    _check_depth(len(dilations) * stacks, "dilations")
    model = DilatedConvolution(dilations * stacks, channels, taps, components)
    if activation is None and not residual:
        return model
    _check_drawn(model.n_parameters, activation)
    _check_values(model.n_positions, [components, *model.channels], "dilations")
    rng, name, width = as_generator(rng), "input", components
    layers: list[tuple[str, dict[str, Any]]] = []
    widths = [*model.channels, model.channels[-1] if residual and model.channels else 1]
    for i, (dilation, length, outputs) in enumerate(zip(model.dilations, model.taps, widths), start=1):
        function = None if i == model.n_layers and not residual else activation
        kernel = _kernel(rng, (outputs, width, length), function)
        options = {"dilations": dilation, "pads": (((length - 1) * dilation, 0),)}
        name = _add_layer(layers, i, name, kernel, options, function, rng if residual else None)
        width = outputs
    if residual:
        layers.append(("convolution", {"name": "readout", "kernel": _kernel(rng, (1, width, 1), "identity")}))
    return replace(from_layers((components, model.n_positions), layers), drawn="he")


def cnn(
    size: Sequence[int],
    *,
    channels: int | Sequence[int],
    components: int = 1,
    kernel: int | Sequence[int] = 3,
    strides: int | Sequence[int] = 1,
    activation: str | None = "relu",
    residual: bool = False,
    classes: int | None = None,
    rng: Rng = 0,
) -> Graph:
    """A convolutional network on a grid, padded with zeros so that only strides make it smaller.

    Parameters
    ----------
    size : sequence of int
        Positions along each axis of the input, such as (32, 32).
    channels : int or sequence of int
        Output channels, one entry per layer; one number for a network of one layer.
    components : int, optional
        Input channels.
    kernel, strides : int or sequence of int, optional
        One number for all layers, or one per layer; the same along all axes.
    activation : str, optional
        After each layer, one of those of a `Graph`; None for a linear network.
    residual : bool, optional
        Whether the input of each layer is added to its output, through a convolution of one tap with the same strides
        where their shapes differ.
    classes : int, optional
        Outputs of a dense layer on the means over all positions. Without it, the last convolution is the output.
    rng : int, Generator or None
        Of the weights.

    Returns
    -------
    Graph

    Examples
    --------
    >>> [node.shape for node in cnn((8, 8), channels=[4, 8], strides=[1, 2]).layers]
    [(4, 8, 8), (8, 4, 4)]
    """
    size = check_integers(size, "size")
    if not size:
        raise ValueError("size: expected positions along at least one axis, got none; pass e.g. (32, 32)")
    channels = check_integers(channels, "channels", length=1 if np.ndim(channels) == 0 else None)
    _check_depth(len(channels), "channels")
    components = check_integer(components, "components", minimum=1)
    lengths = check_integers(kernel, "kernel", length=len(channels))
    steps = check_integers(strides, "strides", length=len(channels))
    widths = pairwise([components, *channels])
    _check_drawn(sum(math.prod(pair) * length ** len(size) for pair, length in zip(widths, lengths)), activation)
    _check_values(math.prod(size), [components, *channels], "size")
    rng, name, width, axes = as_generator(rng), "input", components, len(size)
    layers: list[tuple[str, dict[str, Any]]] = []
    for i, (outputs, length, step) in enumerate(zip(channels, lengths, steps), start=1):
        weights = _kernel(rng, (outputs, width, *(length,) * axes), activation)
        options = {"strides": step, "pads": (((length - 1) // 2, length // 2),) * axes}
        name = _add_layer(layers, i, name, weights, options, activation, rng if residual else None)
        width = outputs
    if classes is not None:
        classes = check_integer(classes, "classes", minimum=1)
        layers.append(("average_pool", {"name": "mean"}))
        layers.append(("dense", {"name": "readout", "kernel": _kernel(rng, (classes, width), "identity")}))
    return replace(from_layers((components, *size), layers), drawn="he")


def recurrent(inputs: int, *, channels: int = 16) -> DiagonalRecurrence:
    """A stable linear recurrence without links across channels, seen from its last output.

    Parameters
    ----------
    inputs : int
        Inputs that are seen.
    channels : int, optional
        Channels of the recurrent layer.

    Returns
    -------
    DiagonalRecurrence
        With poles in (-1, 1).

    Examples
    --------
    >>> model = recurrent(8, channels=2)
    >>> model.n_inputs, model.n_parameters
    (8, 6)
    """
    return _of_powers(DiagonalRecurrence(inputs, channels, bound=1.0), "channels")


def ssm(inputs: int, *, states: int = 16) -> DiagonalStateSpace:
    """A diagonal state-space model with complex poles, as S4D and the LRU have it, seen from its last output.

    Parameters
    ----------
    inputs : int
        Inputs that are seen.
    states : int, optional
        Size of the state: two for each pair of conjugate poles.

    Returns
    -------
    DiagonalStateSpace

    Examples
    --------
    >>> model = ssm(8, states=4)
    >>> model.n_inputs, model.n_parameters
    (8, 8)
    """
    states = check_integer(states, "states", minimum=2)
    if states % 2:
        raise ValueError(f"states: expected an even number, got {states}; poles come in conjugate pairs")
    return _of_powers(DiagonalStateSpace(inputs, states // 2), "states")


def _of_powers(model, name):
    """The model, whose coefficients are sums of one power of each of its poles."""
    size = model.n_inputs * model.n_parameters
    check_size(size, name, "derivatives of coefficients", maximum=_WEIGHTS, remedy="take fewer, or fewer inputs")
    return model


def _check_depth(layers, name):
    if layers > _LAYERS:
        raise ValueError(f"{name}: expected at most {_LAYERS} layers, got {layers}; describe a part of the network")


def _check_drawn(weights, activation):
    if activation is not None:
        check_choice(activation, "activation", SCALAR_FUNCTIONS)
    check_size(weights, "channels", "weights", maximum=_WEIGHTS, remedy="take fewer channels, or shorter filters")


def _check_values(positions, channels, name):
    size = positions * max(channels)
    check_size(size, name, "values of a layer", maximum=_WEIGHTS, remedy="take a smaller field, or fewer channels")


def _kernel(rng: np.random.Generator, shape: tuple[int, ...], activation: str | None) -> np.ndarray:
    """Normal weights that keep the variance: He et al. (2015) before a rectifier, else LeCun's."""
    gain = 2 if activation in SCALAR_FUNCTIONS and SCALAR_FUNCTIONS[activation].rectifier else 1
    return rng.standard_normal(shape) * math.sqrt(gain / math.prod(shape[1:]))


def _add_layer(layers, number, before, kernel, options, function, rng):
    """Add a convolution with its activation, if any, and with a generator the input of the layer; return the name."""
    outputs, width, *taps = kernel.shape
    name = f"layer {number}"
    layers.append(("convolution", {"name": name, "kernel": kernel} | options))
    if function is not None:
        slopes = {"slopes": np.full(outputs, 0.25)} if function == "prelu" else {}  # where PyTorch's training starts
        name = f"{function} {number}"
        layers.append(("activation", {"name": name, "function": function} | slopes))
    if rng is None:
        return name
    strides = options.get("strides", 1)
    if width != outputs or strides != 1:
        skip = _kernel(rng, (outputs, width, *(1,) * len(taps)), "identity")
        projection = {"name": f"skip {number}", "inputs": [before], "kernel": skip, "strides": strides}
        layers.append(("convolution", projection))
        before = projection["name"]
    layers.append(("add", {"name": f"sum {number}", "inputs": [name, before]}))
    return f"sum {number}"


ARCHITECTURES: dict[str, Callable] = {"tcn": tcn, "recurrent": recurrent, "ssm": ssm, "cnn": cnn}
"""By the names that descriptions and the command have for them."""
