"""Gradients of real random networks: over a line of inputs, and at pairs of inputs.

With one input variable the gradient is a curve. In plain networks with batch normalisation it turns to white noise with
depth; in residual networks it stays close to brown noise (Balduzzi et al. 2017; paper 2, Section 4.2).
"""

from dataclasses import dataclass
from itertools import chain

import numpy as np
from tqdm import tqdm

from capacity._typing import Rng
from capacity._validation import as_generator, check_instance, check_integer, check_real
from capacity.activations.activation import Activation, check_activation
from capacity.networks.passes import Layer, backward_pass, forward_pass, tangent_pass
from capacity.statistics import MeanCurve, mean_curve

__all__ = ["RandomNetwork", "gradients_on_grid", "sampled_gradient_correlation"]

NUMBERS_AT_ONCE = 2**20  # 8 MB of weights, states and gradients; larger arrays leave the caches of a processor


@dataclass(frozen=True)
class RandomNetwork:
    """Random layers of equal width, W f(x) or x + beta W f(x), with Gaussian weights.

    The weights have the variance that keeps the mean square of the activities, 2/width for a ReLU (He initialisation).

    Attributes
    ----------
    n_layers : int
    activation : Activation
        The function f, piecewise linear.
    width : int, optional
        Units per layer.
    residual : float, optional
        Scale beta of the branch of layers x + beta W f(x). Default: plain layers W f(x).
    batch_norm : bool, optional
        Standardise each unit over the inputs before the activation; the statistics are held fixed in derivatives.

    Examples
    --------
    >>> from capacity.activations import relu
    >>> network = RandomNetwork(3, relu(), width=50, residual=0.5, batch_norm=True)
    >>> gradients_on_grid(network, points=8, realisations=2, rng=0).shape
    (2, 8)
    """

    n_layers: int
    activation: Activation
    width: int = 200
    residual: float | None = None
    batch_norm: bool = False

    def __post_init__(self):
        check_integer(self.n_layers, "n_layers", minimum=0)
        check_integer(self.width, "width", minimum=1)
        if self.residual is not None:
            check_real(self.residual, "residual", above=0, remedy="pass beta > 0 or None")
        _ = self.deviation  # refuses other activations

    @property
    def deviation(self) -> float:
        """Standard deviation of the weights: E[eta^2] width deviation^2 = 1."""
        _ = check_activation(self.activation).mean_and_half_jump  # refuses other activations
        slopes = self.activation.slopes or ()
        return float(np.sqrt(2 / np.sum(np.square(slopes))) / np.sqrt(self.width))


def gradients_on_grid(
    network: RandomNetwork,
    *,
    points: int = 256,
    reach: float = 2.0,
    realisations: int = 20,
    rng: Rng = None,
    progress: bool = False,
) -> np.ndarray:
    """Derivative of a random network's output by its one input, at every point of a grid.

    Below the layers stands w x + b with standard normal w, b; without b, and without normalisation, every rectifier
    would switch at x = 0 only. Above them stands a standard normal readout over sqrt(width). With a single input
    variable, carrying the derivative forward is cheaper than going backward from each output.

    Parameters
    ----------
    network : RandomNetwork
        Normalised over the grid, if at all.
    points : int, optional
        Number of grid points, evenly spaced over [-reach, reach].
    reach : float, optional
    realisations : int, optional
        Number of networks.
    rng : int, Generator or None
    progress : bool, optional
        Show a progress bar.

    Returns
    -------
    ndarray, shape (realisations, points)

    Examples
    --------
    >>> from capacity.activations import relu
    >>> gradients = gradients_on_grid(RandomNetwork(3, relu()), points=8, realisations=2, rng=0)
    >>> gradients.shape
    (2, 8)
    """
    check_instance(network, "network", RandomNetwork, "pass RandomNetwork(n_layers, relu())")
    points = check_integer(points, "points", minimum=2)
    realisations = check_integer(realisations, "realisations", minimum=1)
    reach = check_real(reach, "reach", above=0)
    rng, width = as_generator(rng), network.width
    grid = np.linspace(-reach, reach, points)[:, None]
    gradients = np.empty((realisations, points))
    each = (network.n_layers * width + 8 * points) * width
    with tqdm(total=realisations, disable=not progress, unit="network") as bar:
        for part in _parts(realisations, each):
            normal = rng.standard_normal((part.stop - part.start, 3 + network.n_layers * width, width))
            slope, offset, readout = np.moveaxis(normal[:, :3], 1, 0)
            below, above = Layer(slope[:, :, None], offset), Layer(readout[:, None] / np.sqrt(width))
            states, tangents = grid, np.ones_like(grid)
            for layer in chain([below], _layers(network, normal[:, 3:]), [above]):  # one by one, none is needed twice
                forward = forward_pass([layer], states)
                states, tangents = forward.outputs, tangent_pass(forward, tangents, fixed_statistics=True)[-1]
            gradients[part] = tangents[..., 0]
            bar.update(part.stop - part.start)
    return gradients


def sampled_gradient_correlation(
    network: RandomNetwork, *, batch: int = 2, realisations: int = 20, rng: Rng = None
) -> MeanCurve:
    """Correlation of the gradients at independent Gaussian inputs of wide random networks, by sampling.

    Parameters
    ----------
    network : RandomNetwork
        With as many inputs as each layer has units; normalised over the batch, if at all: pass a large one then.
    batch : int, optional
        Number of inputs per network.
    realisations : int, optional
        Number of networks.
    rng : int, Generator or None

    Returns
    -------
    MeanCurve
        Against depths 1, ..., `n_layers`: mean product of the gradients at two inputs over their mean square, which is
        undefined, and refused, where all gradients of one network vanish.

    Examples
    --------
    >>> from capacity.activations import relu
    >>> from capacity.depth import gradient_correlations
    >>> curve = sampled_gradient_correlation(RandomNetwork(3, relu()), realisations=50, rng=0)
    >>> bool(np.all(abs(curve.mean - gradient_correlations(relu(), 3)[1:]) < 4 * curve.standard_error))
    True
    """
    check_instance(network, "network", RandomNetwork, "pass RandomNetwork(n_layers, relu())")
    batch, n_layers = check_integer(batch, "batch", minimum=2), check_integer(network.n_layers, "n_layers", minimum=1)
    realisations = check_integer(realisations, "realisations", minimum=1)
    rng, width = as_generator(rng), network.width
    values = np.empty((realisations, n_layers))
    for part in _parts(realisations, n_layers * (width + 5 * batch) * width):
        normal = rng.standard_normal((part.stop - part.start, batch + n_layers * width + n_layers, width))
        inputs, weights, readouts = np.split(normal, [batch, batch + n_layers * width], axis=1)
        forward = forward_pass(list(_layers(network, weights)), inputs)
        gradients = np.empty((0, *inputs.shape))  # of the depths so far, the deepest first, on their way to the inputs
        for k in reversed(range(n_layers)):
            readout = np.broadcast_to(readouts[:, k, None], inputs.shape)
            gradients = np.concatenate([gradients, readout[None]])
            gradients = backward_pass(forward.part(k, k + 1), gradients, fixed_statistics=True).inputs
        own = np.sum(gradients**2, axis=(-1, -2)) / batch
        if not own.all():
            raise ValueError(f"network: expected gradients other than 0, got a dead one of width {width}; widen it")
        pairs = np.sum(gradients.sum(axis=-2) ** 2, axis=-1) - batch * own
        values[part] = (pairs / (batch * (batch - 1)) / own)[::-1].T
    return mean_curve(np.arange(1, n_layers + 1), values)


def _layers(network, normal):
    """Yield the layers made of normal numbers (networks, n_layers * width, width), `width` rows for each layer."""
    for start in range(0, len(normal[0]), network.width):
        weights = network.deviation * normal[:, start : start + network.width].swapaxes(-1, -2)
        yield Layer(weights, None, network.activation, network.residual, network.batch_norm)


def _parts(realisations, each):
    """Slices of the realisations, as many at a time as memory allows if each takes so many numbers."""
    count = max(1, NUMBERS_AT_ONCE // each)
    return [slice(start, min(start + count, realisations)) for start in range(0, realisations, count)]
