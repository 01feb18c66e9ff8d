"""Hierarchical models as tensor trains: their capacity in closed form, and parameters near given coefficients.

The coefficient of a hierarchical model at a lag with digits t_1, ..., t_L (base n_1, n_2, ...) is the matrix product
W^(L)[t_L] ... W^(1)[t_1]: a tensor train whose ranks are the channels. The dimension of the set of all of them is the
capacity, and the projection on its tangent space tells how it is allocated for white inputs. Cutting the singular value
decompositions of the unfoldings of a target gives a train that is at most sqrt(L - 1) times as far from it as the best
one (Oseledets 2011). Their singular values tell how hard the target is for a given number of channels.
"""

import numpy as np
from scipy import linalg

from capacity.checks import as_vector, check_integer, check_integers

__all__ = [
    "tensor_train_allocation",
    "tensor_train_capacity",
    "tensor_train_parameters",
    "unfolding_singular_values",
]


def tensor_train_capacity(taps, channels):
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

    Raises
    ------
    TypeError
        If a number is not an integer.
    ValueError
        If there is no layer, not one channel number per hidden layer, or a number is below 1.

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
    taps, ranks = _ranks(taps, channels)
    return sum(a * n * b for a, n, b in zip(ranks, taps, ranks[1:])) - sum(r * r for r in ranks[1:-1])


def tensor_train_allocation(coefficients, taps, channels, *, components=1):
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
    TypeError
        If a number is not an integer.
    ValueError
        If there is no layer, not one channel number per hidden layer, a number is below 1, the number of coefficients
        is not the product of the taps and the components, or an unfolding of them has not the rank r_l of the model.

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
    taps, ranks = _ranks(taps, channels, components)
    by_lag = _by_lag(coefficients, taps, components)
    lower, upper = [np.ones(components)], []
    for layer, rank in enumerate(ranks[1:-1], start=1):
        unfolding = by_lag.reshape(-1, components * int(np.prod(taps[:layer])))
        left, values, right = linalg.svd(unfolding, full_matrices=False)
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
    return _by_lag(sum(free) - sum(shared), taps, components)


def unfolding_singular_values(coefficients, taps, *, components=1):
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

    Raises
    ------
    TypeError, ValueError
        If the number of coefficients is not the product of the taps and the components.
    """
    by_lag = _by_lag(coefficients, taps, components)
    sizes = components * np.cumprod(taps[:-1])
    return [linalg.svdvals(by_lag.reshape(-1, size)) for size in sizes]


def tensor_train_parameters(coefficients, taps, channels, *, components=1, rng=0):
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

    Raises
    ------
    TypeError
        If a number of channels is not an integer.
    ValueError
        If the number of coefficients is not the product of the taps and the components, channels are not one per hidden
        layer, or one is below 1.

    Examples
    --------
    >>> from capacity.convolutions import DilatedConvolution
    >>> model = DilatedConvolution.hierarchical(3, channels=(2, 2))
    >>> target = np.arange(8.0)
    >>> np.allclose(model.coefficients(tensor_train_parameters(target, model.taps, model.channels)), target)
    True
    """
    taps = check_integers(taps, "taps")
    channels = check_integers(channels, "channels", length=len(taps) - 1)
    rng = np.random.default_rng(rng)
    rest, filters, idle = _by_lag(coefficients, taps, components), [], slice(0, 0)
    rank = inputs = components
    for layer, (n_taps, outputs) in enumerate(zip(taps, channels)):
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
    taps = check_integers(taps, "taps")
    size = check_integer(components, "components", minimum=1) * int(np.prod(taps))
    remedy = "pass as many coefficients as the product of the taps and the components"
    by_position = as_vector(coefficients, "coefficients", length=size, remedy=remedy)
    return by_position.reshape(-1, components)[::-1].ravel()


def _ranks(taps, channels, components=1):
    """The taps as checked integers, and the ranks r_0, ..., r_L that a model can have."""
    taps = check_integers(taps, "taps")
    if not taps:
        raise ValueError("taps: expected at least one layer, got none; pass one filter length per layer")
    ranks = [components, *check_integers(channels, "channels", length=len(taps) - 1), 1]
    for left in range(1, len(taps)):
        ranks[left] = min(ranks[left], taps[left - 1] * ranks[left - 1])
    for right in range(len(taps) - 1, 0, -1):
        ranks[right] = min(ranks[right], taps[right] * ranks[right + 1])
    return taps, ranks
