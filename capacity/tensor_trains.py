"""Hierarchical models as tensor trains: parameters whose coefficients are closest to given ones, layer by layer.

The coefficient of a hierarchical model at a lag with digits t_1, ..., t_L (base n_1, n_2, ...) is the matrix product
W^(L)[t_L] ... W^(1)[t_1]: a tensor train whose ranks are the channels. Cutting the singular value decompositions of
its unfoldings gives a train that is at most sqrt(L - 1) times as far from a target as the best one (Oseledets 2011).
The singular values of the unfoldings tell how hard the target is for a given number of channels.
"""

import numpy as np
from scipy import linalg

from capacity.checks import as_vector, check_integer

__all__ = ["tensor_train_parameters", "unfolding_singular_values"]


def unfolding_singular_values(coefficients, taps, *, components=1):
    """Singular values of the unfoldings of coefficients, one per hidden layer.

    Parameters
    ----------
    coefficients : array_like, shape (n,)
        Oldest first; n is the product of the taps and the components.
    taps : sequence of int
        Filter lengths n_1, ..., n_L.
    components : int, optional
        Input components per position; they count as digits below the first cut.

    Returns
    -------
    list of ndarray
        For l = 1..L-1, those of the matrix whose columns are the digits below and rows the digits above the cut. A
        hierarchical model reaches the coefficients exactly if it has as many channels as each has non-zero values.

    Raises
    ------
    ValueError
        If the number of coefficients is not the product of the taps and the components.
    """
    by_lag = _by_lag(coefficients, taps, components)
    sizes = components * np.cumprod(taps[:-1])
    return [linalg.svdvals(by_lag.reshape(-1, size)) for size in sizes]


def tensor_train_parameters(coefficients, taps, channels, *, components=1, rng=0):
    """Parameters of a hierarchical model whose coefficients are close to given ones, by truncated decompositions.

    Channels beyond the rank of an unfolding carry nothing: they are either driven or read, with random weights, and
    never both, so that each layer still has its generic constraint space.

    Parameters
    ----------
    coefficients : array_like, shape (n,)
        Target, oldest first; n is the product of the taps and the components.
    taps : sequence of int
        Filter lengths n_1, ..., n_L.
    channels : sequence of int
        Channels c_1, ..., c_{L-1}.
    components : int, optional
        Input components per position.
    rng : int, Generator or None
        Source of the weights of channels that carry nothing.

    Returns
    -------
    ndarray, shape (p,)
        For ``DilatedConvolution.hierarchical(L, channels, taps, components)``.

    Raises
    ------
    ValueError
        If the number of coefficients is not the product of the taps and the components, or channels are not one per
        hidden layer.

    Examples
    --------
    >>> from capacity.convolutions import DilatedConvolution
    >>> model = DilatedConvolution.hierarchical(3, channels=(2, 2))
    >>> target = np.arange(8.0)
    >>> np.allclose(model.coefficients(tensor_train_parameters(target, model.taps, model.channels)), target)
    True
    """
    if len(channels) != len(taps) - 1:
        raise ValueError(f"channels: expected {len(taps) - 1} entries, got {len(channels)}; pass one per hidden layer")
    rng = np.random.default_rng(rng)
    rest, filters, idle = _by_lag(coefficients, taps, components), [], slice(0, 0)
    rank = inputs = components
    for layer, (n_taps, outputs) in enumerate(zip(taps, channels)):
        check_integer(outputs, f"channels[{layer}]", minimum=1)
        left, values, right = linalg.svd(rest.reshape(-1, n_taps * inputs), full_matrices=False)
        rank = min(outputs, n_taps * rank, left.shape[0])
        noise = rng.standard_normal((outputs, n_taps, inputs)) / np.sqrt(n_taps * inputs)
        weights = np.zeros((outputs, n_taps, inputs))
        weights[:rank] = right[:rank].reshape(rank, n_taps, inputs)
        weights[:, :, idle] = noise[:, :, idle]
        if components * np.prod(taps[: layer + 1]) <= left.shape[0]:
            idle = slice(rank, outputs)
        else:
            idle, weights[rank:] = slice(0, 0), noise[rank:]
        filters.append(weights)
        rest = np.zeros((left.shape[0], outputs))
        rest[:, :rank] = left[:, :rank] * values[:rank]
        inputs = outputs
    last = rest.reshape(-1, inputs)
    last[:, idle] = rng.standard_normal(last.shape)[:, idle] / np.sqrt(last.size)
    return np.concatenate([weights.ravel() for weights in [*filters, last]])


def _by_lag(coefficients, taps, components):
    size = components * int(np.prod(taps))
    remedy = "pass as many coefficients as the product of the taps and the components"
    by_position = as_vector(coefficients, "coefficients", length=size, remedy=remedy)
    return by_position.reshape(-1, components)[::-1].ravel()
