from itertools import product

import numpy as np
import pytest

from capacity_studies.attention import (
    Attend,
    Rescale,
    Transformer,
    Units,
    attention_steps,
    cesaro_power,
    probed_capacity,
    rollout,
    squared_attention,
    squared_gradients,
    token_capacity,
    uniform_attention,
    window_capacity,
)

TOKENS = 32
CAUSAL = np.tril(np.ones((TOKENS, TOKENS), dtype=bool))


def some_steps(rng, tokens=4):
    attention = rng.dirichlet(np.ones(tokens), size=(2, 2, tokens))
    return [
        Attend(attention[0], 0.8),
        Units(rng.uniform(size=(tokens, 3)), 1.3),
        Rescale(rng.uniform(0.5, 2, size=tokens)),
        Attend(attention[1], 1.1),
    ]


def variation(first, second):
    return np.abs(first - second).sum() / 2


@pytest.mark.parametrize("token", [-1, 1])
def test_capacity_is_the_mean_square_over_all_networks_of_width_one(token):
    """Value matrices are signs and units are chosen by chance: all of them, one after the other."""
    steps = some_steps(np.random.default_rng(3))
    squares = np.zeros(4)
    for first, second, unit, sign in product(*[list(product([-1, 1], repeat=2))] * 2, range(3), [-1, 1]):
        below = np.eye(4) + 0.8 * np.tensordot(first, steps[0].links, 1)
        between = np.diag(steps[2].factors * (1 + 1.3 * sign * steps[1].gains[:, unit]))
        above = np.eye(4) + 1.1 * np.tensordot(second, steps[3].links, 1)
        squares += (above @ between @ below)[token] ** 2
    np.testing.assert_allclose(token_capacity(steps, 4, token=token), squares / squares.sum(), rtol=1e-12)


def test_probes_have_the_capacities_as_their_mean_with_the_error_that_they_state():
    rng = np.random.default_rng(4)
    steps = some_steps(rng, 6)
    exact = token_capacity(steps, 6)
    found = [probed_capacity(iter(steps[::-1]), 6, groups=10, width=40, rng=rng) for _ in range(200)]
    estimates, errors = np.array(found).swapaxes(0, 1)
    spread = estimates.std(axis=0)
    assert np.abs(estimates.mean(axis=0) - exact).max() < (4.5 / np.sqrt(200) + 0.1) * spread.max()
    np.testing.assert_allclose(np.sqrt(np.mean(errors**2, axis=0)), spread, rtol=0.2)


class Probed:
    """A step that has sent the probes wherever they are to be."""

    def __init__(self, probes):
        self.probes = probes

    def probe(self, g, rng):
        assert g.shape == self.probes.shape
        return self.probes.copy()


@pytest.mark.parametrize("groups", [2, 3, 7])
def test_the_error_of_probes_is_that_of_a_ratio_of_means_over_groups(groups):
    probes = np.random.default_rng(groups).standard_normal((groups, 4, 5)) * np.arange(1, groups + 1)[:, None, None]
    squares = np.sum(probes**2, axis=1)
    share = squares.sum(axis=0) / squares.sum()
    away = (squares - squares.sum(axis=1, keepdims=True) * share) / squares.sum(axis=1).mean()
    found = probed_capacity([Probed(probes)], 5, groups=groups, width=4, rng=0)
    np.testing.assert_allclose(found, [share, away.std(axis=0, ddof=1) / np.sqrt(groups)], rtol=1e-12)


def test_blocks_of_a_long_context_are_those_of_the_whole_matrix():
    rng = np.random.default_rng(13)
    m = rng.standard_normal((600, 600))
    m = m + m.T
    for window in (None, 100):
        step = Attend(uniform_attention(600, window=window) * rng.uniform(0.5, 1, size=(2, 600, 600)), 0.9)
        whole = m + 0.81 * sum(links.T @ m @ links for links in step.links)
        np.testing.assert_allclose(step.pairs(m), whole, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize(
    ("norm", "heads", "units", "sharpness", "scale"),
    [("pre", 1, 0, 0.1, 3), ("pre", 4, 0, 3, 1), ("pre", 2, 48, 1, 1), ("post", 2, 48, 1, 2), ("none", 1, 48, 0.3, 1)],
)
def test_held_coefficients_of_networks_follow_the_rule(norm, heads, units, sharpness, scale):
    rng, found = np.random.default_rng(5), []
    for _ in range(40):
        network = Transformer.draw(
            CAUSAL, width=32, heads=heads, units=units, scale=scale, sharpness=sharpness, norm=norm, rng=rng
        )
        inputs = rng.standard_normal((TOKENS, 32))
        held = squared_gradients(network, inputs, held=True, directions=1, rng=rng)
        found.append((held, token_capacity(network.steps(network(inputs)[1]), TOKENS)))
    (held, rule), error = np.mean(found, axis=0), np.std(np.subtract(*np.swapaxes(found, 0, 1)), axis=0) / np.sqrt(40)
    assert variation(held, rule) < 0.03 + error.sum() / 2


@pytest.mark.parametrize(("norm", "units"), [("pre", 0), ("post", 0), ("post", 16)])
def test_narrow_networks_lose_what_normalisation_centres(norm, units):
    """Gains of one network, held while values are drawn anew: then the rule is exact at any width."""
    rng = np.random.default_rng(14)

    def drawn():
        return Transformer.draw(CAUSAL[:4, :4], layers=2, width=4, units=units, norm=norm, rng=rng)

    network = drawn()
    gains = network(rng.standard_normal((4, 4)))[1]
    moved = np.eye(4)[:, :, None] * rng.standard_normal((2000, 4, 1, 4))
    squares = np.array([np.sum(drawn()(each, gains)[0][:, -1] ** 2, axis=-1) for each in moved])
    share = squares.mean(axis=0) / squares.mean(axis=0).sum()
    off = squares - squares.sum(axis=1, keepdims=True) * share
    error = np.sqrt(np.mean(off**2, axis=0) / len(squares)) / squares.mean(axis=0).sum()
    away = (token_capacity(network.steps(gains), 4) - share) / error
    assert np.abs(away).max() < 4


def small(norm, units=5):
    rng = np.random.default_rng(7)
    network = Transformer.draw(CAUSAL[:5, :5], layers=2, width=6, heads=2, units=units, norm=norm, rng=rng)
    return network, rng.standard_normal((5, 6)), rng


def test_heads_attend_by_the_softmax_of_their_sharpened_products():
    network = Transformer.draw(CAUSAL[:5, :5], layers=1, width=6, heads=2, sharpness=3.0, norm="none", rng=0)
    x = np.random.default_rng(1).standard_normal((5, 6))
    for weights, queries, keys in zip(network(x)[1][0], network.queries[0], network.keys[0]):
        powers = np.tril(np.exp(3 * x @ queries @ keys.T @ x.T / np.sqrt(6)))
        np.testing.assert_allclose(weights, powers / powers.sum(axis=1, keepdims=True))


@pytest.mark.parametrize("norm", ["none", "pre", "post"])
def test_the_held_network_is_linear_and_the_network_at_its_sample(norm):
    network, inputs, rng = small(norm)
    outputs, gains = network(inputs)
    other = rng.standard_normal((5, 6))
    np.testing.assert_allclose(network(inputs, gains)[0], outputs, rtol=1e-12)
    together = network(inputs + 2 * other, gains)[0]
    np.testing.assert_allclose(together, outputs + 2 * network(other, gains)[0], rtol=1e-10)


@pytest.mark.parametrize("norm", ["none", "pre", "post"])
def test_derivatives_through_everything_agree_with_differences(norm):
    network, inputs, rng = small(norm)
    by_differences = np.zeros(5)
    for token in range(5):
        for entry in range(6):
            moved = np.zeros((5, 6))
            moved[token, entry] = 1e-6
            change = network(inputs + moved)[0][-1] - network(inputs - moved)[0][-1]
            by_differences[token] += np.sum((change / 2e-6) ** 2)
    found = squared_gradients(network, inputs, held=False, directions=1500, rng=rng)
    np.testing.assert_allclose(found, by_differences / by_differences.sum(), atol=0.04)


@pytest.mark.parametrize("norm", ["none", "pre", "post"])
def test_scales_are_those_of_streams_to_which_each_head_adds_by_values_of_its_own(norm):
    attention, covariance = np.random.default_rng(8).dirichlet(np.ones(5), size=(3, 2, 5)), np.eye(5)
    steps = iter(attention_steps(attention, 1.5, norm=norm))
    for heads in attention:
        read, step = heads / np.sqrt(np.diag(covariance)) if norm == "pre" else heads, next(steps)
        np.testing.assert_allclose(step.links, read)
        assert step.scale == pytest.approx(1.5 / np.sqrt(2))
        covariance = covariance + 1.5**2 * np.mean([head @ covariance @ head.T for head in read], axis=0)
        if norm == "post":
            factors = next(steps).factors
            np.testing.assert_allclose(factors, 1 / np.sqrt(np.diag(covariance)))
            covariance = np.diag(factors) @ covariance @ np.diag(factors)


def test_squares_are_exact_in_one_layer_and_rollout_where_no_token_reads_another():
    attention = np.random.default_rng(10).dirichlet(np.ones(5), size=(3, 2, 5))
    single = attention[:1]
    np.testing.assert_allclose(squared_attention(single, 0.7), token_capacity(attention_steps(single, 0.7), 5))
    nothing = [np.eye(5)[None]] * 3
    np.testing.assert_allclose(rollout(nothing, 0.7), token_capacity(attention_steps(nothing, 0.7), 5), atol=1e-15)
    layers = np.linalg.multi_dot([np.eye(5) + 0.7 * a.mean(axis=0) for a in attention[::-1]])[-1]
    np.testing.assert_allclose(rollout(attention, 0.7), layers / layers.sum())


def test_powers_of_uniform_attention_in_closed_form_and_in_the_continuum():
    powers = [np.linalg.matrix_power(uniform_attention(9), k)[-1] for k in range(6)]
    np.testing.assert_allclose(cesaro_power(9, 5), powers, rtol=1e-12)
    positions = np.arange(1000, 4001)
    continuum = np.log(4000 / positions) ** 2 / 2 / 4000
    np.testing.assert_allclose(cesaro_power(4000, 3)[3][999:], continuum, atol=2e-3 * continuum.max())


def test_windows_far_from_the_first_token_have_their_closed_form():
    scales = [1.3, 0.7, 0.4]
    steps = [Attend(uniform_attention(40, window=4)[None], scale) for scale in scales]
    by_lag = token_capacity(steps, 40)[::-1][:10]
    np.testing.assert_allclose(window_capacity(4, 3, scales), by_lag, rtol=1e-12)


def test_masks_let_tokens_read_what_they_say():
    np.testing.assert_array_equal(uniform_attention(3, causal=False), np.full((3, 3), 1 / 3))
    np.testing.assert_array_equal(uniform_attention(4, window=2) > 0, np.tri(4) - np.tri(4, k=-2) > 0)
