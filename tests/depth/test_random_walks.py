import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import linalg, sparse, stats
from stencils import moments, rates_between, stencils, varied_rates

from capacity.depth import (
    generator,
    jump_kernel,
    kolmogorov_forward,
    layer_step,
    walk_kernel,
    walk_moments,
)


@given(stencils(), st.integers(0, 9), st.floats(0.05, 1))
@settings(max_examples=30)
def test_layers_move_capacity_as_matrix_powers_do(stencil, n_layers, share):
    eps = share / -stencil[stencil.size // 2]
    reach = n_layers * (stencil.size // 2)
    size = 2 * reach + stencil.size  # no path wraps around
    step = np.eye(size) + eps * rates_between(stencil, size, periodic=True)
    np.testing.assert_allclose(layer_step(generator(stencil, size), eps).toarray(), step, atol=1e-15)
    middle = np.linalg.matrix_power(step, n_layers)[:, size // 2]
    kernel = walk_kernel(stencil, eps, n_layers)
    assert kernel.size == 2 * reach + 1
    np.testing.assert_allclose(kernel, middle[size // 2 - reach : size // 2 + reach + 1], atol=1e-13)
    assert moments(kernel) == pytest.approx((1, *walk_moments(stencil, eps, n_layers)), abs=1e-11)


@given(stencils(), st.floats(0, 3), st.integers(0, 8))
@settings(max_examples=20)
def test_a_jump_process_hops_as_often_as_a_poisson_variable_says(stencil, time, reach):
    rates = stencil.copy()
    rates[stencil.size // 2] = 0
    expected, hops = np.zeros(2 * reach + 1), np.ones(1)
    for share in stats.poisson.pmf(np.arange(80), time * rates.sum()):
        side = (hops.size - 2 * reach - 1) // 2
        inside = np.pad(hops, max(-side, 0))[max(side, 0) :][: 2 * reach + 1]
        expected += share * inside
        hops = np.convolve(hops, rates / rates.sum())
    np.testing.assert_allclose(jump_kernel(stencil, time, reach), expected, atol=1e-12)


@pytest.mark.parametrize(("stencil", "turn"), [([0, -1, 1], 1), ([1, -1, 0], -1)])
def test_hops_to_one_side_alone_are_a_poisson_variable_however_long_they_go_on(stencil, turn):
    for reach in (0, 1000):  # what is beyond does not come back around a circle
        found = jump_kernel(stencil, 729.0, reach)[::turn]
        np.testing.assert_allclose(found[reach:], stats.poisson.pmf(np.arange(reach + 1), 729), atol=1e-12)


@given(stencils(), st.integers(0, 4), st.booleans())
def test_generators_are_the_rates_of_all_hops(stencil, more, periodic):
    size = stencil.size + more
    expected = rates_between(stencil, size, periodic)
    np.testing.assert_allclose(generator(stencil, size, periodic=periodic).toarray(), expected, atol=1e-14)


@given(st.integers(0, 99))
@settings(max_examples=10)
def test_the_forward_equation_is_solved_by_the_matrix_exponential(seed):
    delta, start = varied_rates(seed), np.random.default_rng(seed).random(5)
    times = [0.0, 0.3, 2.0, 2.5e4, 2.5e4 + 0.1]  # steps by products, and one by squaring
    found = kolmogorov_forward(delta, start, times)
    for time, state in zip(times, found):
        np.testing.assert_allclose(state, linalg.expm(min(time, 200) * delta) @ start, rtol=1e-7)
    values, vectors = linalg.eig(delta)
    last = vectors[:, np.argmax(values.real)].real
    late = kolmogorov_forward(delta, start, [1e6])[0]
    np.testing.assert_allclose(late, last / last.sum() * start.sum(), rtol=1e-9)  # all that there was, still


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
