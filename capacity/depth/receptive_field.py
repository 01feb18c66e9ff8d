"""The effective receptive field: how far the capacity of one output spreads on its way down to the inputs.

Capacity leaves an output as a random walk, one step per layer, whose steps are distributed like the shares of the layer
(paper 2, Section 4.1). Kernels shared by all positions are handled by their moments; unshared ones by following the
walk.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from tqdm import tqdm

from capacity._typing import Rng
from capacity._validation import as_array, as_generator, check_integer, check_integers, check_real
from capacity.networks.random_convolutions import check_taps

__all__ = ["Spread", "field_moments", "random_shares", "shared_spread", "uniform_shares", "unshared_spread"]


@dataclass(frozen=True)
class Spread:
    """Centre and width of the capacity of one output, layer by layer.

    Attributes
    ----------
    centre, width : ndarray, shape (..., layers, dimensions)
        Mean position relative to the output, and standard deviation along each axis, after 1, ..., L layers.

    Examples
    --------
    >>> spread = shared_spread([uniform_shares(3)] * 2)
    >>> spread.centre[:, 0], spread.width[:, 0] ** 2
    (array([0., 0.]), array([0.66666667, 1.33333333]))
    """

    centre: np.ndarray
    width: np.ndarray


def uniform_shares(taps: int, dimensions: int = 1) -> np.ndarray:
    """Equal shares over a window of `taps` positions, an odd number, along each axis, shape (taps, ...).

    Examples
    --------
    >>> uniform_shares(3), uniform_shares(3, dimensions=2).shape
    (array([0.33333333, 0.33333333, 0.33333333]), (3, 3))
    """
    taps = check_taps(taps)
    return np.full((taps,) * check_integer(dimensions, "dimensions", minimum=1), 1 / taps**dimensions)


def random_shares(
    shape: int | tuple[int, ...], taps: int = 3, *, eps: float | None = None, dimensions: int = 1, rng: Rng = None
) -> np.ndarray:
    """Shares of layers with random weights, shape (*shape, taps, ...): the squares of Gaussian kernels, normalised.

    Parameters
    ----------
    shape : int or tuple of int
        Leading shape: one kernel per entry.
    taps : int, optional
        Odd number of taps along each axis.
    eps : float, optional
        Residual layer: the kernel is the identity plus sqrt(eps) times the Gaussian one. Default: no identity.
    dimensions : int, optional
        Number of axes of the positions.
    rng : int, Generator or None

    Returns
    -------
    ndarray

    Examples
    --------
    >>> shares = random_shares(4, 3, rng=0)
    >>> shares.shape, shares.sum(axis=-1)
    ((4, 3), array([1., 1., 1., 1.]))
    """
    shape = check_integers((shape,) if np.isscalar(shape) else shape, "shape", minimum=0)
    dimensions = check_integer(dimensions, "dimensions", minimum=1)
    taps = check_taps(taps)
    kernel = as_generator(rng).standard_normal((*shape, *[taps] * dimensions))
    if eps is not None:
        kernel *= np.sqrt(check_real(eps, "eps", above=0, remedy="pass a positive step"))
        centre: tuple[Any, ...] = (..., *[taps // 2] * dimensions)
        kernel[centre] += 1
    kernel **= 2
    return kernel / kernel.sum(axis=tuple(range(-dimensions, 0)), keepdims=True)


def field_moments(profile: ArrayLike, dimensions: int = 1) -> tuple[np.ndarray, np.ndarray]:
    """Centre, relative to the middle of the array, and standard deviation of nonnegative profiles.

    The last `dimensions` axes of `profile` are positions; both results have shape (..., dimensions). Profiles need not
    be normalised.

    Examples
    --------
    >>> field_moments([0, 1, 2, 1, 0])
    (array([0.]), array([0.70710678]))
    """
    dimensions = check_integer(dimensions, "dimensions", minimum=1)
    profile = as_array(profile, "profile", axes=dimensions, remedy="pass capacities or squares")
    axes = tuple(range(-dimensions, 0))
    largest = profile.max(axis=axes, keepdims=True)
    if profile.min() < 0 or largest.min() <= 0:
        raise ValueError(
            f"profile: expected nonnegative numbers that are not all zero, got {profile.min():g} at least and "
            f"{largest.min():g} at most; pass capacities or squares"
        )
    profile = np.asarray(np.ldexp(profile, -np.frexp(largest)[1]))  # exact; sums stay within the range of a double
    total = profile.sum(axis=axes)
    centres, widths = [], []
    for axis in axes:
        marginal = profile.sum(axis=tuple(a for a in axes if a != axis)) / total[..., None]
        sites = np.arange(marginal.shape[-1]) - marginal.shape[-1] // 2
        centres.append(marginal @ sites)
        widths.append(np.sqrt(np.sum(marginal * (sites - centres[-1][..., None]) ** 2, axis=-1)))
    return np.stack(centres, axis=-1), np.stack(widths, axis=-1)


def shared_spread(shares: np.ndarray, dimensions: int = 1) -> Spread:
    """`Spread` in networks whose layers share one kernel over all positions: means and variances add up.

    `shares` has shape (..., layers, taps, ...), from the uppermost layer down.

    Examples
    --------
    >>> shared_spread([uniform_shares(3)] * 3).width[:, 0] ** 2
    array([0.66666667, 1.33333333, 2.        ])
    """
    dimensions = check_integer(dimensions, "dimensions", minimum=1)
    shares = as_array(shares, "shares", axes=1 + dimensions, remedy="pass one kernel per layer")
    centre, width = field_moments(shares, dimensions)
    return Spread(np.cumsum(centre, axis=-2), np.sqrt(np.cumsum(width**2, axis=-2)))


def unshared_spread(
    n_layers: int,
    taps: int = 3,
    *,
    eps: float | None = None,
    realisations: int = 1,
    dimensions: int = 1,
    rng: Rng = None,
    progress: bool = False,
) -> Spread:
    """Spread in networks in which every position of every layer has its own random kernel.

    A random walk in a random environment, followed on the window that it can have reached.

    Parameters
    ----------
    n_layers : int
    taps, eps, dimensions, rng
        As in `random_shares`.
    realisations : int, optional
        Number of networks.
    progress : bool, optional
        Show a progress bar.

    Returns
    -------
    Spread
        Arrays of shape (realisations, layers, dimensions).

    Examples
    --------
    >>> unshared_spread(5, realisations=10, rng=0).width.shape
    (10, 5, 1)
    """
    n_layers = check_integer(n_layers, "n_layers", minimum=1)
    dimensions = check_integer(dimensions, "dimensions", minimum=1)
    rng = as_generator(rng)
    state = np.ones((check_integer(realisations, "realisations", minimum=1), *[1] * dimensions))
    centres, widths = [], []
    for _ in tqdm(range(n_layers), disable=not progress, unit="layer"):
        shares = random_shares(state.shape, taps, eps=eps, dimensions=dimensions, rng=rng)
        spread = np.zeros((state.shape[0], *[n + taps - 1 for n in state.shape[1:]]))
        for tap in np.ndindex(*[taps] * dimensions):
            window = tuple(slice(k, k + n) for k, n in zip(tap, state.shape[1:]))
            spread[(slice(None), *window)] += shares[(..., *tap)] * state
        state = spread
        centre, width = field_moments(state, dimensions)
        centres.append(centre)
        widths.append(width)
    return Spread(np.stack(centres, axis=1), np.stack(widths, axis=1))
