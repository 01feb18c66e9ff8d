import numpy as np
import pytest
from scipy import integrate, stats

from capacity_studies.generalization import (
    NoiseExample,
    expected_deviation_bound,
    sphere_sample,
    swap_spheres,
    threshold_deviation,
    threshold_deviation_tail,
    vc_bound,
)


def test_the_expected_deviation_of_thresholds_is_that_of_simulated_samples():
    """The definition: the mean over samples of the largest difference between empirical and true risk."""
    rng, T = np.random.default_rng(0), 7
    x = np.sort(rng.random((40_000, T)), axis=1)
    gaps = np.maximum(np.arange(1, T + 1) / T - x, x - np.arange(T) / T).max(axis=1)
    assert threshold_deviation(T) == pytest.approx(gaps.mean(), abs=4 * gaps.std() / 200)
    assert threshold_deviation_tail(0.3, T) == pytest.approx(np.mean(gaps >= 0.3), abs=0.01)


def test_the_expected_deviation_has_its_closed_forms():
    assert threshold_deviation(1) == pytest.approx(3 / 4, rel=1e-5)
    assert threshold_deviation(2) == pytest.approx(13 / 24, rel=1e-5)
    limit = np.sqrt(np.pi / 2) * np.log(2)
    assert 50 * threshold_deviation(2500) == pytest.approx(limit - 1 / 300, rel=1e-4)


def test_the_bounds_are_those_of_vapnik_and_chervonenkis():
    assert vc_bound([0.0, 0.4], 100, 5.0) == pytest.approx([40.0, 40 * np.exp(-0.5)])
    assert expected_deviation_bound(100, 5.0) == pytest.approx(2 * np.sqrt(np.log(10) / 100))


@pytest.mark.parametrize(("m", "dimensions"), [(20, 64), (8, 300), (1, 12)])
def test_exact_errors_of_the_linear_example_are_those_of_simulated_classifiers(m, dimensions):
    example = NoiseExample(m, dimensions)
    tried = example.simulate(2000, tests=100, rng=0)
    wanted = {"train": example.train_error, "test": example.test_error, "bad": example.bad_error}
    for name, value in wanted.items():
        assert tried[name].mean() == pytest.approx(value, abs=5 * tried[name].std() / np.sqrt(2000) + 1e-3)


@pytest.mark.parametrize(("m", "dimensions"), [(2, 12), (3, 40), (7, 20)])
def test_errors_of_the_linear_example_are_integrals_over_the_length_of_the_noise_of_one_sample(m, dimensions):
    """Each height is 4, what the noise of its own adds, or takes, and its products with those of m - 1 others."""
    scale = 32 / dimensions

    def error(sign):
        height = lambda q: (4 + sign * scale * q) / (scale * np.sqrt((m - 1) * q))  # noqa: E731
        density = lambda q: stats.norm.sf(height(q)) * stats.chi2.pdf(q, dimensions)  # noqa: E731
        return integrate.quad(density, 0, 10 * dimensions, limit=200)[0]

    example = NoiseExample(m, dimensions)
    assert (example.train_error, example.bad_error) == pytest.approx((error(1), error(-1)), rel=0.01)  # a midpoint rule
    new = lambda q: stats.norm.sf(4 / (scale * np.sqrt(m * q))) * stats.chi2.pdf(q, dimensions)  # noqa: E731
    assert example.test_error == pytest.approx(integrate.quad(new, 0, 10 * dimensions, limit=200)[0], rel=2e-3)


def test_swapped_points_keep_their_direction_and_change_their_sphere():
    inputs, labels = sphere_sample(30, 6, radii=(1.0, 3.0), rng=0)
    moved, others = swap_spheres(inputs, labels, radii=(1.0, 3.0))
    assert np.array_equal(others, 1 - labels)
    np.testing.assert_allclose(np.linalg.norm(moved, axis=1), np.where(labels, 1.0, 3.0))
    np.testing.assert_allclose(np.sum(moved * inputs, axis=1), 3.0)
    assert 5 < labels.sum() < 25
    back, _ = swap_spheres(moved, others, radii=(1.0, 3.0))
    np.testing.assert_allclose(back, inputs)
