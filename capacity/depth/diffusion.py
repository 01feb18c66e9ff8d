r"""The diffusion that hopping capacity approaches: its drift and diffusion coefficients, and its solutions.

A network of L layers with D = I + eps Delta makes L steps of a random walk (`capacity.depth.random_walks`). Only many
hops of it, or rates growing as 1/h^2 with the spacing h of the sites, make a diffusion (paper 2, Section 3.2).
"""

import numpy as np
from numpy.typing import ArrayLike

from capacity._validation import as_array, as_vector, check_finite, check_real
from capacity.depth.random_walks import hopping_rates

__all__ = ["diffuse", "drift_and_diffusion", "gaussian_kernel", "stencil_of_diffusion"]


def drift_and_diffusion(stencil: ArrayLike, spacing: float = 1.0) -> tuple[float, float]:
    """Drift v and diffusion coefficient D of the equation pi' = -v pi_x + D pi_xx that a stencil approximates.

    For rates a_k of hopping by k sites of distance h = `spacing`, v = h sum_k k a_k and D = h^2 sum_k k^2 a_k/2 (paper
    2, eq. 31, which leaves them open).

    Examples
    --------
    >>> drift_and_diffusion([1, -3, 2])
    (1.0, 1.5)
    """
    stencil, hops = hopping_rates(stencil)
    spacing = check_real(spacing, "spacing", above=0, remedy="pass the distance between sites")
    return float(spacing * hops @ stencil), float(spacing**2 * hops**2 @ stencil / 2)


def stencil_of_diffusion(drift: float, diffusion: float, spacing: float) -> np.ndarray:
    """Nearest-neighbour stencil of drift v and diffusion D (paper 2, eq. 31) at a spacing h: rates D/h^2 +- v/(2h).

    Rates of hopping by -1, 0 and 1 sites, shape (3,), which sum to 0. A rate would be negative where h > 2 D/abs(v).

    Examples
    --------
    >>> stencil_of_diffusion(1.0, 1.5, 1.0)
    array([ 1., -3.,  2.])
    """
    drift = check_real(drift, "drift")
    diffusion = check_real(diffusion, "diffusion", above=0, remedy="pass a positive diffusion coefficient")
    limit = 2 * diffusion / abs(drift) if drift else np.inf
    spacing = check_real(spacing, "spacing", above=0, maximum=limit, remedy="take a finer grid: h <= 2 D/abs(v)")
    left, right = (max(diffusion / spacing**2 + sign * drift / (2 * spacing), 0.0) for sign in (-1, 1))
    return np.array([left, -left - right, right])


def gaussian_kernel(x: ArrayLike, time: float, drift: float, diffusion: float) -> np.ndarray:
    """Solution of pi' = -v pi_x + D pi_xx at positions x, started from a point: the kernel of paper 2, eq. 32.

    Examples
    --------
    >>> gaussian_kernel([0.0, 1.0], 0.5, 0.0, 1.0) * np.sqrt(2 * np.pi)
    array([1.        , 0.60653066])
    """
    x, time, drift = as_array(x, "x"), check_real(time, "time", above=0), check_real(drift, "drift")
    diffusion = check_real(diffusion, "diffusion", above=0, remedy="pass a positive diffusion coefficient")
    return np.exp(-((x - drift * time) ** 2) / (4 * diffusion * time)) / np.sqrt(4 * np.pi * diffusion * time)


def diffuse(profile: ArrayLike, spacing: float, time: float, drift: float, diffusion: float) -> np.ndarray:
    """Solution of pi' = -v pi_x + D pi_xx on a periodic grid (paper 2, eq. 32), exact for band-limited profiles.

    Parameters
    ----------
    profile : array_like, shape (n,)
        pi(0, x) at multiples of `spacing`.
    spacing, time, drift, diffusion : float
        Distance of two points of the grid, t >= 0, v and D >= 0.

    Returns
    -------
    ndarray, shape (n,)

    Examples
    --------
    >>> x = np.linspace(0.0, 1.0, 64, endpoint=False)
    >>> later = diffuse(1 + np.cos(2 * np.pi * x), 1 / 64, 0.1, 0.0, 0.05)
    >>> np.allclose(later - 1, np.exp(-4 * np.pi**2 * 0.05 * 0.1) * np.cos(2 * np.pi * x))
    True
    """
    profile = as_vector(profile, "profile")
    spacing = check_real(spacing, "spacing", above=0)
    drift, diffusion = check_real(drift, "drift"), check_real(diffusion, "diffusion", minimum=0)
    waves = 2 * np.pi * np.fft.rfftfreq(profile.size, spacing)
    with np.errstate(over="ignore", invalid="ignore"):
        decay = np.exp(-check_real(time, "time", minimum=0) * (1j * drift * waves + diffusion * waves**2))
    check_finite(decay, "drift", "a phase", "pass a smaller drift, diffusion or time")
    return np.fft.irfft(decay * np.fft.rfft(profile), profile.size)
