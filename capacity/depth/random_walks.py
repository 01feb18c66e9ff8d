r"""Hopping capacity: the random walk of finitely many layers, and the jump process of infinitely many.

A stencil holds the rates at which capacity hops by -r, ..., r sites, its centre the negative sum of the others, so that
the generator Delta has columns summing to zero. A network of L layers with D = I + eps Delta makes L steps of a random
walk; L -> infinity at fixed L eps = t gives the jump process exp(t Delta). Source: paper 2, Section 3.2, eqs 28 to 30.
"""

from typing import Any

import numpy as np
import scipy
import scipy.sparse
from numpy.typing import ArrayLike
from scipy.sparse.linalg import expm_multiply

from capacity._validation import as_vector, check_finite, check_integer, check_real, check_size, check_square
from capacity.layers.projections import as_layer

__all__ = [
    "generator",
    "hopping_rates",
    "jump_kernel",
    "kolmogorov_forward",
    "layer_step",
    "walk_kernel",
    "walk_moments",
]


def hopping_rates(stencil: ArrayLike, *, rtol: float = 1e-12) -> tuple[np.ndarray, np.ndarray]:
    """A stencil of shape (2r + 1,) as an array, and the hops -r, ..., r that its entries are the rates of.

    `rtol` says by how much its sum may differ from 0, relative to that of the rates.

    Examples
    --------
    >>> hopping_rates([1, -3, 2])
    (array([ 1., -3.,  2.]), array([-1,  0,  1]))
    """
    stencil = as_vector(stencil, "stencil")
    centre = stencil.size // 2
    rates = np.delete(stencil, centre)
    if stencil.size % 2 == 0 or rates.min(initial=0.0) < 0 or not rates.any():
        raise ValueError(
            "stencil: expected an odd number of entries with nonnegative rates around the centre that are not all 0, "
            f"got {stencil}; pass the rates of hopping by -r, ..., r"
        )
    if abs(stencil.sum()) > rtol * rates.sum():
        raise ValueError(
            f"stencil: expected a centre equal to minus the sum of the rates, got the sum {stencil.sum():g}; "
            f"set the centre to {-rates.sum():g}"
        )
    return stencil, np.arange(stencil.size) - centre


def walk_moments(stencil: ArrayLike, eps: float, n_layers: int) -> tuple[float, float]:
    """Mean and variance, in sites, of a unit of capacity after L layers of step eps (eqs 28, 29): exact at any depth.

    mean = L eps sum_k k a_k, variance = L [eps sum_k k^2 a_k - (eps sum_k k a_k)^2].

    Examples
    --------
    >>> np.round(walk_moments([1, -3, 2], 0.1, 10), 9)
    array([1. , 2.9])
    """
    stencil, hops = hopping_rates(stencil)
    step = _step(stencil, eps)
    n_layers = check_integer(n_layers, "n_layers", minimum=0)
    mean = hops @ step
    return float(n_layers * mean), float(n_layers * (hops**2 @ step - mean**2))


def walk_kernel(stencil: ArrayLike, eps: float, n_layers: int) -> np.ndarray:
    """Where a unit of capacity goes in L layers: (I + eps Delta)^L (eqs 28, 29) applied to one site, on -r L, ..., r L.

    Only nonnegative numbers are added, so that the tails are accurate too.

    Examples
    --------
    >>> walk_kernel([1, -2, 1], 0.25, 2)
    array([0.0625, 0.25  , 0.375 , 0.25  , 0.0625])
    """
    power, kernel = _step(hopping_rates(stencil)[0], eps), np.ones(1)
    n_layers = check_integer(n_layers, "n_layers", minimum=0)
    check_size((power.size - 1) * n_layers + 1, "n_layers", "a kernel", maximum=2**18, remedy="use walk_moments")
    while n_layers:
        if n_layers % 2:
            kernel = np.convolve(kernel, power)
        n_layers //= 2
        if n_layers:
            power = np.convolve(power, power)
    return kernel


def jump_kernel(stencil: ArrayLike, time: float, reach: int) -> np.ndarray:
    """Where a unit of capacity goes in time t: exp(t Delta) (eq. 30) applied to one site, on sites -reach, ..., reach.

    With nearest-neighbour hops only, this is the Skellam distribution: the difference of two Poisson counts of means
    t a_+ and t a_-. Computed by Fourier transform, to about 1e-15 of the total times the number of hops.

    Examples
    --------
    >>> jump_kernel([1.0, -2.0, 1.0], 0.5, 2).round(4)
    array([0.0499, 0.2079, 0.4658, 0.2079, 0.0499])
    """
    stencil, hops = hopping_rates(stencil)
    time = check_real(time, "time", minimum=0)
    reach = check_integer(reach, "reach", minimum=0)
    drift, spread = hops @ stencil, hops**2 @ stencil
    with np.errstate(over="ignore"):
        width = check_finite(
            abs(drift) * time + 12 * np.sqrt(spread * time), "time", "a number of hops", "pass a shorter time"
        )
    radius = reach + int(np.ceil(width)) + 40 * int(hops[-1])
    check_size(
        (2 * radius + 1) * hops.size, "time, reach", "a table of phases", maximum=2**28, remedy="pass smaller ones"
    )
    phases = np.exp(-2j * np.pi * np.outer(np.fft.fftfreq(2 * radius + 1), hops))
    kernel = np.maximum(np.fft.ifft(np.exp(time * (phases @ stencil))).real, 0)  # the tails round to +-1e-17
    return np.roll(kernel, radius)[radius - reach : radius + reach + 1]


def _step(stencil, eps):
    limit = 1 / -stencil[stencil.size // 2]
    eps = check_real(eps, "eps", above=0, maximum=limit, remedy="take a smaller step: every share must be >= 0")
    step = eps * stencil
    step[stencil.size // 2] += 1
    return step


def generator(stencil: ArrayLike, size: int, *, periodic: bool = True) -> scipy.sparse.csr_array:
    """Generator Delta (paper 2, eq. 29) on `size` sites: entry (i + k, i) is the rate of hopping by k.

    A sparse array whose columns sum to zero. Unless sites are `periodic`, hops off the ends do not happen.

    Examples
    --------
    >>> generator([1, -3, 2], 3, periodic=False).toarray()
    array([[-2.,  1.,  0.], [ 2., -3.,  1.], [ 0.,  2., -1.]])
    """
    stencil, hops = hopping_rates(stencil)
    size = check_integer(size, "size", minimum=stencil.size, remedy="pass more sites than the stencil has")
    start = np.tile(np.arange(size), stencil.size)
    end = start + np.repeat(hops, size)
    rates = np.repeat(np.where(hops == 0, 0.0, stencil), size)
    inside = periodic | ((end >= 0) & (end < size))
    moves = scipy.sparse.csr_array((rates[inside], (end[inside] % size, start[inside])), shape=(size, size))
    return (moves - scipy.sparse.diags_array(moves.sum(axis=0))).tocsr()


def layer_step(delta: Any, eps: float) -> scipy.sparse.csr_array:
    """Transition matrix D = I + eps Delta of one layer (paper 2, eq. 29), sparse.

    Examples
    --------
    >>> layer_step(generator([1, -2, 1], 4), 0.25).toarray()
    array([[0.5 , 0.25, 0.  , 0.25],
           [0.25, 0.5 , 0.25, 0.  ],
           [0.  , 0.25, 0.5 , 0.25],
           [0.25, 0.  , 0.25, 0.5 ]])
    """
    delta = _rates(delta)
    leaving = float(-delta.diagonal().min())
    limit = 1 / leaving if leaving else None
    eps = check_real(eps, "eps", above=0, maximum=limit, remedy="take a smaller step: every share must be >= 0")
    return scipy.sparse.eye_array(delta.shape[0], format="csr") + eps * delta


def kolmogorov_forward(delta: Any, capacity: ArrayLike, times: ArrayLike) -> np.ndarray:
    """Solution of pi' = Delta pi (paper 2, eq. 30) at increasing times, by the action of the matrix exponential.

    The work of the action grows with the number of hops in a step. Above 10^4 hops, up to 1024 sites, the exponential
    itself is computed, by squaring; with more sites such a step is refused.

    Parameters
    ----------
    delta : sparse array, shape (n, n)
    capacity : array_like, shape (n,)
        pi(0), the capacity of the uppermost layer.
    times : array_like, shape (k,)

    Returns
    -------
    ndarray, shape (k, n)

    Examples
    --------
    >>> kolmogorov_forward(generator([1, -2, 1], 4), [1, 0, 0, 0], [0.0, 50.0])
    array([[1.  , 0.  , 0.  , 0.  ],
           [0.25, 0.25, 0.25, 0.25]])
    """
    delta = _rates(delta)
    state = as_vector(capacity, "capacity", length=delta.shape[0])
    steps = np.diff(as_vector(times, "times"), prepend=0.0)
    if steps.min() < 0:
        raise ValueError("times: expected increasing nonnegative numbers, got a step back; sort them")
    leaving, solution = float(-delta.diagonal().min()), []
    for step in steps:
        if step * leaving <= 1e4:
            state = expm_multiply(step * delta, state, traceA=step * delta.trace())
        elif state.size <= 1024:
            shares = scipy.linalg.expm(step * delta.toarray())
            state = shares / shares.sum(axis=0) @ state  # squaring lets the sums drift
        else:
            raise ValueError(
                f"times: expected steps of at most {1e4 / leaving:.3g} for more than 1024 sites, got {step:.3g}; take "
                "more times in between, or fewer sites"
            )
        solution.append(state)
    return check_finite(np.array(solution), "times", "a solution", "pass shorter times")


def _rates(delta):
    """A generator as a sparse array, after checking that it is square, its rates nonnegative and capacity conserved."""
    remedy = "pass generator(stencil, size)"
    delta = check_square(scipy.sparse.csr_array(as_layer(delta, "delta", remedy=remedy)), "delta", remedy)
    if (delta - scipy.sparse.diags_array(delta.diagonal())).min() < 0 or delta.diagonal().max() > 0:
        raise ValueError(f"delta: expected rates >= 0 off the diagonal and <= 0 on it, got others; {remedy}")
    if np.abs(delta.sum(axis=0)).max() > 1e-9 * np.abs(delta.diagonal()).max():
        raise ValueError(f"delta: expected columns that sum to 0, got others; {remedy} or its transpose")
    return delta
