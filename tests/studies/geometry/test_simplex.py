import numpy as np
import pytest

from capacity_studies.geometry import congruent_embedding, fisher_distance, simplex_metric

P, Q = np.array([0.2, 0.5, 0.3]), np.array([0.4, 0.35, 0.25])
U = np.array([0.1, -0.3, 0.2])


def test_the_fisher_metric_of_the_simplex_is_the_mean_of_products_of_scores():
    scores = U / P  # the derivative of log p along u
    assert simplex_metric(P, U) == pytest.approx(P @ scores**2)
    assert simplex_metric(P, U, P - Q) == pytest.approx(P @ (scores * (P - Q) / P))
    assert simplex_metric(P, U, exponent=0) == pytest.approx(U @ U)


@pytest.mark.parametrize("exponent", [0.0, 0.5, 1.0, 1.5, 2.0])
def test_splitting_in_halves_multiplies_the_squared_length_by_a_power_of_two(exponent):
    halves = np.repeat(np.eye(3) / 2, 2, axis=1)
    ratio = simplex_metric(P @ halves, U @ halves, exponent=exponent) / simplex_metric(P, U, exponent=exponent)
    assert ratio == pytest.approx(2 ** (exponent - 1))


def test_congruent_embeddings_keep_distances_and_other_markov_morphisms_shrink_them():
    split = congruent_embedding([2, 3, 1], rng=0)
    np.testing.assert_allclose(split.sum(axis=1), 1)
    np.testing.assert_array_equal((split > 0).sum(axis=0), 1)
    assert simplex_metric(P @ split, U @ split) == pytest.approx(simplex_metric(P, U), rel=1e-12)
    assert fisher_distance(P @ split, Q @ split) == pytest.approx(fisher_distance(P, Q), rel=1e-12)
    mixing = np.array([[0.9, 0.1], [0.2, 0.8], [0.5, 0.5]])
    assert simplex_metric(P @ mixing, U @ mixing) < 0.9 * simplex_metric(P, U)


def test_the_distance_is_the_length_of_an_arc_of_the_sphere_and_its_start_is_the_metric():
    assert fisher_distance(P, Q) == pytest.approx(2 * np.arccos(np.sqrt(P * Q).sum()))
    assert (fisher_distance(np.eye(3)[[0, 1]], np.eye(3)[[2, 2]]) <= np.pi).all()
    h = 1e-4
    assert fisher_distance(P, P + h * U) / h == pytest.approx(np.sqrt(simplex_metric(P, U)), rel=1e-3)
