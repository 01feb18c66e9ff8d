import numpy as np
import pytest
from region_networks import ACTIVATIONS, lines, random_layers, tangents

from capacity.activations import relu
from capacity.networks import forward_pass, tangent_pass
from capacity_studies.expressivity import regions_on_line, sawtooth

START, DIRECTION = np.random.default_rng(0).standard_normal((2, 6))


@pytest.mark.parametrize("name", ACTIVATIONS)
def test_a_piece_is_where_the_tangent_of_the_outputs_is_constant(name):
    """The definition: between breakpoints the outputs and their velocity are those of forward and tangent pass."""
    layers = random_layers((6, 20, 20, 20, 2), ACTIVATIONS[name], 1)
    regions = regions_on_line(layers, START, DIRECTION, low=-2.0, high=3.0)
    assert regions.n_regions > 35
    low, high = regions.breakpoints[:-1, None], regions.breakpoints[1:, None]
    for share in (1e-3, 0.5, 1 - 1e-3):
        t = (1 - share) * low + share * high
        forward = forward_pass(layers, START + t * DIRECTION)
        velocity = tangent_pass(forward, DIRECTION)[-1]
        np.testing.assert_allclose(regions.slopes, velocity, atol=1e-11 * np.abs(velocity).max())
        np.testing.assert_allclose(regions.outputs(t[:, 0]), forward.outputs, atol=1e-12 * np.abs(velocity).max())
        found = [np.searchsorted(ACTIVATIONS[name].kinks, z) for z in forward.arguments[1:]]
        np.testing.assert_array_equal(regions.patterns, np.concatenate(found, axis=1))


@pytest.mark.parametrize("name", ACTIVATIONS)
def test_at_each_breakpoint_one_unit_changes_piece_at_its_kink(name):
    layers = random_layers((6, 10, 10, 1), ACTIVATIONS[name], 2)
    regions = regions_on_line(layers, START, DIRECTION, low=-5.0, high=5.0)
    inner = regions.breakpoints[1:-1]
    changed = regions.patterns[1:] != regions.patterns[:-1]
    np.testing.assert_array_equal(changed.sum(axis=1), 1)
    arguments = np.concatenate(forward_pass(layers, START + inner[:, None] * DIRECTION).arguments[1:], axis=1)
    kinks = np.array(ACTIVATIONS[name].kinks)
    at = arguments[np.arange(inner.size), changed.argmax(axis=1)]
    np.testing.assert_allclose(np.abs(at[:, None] - kinks).min(axis=1), 0, atol=1e-12)


@pytest.mark.parametrize("n_layers", [1, 2, 5, 10, 16])
def test_a_sawtooth_of_two_units_per_layer_doubles_its_pieces_with_each_layer(n_layers):
    """All breakpoints of the layers below are on kinks of the units above: these add none there."""
    regions = regions_on_line(sawtooth(n_layers), [0.0], [1.0])
    assert regions.n_regions == 2**n_layers
    np.testing.assert_array_equal(regions.breakpoints, np.arange(2**n_layers + 1) / 2**n_layers)
    np.testing.assert_array_equal(regions.slopes[:, 0], 2.0**n_layers * (1 - 2 * (np.arange(2**n_layers) % 2)))


def test_a_whole_line_meets_every_line_of_one_layer_once():
    layers = tangents(9)
    whole = regions_on_line(layers, [0.3, 0.1], [1.0, 0.01], low=-np.inf, high=np.inf)
    assert whole.n_regions == 10
    assert np.isinf(whole.breakpoints[[0, -1]]).all()
    crossings = -(layers[0].weights @ [0.3, 0.1] + layers[0].bias) / (layers[0].weights @ [1.0, 0.01])
    np.testing.assert_allclose(whole.breakpoints[1:-1], np.sort(crossings), rtol=1e-12)
    far = np.array([-1e6, 1e6])
    inputs = [0.3, 0.1] + far[:, None] * [1.0, 0.01]
    np.testing.assert_allclose(whole.outputs(far), forward_pass(layers, inputs).outputs, rtol=1e-9)


def test_ends_that_are_far_away_find_the_pieces_of_the_whole_line():
    layers = random_layers((6, 15, 15, 1), relu(), 4)
    whole = regions_on_line(layers, START, DIRECTION, low=-np.inf, high=np.inf)
    part = regions_on_line(layers, START, DIRECTION, low=-1e5, high=1e5)
    np.testing.assert_array_equal(whole.patterns, part.patterns)
    np.testing.assert_allclose(whole.breakpoints[1:-1], part.breakpoints[1:-1], rtol=1e-9)
    ray = regions_on_line(layers, START, DIRECTION, low=0.0, high=np.inf)
    assert ray.n_regions == 1 + (whole.breakpoints[1:-1] > 0).sum()


@pytest.mark.parametrize(
    ("slopes", "offsets", "inner"),
    [
        ([1.0, 3.0, -7.0], [-1 / 3, -1.0, 7 / 3], [1 / 3]),  # one kink, by other numbers
        ([1.0, 1.0], [-0.1 - 0.2, -0.3], [0.3]),  # the same but for rounding
        ([1.0, 1.0], [-0.3, -0.3 - 1e-9], [0.3, 0.3 + 1e-9]),
        ([1.0, 1.0], [0.0, -1.0], []),  # at the ends
        ([0.0, 0.0], [0.0, 1.0], []),  # no kink
        ([1e-200], [-0.5e-200], [0.5]),
    ],
)
def test_degenerate_kinks_make_no_pieces_of_length_zero(slopes, offsets, inner):
    layers = lines(np.array(slopes)[:, None], offsets)
    regions = regions_on_line(layers, [0.0], [1.0])
    np.testing.assert_allclose(regions.breakpoints, [0, *inner, 1], rtol=1e-13)
    assert (regions.lengths > 0).all()
