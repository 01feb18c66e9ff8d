"""Capacity of hierarchical models in closed form: the dimension and the tangent space of a manifold of tensor trains.

For white inputs the capacity follows from the coefficients alone; `capacity.models.tensor_train_parameters` goes the
other way, from coefficients to parameters.
"""

from collections.abc import Sequence

import numpy as np
import scipy
from numpy.typing import ArrayLike

from capacity.models.tensor_train_approximation import by_lag, tensor_train_ranks

__all__ = ["tensor_train_allocation", "tensor_train_capacity"]


def tensor_train_capacity(taps: Sequence[int], channels: int | Sequence[int]) -> int:
    """Capacity of the hierarchical model in closed form: the dimension of a manifold of tensor trains.

    Parameters
    ----------
    taps : sequence of int
        Filter lengths n_1, ..., n_L; the dilations are d_l = n_1 ... n_{l-1}.
    channels : int or sequence of int
        Channels c_1, ..., c_{L-1} of the hidden layers.

    Returns
    -------
    int
        sum_l r_{l-1} n_l r_l - sum_{l<L} r_l^2, where r_l = min(c_l, n_l r_{l-1}, n_{l+1} r_{l+1}).

    Notes
    -----
    The coefficient at a lag whose digits (base n_1, n_2, ...) are t_1..t_L is W^(L)[t_L] ... W^(1)[t_1]: a tensor train
    (Oseledets 2011). Holtz, Rohwedder and Schneider (2012) give the dimension of the tensors of fixed ranks r.
    Paper 1 has only the case of one channel, footnote 6: sum_l (n_l - 1) + 1.

    Examples
    --------
    >>> [tensor_train_capacity([2] * 6, c) for c in (1, 2, 4, 8)]
    [7, 20, 48, 64]
    """
    taps, ranks = tensor_train_ranks(taps, channels)
    return sum(a * n * b for a, n, b in zip(ranks, taps, ranks[1:])) - sum(r * r for r in ranks[1:-1])


def tensor_train_allocation(
    coefficients: ArrayLike, taps: Sequence[int], channels: int | Sequence[int], *, components: int = 1
) -> np.ndarray:
    r"""Capacity per input of a hierarchical model for white inputs (Sigma = I), from its coefficients alone.

    Parameters
    ----------
    coefficients : array_like, shape (n,)
        Of the model, oldest first; n is the product of the taps and the components.
    taps : sequence of int
        Filter lengths n_1, ..., n_L.
    channels : int or sequence of int
        Channels c_1, ..., c_{L-1} of the hidden layers.
    components : int, optional
        Input components per position.

    Returns
    -------
    ndarray, shape (n,)
        Sums to the total capacity, that of `tensor_train_capacity` for one component.

    Raises
    ------
    ValueError
        If an unfolding of the coefficients has not the rank r_l of the model, unless that is its full rank, which it is
        taken to have.

    Notes
    -----
    The projection on the tangent space of a tensor train is sum_l P_{l-1} I Q_l - sum_{l<L} P_l Q_l, where P_l projects
    on the row space of the l-th unfolding, a space of functions of the digits t_1..t_l, and Q_l on its column space,
    of functions of t_{l+1}..t_L (Lubich, Oseledets and Vandereycken 2015). The diagonal has the leverages of
    the unfoldings in their places. Its trace is the formula of `tensor_train_capacity`, term by term.

    Examples
    --------
    Two taps and one channel: the tangent space of an outer product of two unit vectors.

    >>> by_lag = np.outer([0.8, 0.6], [1.0, 0.0]).ravel()
    >>> tensor_train_allocation(by_lag[::-1], [2, 2], 1).round(2)[::-1]
    array([1.  , 0.64, 1.  , 0.36])
    """
    taps, ranks = tensor_train_ranks(taps, channels, components)
    lags = by_lag(coefficients, taps, components)
    lower, upper = [np.ones(components)], []
    for layer, rank in enumerate(ranks[1:-1], start=1):
        unfolding = lags.reshape(-1, components * int(np.prod(taps[:layer])))
        left, values, right = scipy.linalg.svd(unfolding, full_matrices=False)
        noise = values[0] * max(unfolding.shape) * np.finfo(float).eps
        if rank < values.size and not values[rank] <= 100 * noise < values[rank - 1]:
            raise ValueError(
                f"coefficients: expected rank {rank} above layer {layer}, got singular values {values[rank - 1]:.1e} "
                f"and {values[rank]:.1e} around it; pass the coefficients of a model with these channels"
            )
        upper.append(np.square(left[:, :rank]).sum(axis=1))
        lower.append(np.square(right[:rank]).sum(axis=0))
    upper.append(np.ones(1))
    free = (np.multiply.outer(q, np.multiply.outer(np.ones(n), p)).ravel() for p, n, q in zip(lower, taps, upper))
    shared = (np.multiply.outer(q, p).ravel() for p, q in zip(lower[1:], upper[:-1]))
    return by_lag(sum(free) - sum(shared), taps, components)
