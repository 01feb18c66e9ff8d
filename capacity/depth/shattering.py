"""Shattering: what depth leaves of local structure, in capacity and in gradients.

Two things can shrink with depth: the weight of the heaviest path, and the correlation of the gradients at two inputs.
Both decay exponentially in a plain network, and slowly or not at all in a residual one; the formulas here say how fast
(paper 2, Section 4.2; Balduzzi et al. 2017 for the gradients).
"""

import numpy as np
from numpy.typing import ArrayLike

from capacity._validation import as_array, check_integer, check_real
from capacity.activations.activation import Activation, check_activation
from capacity.networks.random_convolutions import check_taps

__all__ = [
    "forward_correlations",
    "gradient_correlations",
    "normalised_gradient_correlations",
    "residual_tail_exponent",
    "return_share",
    "straight_share",
]


def straight_share(rate: float, n_layers: ArrayLike, *, eps: float | None = None) -> np.ndarray:
    """Weight (1 - eps rate)^L of the path that stays on its position in a residual network, for one depth or many.

    `rate` is that of leaving a site, -Delta_ii. By default eps is 1/L, for which the weight tends to exp(-rate) (paper
    2, eq. 36).

    Examples
    --------
    >>> straight_share(2.0, [10, 100, 10000])
    array([0.10737418, 0.13261956, 0.13530822])
    """
    rate = check_real(rate, "rate", minimum=0)
    n_layers = as_array(n_layers, "n_layers", minimum=0, whole=True, remedy="pass how many layers there are")
    step = 1 / np.where(n_layers > 0, n_layers, np.inf) if eps is None else check_real(eps, "eps", above=0)
    if np.any(step * rate > 1):
        raise ValueError(f"eps: expected at most 1/rate = {1 / rate:g}, got {np.max(step):g}; take smaller steps")
    return (1 - step * rate) ** n_layers


def return_share(taps: int, n_layers: int) -> float:
    """Share of capacity that ends where it started after L uniform layers of r taps (Section 4.2), over all paths.

    There are about r^L/sqrt(2 pi L (r^2 - 1)/12) returning paths, so that the share decays only as the inverse square
    root of depth although each path weighs (1/r)^L: light paths are no sign of a lost locality.

    Examples
    --------
    >>> float(return_share(3, 2)) == 3 / 9
    True
    """
    taps = check_taps(taps)
    kernel, step = np.ones(1), np.full(taps, 1 / taps)
    for _ in range(check_integer(n_layers, "n_layers", minimum=0)):
        kernel = np.convolve(kernel, step)
    return kernel[kernel.size // 2]


def forward_correlations(
    activation: Activation, n_layers: int, *, correlation: float = 0.0, residual: float | None = None
) -> np.ndarray:
    r"""Correlation of the activities of two inputs, layer by layer, in a wide random network without biases.

    Parameters
    ----------
    activation : Activation
        Piecewise linear: f = a z + b abs(z) with a^2 + b^2 = 1.
    n_layers : int
    correlation : float, optional
        Of the inputs.
    residual : float, optional
        Scale beta of the branch of layers x + beta W f(x). Default: plain layers W f(x).

    Returns
    -------
    ndarray, shape (layers + 1,)
        Correlations before each layer, and after the last.

    Notes
    -----
    The arc-cosine kernel of degree one (Cho and Saul 2009): a plain layer maps c to
    :math:`T(c) = a^2 c + b^2 \tfrac{2}{\pi}(\sqrt{1 - c^2} + c \arcsin c)`, a residual one to
    :math:`(c + \beta^2 T(c))/(1 + \beta^2)`.

    Examples
    --------
    >>> from capacity.activations import relu
    >>> forward_correlations(relu(), 2)
    array([0.        , 0.31830989, 0.49373109])
    """
    a, b = check_activation(activation).mean_and_half_jump
    branch = _branch(residual)
    values = [check_real(correlation, "correlation", minimum=-1, maximum=1)]
    for _ in range(check_integer(n_layers, "n_layers", minimum=0)):
        c = values[-1]
        mapped = a**2 * c + b**2 * 2 / np.pi * (np.sqrt(max(1 - c**2, 0.0)) + c * np.arcsin(c))
        values.append(float(np.clip(mapped if branch is None else (c + branch * mapped) / (1 + branch), -1, 1)))
    return np.array(values)


def gradient_correlations(
    activation: Activation, n_layers: int, *, correlation: float = 0.0, residual: float | None = None
) -> np.ndarray:
    r"""Correlation of the gradients at two inputs of networks of 0, 1, ..., `n_layers` layers, without normalisation.

    Derived in the book. Layer l multiplies the correlation by
    :math:`k_l = \nu + (1 - \nu)\tfrac{2}{\pi}\arcsin c_l`, the mean product of two slopes, in a plain network, and by
    :math:`(1 + \beta^2 k_l)/(1 + \beta^2)` in a residual one. Arguments as in `forward_correlations`.

    Examples
    --------
    >>> from capacity.activations import relu
    >>> gradient_correlations(relu(), 2)
    array([1.    , 0.5   , 0.3015...])
    """
    a, b = check_activation(activation).mean_and_half_jump
    branch = _branch(residual)
    slopes = a**2 + b**2 * 2 / np.pi * np.arcsin(
        forward_correlations(activation, n_layers, correlation=correlation, residual=residual)[:-1]
    )
    factors = slopes if branch is None else (1 + branch * slopes) / (1 + branch)
    return np.concatenate([[1.0], np.cumprod(factors)])


def normalised_gradient_correlations(
    activation: Activation, n_layers: int, *, residual: float | None = None
) -> np.ndarray:
    r"""Correlation of the gradients at two independent inputs of batch-normalised networks, by their depth.

    Layers are W f(BN(x)) or x + beta W f(BN(x)), the batch is large and its statistics are held fixed in the gradient.
    Derived in the book: normalisation removes the correlation that rectifiers build up, so that the factor of a plain
    layer is :math:`\nu` throughout. In a residual network the variance over the batch before layer l is
    :math:`V_l = 1 + l \beta^2 (1 - (1 - \nu)\tfrac{2}{\pi})` and the factor
    :math:`(V_l + \beta^2\nu)/(V_l + \beta^2)`: a power law in depth with the exponent of `residual_tail_exponent`.

    Examples
    --------
    >>> from capacity.activations import relu
    >>> normalised_gradient_correlations(relu(), 2), normalised_gradient_correlations(relu(), 2, residual=1.0)
    (array([1.  , 0.5 , 0.25]), array([1.        , 0.75      , 0.61016281]))
    """
    a, b = check_activation(activation).mean_and_half_jump
    n_layers, branch = check_integer(n_layers, "n_layers", minimum=0), _branch(residual)
    if branch is None:
        return a ** (2 * np.arange(n_layers + 1))
    variances = 1 + branch * np.arange(n_layers) * (1 - b**2 * 2 / np.pi)
    return np.concatenate([[1.0], np.cumprod((variances + branch * a**2) / (variances + branch))])


def residual_tail_exponent(activation: Activation) -> float:
    """Exponent of the decay with depth of `normalised_gradient_correlations` in a residual network.

    -(1 - nu)/(1 - (1 - nu) 2/pi), whatever beta; -0.733 for a ReLU.

    Examples
    --------
    >>> from capacity.activations import relu
    >>> residual_tail_exponent(relu())
    -0.7334711
    """
    _, b = check_activation(activation).mean_and_half_jump
    return -(b**2) / (1 - b**2 * 2 / np.pi)


def _branch(residual):
    return None if residual is None else check_real(residual, "residual", above=0, remedy="pass beta > 0 or None") ** 2
