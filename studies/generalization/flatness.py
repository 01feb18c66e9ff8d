r"""How fast the loss rises about a minimum, and how rescaling changes this but not the function (Dinh et al. 2017).

A rectifier is 1-homogeneous, f(alpha z) = alpha f(z) for alpha > 0. The alpha-scale transformation
T_alpha: (W_1, W_2) -> (alpha W_1, W_2 / alpha) hence leaves the function, and its loss, as it is, whereas the Hessian H
of the loss by the parameters becomes D^-1 H D^-1 with D = diag(alpha I, I / alpha).
"""

from dataclasses import replace
from math import prod

import numpy as np

from capacity._validation import as_array, as_generator, as_list, check_instance, check_integer, check_real, check_size
from capacity.networks.parameter_gradients import sample_gradients
from capacity.networks.parameter_vectors import parameter_vector, with_parameter_vector
from capacity.networks.passes import Layer, backward_pass, forward_pass
from studies.training.classification import as_labels, cross_entropy

__all__ = ["alpha_scaled", "expected_sharpness", "loss_hessian", "scaled_hessian", "sharpness"]


def alpha_scaled(layers, alpha):
    """The alpha-scale transformation: W_1 times alpha, W_2 divided by it (Dinh et al. 2017, Definition 5).

    Parameters
    ----------
    layers : sequence of Layer
        Two of them, of one network or of many.
    alpha : float
        Above 0.

    Returns
    -------
    list of Layer
        A bias of the first layer is multiplied too; that of the last layer stays.

    Examples
    --------
    >>> [layer.weights.item() for layer in alpha_scaled([Layer([[1.0]]), Layer([[6.0]])], 2.0)]
    [2.0, 3.0]
    """
    layers = as_list(layers, "layers", "pass those of one hidden layer")
    alpha = check_real(alpha, "alpha", above=0)
    if len(layers) != 2:
        raise ValueError(f"layers: expected two of them, got {len(layers)}; pass those of one hidden layer")
    for number, layer in enumerate(layers):
        check_instance(layer, f"layers[{number}]", Layer, "pass the layers from the inputs up")
    first, second = layers
    if second.activation is not None and second.activation.slopes is None:
        raise ValueError(
            f"layers[1]: expected a homogeneous activation, got {second.activation.name}; pass relu() or leaky(slope)"
        )
    bias = None if first.bias is None else alpha * first.bias
    return [replace(first, weights=alpha * first.weights, bias=bias), replace(second, weights=second.weights / alpha)]


def scaled_hessian(hessian, layers, alpha):
    """The Hessian of the loss after the alpha-scale transformation, D^-1 H D^-1.

    Parameters
    ----------
    hessian : array_like, shape (parameters, parameters)
        Before it, as from `loss_hessian`.
    layers : sequence of Layer
        Two of them, of one network.
    alpha : float
        Above 0.

    Returns
    -------
    ndarray, shape (parameters, parameters)
    """
    ones = with_parameter_vector(layers, np.ones(parameter_vector(layers).size))
    factors = parameter_vector(alpha_scaled(ones, alpha))
    hessian = as_array(hessian, "hessian", axes=2, remedy="pass that of loss_hessian")
    if hessian.shape != (factors.size, factors.size):
        raise ValueError(
            f"hessian: expected shape {(factors.size, factors.size)}, got {hessian.shape}; pass that of loss_hessian"
        )
    return hessian / factors / factors[:, None]


def loss_hessian(layers, inputs, labels):
    """Second derivatives of the mean cross-entropy by all parameters of a network with piecewise-linear units.

    Parameters
    ----------
    layers : sequence of Layer
        Of one dense network; the activations are piecewise linear.
    inputs : array_like, shape (samples, inputs)
    labels : array_like of int, shape (samples,)

    Returns
    -------
    ndarray, shape (parameters, parameters)
        In the order of `parameter_vector`. On a kink, that of the pieces below.

    Notes
    -----
    The directional derivative of the gradient is a forward and a backward pass more (Pearlmutter 1994): with the slopes
    held fixed, both passes are differentiated as products. All directions are taken at once.
    """
    forward = forward_pass(layers, inputs)
    for number, layer in enumerate(forward.layers):
        if layer.activation is not None and layer.activation.kinks is None:
            raise ValueError(
                f"layers[{number}]: expected a piecewise-linear activation, got {layer.activation.name}; pass relu() "
                "or another one"
            )
        if layer.weights.ndim > 2 or layer.residual is not None or layer.batch_norm or layer.dimensions:
            raise ValueError(
                f"layers[{number}]: expected a dense layer of one network, got another; take one_network(layers)"
            )
    outputs = forward.outputs
    labels, count = as_labels(labels, outputs.shape[:-1], outputs.shape[-1]), parameter_vector(layers).size
    check_size(count * (count + outputs.size * 8), "layers", "second derivatives", remedy="take a smaller network")
    gradient = cross_entropy(outputs, labels)[1]
    below = backward_pass(forward, gradient)
    moved = with_parameter_vector(layers, np.eye(count))  # one direction after the other
    slopes = [1.0 if a.activation is None else a.activation.derivative(z) for a, z in zip(layers, forward.arguments)]
    velocity, velocities = np.zeros(1), []
    for layer, direction, slope, activity in zip(layers, moved, slopes, forward.activities):
        velocity = velocity * slope
        velocities.append(velocity)
        velocity = activity @ direction.weights.swapaxes(-1, -2) + (
            velocity @ layer.weights.T if velocity.ndim > 1 else 0.0
        )
        if layer.bias is not None:
            velocity = velocity + direction.bias[:, None, :]
    probabilities = gradient * len(outputs)
    np.put_along_axis(
        probabilities, labels[:, None], 1 + np.take_along_axis(probabilities, labels[:, None], axis=1), axis=1
    )
    change = probabilities * (velocity - (probabilities * velocity).sum(axis=-1, keepdims=True)) / len(outputs)
    blocks = []
    for k in reversed(range(len(layers))):
        rows = sample_gradients(forward.activities[k], change, bias=layers[k].bias is not None).sum(axis=-2)
        if velocities[k].ndim > 1:
            by_weights = layers[k].weights.size
            rows[:, :by_weights] += (below.sums[k].T @ velocities[k]).reshape(count, -1)
        blocks.append(rows)
        change = (change @ layers[k].weights + below.sums[k] @ moved[k].weights) * slopes[k]
    hessian = np.concatenate(blocks[::-1], axis=-1)
    return (hessian + hessian.T) / 2


def expected_sharpness(layers, inputs, labels, sigma, *, draws=20, rng=None):
    """Mean rise of the loss when all parameters are shaken: E L(w + v) - L(w), v Gaussian (Neyshabur et al. 2017).

    Parameters
    ----------
    layers : sequence of Layer
        Of one network or of many.
    inputs : array_like, shape (samples, inputs)
    labels : array_like of int, shape (samples,) or (..., samples)
    sigma : float
        Standard deviation of the change of each parameter.
    draws : int, optional
        Changes over which the mean is taken; each comes with its opposite.
    rng : int or numpy.random.Generator, optional

    Returns
    -------
    ndarray, shape (...)
        One for each network.
    """
    sigma, draws = check_real(sigma, "sigma", above=0), check_integer(draws, "draws", minimum=1)
    rng, start = as_generator(rng), _loss(layers, inputs, labels)
    here, rise = parameter_vector(layers), 0.0
    for _ in range(draws):
        step = sigma * rng.standard_normal(here.shape)
        for moved in (here + step, here - step):
            rise = rise + _loss(with_parameter_vector(layers, moved), inputs, labels) - start
    return rise / (2 * draws)


def sharpness(layers, inputs, labels, *, radius=5e-4, steps=20, starts=4, rng=None):
    """Largest relative rise of the loss in a box about the parameters (Keskar et al. 2017), found by ascent.

    Parameters
    ----------
    layers : sequence of Layer
        Of one network.
    inputs : array_like, shape (samples, inputs)
    labels : array_like of int, shape (samples,)
    radius : float, optional
        The box holds all v with |v_i| <= radius (|w_i| + 1).
    steps : int, optional
        Of the ascent: along the signs of the gradient, each half as long as the one before but one.
    starts : int, optional
        Random corners of the box from which it starts, beside the parameters themselves.
    rng : int or numpy.random.Generator, optional

    Returns
    -------
    float
        (max L(w + v) - L(w)) / (1 + L(w)). What ascent finds is a lower bound of it.
    """
    radius = check_real(radius, "radius", above=0)
    steps = check_integer(steps, "steps", minimum=1)
    starts = check_integer(starts, "starts", minimum=0)
    rng, start = as_generator(rng), _loss(layers, inputs, labels)
    here = parameter_vector(layers)
    if here.ndim > 1:
        raise ValueError(
            f"layers: expected those of one network, got {prod(here.shape[:-1])}; take one_network(layers)"
        )
    box, best = radius * (np.abs(here) + 1), start
    for number in range(starts + 1):
        offset = box * rng.choice([-1.0, 1.0], here.size) if number else np.zeros_like(here)
        for step in range(steps):
            offset = np.clip(
                offset
                + box
                * 2.0 ** (-(step // 2))
                * np.sign(_gradient(with_parameter_vector(layers, here + offset), inputs, labels)),
                -box,
                box,
            )
            best = np.maximum(best, _loss(with_parameter_vector(layers, here + offset), inputs, labels))
    return float((best - start) / (1 + start))


def _loss(layers, inputs, labels):
    return cross_entropy(forward_pass(layers, inputs).outputs, labels)[0]


def _gradient(layers, inputs, labels):
    forward = forward_pass(layers, inputs)
    sums = backward_pass(forward, cross_entropy(forward.outputs, labels)[1]).sums
    parts = []
    for layer, activity, by in zip(layers, forward.activities, sums):
        parts.append((by.T @ activity).ravel())
        if layer.bias is not None:
            parts.append(by.sum(axis=0))
    return np.concatenate(parts)
