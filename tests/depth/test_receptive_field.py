import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from stencils import uniform_width

from capacity.depth import (
    field_moments,
    random_shares,
    shared_spread,
    uniform_shares,
    unshared_spread,
)


def test_uniform_network_has_the_width_of_a_sum_of_uniform_steps():
    assert uniform_width(3, 64) == pytest.approx(np.sqrt(128 / 3))
    spread = shared_spread([uniform_shares(5)] * 7)
    np.testing.assert_allclose(spread.width[:, 0], uniform_width(5, np.arange(1, 8)))


@given(st.integers(1, 2), st.booleans(), st.integers(0, 99), st.data())
@settings(max_examples=20)
def test_moments_are_sums_over_sites_of_each_profile(d, stacked, seed, data):
    shape = data.draw(st.lists(st.integers(1, 6), min_size=d, max_size=d))
    profiles = np.random.default_rng(seed).random((*([3] if stacked else []), *shape))
    centre, width = field_moments(profiles, d)
    for which in np.ndindex(profiles.shape[: profiles.ndim - d]):
        profile = profiles[which] / profiles[which].sum()
        for axis, n in enumerate(shape):
            mean = sum(share * (at[axis] - n // 2) for at, share in np.ndenumerate(profile))
            square = sum(share * (at[axis] - n // 2 - mean) ** 2 for at, share in np.ndenumerate(profile))
            assert centre[(*which, axis)] == pytest.approx(mean, abs=1e-12)
            assert width[(*which, axis)] == pytest.approx(np.sqrt(square), abs=1e-7)


@pytest.mark.parametrize(("taps", "d", "eps"), [(3, 1, None), (5, 1, 0.2), (3, 2, 0.1), (1, 2, None)])
def test_kernels_of_each_site_spread_its_share(taps, d, eps):
    """Squares of normal weights beside 1 on the straight hop, normalised; drawn for all sites of a layer at once."""
    rng, found = np.random.default_rng(3), unshared_spread(3, taps, eps=eps, realisations=2, dimensions=d, rng=3)
    states = np.ones((2, *[1] * d))
    for layer in range(3):
        kernels = rng.standard_normal((*states.shape, *[taps] * d))
        if eps is not None:
            kernels *= np.sqrt(eps)
            kernels[..., *[taps // 2] * d] += 1
        spread = np.zeros((2, *[n + taps - 1 for n in states.shape[1:]]))
        for (net, *site), share in np.ndenumerate(states):
            kernel = kernels[(net, *site)] ** 2
            for tap in np.ndindex(*[taps] * d):
                spread[(net, *np.add(site, tap))] += share * kernel[tap] / kernel.sum()
        states = spread
        centre, width = field_moments(states, d)
        np.testing.assert_allclose(found.centre[:, layer], centre, atol=1e-12)
        np.testing.assert_allclose(found.width[:, layer], width, atol=1e-7)


@given(st.integers(1, 2), st.integers(0, 99))
@settings(max_examples=10)
def test_shared_kernels_add_their_centres_and_their_squared_widths(d, seed):
    shares = random_shares((2, 4), eps=0.2, dimensions=d, rng=seed)
    centre, width = field_moments(shares, d)
    found = shared_spread(shares, d)
    for layer in range(4):
        np.testing.assert_allclose(found.centre[:, layer], centre[:, : layer + 1].sum(axis=1), atol=1e-14)
        np.testing.assert_allclose(found.width[:, layer] ** 2, (width[:, : layer + 1] ** 2).sum(axis=1), rtol=1e-12)


def test_a_layer_with_one_random_kernel_adds_two_fifths_to_the_squared_width_and_the_rest_of_two_thirds_to_the_shift():
    """Squares of three Gaussian weights, normalised, have a Dirichlet law: E[p^2] = 1/5 and E[p q] = 1/15."""
    spread = shared_spread(random_shares((400, 64), rng=4))
    for moved, expected in ((spread.width, 2 / 5), (spread.centre, 2 / 3 - 2 / 5)):
        squares = moved[:, -1, 0] ** 2 / 64
        assert abs(squares.mean() - expected) < 4 * squares.std() / np.sqrt(400)


def test_a_narrow_profile_far_from_the_middle_keeps_its_width():
    profile = np.zeros(100_001)
    profile[-3:] = [1e-6, 1, 1e-6]
    centre, width = field_moments(profile)
    assert centre == pytest.approx(49_999)
    assert width == pytest.approx(np.sqrt(2e-6), rel=1e-6)


@pytest.mark.parametrize("scale", [1e-320, 1e308])
def test_moments_do_not_depend_on_the_scale_of_a_profile(scale):
    np.testing.assert_allclose(field_moments(np.diag([scale, 1.0]) @ np.ones((2, 5)))[1], np.sqrt(2), rtol=1e-12)
