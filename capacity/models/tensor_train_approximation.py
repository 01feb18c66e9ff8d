"""Hierarchical models as tensor trains: how well given coefficients can be met, and parameters near them.

The coefficient of a hierarchical model at a lag with digits t_1, ..., t_L (base n_1, n_2, ...) is the matrix product
W^(L)[t_L] ... W^(1)[t_1]: a tensor train whose ranks are the channels. Cutting the singular value decompositions of the
unfoldings of a target gives a train that is at most sqrt(L - 1) times as far from it as the best one (Oseledets 2011).
Their singular values tell how hard the target is for a given number of channels. The capacity of all such trains is in
closed form too: `capacity.allocation.tensor_train_capacity`.
"""

import math
from collections.abc import Sequence
from itertools import accumulate

import numpy as np
import scipy
from numpy.typing import ArrayLike

from capacity._typing import Rng
from capacity._validation import as_generator, as_vector, check_integer, check_integers

__all__ = ["tensor_train_parameters", "unfolding_singular_values"]


def unfolding_singular_values(coefficients: ArrayLike, taps: Sequence[int], *, components: int = 1) -> list[np.ndarray]:
    """Singular values of the unfoldings of coefficients, one per hidden layer (Oseledets 2011).

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

    Examples
    --------
    >>> unfolding_singular_values([1.0, 2.0, 2.0, 4.0], [2, 2])[0].round(9)
    array([5., 0.])
    """
    lags = by_lag(coefficients, taps, components)
    sizes = components * np.cumprod(taps[:-1])
    return [scipy.linalg.svdvals(lags.reshape(-1, size)) for size in sizes]


def tensor_train_parameters(
    coefficients: ArrayLike, taps: Sequence[int], channels: int | Sequence[int], *, components: int = 1, rng: Rng = None
) -> np.ndarray:
    """Parameters of a hierarchical model whose coefficients are close to given ones (Oseledets 2011, Algorithm 1).

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

    Examples
    --------
    >>> from capacity.models import DilatedConvolution
    >>> model = DilatedConvolution.hierarchical(3, channels=(2, 2))
    >>> target = np.arange(8.0)
    >>> np.allclose(model.coefficients(tensor_train_parameters(target, model.taps, model.channels)), target)
    True
    """
    taps = check_integers(taps, "taps", at_least=1)
    channels = check_integers(channels, "channels", length=len(taps) - 1)
    rng = as_generator(rng)
    rest, filters, idle = by_lag(coefficients, taps, components), [], slice(0, 0)
    reading = accumulate(zip(taps[:0:-1], channels[::-1]), lambda rank, cut: min(cut[0] * rank, cut[1]), initial=1)
    rank = driven = inputs = components
    for n_taps, outputs, read in zip(taps, channels, list(reading)[:0:-1]):
        left, values, right = scipy.linalg.svd(rest.reshape(-1, n_taps * inputs), full_matrices=False)
        rank = min(outputs, n_taps * rank, left.shape[0])
        noise = rng.standard_normal((outputs, n_taps, inputs)) / np.sqrt(n_taps * inputs)
        weights = np.zeros((outputs, n_taps, inputs))
        weights[:rank] = right[:rank].reshape(rank, n_taps, inputs)
        weights[:, :, idle] = noise[:, :, idle]
        driven = min(outputs, n_taps * driven)
        if driven <= read:  # no more can be driven than is carried: what idles is read, or else driven
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


def by_lag(coefficients, taps, components):
    """The coefficients, checked, by lag: the most recent position first."""
    size = check_integer(components, "components", minimum=1) * math.prod(check_integers(taps, "taps", at_least=1))
    remedy = "pass as many coefficients as the product of the taps and the components"
    by_position = as_vector(coefficients, "coefficients", length=size, remedy=remedy)
    return by_position.reshape(-1, components)[::-1].ravel()


def tensor_train_ranks(taps, channels, components=1):
    """The taps as checked integers, and the ranks r_0, ..., r_L that a model can have."""
    taps = check_integers(taps, "taps", at_least=1)
    ranks = [
        check_integer(components, "components", minimum=1),
        *check_integers(channels, "channels", length=len(taps) - 1),
        1,
    ]
    for left in range(1, len(taps)):
        ranks[left] = min(ranks[left], taps[left - 1] * ranks[left - 1])
    for right in range(len(taps) - 1, 0, -1):
        ranks[right] = min(ranks[right], taps[right] * ranks[right + 1])
    return taps, ranks
