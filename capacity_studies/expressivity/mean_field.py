r"""The mean field of wide random networks: variances, their fixed point, and how fast neighbouring inputs part.

In the limit of infinite width the weighted sums h of a layer are Gaussian, independent from unit to unit. With weights
of variance sigma_w^2/k and biases of variance sigma_b^2 their variance q goes from layer to layer as

    q -> V(q) = sigma_w^2 E[f(sqrt(q) u)^2] + sigma_b^2 ,        u standard normal,

and the square of a small distance, or of a tangent's norm, is multiplied by chi = sigma_w^2 E[f'(sqrt(q) u)^2]. At the
fixed point q* = V(q*) this is chi_1, and curves grow by sqrt(chi_1) in each layer. Networks are ordered where
chi_1 < 1, chaotic where chi_1 > 1, and at the edge of chaos in between (Poole et al. 2016).
"""

import numpy as np
from scipy import optimize

from capacity.activations.gaussian_quadrature import normal_nodes
from capacity_studies.expressivity._gaussian import check_resolved

__all__ = [
    "critical_sigma_w",
    "fixed_variance",
    "gaussian_moments",
    "relative_changes",
    "squared_growth",
    "variance_map",
]

_TOLERANCE = 1e-9  # on which two orders of the quadrature have to agree


def gaussian_moments(activation, variance, *, method="auto"):
    """E[f(z)^2] and E[f'(z)^2] of a centred Gaussian z of some variances, in closed form where there is one.

    There is for hard tanh, erf, and activations that are linear on either side of 0. The quadrature, which method
    "quadrature" asks for, has Gauss-Legendre panels between the kinks, and is checked by a second one.

    With a = variance^(-1/2) and P = erf(a/sqrt(2)) those of hard tanh are variance (P - 2 a phi(a)) + 1 - P and P, phi
    being the normal density; those of erf are (2/pi) arcsin(2 variance/(1 + 2 variance)) (Williams 1997) and
    (4/pi)/sqrt(1 + 4 variance).

    Examples
    --------
    >>> from capacity.activations import relu
    >>> [float(moment) for moment in gaussian_moments(relu(), 3.0)]
    [1.5, 0.5]
    """
    variance = np.asarray(variance, dtype=float)
    if method != "quadrature" and activation.closed_moments is not None:
        return tuple(np.asarray(moment, dtype=float) for moment in activation.closed_moments(variance))
    found, check = (_quadrature(activation, variance, order) for order in (40, 56))
    return check_resolved(found, check, activation, variance, _TOLERANCE)


def _quadrature(activation, variance, order):
    nodes, weights = normal_nodes(activation.breaks, np.sqrt(variance), order)
    z = np.sqrt(variance)[..., None] * nodes
    return tuple(np.sum(weights * f(z) ** 2, axis=-1) for f in (activation, activation.derivative))


def variance_map(activation, variance, *, sigma_w, sigma_b=0.0):
    """V(q) = sigma_w^2 E[f(sqrt(q) u)^2] + sigma_b^2: the variance of the weighted sums one layer up.

    The length map of Poole et al. (2016).
    """
    return sigma_w**2 * gaussian_moments(activation, variance)[0] + sigma_b**2


def squared_growth(activation, variance, *, sigma_w):
    """The factor chi = sigma_w^2 E[f'(sqrt(q) u)^2] of the squared norm of a tangent in one layer; at q*, chi_1.

    A curve in a wide network grows by the root of it. The chi_1 of Poole et al. (2016), at any variance.

    Examples
    --------
    >>> from capacity.activations import hard_tanh
    >>> q = fixed_variance(hard_tanh(), sigma_w=2.0)
    >>> float(squared_growth(hard_tanh(), q, sigma_w=2.0))
    1.8096721737
    """
    return sigma_w**2 * gaussian_moments(activation, variance)[1]


def relative_changes(activation, variance, n_layers, *, sigma_w, sigma_b=0.0):
    """How a small change grows from layer to layer in proportion to the weighted sums that it changes.

    Norm of the change over the norm of the sums in layers 1, 2, ..., that of the first, whose sums have the given
    variance, being 1: the root of the product of chi(q) q/V(q) over the layers passed. At q* each factor is chi_1;
    without biases it is 1 as long as an activation is linear in its range, since change and sums then grow alike.

    Examples
    --------
    >>> from capacity.activations import hard_tanh
    >>> q = fixed_variance(hard_tanh(), sigma_w=2.0)
    >>> relative_changes(hard_tanh(), q, 3, sigma_w=2.0)
    array([1.        , 1.3452405..., 1.8096721...])
    """
    squares = [1.0]
    for _ in range(n_layers - 1):
        above = float(variance_map(activation, variance, sigma_w=sigma_w, sigma_b=sigma_b))
        squares.append(squares[-1] * float(squared_growth(activation, variance, sigma_w=sigma_w)) * variance / above)
        variance = above
    return np.sqrt(squares)


def fixed_variance(activation, *, sigma_w, sigma_b=0.0, start=1.0):
    """The fixed point q* = V(q*) that the variance of the weighted sums approaches; 0 where it dies out.

    `start`, the variance in the first layer, matters where there is more than one fixed point, as for a homogeneous
    activation at its edge of chaos without biases, where every variance is one. Variances that grow without bound are
    an error.

    V increases where abs(f) increases with abs(z), on either side of 0: the variances then go from `start` in one
    direction, to the next fixed point. The root is bracketed by doubling or halving, and found by Brent's method.

    Examples
    --------
    >>> from capacity.activations import hard_tanh, relu
    >>> fixed_variance(hard_tanh(), sigma_w=2.0)
    2.7649754552
    >>> fixed_variance(relu(), sigma_w=1.0, sigma_b=1.0)
    2.0
    """

    def excess(q):
        return float(variance_map(activation, q, sigma_w=sigma_w, sigma_b=sigma_b)) - q

    direction = _sign(excess(start), start)
    if direction == 0:
        return start
    far, low, high = start, 1e-40 * start, 1e40 * max(start, sigma_b**2)  # q*/sigma_b^2 is at most 1/rounding
    while _sign(excess(far), far) == direction and low < far < high:
        far *= 2.0**direction
    sign = _sign(excess(far), far)
    further = far * 2.0**direction
    if sign == 0 and _sign(excess(further), further) != -direction:  # rounding makes a fixed point of every q from here
        sign = direction
    if sign == direction and direction > 0:
        raise ValueError(
            f"sigma_w: expected a scale at which variances settle, got {sigma_w:g}, at which those of "
            f"{activation.name} grow without bound; pass a smaller one"
        )
    if sign != -direction:
        return far if sign == 0 else 0.0
    ends = sorted((far, far / 2.0**direction))
    return float(optimize.brentq(excess, *ends, xtol=1e-300, rtol=8 * np.finfo(float).eps))


def _sign(excess, q):
    """Sign of V(q) - q, 0 where rounding decides it."""
    return 0 if abs(excess) <= 4 * np.finfo(float).eps * q else int(np.sign(excess))


def critical_sigma_w(activation):
    """The edge of chaos without biases: the sigma_w at which chi_1 = 1.

    For activations that are odd and saturating such as hard tanh, tanh and erf, whose variances then die out, so that
    the slope at 0 decides; or linear on either side of 0, whose slopes are the same at all variances. It is an error if
    variances do not settle there.

    Examples
    --------
    >>> from capacity.activations import hard_tanh, relu
    >>> critical_sigma_w(hard_tanh()), critical_sigma_w(relu())
    (1.0, 1.4142135623...)
    """
    homogeneous = activation.slopes is not None
    slope_square = gaussian_moments(activation, 1.0 if homogeneous else 0.0)[1]
    if not slope_square > 0:
        raise ValueError(f"activation: expected slopes, got none of {activation.name}; pass hard tanh, tanh or erf")
    edge = float(1 / np.sqrt(slope_square))
    if not homogeneous and _sign(float(variance_map(activation, 0.01, sigma_w=edge)) - 0.01, 0.01) > 0:
        raise ValueError(
            f"activation: expected one whose variances settle where chi_1 = 1, got {activation.name}; pass hard tanh, "
            "tanh or erf"
        )
    return edge
