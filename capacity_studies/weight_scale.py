r"""How the scale of weights and biases decides where capacity goes in deep, wide and recurrent networks.

Layers x -> x + beta (W f(x) + b) hand the share beta^2/(1 + beta^2) of their capacity down through the branch, if f is
pseudo-random and the rows of W have norm 1. With beta = alpha L^(-p) in L layers the shares of all layers add up to
about alpha^2 L^(1 - 2p). Contributions whose gains are independent add up in their squares; those that have the same
gain add up themselves. The rules are those of paper 2, Section 3.1; the scalings are derived in the book, on the page
about the scale of weights.
"""

import numpy as np
from scipy.special import gammaln

from capacity.activations import Activation
from capacity.networks.passes import Layer, forward_pass, tangent_pass
from capacity.statistics import MeanCurve, mean_curve

__all__ = [
    "bias_share",
    "branch_share",
    "channel_kernel",
    "lag_capacity",
    "product_growth",
    "sampled_product_growth",
]


def branch_share(n_layers, exponent, *, scale=1.0):
    """Share beta^2/(1 + beta^2) of a residual layer's capacity that goes through a branch of scale beta = alpha L^(-p).

    From paper 2, first version, Section 3.3, as reconstructed in the book: a layer with unit rows has the transition
    matrix I + eps (W o W - I)^T with this share as eps. L is the depth, p the exponent and alpha the scale.

    Examples
    --------
    >>> branch_share([4, 16], 0.5)
    array([0.2       , 0.05882353])
    """
    square = scale**2 * np.asarray(n_layers, dtype=float) ** (-2 * exponent)
    return square / (1 + square)


def bias_share(n_layers, weight, bias, *, shared=False):
    """Share of an output's capacity that biases take, in layers x + weight W f(x) + bias b with pseudo-random f.

    A bias is a weight on one more input, which is always 1. The rows of W have norm 1, and b is +-1 or standard normal,
    drawn anew in each layer or once for all. The inputs share the rest.

    The inputs have (1 + w^2)^L in squares of coefficients. Those of the constant, C, grow by C -> (1 + w^2) C + bias^2,
    and for shared biases by 2 l bias^2 in addition: the biases of the l layers below reach layer l on the straight path
    with the same gain, 1.

    Examples
    --------
    >>> bias_share(4, 0.0, 0.5), bias_share(4, 0.0, 0.5, shared=True)
    (0.5, 0.8)
    """
    growth, squares = 1 + weight**2, 0.0  # squares: those of the constant, over those of the inputs
    for layer in range(n_layers):
        straight = growth ** -(layer + 1.0)
        squares += straight * bias**2 * (1 + 2 * layer * bool(shared))
    return squares / (1 + squares)


def lag_capacity(n_lags, weight):
    """Capacity that the state of a pseudo-random recurrent network hands to its inputs, by lag, the newest first.

    The state is h_t = c (h_{t-1} + w f(W h_{t-1}) + w u_t) with unit rows of W, and c such that the squared weights of
    each entry of h_t sum to 1. At lag k + 1 it is r (1 - r)^k with r = w^2/(1 + 2 w^2); the rest, (1 - r)^n_lags, is
    with older inputs.

    Examples
    --------
    >>> lag_capacity(3, 1.0)
    array([0.33333333, 0.22222222, 0.14814815])
    """
    square = weight**2
    newest = square / (1 + 2 * square)
    return newest * (1 - newest) ** np.arange(n_lags)


def product_growth(n_layers, weight, *, shared=False):
    r"""Mean growth of squared tangents in linear residual layers x + weight W x of large width.

    (1 + w^2)^L where W, with Gaussian entries of variance 1/width, is drawn anew in each layer; :math:`\sum_k
    \binom{L}{k}^2 w^{2k}` where it is shared, as in a recurrent network. In the limit of infinite width the powers of
    one W are uncorrelated, with entries of variance 1/width, so that (1 + w W)^L has the mean square of its binomial
    coefficients. As L grows, w = a/L leads to I_0(2a), and w = a/sqrt(L) to exp(-a^2) I_0(2 a sqrt(L)), which is
    unbounded; I_0 is the modified Bessel function.

    Examples
    --------
    >>> product_growth(2, 1.0), product_growth(2, 1.0, shared=True)
    (4.0, 6.0)
    """
    if not shared:
        return float((1 + np.square(weight)) ** n_layers)
    k = np.arange(n_layers + 1)
    chosen = gammaln(n_layers + 1) - gammaln(k + 1) - gammaln(n_layers - k + 1)
    return float(np.sum(np.exp(2 * (chosen + k * np.log(weight)))))


def sampled_product_growth(
    n_layers, weight, *, activation: Activation | None = None, shared=False, width=100, networks=20, rng=None
) -> MeanCurve:
    """Growth of squared tangents at fixed gains in random layers x + weight W f(x), by sampling, at depths 0, ..., L.

    f is piecewise linear, or pseudo-random, or the identity, and W has variance 1/(width E[eta^2]), eta being the gain
    at Gaussian arguments; it may be shared by all layers, as in a recurrent network. Each network has an input and a
    tangent of its own.
    """
    rng, slopes = np.random.default_rng(rng), None if activation is None else activation.slopes
    square = 1.0 if slopes is None else (slopes[0] ** 2 + slopes[1] ** 2) / 2
    drawn = rng.standard_normal((1 if shared else n_layers, networks, width, width)) / np.sqrt(width * square)
    states, tangents = rng.standard_normal((2, networks, 1, width))
    first = np.sum(tangents**2, axis=(-1, -2))
    growth = [np.ones(networks)]
    for layer in range(n_layers):
        branch = Layer(drawn[0 if shared else layer], None, activation, weight)
        forward = forward_pass([branch], states)
        states, tangents = forward.outputs, tangent_pass(forward, tangents, fixed_gains=True)[-1]
        growth.append(np.sum(tangents**2, axis=(-1, -2)) / first)
    return mean_curve(np.arange(n_layers + 1), np.transpose(growth))


def channel_kernel(n_layers, channels, *, exponent=0.5, taps=3, scale=1.0, reach=24, rng=None):
    """Where one output's capacity goes in a random residual network of convolutions with many channels.

    The layers are x + W f(x) with pseudo-random f; the weights are Gaussian, drawn anew in each layer, of standard
    deviation ``scale channels^(-exponent) / sqrt(taps layers)``. Exponent 1/2 is Xavier's. The transition of a layer is
    (I + W o W) with its columns scaled to sum 1 (paper 2, first version, Section 3.3). Returned are the capacities of
    all channels at each position -reach, ..., reach of a ring; they sum to 1.
    """
    rng = np.random.default_rng(rng)
    deviation = scale * channels**-exponent / np.sqrt(taps * n_layers)
    state = np.zeros((2 * reach + 1, channels))
    state[reach, 0] = 1.0
    for _ in range(n_layers):
        squares = (deviation * rng.standard_normal((taps, channels, channels))) ** 2  # taps, outputs, inputs
        state = state / (1 + squares.sum(axis=(0, 2)))
        hops = [np.roll(state @ square, k - taps // 2, axis=0) for k, square in enumerate(squares)]
        state = state + sum(hops)
    return state.sum(axis=1)
