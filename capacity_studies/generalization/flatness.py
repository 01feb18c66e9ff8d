r"""How fast the loss rises about a minimum, and how rescaling changes this but not the function (Dinh et al. 2017).

A rectifier is 1-homogeneous, f(alpha z) = alpha f(z) for alpha > 0. The alpha-scale transformation
T_alpha: (W_1, W_2) -> (alpha W_1, W_2 / alpha) hence leaves the function, and its loss, as it is, whereas the Hessian H
of the loss by the parameters becomes D^-1 H D^-1 with D = diag(alpha I, I / alpha).
"""

from dataclasses import replace

import numpy as np

from capacity.networks.parameter_gradients import sample_gradients
from capacity.networks.parameter_vectors import parameter_vector, with_parameter_vector
from capacity.networks.passes import backward_pass, forward_pass
from capacity_studies.geometry.fisher import parameter_cotangents, probabilities
from capacity_studies.training.classification import cross_entropy

__all__ = ["alpha_scaled", "expected_sharpness", "loss_hessian", "scaled_hessian", "sharpness"]


def alpha_scaled(layers, alpha):
    """The alpha-scale transformation of two layers: W_1 times alpha, W_2 divided by it (Dinh et al. 2017).

    A bias of the first layer is multiplied too; that of the last layer stays.

    Examples
    --------
    >>> from capacity.networks import Layer
    >>> [layer.weights.item() for layer in alpha_scaled([Layer([[1.0]]), Layer([[6.0]])], 2.0)]
    [2.0, 3.0]
    """
    first, second = layers
    bias = None if first.bias is None else alpha * first.bias
    return [replace(first, weights=alpha * first.weights, bias=bias), replace(second, weights=second.weights / alpha)]


def scaled_hessian(hessian, layers, alpha):
    """The Hessian of the loss after the alpha-scale transformation, D^-1 H D^-1, from that before it."""
    ones = with_parameter_vector(layers, np.ones(parameter_vector(layers).size))
    factors = parameter_vector(alpha_scaled(ones, alpha))
    return hessian / factors / factors[:, None]


def loss_hessian(layers, inputs, labels):
    """Second derivatives of the mean cross-entropy by all parameters of a network with piecewise-linear units.

    Of one dense network, in the order of `parameter_vector`; on a kink, those of the pieces below. The directional
    derivative of the gradient is a forward and a backward pass more (Pearlmutter 1994): with the slopes held fixed,
    both passes are differentiated as products. All directions are taken at once.
    """
    forward = forward_pass(layers, inputs)
    outputs, count = forward.outputs, parameter_vector(layers).size
    below = backward_pass(forward, cross_entropy(outputs, labels)[1])
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
    p = probabilities(outputs)
    change = p * (velocity - (p * velocity).sum(axis=-1, keepdims=True)) / len(outputs)
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

    For one network or many, one number each. The mean is over some `draws` of v, each of which comes with its opposite,
    of the standard deviation sigma.
    """
    rng, start = np.random.default_rng(rng), _loss(layers, inputs, labels)
    here, rise = parameter_vector(layers), 0.0
    for _ in range(draws):
        step = sigma * rng.standard_normal(here.shape)
        for moved in (here + step, here - step):
            rise = rise + _loss(with_parameter_vector(layers, moved), inputs, labels) - start
    return rise / (2 * draws)


def sharpness(layers, inputs, labels, *, radius=5e-4, steps=20, starts=4, rng=None):
    """Largest relative rise (max L(w + v) - L(w)) / (1 + L(w)) of the loss in a box about a network's parameters.

    The box of Keskar et al. (2017) holds all v with |v_i| <= radius (|w_i| + 1). What ascent along the signs of the
    gradient finds, each step half as long as the one before but one, is a lower bound; it starts from the parameters
    themselves and from some random corners of the box.
    """
    rng, start, here = np.random.default_rng(rng), _loss(layers, inputs, labels), parameter_vector(layers)
    box, best = radius * (np.abs(here) + 1), start
    for number in range(starts + 1):
        offset = box * rng.choice([-1.0, 1.0], here.size) if number else np.zeros_like(here)
        for step in range(steps):
            upwards = np.sign(_gradient(with_parameter_vector(layers, here + offset), inputs, labels))
            offset = np.clip(offset + box * 2.0 ** (-(step // 2)) * upwards, -box, box)
            best = np.maximum(best, _loss(with_parameter_vector(layers, here + offset), inputs, labels))
    return float((best - start) / (1 + start))


def _loss(layers, inputs, labels):
    return cross_entropy(forward_pass(layers, inputs).outputs, labels)[0]


def _gradient(layers, inputs, labels):
    forward = forward_pass(layers, inputs)
    return parameter_cotangents(forward, cross_entropy(forward.outputs, labels)[1])
