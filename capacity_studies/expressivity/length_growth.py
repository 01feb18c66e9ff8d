r"""How much longer a curve gets in one random layer: the bound as printed, bounds that hold, and the exact mean.

One layer takes z to f(h), h = W z + b, and a tangent dz to f'(h) * W dz, unit by unit. W has k rows of variance
sigma_w^2/k, b the variance sigma_b^2. The pairs (h_i, (W dz)_i) are independent from unit to unit, Gaussian, with

    Var h = q = sigma_w^2 ||z||^2/k + sigma_b^2 ,    Var W dz = v = sigma_w^2 ||dz||^2/k ,
    Cov = sigma_w^2 z.dz/k ,    and so the correlation rho = sigma_w^2 z.dz/(k sqrt(q v)) .

With standard normal u and w, h = sqrt(q) u and W dz = sqrt(v) (rho u + sqrt(1 - rho^2) w), and everything about the
norm of the new tangent follows from q, rho and ||dz||.

**Lower bound.** Given the h_i, W dz is a fixed vector m plus one of independent, symmetric Gaussians g_i of variance
v (1 - rho^2). For these E||D(m + g)|| = E(||D(m + g)|| + ||D(m - g)||)/2 >= E||D g||, D being the diagonal matrix of
slopes. Where slopes are 0 or 1, ||D g|| is chi-distributed with as many degrees of freedom as units have slope 1,
N ~ Bin(k, p), p = P(f'(h) = 1):

    E||dz'|| >= sigma_w/sqrt(k) sqrt(1 - rho^2) E[chi_N] ||dz|| ,    E[chi_n] = sqrt(2) Gamma((n + 1)/2)/Gamma(n/2) ,

with equality for rho = 0. Without biases sqrt(1 - rho^2) ||dz|| is ||dz_perp||, the part of dz orthogonal to z; with
biases it is more. For hard tanh, p = erf(1/sqrt(2 q)). Where f is linear on either side of 0, as a ReLU with p = 1/2,
the slope depends on the sign of h only, of which (W dz)^2 is independent, so that equality holds for every rho: each
layer then multiplies the mean length by the same number, whatever the curve (Hanin, Jeong and Rolnick 2022).

**Upper bound.** ||D W dz|| <= s ||W dz||, s being the largest slope: E||dz'|| <= s sigma_w/sqrt(k) E[chi_k] ||dz||.

**Exactly.** E sqrt(X) = pi^(-1/2) int_0^inf (1 - E exp(-t^2 X)) t^(-2) dt for X >= 0. For the sum X over the units of
f'(h_i)^2 (W dz)_i^2, the mean in the integral is the k-th power of that of one unit, in which w is integrated in closed
form.
"""

import numpy as np
from scipy import special

from capacity.activations.gaussian_quadrature import normal_nodes
from capacity_studies.expressivity._gaussian import check_resolved, folded_mean
from capacity_studies.expressivity._stages import linear_pieces

__all__ = [
    "expected_growth",
    "expected_length",
    "growth_lower_bound",
    "growth_upper_bound",
    "printed_growth_bound",
    "sum_moments",
]

_BLOCK = 2**18  # numbers that are in memory at once
_TOLERANCE = 1e-4  # on which two orders of the quadrature have to agree


def printed_growth_bound(width, *, sigma_w, sigma_b=0.0, form="hard tanh"):
    """The growth per layer that Theorem 1 prints, read with the constant 1 in its O.

    sigma_w sqrt(k)/sqrt(S^2 + k S) with S^2 = sigma_w^2 + sigma_b^2 for "hard tanh", or sigma_w sqrt(k)/sqrt(k + 1) for
    "ReLU". No lower bound: without a constant in each layer, which the O(.) of the theorem would have to hide, both
    forms exceed what curves grow by in most settings. Compare `growth_lower_bound`.

    The survey prints the form for hard tanh as sigma_w/S^(1/2) sqrt(k)/sqrt(S + k) (Theorem 1). That for ReLU is not
    in the survey but ascribed to the paper surveyed (Raghu et al. 2017), and could not be compared with it in print.
    It has the right dependence on k: the exact mean, sigma_w/sqrt(k) E[chi_N] with N ~ Bin(k, 1/2), is 1/sqrt(pi) times
    it for one unit, more for more of them, and 1/sqrt(2) times it in the limit.

    Examples
    --------
    >>> printed_growth_bound(100, sigma_w=4.0)
    1.9611613513818404
    """
    if form == "ReLU":
        return float(sigma_w * np.sqrt(width / (width + 1)))
    scale = np.hypot(sigma_w, sigma_b)
    return float(sigma_w / np.sqrt(scale) * np.sqrt(width / (scale + width)))


def growth_upper_bound(width, *, sigma_w, slope=1.0):
    """The largest mean growth s sigma_w/sqrt(k) E[chi_k] of a tangent in a layer of k units whose slopes are at most s.

    s is 1 for hard tanh, tanh, ReLU and leaky, 2/sqrt(pi) for erf. Below s sigma_w, which it approaches for many units.

    Examples
    --------
    >>> growth_upper_bound(100, sigma_w=4.0)
    3.9900126558
    """
    return float(slope * sigma_w / np.sqrt(width) * _mean_chi(width))


def growth_lower_bound(activation, width, variance, *, sigma_w, correlation=0.0):
    """The lower bound on E||dz'||/||dz|| that the module derives, with no constant to be chosen, as in Theorem 1.

    For a layer of `width` units, at the variance q of its weighted sums and their correlation rho with their
    derivatives, see `sum_moments`. It is sigma_w/sqrt(k) sqrt(1 - rho^2) E[chi_N] where slopes are 0 or one other
    number, N being binomial; for other activations the mean of `expected_growth` without correlation, times sqrt(1 -
    rho^2). It is the mean itself where rho = 0, or the activation is linear on either side of 0; there it has no factor
    sqrt(1 - rho^2).

    Examples
    --------
    >>> from capacity.activations import hard_tanh
    >>> print(f"{growth_lower_bound(hard_tanh(), 10, 0.925, sigma_w=np.sqrt(3)):.10f}")
    1.3909536519
    """
    variance, correlation = np.broadcast_arrays(variance, correlation)
    slopes = None if activation.kinks is None else linear_pieces(activation)[1]
    if slopes is not None and np.unique(np.abs(slopes[slopes != 0])).size == 1:
        p = _share(activation, slopes, variance)[..., None]
        counts = np.arange(1, width + 1)
        mean = np.sum(_binomial(counts, width, p) * _mean_chi(counts), axis=-1)
        growth = np.abs(slopes).max() * sigma_w / np.sqrt(width) * mean
    else:
        growth = expected_growth(activation, width, variance, sigma_w=sigma_w)
    return growth if activation.slopes is not None else growth * np.sqrt(1 - correlation**2)


def expected_growth(activation, width, variance, *, sigma_w, correlation=0.0):
    """The mean of ||dz'||/||dz|| over the weights of one layer, at any width; arguments as in `growth_lower_bound`.

    By quadrature, to about 1e-6, and 1e-8 from 16 units on; to 1e-4 where slopes change their sign. For large widths it
    tends to the root of `squared_growth` if the correlation is 0.

    Examples
    --------
    >>> from capacity.activations import hard_tanh, tanh
    >>> float(expected_growth(hard_tanh(), 10, 0.925, sigma_w=np.sqrt(3)))
    1.39095365
    >>> expected_growth(tanh(), 100, 2.0, sigma_w=2.0, correlation=[0.0, 0.5]).round(4)
    array([1.1749, 1.0403])
    """
    variance, correlation = np.broadcast_arrays(variance, correlation)
    flat, rho = variance.ravel(), correlation.ravel()
    order, panel = _orders(width)

    def mean(panel):
        size = normal_nodes(activation.breaks, flat[:1], panel)[0].size * order
        blocks = np.array_split(np.arange(flat.size), -(-flat.size * size // _BLOCK))
        return np.concatenate(
            [_mean_norm(activation, width, flat[block], rho[block], order, panel) for block in blocks]
        )

    found = check_resolved(mean(panel), mean(panel + panel // 2), activation, flat, _TOLERANCE)
    return sigma_w / np.sqrt(width) * found.reshape(variance.shape)


def expected_length(curve, activation, width, *, sigma_w, sigma_b=0.0):
    """The mean length, over the weights of one layer, of the image of a curve of the activities below it.

    Exact at any width, but for the quadratures.

    Examples
    --------
    >>> from capacity.activations import relu
    >>> from capacity_studies.expressivity import arc
    >>> quarter = arc([1.0, 0.0], [0.0, 1.0], 20)
    >>> float(expected_length(quarter, relu(), 1, sigma_w=1.0) / quarter.length)
    0.3989422804
    """
    variance, correlation = sum_moments(curve, width, sigma_w=sigma_w, sigma_b=sigma_b)
    growth = expected_growth(activation, width, variance, sigma_w=sigma_w, correlation=correlation)
    return (np.linalg.norm(curve.tangents, axis=-1) * growth) @ curve.steps


def sum_moments(curve, width, *, sigma_w, sigma_b=0.0):
    """Variance q of the weighted sums along a curve, and their correlation rho with their derivatives along it.

    Over the weights, for given activities below, the curve. The correlation is 0 where the curve or the variance stands
    at 0.
    """
    z, dz = curve.points, curve.tangents
    variance = sigma_w**2 / width * np.sum(z * z, axis=-1) + sigma_b**2
    rate = sigma_w**2 / width * np.sum(dz * dz, axis=-1)
    covariance = sigma_w**2 / width * np.sum(z * dz, axis=-1)
    norm = np.sqrt(variance) * np.sqrt(rate)
    correlation = np.divide(covariance, norm, out=np.zeros_like(norm), where=norm > 0)
    return variance, correlation.clip(-1, 1)


def _orders(width):
    """Nodes of the outer quadrature, and of a panel of the inner one: means of few units have longer tails."""
    return (40, 14) if width >= 16 else (128, 24)


def _mean_norm(activation, width, variance, rho, order, panel):
    """E sqrt(sum_i f'(h_i)^2 y_i^2) with y = rho u + sqrt(1 - rho^2) w, shape (points,)."""
    nodes, weights = normal_nodes(activation.breaks, np.sqrt(variance), panel)
    slopes = np.abs(activation.derivative(np.sqrt(variance)[:, None] * nodes))  # (points, nodes)
    alive = slopes.any(axis=0)  # the others add nothing
    nodes, weights, slopes = nodes[:, alive], weights[:, alive], slopes[:, alive]
    rho, spread = rho[:, None], 1 - rho[:, None] ** 2
    if width == 1:
        return np.sum(weights * slopes * folded_mean(rho * nodes, np.sqrt(spread)), axis=-1)
    squares = slopes**2
    second = width * np.sum(weights * squares * (rho**2 * nodes**2 + spread), axis=-1)
    scale = 1 / np.sqrt(np.where(second > 0, second, 1.0))
    # t = scale tan(theta): dt/t^2 = dtheta/(scale sin(theta)^2), and the integrand is smooth on [0, pi/2].
    x, w = special.roots_legendre(order)
    theta = np.pi / 4 * (x + 1)
    s = (scale[:, None] * np.tan(theta)) ** 2  # (points, angles)
    damped = s[:, :, None] * squares[:, None, :]
    wide = 1 + 2 * damped * spread[:, None]
    missing = -np.expm1(-0.5 * np.log(wide) - damped * (rho * nodes)[:, None, :] ** 2 / wide)
    one = np.minimum(np.einsum("pan,pn->pa", missing, weights), 1.0)  # 1 - E exp(-s f'^2 y^2)
    with np.errstate(divide="ignore"):
        all_units = -np.expm1(width * np.log1p(-one))
    integral = all_units / np.sin(theta) ** 2 @ (np.pi / 4 * w) / scale
    return np.where(second > 0, integral / np.sqrt(np.pi), 0.0)


def _share(activation, slopes, variance):
    """Probability that a Gaussian of this variance lies on a piece whose slope is not 0."""
    with np.errstate(divide="ignore", invalid="ignore"):
        edges = np.array(activation.kinks) / np.sqrt(variance)[..., None]
    edges = np.nan_to_num(edges, nan=0.0)  # a kink at 0, seen at variance 0: the limit of small variances
    below = np.concatenate([np.zeros((*edges.shape[:-1], 1)), special.ndtr(edges), np.ones((*edges.shape[:-1], 1))], -1)
    return np.diff(below, axis=-1) @ (slopes != 0).astype(float)


def _binomial(counts, n, p):
    """Probabilities of these counts of n; the distribution of scipy.stats has them too, and takes long to import."""
    ways = special.gammaln(n + 1) - special.gammaln(counts + 1) - special.gammaln(n - counts + 1)
    return np.exp(ways + special.xlogy(counts, p) + special.xlog1py(n - counts, -p))


def _mean_chi(n):
    """Mean of the norm of n independent standard normal numbers."""
    if np.min(n) > 1e5:  # Stirling's series, where the difference of logarithms loses digits
        return np.sqrt(n) * (1 - 1 / (4 * n) + 1 / (32 * n**2))
    return np.sqrt(2) * np.exp(special.gammaln((np.asarray(n) + 1) / 2) - special.gammaln(np.asarray(n) / 2))
