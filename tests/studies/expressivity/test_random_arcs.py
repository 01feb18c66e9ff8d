"""Quarter circles through random networks."""

import numpy as np

from capacity.activations import hard_tanh, linear, relu
from capacity_studies.expressivity import growth_lower_bound, random_arc_lengths, random_arc_transitions


def test_lengths_grow_by_the_exact_factor_of_rectifiers():
    """E l(z^d) = g^d l(x) for any curve, at width 6 (Hanin, Jeong and Rolnick 2022)."""
    lengths = random_arc_lengths(6, 3, relu(), sigma_w=1.5, networks=4000, n_points=8, rng=0)
    g = float(growth_lower_bound(relu(), 6, 1.0, sigma_w=1.5))
    error = lengths.std(axis=0) / np.sqrt(len(lengths))
    assert np.all(np.abs(lengths.mean(axis=0) - g ** np.arange(4)) <= 4 * error)
    assert np.array_equal(lengths[:, 0], np.ones(4000))


def test_counts_are_those_of_the_law_in_every_layer():
    found = random_arc_transitions(30, 3, hard_tanh(), sigma_w=3.0, sigma_b=0.5, networks=60, n_points=1500, rng=1)
    gap = found.counted - found.expected
    assert np.all(np.abs(gap.mean(axis=0)) <= 4 * gap.std(axis=0) / np.sqrt(60))
    assert found.lengths.shape == (60, 3)
    assert found.expected.mean(axis=0)[2] > 1.5 * found.expected.mean(axis=0)[0]


def test_each_network_has_a_curve_of_its_own_and_a_seed_repeats_all():
    draw = [random_arc_lengths(8, 2, linear(), sigma_w=1.0, networks=3, n_points=5, rng=seed) for seed in (0, 0, 1)]
    assert np.array_equal(draw[0], draw[1])
    assert not np.isclose(draw[0], draw[2])[:, 1:].any()
