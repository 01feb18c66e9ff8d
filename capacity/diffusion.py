r"""The deep limit: capacity hopping on a line of sites, its exact kernels and the diffusion equation they approach.

A stencil holds the rates at which capacity hops by -r, ..., r sites, its centre the negative sum of the others, so that
the generator Delta has columns summing to zero. A network of L layers with D = I + eps Delta makes L steps of a random
walk; L -> infinity at fixed L eps = t gives the jump process exp(t Delta); and only many hops of it, or rates growing
as 1/h^2 with the spacing h, make a diffusion.
"""

import numpy as np
from scipy import sparse
from scipy.sparse.linalg import expm_multiply

from capacity.checks import as_vector, check_integer, check_real

__all__ = [
    "diffuse",
    "drift_and_diffusion",
    "gaussian_kernel",
    "generator",
    "jump_kernel",
    "kolmogorov_forward",
    "layer_step",
    "stencil_of_diffusion",
    "walk_kernel",
    "walk_moments",
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

    Examples
    --------
    >>> drift_and_diffusion([1, -3, 2])
    (1.0, 1.5)
    """
    stencil, hops = _stencil(stencil)
    spacing = check_real(spacing, "spacing", above=0, remedy="pass the distance between sites")
    return float(spacing * hops @ stencil), float(spacing**2 * hops**2 @ stencil / 2)


def stencil_of_diffusion(drift, diffusion, spacing):
    """Nearest-neighbour stencil with a given drift and diffusion coefficient at a spacing h: rates D/h^2 +- v/(2h).

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
    ValueError
        If a rate would be negative: h > 2 D/abs(v).
    """
    diffusion = check_real(diffusion, "diffusion", above=0, remedy="pass a positive diffusion coefficient")
    limit = 2 * diffusion / abs(drift) if drift else np.inf
    spacing = check_real(spacing, "spacing", above=0, maximum=limit, remedy="take a finer grid: h <= 2 D/abs(v)")
    left, right = (diffusion / spacing**2 + sign * drift / (2 * spacing) for sign in (-1, 1))
    return np.array([left, -left - right, right])


def generator(stencil, size, *, periodic=True):
    """Generator Delta on `size` sites: entry (i + k, i) is the rate of hopping by k.

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

    Examples
    --------
    >>> generator([1, -3, 2], 3, periodic=False).toarray()
    array([[-2.,  1.,  0.], [ 2., -3.,  1.], [ 0.,  2., -1.]])
    """
    stencil, hops = _stencil(stencil)
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
    ValueError
        If `eps` exceeds the inverse of the largest rate of leaving a site, which would leave a negative share.
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


def walk_moments(stencil, eps, layers):
    """Mean and variance, in sites, of a unit of capacity after `layers` layers: exact at any depth.

    mean = L eps sum_k k a_k, variance = L [eps sum_k k^2 a_k - (eps sum_k k a_k)^2].

    Parameters
    ----------
    stencil : array_like, shape (2r + 1,)
        Rates a_k of hopping by k = -r, ..., r sites.
    eps : float
        Size of the step of one layer.
    layers : int
        The depth L.

    Returns
    -------
    mean, variance : float
    """
    stencil, hops = _stencil(stencil)
    step = _step(stencil, eps)
    layers = check_integer(layers, "layers", minimum=0)
    mean = hops @ step
    return float(layers * mean), float(layers * (hops**2 @ step - mean**2))


def walk_kernel(stencil, eps, layers):
    """Where a unit of capacity goes in `layers` layers: (I + eps Delta)^L applied to one site.

    Parameters
    ----------
    stencil : array_like, shape (2r + 1,)
        Rates of hopping by -r, ..., r sites.
    eps : float
        Size of the step of one layer.
    layers : int
        The depth L.

    Returns
    -------
    ndarray, shape (2 r layers + 1,)
        Sites -r L, ..., r L. Only nonnegative numbers are added, so that the tails are accurate too.
    """
    power, kernel = _step(_stencil(stencil)[0], eps), np.ones(1)
    layers = check_integer(layers, "layers", minimum=0)
    while layers:
        if layers % 2:
            kernel = np.convolve(kernel, power)
        layers //= 2
        if layers:
            power = np.convolve(power, power)
    return kernel


def jump_kernel(stencil, time, reach):
    """Where a unit of capacity goes in time t: exp(t Delta) applied to one site, on sites -reach, ..., reach.

    With nearest-neighbour hops only, this is the Skellam distribution: the difference of two Poisson counts of means
    t a_+ and t a_-. Computed by Fourier transform, to about 1e-15 of the total.

    Parameters
    ----------
    stencil : array_like, shape (2r + 1,)
        Rates of hopping by -r, ..., r sites.
    time : float
        The time t, at least 0.
    reach : int
        The farthest site.

    Returns
    -------
    ndarray, shape (2 reach + 1,)
    """
    stencil, hops = _stencil(stencil)
    time = check_real(time, "time", minimum=0)
    reach = check_integer(reach, "reach", minimum=0)
    drift, diffusion = drift_and_diffusion(stencil)
    radius = reach + int(np.ceil(abs(drift) * time + 12 * np.sqrt(2 * diffusion * time))) + 40 * int(hops[-1])
    phases = np.exp(-2j * np.pi * np.outer(np.fft.fftfreq(2 * radius + 1), hops))
    kernel = np.maximum(np.fft.ifft(np.exp(time * (phases @ stencil))).real, 0)  # the tails round to +-1e-17
    return np.roll(kernel, radius)[radius - reach : radius + reach + 1]


def gaussian_kernel(x, time, drift, diffusion):
    """Solution of pi' = -v pi_x + D pi_xx started from a point: the kernel of paper 2, eq. 32.

    Parameters
    ----------
    x : array_like
        Positions.
    time : float
        The time t, positive.
    drift, diffusion : float
        The coefficients v and D.

    Returns
    -------
    ndarray
        Density at each position.
    """
    time = check_real(time, "time", above=0)
    diffusion = check_real(diffusion, "diffusion", above=0, remedy="pass a positive diffusion coefficient")
    return np.exp(-((np.asarray(x) - drift * time) ** 2) / (4 * diffusion * time)) / np.sqrt(
        4 * np.pi * diffusion * time
    )


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
    """
    profile = as_vector(profile, "profile")
    spacing = check_real(spacing, "spacing", above=0)
    check_real(diffusion, "diffusion", minimum=0)
    waves = 2 * np.pi * np.fft.rfftfreq(profile.size, spacing)
    decay = np.exp(-check_real(time, "time", minimum=0) * (1j * drift * waves + diffusion * waves**2))
    return np.fft.irfft(decay * np.fft.rfft(profile), profile.size)


def _stencil(stencil, *, rtol=1e-12):
    stencil = as_vector(stencil, "stencil")
    centre = stencil.size // 2
    rates = np.delete(stencil, centre)
    if stencil.size % 2 == 0 or rates.min(initial=0.0) < 0:
        raise ValueError(
            f"stencil: expected an odd number of entries with nonnegative rates around the centre, got {stencil}; "
            "pass the rates of hopping by -r, ..., r"
        )
    if not rates.any() or abs(stencil.sum()) > rtol * rates.sum():
        raise ValueError(
            f"stencil: expected a centre equal to minus the sum of the rates, got the sum {stencil.sum():g}; "
            f"set the centre to {-rates.sum():g}"
        )
    return stencil, np.arange(stencil.size) - centre


def _step(stencil, eps):
    limit = 1 / -stencil[stencil.size // 2]
    eps = check_real(eps, "eps", above=0, maximum=limit, remedy="take a smaller step: every share must be >= 0")
    step = eps * stencil
    step[stencil.size // 2] += 1
    return step
