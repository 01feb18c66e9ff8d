import numpy as np
import pytest
from scipy import linalg, sparse, stats
from stencils import SKEWED, SYMMETRIC, WIDE, moments

from capacity.depth import (
    generator,
    hopping_rates,
    jump_kernel,
    kolmogorov_forward,
    layer_step,
    walk_kernel,
    walk_moments,
)
from capacity.statistics import fit_power_law


@pytest.mark.parametrize("stencil", [SYMMETRIC, SKEWED, WIDE])
def test_layers_move_capacity_as_the_matrix_power_does(stencil):
    step = layer_step(generator(stencil, 65), 0.1).toarray()
    kernel = walk_kernel(stencil, 0.1, 13)
    reach = kernel.size // 2
    np.testing.assert_allclose(np.linalg.matrix_power(step, 13)[32 - reach : 33 + reach, 32], kernel, atol=1e-14)
    assert moments(kernel) == pytest.approx((1, *walk_moments(stencil, 0.1, 13)), abs=1e-12)


@pytest.mark.parametrize("stencil", [SYMMETRIC, SKEWED, WIDE])
def test_jump_kernel_is_the_matrix_exponential(stencil):
    column = linalg.expm(1.5 * generator(stencil, 101).toarray())[30:71, 50]
    np.testing.assert_allclose(jump_kernel(stencil, 1.5, 20), column, atol=1e-14)
    assert jump_kernel(stencil, 1.5, 100).min() >= 0


def test_nearest_neighbour_hops_give_the_skellam_distribution():
    expected = stats.skellam(1.5 * 2.0, 0.5 * 2.0).pmf(np.arange(-15, 16))
    np.testing.assert_allclose(jump_kernel(SKEWED, 2.0, 15), expected, atol=1e-14)


def test_hops_off_the_ends_do_not_happen():
    open_ends, ring = (generator(SKEWED, 9, periodic=periodic).toarray() for periodic in (False, True))
    off_diagonal = np.abs(np.subtract.outer(np.arange(9), np.arange(9)))
    np.testing.assert_array_equal(open_ends[off_diagonal == 1], ring[off_diagonal == 1])
    assert np.all(open_ends[off_diagonal > 1] == 0)
    np.testing.assert_allclose(open_ends.sum(axis=0), 0, atol=1e-15)


def test_known_values_at_unit_time():
    kernel = jump_kernel(SYMMETRIC, 1.0, 60)
    assert kernel[60:62] == pytest.approx([0.30850832, 0.21526929], abs=5e-9)
    assert moments(kernel) == pytest.approx((1, 0, 2), abs=1e-12)
    assert walk_kernel(SYMMETRIC, 0.01, 100)[100] == pytest.approx(0.30693406, abs=5e-9)


def test_layers_converge_to_the_jump_process_at_order_one_in_depth():
    depths = np.array([25, 50, 100, 200, 400])
    errors = [np.abs(walk_kernel(SYMMETRIC, 1 / L, int(L)) - jump_kernel(SYMMETRIC, 1.0, int(L))).max() for L in depths]
    assert errors[0] == pytest.approx(6.26e-3, rel=1e-3)
    assert fit_power_law(depths, errors).exponent == pytest.approx(-1, abs=0.01)


def test_rates_of_order_one_give_a_width_that_does_not_grow_with_depth():
    """Eq. 29 as printed: L eps = 1 and Delta of order one; against a fixed eps, where the width grows as sqrt(L)."""
    depths = np.array([16, 64, 256, 1024])
    printed = np.sqrt([walk_moments(SYMMETRIC, 1 / L, int(L))[1] for L in depths])
    fixed = np.sqrt([walk_moments(SYMMETRIC, 0.1, int(L))[1] for L in depths])
    np.testing.assert_allclose(printed, np.sqrt(2))
    assert fit_power_law(depths, fixed).exponent == pytest.approx(0.5)


@pytest.mark.parametrize("stencil", [[1, -1, 0, 0], [-1, 0, 1], [0, 0, 0], [1, -1, 1]])
def test_stencils_that_are_none_are_refused(stencil):
    with pytest.raises(ValueError, match="stencil: expected"):
        hopping_rates(stencil)


def test_rates_that_are_all_zero_are_named_as_such():
    with pytest.raises(ValueError, match="nonnegative rates around the centre that are not all 0"):
        hopping_rates([0, 0, 0])


def test_bad_arguments_are_named():
    with pytest.raises(ValueError, match="eps"):
        walk_kernel(SYMMETRIC, 0.6, 3)
    with pytest.raises(ValueError, match="layers: expected an integer >= 0"):
        walk_moments(SYMMETRIC, 0.1, -1)
    with pytest.raises(ValueError, match="time: expected a number >= 0"):
        jump_kernel(SYMMETRIC, -1.0, 3)


@pytest.mark.parametrize("stencil", [SYMMETRIC, SKEWED, WIDE])
def test_forward_equation_is_solved_by_the_matrix_exponential(stencil):
    delta = generator(stencil, 101)
    column = linalg.expm(1.5 * delta.toarray())[30:71, 50]
    start = np.zeros(101)
    start[50] = 1
    found = kolmogorov_forward(delta, start, [0, 0.5, 1.5])
    np.testing.assert_allclose(found[2][30:71], column, atol=1e-12)
    np.testing.assert_array_equal(found[0], start)


def test_forward_equation_is_satisfied():
    delta, h = generator(SKEWED, 31), 1e-4
    start = np.random.default_rng(0).random(31)
    before, now, after = kolmogorov_forward(delta, start, [0.7 - h, 0.7, 0.7 + h])
    np.testing.assert_allclose((after - before) / (2 * h), delta @ now, atol=1e-7)


def test_long_times_end_in_the_stationary_state_or_are_refused():
    delta = generator([1, -3, 2], 5)
    np.testing.assert_allclose(kolmogorov_forward(delta, np.eye(5)[0], [1e6])[0], 0.2, rtol=1e-6)
    steps = kolmogorov_forward(delta, np.eye(5)[0], [0.5, 1e5, 1e5 + 0.5])  # by products, by squaring
    np.testing.assert_allclose(steps.sum(axis=1), 1, rtol=1e-7)
    late = kolmogorov_forward(generator([1, -3, 2], 5), np.eye(5)[0], [1e12])[0]
    np.testing.assert_allclose(late, 0.2, rtol=1e-12)
    with pytest.raises(ValueError, match=r"times: expected steps of at most 3.33e\+03 for more than 1024 sites"):
        kolmogorov_forward(generator([1, -3, 2], 1025), np.eye(1025)[0], [1e6])


def test_what_is_no_generator_is_refused():
    assert (layer_step(sparse.csr_array((3, 3)), 0.1) != sparse.eye_array(3)).nnz == 0
    np.testing.assert_allclose(layer_step([[-1.0, 2.0], [1.0, -2.0]], 0.25).toarray(), [[0.75, 0.5], [0.25, 0.5]])
    for wrong, expected in (
        (np.eye(3), "rates >= 0 off"),
        (-np.ones((2, 2)), "rates >= 0 off"),
        (generator([1, -3, 2], 4, periodic=False).T, "columns that sum to 0"),
        (np.zeros((2, 3)), "a square"),
    ):
        for call in (lambda: layer_step(wrong, 0.1), lambda: kolmogorov_forward(wrong, np.ones(wrong.shape[0]), [1.0])):  # noqa: B023
            with pytest.raises(ValueError, match=f"delta: expected {expected}"):
                call()
