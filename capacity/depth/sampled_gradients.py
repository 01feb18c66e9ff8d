"""Gradients of real random networks: over a line of inputs, and at pairs of inputs.

With one input variable the gradient is a curve. In plain networks with batch normalisation it turns to white noise with
depth; in residual networks it stays close to brown noise (Balduzzi et al. 2017; paper 2, Section 4.2).
"""

import numpy as np
from tqdm import tqdm

from capacity._validation import as_array, as_matrix, as_vector, check_integer, check_real
from capacity.activations.base import Activation
from capacity.statistics import mean_curve

__all__ = [
    "gradients_on_grid",
    "input_gradients",
    "sampled_gradient_correlation",
]


def gradients_on_grid(
    layers,
    activation: Activation,
    *,
    residual=None,
    batch_norm=False,
    width=200,
    points=256,
    reach=2.0,
    realisations=20,
    rng=None,
    progress=False,
):
    """Derivative of a random network's output by its one input, at every point of a grid.

    Parameters
    ----------
    layers : int
    activation : Activation
    residual : float, optional
        Scale beta of the branch of layers x + beta W f(x). Default: plain layers W f(x).
    batch_norm : bool, optional
        Standardise each unit over the grid before the activation; the statistics are held fixed in the derivative.
    width, points, reach, realisations : int, int, float, int, optional
        Units per layer; number of grid points, evenly spaced over [-reach, reach]; number of networks.
    rng : int, Generator or None
        Source of randomness.
    progress : bool, optional
        Show a progress bar.

    Returns
    -------
    ndarray, shape (realisations, points)

    Raises
    ------
    TypeError, ValueError
        If a number is of the wrong type or out of range, or the activation is not piecewise linear.

    Notes
    -----
    Weights are Gaussian, of variance 2/width for a ReLU (He initialisation). The first layer is w x + b with standard
    normal w, b; without b, and without normalisation, every rectifier would switch at x = 0 only. With a single input
    variable, carrying the derivative forward is cheaper than going backward from each output.
    """
    layers, width = check_integer(layers, "layers", minimum=0), check_integer(width, "width", minimum=1)
    points, realisations = (
        check_integer(points, "points", minimum=2),
        check_integer(realisations, "realisations", minimum=1),
    )
    if residual is not None:
        check_real(residual, "residual", above=0, remedy="pass beta > 0 or None")
    reach = check_real(reach, "reach", above=0)
    rng, spread = np.random.default_rng(rng), _spread(activation, width)
    grid = np.linspace(-reach, reach, points)[:, None]
    gradients = np.empty((realisations, points))
    for realisation in tqdm(range(realisations), disable=not progress, unit="network"):
        slope, offset, readout = rng.standard_normal((3, width))
        state, tangent = grid * slope + offset, np.broadcast_to(slope, (points, width))
        for _ in range(layers):
            if batch_norm:
                scale = state.std(axis=0)
                arguments, speeds = (state - state.mean(axis=0)) / scale, tangent / scale
            else:
                arguments, speeds = state, tangent
            weights = rng.standard_normal((width, width)) * spread
            branch = np.vstack([activation(arguments), activation.derivative(arguments) * speeds]) @ weights
            if residual is None:
                state, tangent = branch[:points], branch[points:]
            else:
                state, tangent = state + residual * branch[:points], tangent + residual * branch[points:]
        gradients[realisation] = tangent @ readout / np.sqrt(width)
    return gradients


def sampled_gradient_correlation(
    layers, activation: Activation, *, residual=None, batch_norm=False, width=400, batch=2, realisations=20, rng=None
):
    """Correlation of the gradients at independent Gaussian inputs of wide random networks, by sampling.

    Parameters
    ----------
    layers, activation, residual
        As in `gradients_on_grid`.
    batch_norm : bool, optional
        Standardise each unit over the batch; pass a large `batch`.
    width : int, optional
        Units of the input and of each layer.
    batch : int, optional
        Number of inputs per network.
    realisations : int, optional
        Number of networks.
    rng : int, Generator or None
        Source of randomness.

    Returns
    -------
    MeanCurve
        Against depths 1, ..., `layers`: mean product of the gradients at two inputs over their mean square.

    Raises
    ------
    TypeError, ValueError
        As `gradients_on_grid`.
    """
    layers, batch = check_integer(layers, "layers", minimum=1), check_integer(batch, "batch", minimum=2)
    realisations, width = (
        check_integer(realisations, "realisations", minimum=1),
        check_integer(width, "width", minimum=1),
    )
    rng, spread = np.random.default_rng(rng), _spread(activation, width)
    values = np.empty((realisations, layers))
    for realisation in range(realisations):
        inputs = rng.standard_normal((batch, width))
        weights = rng.standard_normal((layers, width, width)) * spread
        slopes = _slopes(inputs, weights, activation, residual, batch_norm)
        for depth in range(1, layers + 1):
            readout = rng.standard_normal(width)
            gradient = _pull_back(np.tile(readout, (batch, 1)), slopes[:depth], weights[:depth], residual)
            products = gradient @ gradient.T
            own = np.trace(products) / batch
            values[realisation, depth - 1] = (products.sum() - batch * own) / (batch * (batch - 1)) / own
    return mean_curve(np.arange(1, layers + 1), values)


def input_gradients(inputs, weights, activation: Activation, readout, *, residual=None, batch_norm=False):
    """Gradients of the output readout^T x_L at a batch of inputs x_0, of layers W f(x) or x + beta W f(x).

    Parameters
    ----------
    inputs : array_like, shape (batch, width)
    weights : array_like, shape (layers, width, width)
        Layer l maps f(x) to f(x) @ weights[l].
    activation : Activation
        The function f.
    readout : array_like, shape (width,)
    residual, batch_norm
        As in `gradients_on_grid`, with normalisation over the batch, its statistics held fixed in the gradient.

    Returns
    -------
    ndarray, shape (batch, width)

    Raises
    ------
    TypeError, ValueError
        If the arrays do not fit each other or hold numbers that are not finite, or `residual` is not positive.
    """
    inputs, weights = as_matrix(inputs, "inputs"), as_array(weights, "weights")
    width = inputs.shape[1]
    if weights.shape[1:] != (width, width):
        raise ValueError(
            f"weights: expected shape (layers, {width}, {width}), got {weights.shape}; pass one square matrix per layer"
        )
    readout = as_vector(readout, "readout", length=width)
    if residual is not None:
        check_real(residual, "residual", above=0, remedy="pass beta > 0 or None")
    slopes = _slopes(inputs, weights, activation, residual, batch_norm)
    return _pull_back(np.tile(readout, (inputs.shape[0], 1)), slopes, weights, residual)


def _slopes(state, weights, activation, residual, batch_norm):
    """Derivatives of the activities by the states of their layer, normalisation included, layer by layer."""
    slopes = []
    for matrix in weights:
        deviation = state.std(axis=0) if batch_norm else np.ones(state.shape[1])
        arguments = (state - state.mean(axis=0)) / deviation if batch_norm else state
        slopes.append(activation.derivative(arguments) / deviation)
        branch = activation(arguments) @ matrix
        state = branch if residual is None else state + residual * branch
    return slopes


def _pull_back(gradient, slopes, weights, residual):
    for slope, matrix in zip(slopes[::-1], weights[::-1]):
        branch = slope * (gradient @ matrix.T)
        gradient = branch if residual is None else gradient + residual * branch
    return gradient


def _spread(activation, width):
    """Standard deviation of weights that keeps the mean square of the activities: E[eta^2] width spread^2 = 1."""
    a, b = activation.mean_and_half_jump  # refuses other activations
    return (a + b) / activation.slopes[1] / np.sqrt(width)
