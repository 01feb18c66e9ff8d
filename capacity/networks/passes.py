r"""One forward pass, one backward pass and one tangent pass for dense, convolutional and residual networks.

A network is a sequence of layers, each of which takes the states x below it to

    x -> W f(n(x)) + b    or, with a residual branch,    x -> x + beta (W f(n(x)) + b) ,

normalisation n, activation f and bias b being optional. Names: the *argument* z = n(x) of the activation, the
*activity* a = f(z), the *weighted sum* W a + b. The network W_L f(... f(W_1 x + b_1)) has a first layer without
activation; its states are then the weighted sums.

Conventions, here and wherever weights of networks are meant:

- weights are outputs first, (outputs, inputs, \*taps), as in PyTorch and ONNX; a dense layer has no taps;
- states are (samples, units, \*positions); a dense layer has no positions, in a convolution the units are channels;
- positions are periodic, and tap k of n looks k - n // 2 positions ahead, as a circular convolution of PyTorch does;
- axes before these are many networks at once. They broadcast: the same samples may go through all networks.
- Cotangents and tangents may have further axes in front, such as one for each output that is differentiated.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from capacity._validation import as_array, check_finite, check_instance, check_integer, check_members, check_real
from capacity.activations.activation import Activation
from capacity.networks.linear_maps import apply_transpose, apply_weights

__all__ = ["BackwardPass", "ForwardPass", "Layer", "backward_pass", "forward_pass", "tangent_pass"]


@dataclass(frozen=True)
class Layer:
    """One layer x -> W f(n(x)) + b, or x -> x + beta (W f(n(x)) + b).

    Attributes
    ----------
    weights : ndarray, shape (..., outputs, inputs, *taps)
    bias : ndarray, shape (..., outputs), optional
    activation : Activation, optional
        The function f. Default: the identity.
    residual : float, optional
        Scale beta of the branch. Default: no residual branch.
    batch_norm : bool, optional
        Shift and scale each unit to mean 0 and variance 1 over samples and positions (the n above).
    dimensions : int, optional
        Number of spatial axes: 0 for a dense layer.

    Examples
    --------
    >>> from capacity.activations import relu
    >>> forward_pass([Layer([[1.0, 4.0]], [0.5], relu())], [[5.0, -1.0]]).states[-1]
    array([[5.5]])
    """

    weights: np.ndarray
    bias: np.ndarray | None = None
    activation: Activation | None = None
    residual: float | None = None
    batch_norm: bool = False
    dimensions: int = 0

    def __post_init__(self):
        dimensions = check_integer(self.dimensions, "dimensions", minimum=0)
        remedy = "pass (..., outputs, inputs, *taps)"
        object.__setattr__(self, "weights", as_array(self.weights, "weights", axes=2 + dimensions, remedy=remedy))
        if self.bias is not None:
            bias, networks = as_array(self.bias, "bias", axes=1), self.weights.shape[: -2 - dimensions]
            if bias.shape not in ((self.outputs,), (*networks, self.outputs)):
                raise ValueError(
                    f"bias: expected shape {(*networks, self.outputs)}, got {bias.shape}; pass one number per output"
                )
            object.__setattr__(self, "bias", bias)
        if self.activation is not None:
            check_members(self.activation, "activation", ("derivative", "gain"), "pass relu() or another Activation")
        if self.residual is not None:
            check_real(self.residual, "residual", above=0, remedy="pass beta > 0 or None")
            if self.outputs != self.inputs:
                raise ValueError(
                    f"weights: expected as many outputs as inputs in a residual layer, got {self.outputs} and "
                    f"{self.inputs}; leave out residual"
                )

    @property
    def outputs(self) -> int:
        """Number of outputs: units, or channels."""
        return self.weights.shape[-2 - self.dimensions]

    @property
    def inputs(self) -> int:
        """Number of inputs: units, or channels."""
        return self.weights.shape[-1 - self.dimensions]

    @property
    def taps(self) -> tuple[int, ...]:
        """Taps of the kernel along each spatial axis; none in a dense layer."""
        return self.weights.shape[self.weights.ndim - self.dimensions :]


@dataclass(frozen=True)
class ForwardPass:
    """What a network computed from its inputs, layer by layer from the inputs up.

    Attributes
    ----------
    layers : tuple of Layer
    states : tuple of ndarray, shape (..., samples, units, *positions)
        x_0, ..., x_L: the inputs, and the states above each layer.
    arguments, activities : tuple of ndarray, shape (..., samples, inputs, *positions)
        z_l and f(z_l), for each layer.
    deviations : tuple of ndarray or None
        Standard deviations by which each layer divided its states; None where it does not normalise.

    Examples
    --------
    >>> from capacity.activations import relu
    >>> found = forward_pass([Layer([[2.0], [-3.0]]), Layer([[1.0, 4.0]], activation=relu())], [[5.0]])
    >>> found.states[-1], found.activities[-1]
    (array([[10.]]), array([[10., -0.]]))
    """

    layers: tuple[Layer, ...]
    states: tuple[np.ndarray, ...]
    arguments: tuple[np.ndarray, ...]
    activities: tuple[np.ndarray, ...]
    deviations: tuple[np.ndarray | None, ...]

    @property
    def outputs(self) -> np.ndarray:
        """States above the last layer."""
        return self.states[-1]

    def part(self, start: int, stop: int) -> "ForwardPass":
        """The pass through layers `start`, ..., `stop` - 1 alone, counted from 0 as in a slice."""
        start = check_integer(start, "start", minimum=0, maximum=len(self.layers) - 1)
        stop = check_integer(stop, "stop", minimum=start + 1, maximum=len(self.layers))
        part = slice(start, stop)
        return ForwardPass(
            self.layers[part],
            self.states[start : stop + 1],
            self.arguments[part],
            self.activities[part],
            self.deviations[part],
        )


@dataclass(frozen=True)
class BackwardPass:
    """Gradients of a combination of the outputs.

    Attributes
    ----------
    inputs : ndarray, shape (..., samples, inputs, *positions)
        By the inputs x_0.
    sums : tuple of ndarray, shape (..., samples, outputs, *positions)
        By the weighted sums W_l a_l + b_l of each layer. Their outer products with the activities are the gradients by
        the weights, see `sample_gradients`.

    Examples
    --------
    >>> found = backward_pass(forward_pass([Layer([[2.0], [3.0]]), Layer([[1.0, 4.0]])], [[5.0]]), [[1.0]])
    >>> found.inputs, found.sums
    (array([[14.]]), (array([[1., 4.]]), array([[1.]])))
    """

    inputs: np.ndarray
    sums: tuple[np.ndarray, ...]


def forward_pass(layers: Sequence[Layer], inputs: ArrayLike) -> ForwardPass:
    """Outputs of a network, with what the backward and the tangent pass need.

    Inputs have shape (..., samples, inputs, *positions). A unit that does not vary is not normalised but refused.

    Examples
    --------
    >>> from capacity.activations import relu
    >>> forward_pass([Layer([[1.0, 4.0]], activation=relu())], [[5.0, -1.0], [5.0, 1.0]]).states[-1]
    array([[5.],
           [9.]])
    """
    layers, inputs = _check(layers, inputs)
    states: list[Any] = [inputs]
    arguments, activities, deviations = [], [], []
    for number, layer in enumerate(layers, start=1):
        argument, deviation = _standardise(states[-1], layer, number) if layer.batch_norm else (states[-1], None)
        activity = argument if layer.activation is None else layer.activation(argument)
        sums = apply_weights(layer.weights, activity, layer.dimensions)
        if layer.bias is not None:
            sums += layer.bias[(..., None, slice(None), *[None] * layer.dimensions)]
        states.append(sums if layer.residual is None else states[-1] + layer.residual * sums)
        arguments.append(argument)
        activities.append(activity)
        deviations.append(deviation)
    check_finite(states[-1], "inputs", "outputs")
    return ForwardPass(tuple(layers), tuple(states), tuple(arguments), tuple(activities), tuple(deviations))


def backward_pass(
    forward: ForwardPass, cotangents: ArrayLike, *, fixed_gains: bool = False, fixed_statistics: bool = False
) -> BackwardPass:
    """Vector-Jacobian product: gradients of the outputs' scalar product with the cotangents.

    Parameters
    ----------
    forward : ForwardPass
    cotangents : array_like, shape (..., samples, outputs, *positions)
        Broadcast against the outputs; may have more axes in front.
    fixed_gains : bool, optional
        Hold the gains eta = f(z)/z fixed: eta stands where the true derivative has f'.
    fixed_statistics : bool, optional
        Hold the means and variances of a normalisation fixed. In the true derivative they depend on all samples, so
        that a cotangent of one sample has gradients at the others too.

    Returns
    -------
    BackwardPass

    Examples
    --------
    >>> from capacity.activations import relu
    >>> forward = forward_pass([Layer([[1.0, 4.0]], activation=relu())], [[5.0, -1.0]])
    >>> backward_pass(forward, [[1.0]]).inputs
    array([[1., 0.]])
    """
    check_instance(forward, "forward", ForwardPass, "pass forward_pass(layers, inputs)")
    gradient = _broadcast(cotangents, forward.outputs, "cotangents", "outputs")
    sums = []
    for k in reversed(range(len(forward.layers))):
        layer = forward.layers[k]
        sums.append(gradient if layer.residual is None else layer.residual * gradient)
        branch = apply_transpose(layer.weights, sums[-1], layer.dimensions)
        if layer.activation is not None:
            branch *= _slopes(forward, k, fixed_gains)
        if layer.batch_norm:
            branch = _through_normalisation(branch, forward, k, fixed_statistics)
        gradient = branch if layer.residual is None else gradient + branch
    check_finite(gradient, "cotangents", "gradients")
    return BackwardPass(gradient, tuple(sums[::-1]))


def tangent_pass(
    forward: ForwardPass, tangents: ArrayLike, *, fixed_gains: bool = False, fixed_statistics: bool = False
) -> tuple[np.ndarray, ...]:
    """Jacobian-vector product: how fast the states x_0, ..., x_L move while the inputs move along the tangents.

    Tangents broadcast against the inputs and may have more axes in front; the options are those of `backward_pass`.

    Examples
    --------
    >>> from capacity.activations import relu
    >>> forward = forward_pass([Layer([[1.0, 4.0]], activation=relu())], [[5.0, -1.0]])
    >>> tangent_pass(forward, [[1.0, 1.0]])[-1]
    array([[1.]])
    """
    check_instance(forward, "forward", ForwardPass, "pass forward_pass(layers, inputs)")
    velocities = [_broadcast(tangents, forward.states[0], "tangents", "inputs")]
    for k, layer in enumerate(forward.layers):
        branch = velocities[-1]
        if layer.batch_norm:
            branch = _through_normalisation(branch, forward, k, fixed_statistics)
        if layer.activation is not None:
            branch = branch * _slopes(forward, k, fixed_gains)
        branch = apply_weights(layer.weights, branch, layer.dimensions)
        velocities.append(branch if layer.residual is None else velocities[-1] + layer.residual * branch)
    check_finite(velocities[-1], "tangents", "velocities")
    return tuple(velocities)


def _check(layers, inputs):
    if not isinstance(layers, Sequence) or not layers or not all(isinstance(layer, Layer) for layer in layers):
        raise TypeError(f"layers: expected a sequence of Layer, got {layers!r}; pass them from the inputs up")
    dimensions, units = layers[0].dimensions, layers[0].inputs
    inputs = as_array(inputs, "inputs", axes=2 + dimensions, remedy="pass (..., samples, inputs, *positions)")
    if inputs.shape[-1 - dimensions] != units:
        raise ValueError(
            f"inputs: expected shape (..., samples, {units}{', positions' * dimensions}), got {inputs.shape}; give as "
            "many units or channels as the first layer has inputs"
        )
    networks = inputs.shape[: -2 - dimensions]
    for i, layer in enumerate(layers):
        if (layer.dimensions, layer.inputs) != (dimensions, units):
            raise ValueError(
                f"layers[{i}]: expected {units} inputs and {dimensions} spatial axes, got {layer.inputs} and "
                f"{layer.dimensions}; list the layers from the inputs up"
            )
        units, own = layer.outputs, layer.weights.shape[: -2 - dimensions]
        try:
            networks = np.broadcast_shapes(networks, own)
        except ValueError as error:
            raise ValueError(
                f"inputs: expected leading axes that match the networks of layers[{i}], {own}, got {networks} of the "
                "inputs and the layers below; give each network its samples, or one set for all"
            ) from error
    return tuple(layers), inputs


def _axes(layer):
    """Axes over which a layer normalises: samples, and positions."""
    return (-2 - layer.dimensions, *range(-layer.dimensions, 0))


def _standardise(states, layer, number):
    axes = _axes(layer)
    centred = states - states.mean(axis=axes, keepdims=True)
    deviations = np.sqrt(np.mean(centred * centred, axis=axes, keepdims=True))
    rounding = 4 * np.finfo(float).eps * np.abs(states).max(axis=axes, keepdims=True)
    if not (deviations > rounding).all():
        raise ValueError(
            f"inputs: expected units that vary over the samples, got a constant one below layer {number}, which "
            "normalises; pass more samples, or leave out batch_norm there"
        )
    return np.divide(centred, deviations, out=centred), deviations


def _through_normalisation(changes, forward, k, fixed_statistics):
    """Derivative of z = (x - mean)/deviation times a vector; it is symmetric, so that it serves both directions."""
    z, axes = forward.arguments[k], _axes(forward.layers[k])
    if not fixed_statistics:
        mean, along = changes.mean(axis=axes, keepdims=True), (changes * z).mean(axis=axes, keepdims=True)
        changes = changes - mean - z * along
    return changes / forward.deviations[k]


def _slopes(forward, k, fixed_gains):
    activation = forward.layers[k].activation
    return (activation.gain if fixed_gains else activation.derivative)(forward.arguments[k])


def _broadcast(value, like, name, what):
    value = as_array(value, name)
    try:
        shape = np.broadcast_shapes(value.shape, like.shape)
    except ValueError:
        shape = ()
    if shape[len(shape) - like.ndim :] != like.shape:
        raise ValueError(
            f"{name}: expected shape (..., {', '.join(map(str, like.shape))}), that of the {what}, got {value.shape}; "
            f"give one number for each of the {what}"
        )
    return np.broadcast_to(value, shape)
