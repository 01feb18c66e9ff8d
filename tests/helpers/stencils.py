"""Stencils of hopping rates, the moments of what hops, and the width of uniform layers."""

import numpy as np
from hypothesis import strategies as st

WIDE = np.array([0.3, 0.5, -2.0, 1.0, 0.2])


def moments(kernel):
    """Sum, mean and variance of a kernel around its middle."""
    sites = np.arange(kernel.size) - kernel.size // 2
    mean = sites @ kernel
    return kernel.sum(), mean, sites**2 @ kernel - mean**2


def uniform_width(taps, n_layers):
    """Width, in sites, of the receptive field of layers with uniform shares."""
    return np.sqrt(n_layers * (taps**2 - 1) / 12)


@st.composite
def stencils(draw):
    """One hop to three on either side, the rates of both sides apart, some of them zero."""
    reach = draw(st.integers(1, 3))
    rates = st.lists(st.sampled_from([0.0, 0.25, 1.0, 1.5]), min_size=reach, max_size=reach)
    left, right = draw(rates), draw(rates.filter(any))
    return np.array([*left, -sum(left) - sum(right), *right])


def rates_between(stencil, size, periodic):
    """What flows from each site (column) to each other one, hop by hop; hops off open ends do not happen."""
    reach, matrix = len(stencil) // 2, np.zeros((size, size))
    for start in range(size):
        for hop in [h for h in range(-reach, reach + 1) if h]:
            if periodic or 0 <= start + hop < size:
                matrix[(start + hop) % size, start] += stencil[reach + hop]
                matrix[start, start] -= stencil[reach + hop]
    return matrix


def varied_rates(seed, size=5):
    """Rates that differ from site to site: no circulant, no symmetric matrix, and no uniform end of all walks."""
    rates = np.random.default_rng(seed).uniform(0, 2, (size, size)) * (1 - np.eye(size))
    return rates - np.diag(rates.sum(axis=0))
