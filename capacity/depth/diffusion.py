r"""The deep limit: the generator of hopping capacity, its forward equation, and the diffusion that it approaches.

A stencil holds the rates at which capacity hops by -r, ..., r sites, its centre the negative sum of the others, so that
the generator Delta has columns summing to zero. A network of L layers with D = I + eps Delta makes L steps of a random
walk (`capacity.depth.random_walks`); L -> infinity at fixed L eps = t gives the jump process exp(t Delta); and only
many hops of it, or rates growing as 1/h^2 with the spacing h, make a diffusion.
"""

import numpy as np
from scipy import sparse
from scipy.sparse.linalg import expm_multiply

from capacity._validation import as_array, as_vector, check_integer, check_real
from capacity.depth.random_walks import hopping_rates

__all__ = [
    "diffuse",
    "drift_and_diffusion",
    "gaussian_kernel",
    "generator",
    "kolmogorov_forward",
    "layer_step",
    "stencil_of_diffusion",
]


def drift_and_diffusion(stencil, spacing=1.0):
    """Drift v and diffusion coefficient D of the equation pi' = -v pi_x + D pi_xx that a stencil approximates.

    Parameters
    ----------
    stencil : array_like, shape (2r + 1,)
        Rates of hopping by -r, ..., r sites.
    spacing : float, optional
        Distance h between sites.

    Returns
    -------
    drift, diffusion : float
        v = h sum_k k a_k and D = h^2 sum_k k^2 a_k/2 (paper 2, eq. 31, which leaves them open).

    Raises
    ------
    TypeError, ValueError
        As `hopping_rates`, or if `spacing` is not a positive number.

    Examples
    --------
    >>> drift_and_diffusion([1, -3, 2])
    (1.0, 1.5)
    """
    stencil, hops = hopping_rates(stencil)
    spacing = check_real(spacing, "spacing", above=0, remedy="pass the distance between sites")
    return float(spacing * hops @ stencil), float(spacing**2 * hops**2 @ stencil / 2)


def stencil_of_diffusion(drift, diffusion, spacing):
    """Nearest-neighbour stencil of drift v and diffusion D (paper 2, eq. 31) at a spacing h: rates D/h^2 +- v/(2h).

    Parameters
    ----------
    drift, diffusion : float
        The coefficients v and D.
    spacing : float
        The distance h between two sites.

    Returns
    -------
    ndarray, shape (3,)
        Rates of hopping by -1, 0 and 1 sites; they sum to 0.

    Raises
    ------
    TypeError, ValueError
        If D or h is not a positive number, or a rate would be negative: h > 2 D/abs(v).
    """
    drift = check_real(drift, "drift")
    diffusion = check_real(diffusion, "diffusion", above=0, remedy="pass a positive diffusion coefficient")
    limit = 2 * diffusion / abs(drift) if drift else np.inf
    spacing = check_real(spacing, "spacing", above=0, maximum=limit, remedy="take a finer grid: h <= 2 D/abs(v)")
    left, right = (diffusion / spacing**2 + sign * drift / (2 * spacing) for sign in (-1, 1))
    return np.array([left, -left - right, right])


def generator(stencil, size, *, periodic=True):
    """Generator Delta (paper 2, eq. 29) on `size` sites: entry (i + k, i) is the rate of hopping by k.

    Parameters
    ----------
    stencil : array_like, shape (2r + 1,)
    size : int
        Number of sites, more than 2r.
    periodic : bool, optional
        Otherwise hops off the ends do not happen.

    Returns
    -------
    scipy.sparse.csr_array, shape (size, size)
        Columns sum to zero.

    Raises
    ------
    TypeError, ValueError
        As `hopping_rates`, or if `size` is not an integer above 2r.

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
    moves = sparse.csr_array((rates[inside], (end[inside] % size, start[inside])), shape=(size, size))
    return (moves - sparse.diags_array(moves.sum(axis=0))).tocsr()


def layer_step(delta, eps):
    """Transition matrix D = I + eps Delta of one layer (paper 2, eq. 29).

    Parameters
    ----------
    delta : sparse array, shape (n, n)
        The generator Delta.
    eps : float
        Size of the step.

    Returns
    -------
    scipy.sparse.csr_array, shape (n, n)

    Raises
    ------
    TypeError, ValueError
        If `eps` is not a positive number up to the inverse of the largest rate of leaving a site: shares are >= 0.
    """
    limit = 1 / float(-delta.diagonal().min())
    eps = check_real(eps, "eps", above=0, maximum=limit, remedy="take a smaller step: every share must be >= 0")
    return sparse.eye_array(delta.shape[0], format="csr") + eps * delta


def kolmogorov_forward(delta, capacity, times):
    """Solution of pi' = Delta pi (paper 2, eq. 30) at increasing times, by the action of the matrix exponential.

    Parameters
    ----------
    delta : sparse array, shape (n, n)
    capacity : array_like, shape (n,)
        pi(0), the capacity of the uppermost layer.
    times : array_like, shape (k,)

    Returns
    -------
    ndarray, shape (k, n)

    Raises
    ------
    ValueError
        If the sizes do not match, or the times are negative or decrease.
    """
    state = as_vector(capacity, "capacity", length=delta.shape[0])
    steps = np.diff(as_vector(times, "times"), prepend=0.0)
    if steps.min() < 0:
        raise ValueError("times: expected increasing nonnegative numbers, got a step back; sort them")
    solution = []
    for step in steps:
        state = expm_multiply(step * delta, state, traceA=step * delta.trace())
        solution.append(state)
    return np.array(solution)


def gaussian_kernel(x, time, drift, diffusion):
    """Solution of pi' = -v pi_x + D pi_xx started from a point: the kernel of paper 2, eq. 32.

    Parameters
    ----------
    x : array_like, shape (...)
        Positions.
    time : float
        The time t, positive.
    drift, diffusion : float
        The coefficients v and D.

    Returns
    -------
    ndarray, shape (...)
        Density at each position.

    Raises
    ------
    TypeError, ValueError
        If `time` or `diffusion` is not a positive number.
    """
    x, time, drift = as_array(x, "x"), check_real(time, "time", above=0), check_real(drift, "drift")
    diffusion = check_real(diffusion, "diffusion", above=0, remedy="pass a positive diffusion coefficient")
    return np.exp(-((x - drift * time) ** 2) / (4 * diffusion * time)) / np.sqrt(4 * np.pi * diffusion * time)


def diffuse(profile, spacing, time, drift, diffusion):
    """Solution of pi' = -v pi_x + D pi_xx on a periodic grid (paper 2, eq. 32), exact for band-limited profiles.

    Parameters
    ----------
    profile : array_like, shape (n,)
        pi(0, x) at multiples of `spacing`.
    spacing : float
        Between two points of the grid.
    time : float
        The time t, at least 0.
    drift, diffusion : float
        The coefficients v and D.

    Returns
    -------
    ndarray, shape (n,)

    Raises
    ------
    TypeError, ValueError
        If the profile is not a vector of finite numbers, `spacing` is not positive, or `time` or `diffusion` is
        negative.
    """
    profile = as_vector(profile, "profile")
    spacing = check_real(spacing, "spacing", above=0)
    drift, diffusion = check_real(drift, "drift"), check_real(diffusion, "diffusion", minimum=0)
    waves = 2 * np.pi * np.fft.rfftfreq(profile.size, spacing)
    decay = np.exp(-check_real(time, "time", minimum=0) * (1j * drift * waves + diffusion * waves**2))
    return np.fft.irfft(decay * np.fft.rfft(profile), profile.size)
