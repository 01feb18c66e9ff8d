"""The coupling nu of an activation: how far it leaves the outputs of a layer functions of the same inputs.

With z a centred Gaussian, nu = E[eta]^2/E[eta^2] is 1 for a linear activation (full coupling) and 0 where the gains of
two outputs are uncorrelated.
"""

import numpy as np

from capacity._typing import Rng
from capacity._validation import as_generator, check_choice, check_finite, check_integer, check_real
from capacity.activations.activation import Activation, check_activation
from capacity.activations.gaussian_quadrature import normal_nodes

__all__ = ["coupling", "sampled_coupling"]

_ORDERS = 200, 140  # of the quadrature, and of its check


def coupling(activation: Activation, *, scale: float = 1.0, method: str = "auto") -> float:
    """Coupling nu = E[eta]^2/E[eta^2] of two outputs whose arguments are independent Gaussians.

    Parameters
    ----------
    activation : Activation
    scale : float, optional
        Standard deviation of z. It matters unless the activation is homogeneous.
    method : {"auto", "closed", "quadrature"}, optional
        "auto" takes the closed form where there is one. The quadrature is checked by one with fewer nodes; it resolves
        gains with up to some 100 oscillations within 12 standard deviations.

    Returns
    -------
    float
        In [0, 1]. By convention E[eta^2] is scaled to 1, as in the paper, so that nu = E[eta]^2.

    Raises
    ------
    ValueError
        If f(0) is not 0: then E[eta^2] is infinite; or if the quadrature does not resolve the gain.

    Notes
    -----
    Paper 2, eqs 12-15 and Figure 3. The figure labels nu as E[eta]; it is E[eta]^2 (0.707 against 0.5 for a ReLU).

    Examples
    --------
    >>> from capacity.activations import gelu, leaky
    >>> coupling(gelu())
    0.75
    >>> [round(coupling(leaky(slope)), 4) for slope in (1, 0.5, 0.2, 0, -0.5, -1)]
    [1.0, 0.9, 0.6923, 0.5, 0.1, 0.0]
    """
    scale = _check(activation, scale)
    check_choice(method, "method", ("auto", "closed", "quadrature"))
    if method == "closed" and activation.closed_coupling is None:
        raise ValueError(
            f"method: expected another one, got 'closed', but {activation.name} has no closed form; pass 'quadrature'"
        )
    if method != "quadrature" and activation.closed_coupling is not None:
        with np.errstate(all="ignore"):
            nu = activation.closed_coupling(np.float64(scale))
        return float(check_finite(nu, "scale", "a coupling"))
    if not activation.continuous:
        raise ValueError(
            f"method: expected 'closed' for a gain that is nowhere continuous, got {method!r}; no quadrature converges"
        )
    nu, check = (_quadrature(activation, scale, order) for order in _ORDERS)
    if abs(nu - check) > 1e-4:
        raise ValueError(
            f"scale: expected a gain that the quadrature resolves, got nu = {nu:.6g} and {check:.6g} from two sets of "
            "nodes; pass a smaller scale, or use sampled_coupling"
        )
    return nu


def sampled_coupling(
    activation: Activation, samples: int, *, scale: float = 1.0, rng: Rng = None
) -> tuple[float, float]:
    """Estimate of nu (paper 2, eqs 12-15) from Gaussian samples, with its standard error.

    Parameters
    ----------
    activation : Activation
        Whose gains are sampled.
    samples : int
        Number of arguments drawn.
    scale : float, optional
        Standard deviation of the arguments.
    rng : int, Generator or None
        Source of randomness.

    Returns
    -------
    estimate, standard_error : float
        The square of the sample mean of eta, and so the estimate, is biased by up to about 1/samples, upwards where
        nu = 0; the standard error is that of the ratio to first order (delta method), which vanishes at nu = 0.

    Raises
    ------
    ValueError
        If f(0) is not 0: then E[eta^2] is infinite.

    Examples
    --------
    >>> from capacity.activations import relu
    >>> estimate, error = sampled_coupling(relu(), 10_000, rng=0)
    >>> abs(estimate - coupling(relu())) < 4 * error
    True
    """
    scale = _check(activation, scale)
    samples = check_integer(samples, "samples", minimum=2)
    gain = activation.gain(scale * as_generator(rng).standard_normal(samples))
    mean, square = _moments(gain, 1 / samples)
    influence = 2 * mean / square * (gain - mean) - (mean / square) ** 2 * (gain**2 - square)
    return float(mean**2 / square), float(influence.std(ddof=1) / np.sqrt(samples))


def _quadrature(activation, scale, order):
    nodes, weights = normal_nodes(activation.breaks, scale, order)
    mean, square = _moments(activation.gain(scale * nodes), weights)
    return float(mean**2 / square)


def _moments(gains, weights):
    """E[eta] and E[eta^2], the second positive."""
    with np.errstate(over="ignore", invalid="ignore"):
        mean, square = np.sum(gains * weights), np.sum(gains**2 * weights)
    if not (np.isfinite(square) and square > 0):
        raise ValueError(
            f"activation: expected gains with a second moment, got {square:g}; scale the activation or its argument"
        )
    return mean, square


def _check(activation, scale):
    check_activation(activation)
    if activation.function(np.zeros(1))[0] != 0:
        raise ValueError(
            f"activation: {activation.name} has f(0) = {activation.function(np.zeros(1))[0]:g}, so E[eta^2] is "
            "infinite and nu is undefined; use an activation with f(0) = 0"
        )
    return check_real(scale, "scale", above=0, remedy="pass the standard deviation of z")
