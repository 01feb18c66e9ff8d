"""The receptive field seen by gradients, and when it is the one seen by capacity.

The gradient of an output by an input sums one product of weights and slopes per path. If the signs of the paths are
independent, squares add up and the mean squared gradient follows the capacity network; if all paths agree in sign, the
gradient itself does (Luo et al. 2016; paper 2, Section 4.1 compares the two).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from tqdm import tqdm

from capacity._typing import Rng
from capacity._validation import as_generator, check_integer, check_real
from capacity.activations.activation import Activation, check_activation
from capacity.layers.projections import as_projections
from capacity.networks.random_convolutions import central_gradient, random_weights

__all__ = ["GradientField", "expected_squared_gradient", "gradient_field", "masked_gradients"]


@dataclass(frozen=True)
class GradientField:
    """Mean profiles of the gradient of a central output over random networks.

    Attributes
    ----------
    square, absolute : ndarray, shape (positions, ...)
        Means of g^2 and of abs(g) over realisations and input channels.

    Examples
    --------
    >>> from capacity.activations import relu
    >>> field = gradient_field(4, relu(), channels=8, realisations=20, rng=0)
    >>> bool(np.all(field.absolute**2 <= field.square))
    True
    """

    square: np.ndarray
    absolute: np.ndarray


def expected_squared_gradient(projections: Sequence[ArrayLike], nu: float, output: int) -> np.ndarray:
    r"""Mean squared gradient of one output by each input, for independent gains of mean sqrt(nu) and mean square 1.

    Parameters
    ----------
    projections : sequence of array_like
        P_1, ..., P_L, P_l of shape (n_{l-1}, n_l).
    nu : float
        Coupling in [0, 1].
    output : int
        Index of the output of the last layer.

    Returns
    -------
    ndarray, shape (n_0,)

    Notes
    -----
    Derived in the book: the second moment M of the gradient obeys
    :math:`M^{l-1} = P_l [\nu M^l + (1 - \nu)\,\mathrm{diag}(M^l)] P_l^T`. At nu = 0 its diagonal is
    :math:`(P_1 \circ P_1) \cdots (P_L \circ P_L)\, e_j`: capacity and squared gradient are the same there.

    Examples
    --------
    >>> expected_squared_gradient([[[0.6], [0.8]]], 0.5, 0)
    array([0.36, 0.64])
    """
    nu = check_real(nu, "nu", minimum=0, maximum=1, remedy="pass a coupling in [0, 1]")
    projections = as_projections(projections)
    moment = _unit(projections, output)
    moment = np.outer(moment, moment)
    for projection in reversed(projections):
        moment = projection @ (nu * moment + (1 - nu) * np.diag(np.diag(moment))) @ projection.T
    return np.diag(moment).copy()


def masked_gradients(
    projections: Sequence[ArrayLike], activation: Activation, output: int, samples: int, *, rng: Rng = None
) -> np.ndarray:
    """Gradients of one output in networks whose gains are drawn independently of everything, a + b or a - b.

    Shape (samples, n_0). The gains of the piecewise-linear activation are scaled to a^2 + b^2 = 1; weights and output
    are those of `expected_squared_gradient`.

    Examples
    --------
    >>> from capacity.activations import relu
    >>> gradients = masked_gradients([[[0.6], [0.8]]], relu(), 0, 1000, rng=0)
    >>> np.unique((gradients**2).round(9), axis=0)
    array([[0.  , 0.  ],
           [0.72, 1.28]])
    """
    a, b = check_activation(activation).mean_and_half_jump
    rng = as_generator(rng)
    projections = as_projections(projections)
    gradient = np.tile(_unit(projections, output), (check_integer(samples, "samples", minimum=1), 1))
    for projection in reversed(projections):
        gradient = (gradient * (a + b * rng.choice([-1.0, 1.0], gradient.shape))) @ projection.T
    return gradient


def gradient_field(
    n_layers: int,
    activation: Activation,
    *,
    channels: int = 16,
    taps: int = 3,
    coherent: bool = False,
    realisations: int = 200,
    dimensions: int = 1,
    batch: int = 50,
    rng: Rng = None,
    progress: bool = False,
) -> GradientField:
    """Mean gradient profiles of real random convolutional networks with Gaussian inputs.

    Parameters
    ----------
    n_layers : int
    activation : Activation
    channels, taps, coherent, dimensions
        As in `random_weights`. Narrow networks of rectifiers often die: take four channels or more.
    realisations, batch : int, optional
        Number of networks, and how many at a time.
    rng : int, Generator or None
    progress : bool, optional
        Show a progress bar.

    Returns
    -------
    GradientField
        On the window of 2 (taps // 2) n_layers + 1 positions along each axis.

    Examples
    --------
    >>> from capacity.activations import relu
    >>> field = gradient_field(4, relu(), channels=8, realisations=20, rng=0)
    >>> field.square.shape
    (9,)
    """
    rng, activation = as_generator(rng), check_activation(activation)
    realisations = check_integer(realisations, "realisations", minimum=1)
    batch, taps = check_integer(batch, "batch", minimum=1), check_integer(taps, "taps", minimum=1)
    dimensions = check_integer(dimensions, "dimensions", minimum=1)
    positions = (2 * (taps // 2) * check_integer(n_layers, "n_layers", minimum=1) + 1,) * dimensions
    square, absolute = np.zeros(positions), np.zeros(positions)
    with tqdm(total=realisations, disable=not progress, unit="network") as bar:
        for start in range(0, realisations, batch):
            count = min(batch, realisations - start)
            weights = random_weights(
                n_layers, channels, taps, realisations=count, coherent=coherent, dimensions=dimensions, rng=rng
            )
            inputs = rng.standard_normal((count, channels, *positions))
            gradient = central_gradient(weights, inputs, activation)
            square += np.sum(gradient**2, axis=(0, 1))
            absolute += np.sum(np.abs(gradient), axis=(0, 1))
            bar.update(count)
    return GradientField(square / (realisations * channels), absolute / (realisations * channels))


def _unit(projections, output):
    size = projections[-1].shape[1]
    unit = np.zeros(size)
    unit[check_integer(output, "output", minimum=0, maximum=size - 1, remedy="pass the index of an output")] = 1.0
    return unit
