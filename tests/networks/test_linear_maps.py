import numpy as np
import pytest

from capacity.networks.linear_maps import apply_transpose, apply_weights, patches

SHAPES = [((5,), (3,)), ((4,), (2,)), ((2,), (5,)), ((4, 3), (3, 2)), ((3, 2, 4), (1, 3, 3))]  # positions, taps


def random(*shape, seed=0):
    return np.random.default_rng(seed).standard_normal(shape)


def by_loops(weights, activities, taps):
    """The definition, unit by unit: tap k of n looks k - n // 2 positions ahead on a ring."""
    positions = activities.shape[2:]
    found = np.zeros((len(activities), len(weights), *positions))
    for s, o, i in np.ndindex(len(activities), *weights.shape[:2]):
        for here in np.ndindex(*positions):
            for tap in np.ndindex(*taps):
                there = tuple((h + k - n // 2) % size for h, k, n, size in zip(here, tap, taps, positions))
                found[(s, o, *here)] += weights[(o, i, *tap)] * activities[(s, i, *there)]
    return found


@pytest.mark.parametrize(("positions", "taps"), [((), ()), *SHAPES])
def test_sums_are_those_over_inputs_and_taps(positions, taps):
    weights, activities = random(2, 3, *taps), random(4, 3, *positions, seed=1)
    found = apply_weights(weights, activities, len(taps))
    np.testing.assert_allclose(found, by_loops(weights, activities, taps), atol=1e-14)


@pytest.mark.parametrize(("positions", "taps"), [((), ()), *SHAPES])
def test_the_transpose_has_the_same_scalar_products(positions, taps):
    weights, activities, gradients = (
        random(2, 3, *taps),
        random(4, 3, *positions, seed=1),
        random(4, 2, *positions, seed=2),
    )
    one = np.vdot(gradients, apply_weights(weights, activities, len(taps)))
    assert np.vdot(apply_transpose(weights, gradients, len(taps)), activities) == pytest.approx(one, rel=1e-12)


@pytest.mark.parametrize(("positions", "taps"), SHAPES)
def test_weights_in_their_order_times_patches_are_the_sums(positions, taps):
    weights, activities = random(2, 3, *taps), random(4, 3, *positions, seed=1)
    sums = weights.reshape(2, -1) @ patches(activities, taps)
    np.testing.assert_allclose(
        sums.reshape(4, 2, *positions), apply_weights(weights, activities, len(taps)), atol=1e-14
    )
