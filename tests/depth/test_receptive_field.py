import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from stencils import uniform_width

from capacity.depth import (
    field_moments,
    propagate,
    random_shares,
    shared_spread,
    uniform_shares,
    unshared_spread,
    uppermost_capacity,
    walk_moments,
)
from capacity.layers import convolution_projection, transition_matrix
from capacity.statistics import fit_power_law

DEPTHS = np.array([8, 16, 32, 64, 128])


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


def test_residual_network_spreads_by_the_moments_of_its_walk():
    shares = np.array([0.05, 0.85, 0.1])
    spread = shared_spread(np.tile(shares, (40, 1)))
    mean, variance = walk_moments([0.5, -1.5, 1.0], 0.1, 40)
    assert (spread.centre[-1, 0], spread.width[-1, 0]) == pytest.approx((mean, np.sqrt(variance)))


@pytest.mark.parametrize("eps", [0.1, None])
def test_width_grows_as_the_square_root_of_depth(eps):
    networks = {
        "shared": shared_spread(random_shares((60, 128), eps=eps, rng=1)),
        "unshared": unshared_spread(128, eps=eps, realisations=60, rng=2),
    }
    for spread in networks.values():
        exponents = fit_power_law(DEPTHS, spread.width[:, DEPTHS - 1, 0]).exponent
        assert exponents.std() < 0.1
        assert abs(exponents.mean() - 0.5) < 0.03


def test_shared_random_kernels_shift_the_centre_as_far_as_they_spread():
    spread = shared_spread(random_shares((200, 64), rng=4))
    assert spread.centre[:, -1, 0].std() > 0.5 * spread.width[:, -1, 0].mean()
    unshared = unshared_spread(64, realisations=60, rng=5)
    assert unshared.centre[:, -1, 0].std() < 0.35 * unshared.width[:, -1, 0].mean()


def test_a_layer_with_one_random_kernel_adds_two_fifths_to_the_squared_width_and_the_rest_of_two_thirds_to_the_shift():
    """Squares of three Gaussian weights, normalised, have a Dirichlet law: E[p^2] = 1/5 and E[p q] = 1/15."""
    spread = shared_spread(random_shares((400, 64), rng=4))
    for moved, expected in ((spread.width, 2 / 5), (spread.centre, 2 / 3 - 2 / 5)):
        squares = moved[:, -1, 0] ** 2 / 64
        assert abs(squares.mean() - expected) < 4 * squares.std() / np.sqrt(400)


def test_drift_of_random_layers_cancels_only_to_the_order_of_the_square_root_of_eps():
    """Eq. 33 sets v = 0: over networks the centre scatters by a share of the width that shrinks as sqrt(eps)."""
    steps, ratios = np.array([0.1, 0.01, 0.001]), []
    for eps in steps:
        spread = shared_spread(random_shares((1000, 100), eps=eps, rng=7))
        ratios.append(spread.centre[:, -1, 0].std() / np.sqrt(np.mean(spread.width[:, -1, 0] ** 2)))
    assert fit_power_law(steps, ratios).exponent == pytest.approx(0.5, abs=0.1)


def test_square_windows_spread_isotropically_in_two_dimensions():
    """A 3 x 3 window: variance 2L/3 along each axis, no correlation, Gaussian; no cross-shaped filter is needed."""
    transition = transition_matrix(convolution_projection(np.ones((3, 3)), (61, 61)))
    profile = propagate([transition] * 24, uppermost_capacity((61, 61), "centre")).reshape(61, 61)
    centre, width = field_moments(profile, 2)
    np.testing.assert_allclose(centre, 0, atol=1e-10)
    np.testing.assert_allclose(width**2, 16)
    sites = np.arange(-30, 31)
    assert sites @ profile @ sites == pytest.approx(0, abs=1e-9)
    normal = stats.norm(0, 4).pdf(sites)
    assert np.abs(profile - np.outer(normal, normal)).max() < 0.02 * profile.max()
    np.testing.assert_allclose(shared_spread([uniform_shares(3, 2)] * 24, 2).width[-1], 4)


def test_a_narrow_profile_far_from_the_middle_keeps_its_width():
    profile = np.zeros(100_001)
    profile[-3:] = [1e-6, 1, 1e-6]
    centre, width = field_moments(profile)
    assert centre == pytest.approx(49_999)
    assert width == pytest.approx(np.sqrt(2e-6), rel=1e-6)


@pytest.mark.parametrize("scale", [1e-320, 1e308])
def test_moments_do_not_depend_on_the_scale_of_a_profile(scale):
    np.testing.assert_allclose(field_moments(np.diag([scale, 1.0]) @ np.ones((2, 5)))[1], np.sqrt(2), rtol=1e-12)


def test_bad_arguments_are_named():
    with pytest.raises(ValueError, match="profile"):
        field_moments([1.0, -0.1])
    with pytest.raises(ValueError, match="profile"):
        field_moments([0.0, 0.0])
    with pytest.raises(ValueError, match="eps"):
        random_shares(3, eps=-1)
    for shares in (lambda: random_shares(3, 2), lambda: uniform_shares(2)):
        with pytest.raises(ValueError, match="taps: expected an odd number"):
            shares()


def test_the_middle_of_an_even_number_of_positions_is_the_upper_one():
    centre, width = field_moments(np.eye(4))
    np.testing.assert_array_equal(centre[:, 0], [-2, -1, 0, 1])
    np.testing.assert_array_equal(width, 0)
