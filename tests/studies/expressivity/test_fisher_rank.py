"""Effective parameters on pieces: the numerical rank of the Jacobian, and the bounds of the theorem."""

from itertools import pairwise

import numpy as np
import pytest

from capacity.activations import hard_tanh, leaky, linear, relu
from capacity.networks import Layer, parameter_jacobian
from capacity_studies.expressivity import effective_parameters, regions_in_plane, regions_on_line

SHAPES = [(1, 5, 4, 1), (1, 3, 3, 3, 2), (2, 4, 3, 1), (2, 5, 2)]


def drawn(widths, f, bias, seed=0):
    rng = np.random.default_rng(seed)
    return [
        Layer(rng.standard_normal((b, a)), rng.standard_normal(b) if bias else None, f if l else None)
        for l, (a, b) in enumerate(pairwise(widths))
    ]


def pieces(layers):
    """Patterns, and three samples or more in general position inside each piece."""
    rng = np.random.default_rng(1)
    if layers[0].inputs == 1:
        found = regions_on_line(layers, [0.0], [1.0], low=-2.0, high=2.0)
        corners = [[[low], [high]] for low, high in pairwise(found.breakpoints)]
    else:
        found = regions_in_plane(layers, 1.5)
        corners = [found.polygon(region) for region in range(found.n_regions)]
    return found.patterns, np.vstack([rng.dirichlet(np.ones(len(c)), 5) @ np.array(c) for c in corners])


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("f", [leaky(0.3), relu(), hard_tanh()], ids=lambda f: f.name)
@pytest.mark.parametrize("widths", SHAPES)
def test_it_is_the_rank_of_the_jacobian_of_samples_in_all_pieces(widths, f, bias):
    layers = drawn(widths, f, bias)
    patterns, samples = pieces(layers)
    jacobian = parameter_jacobian(layers, samples)
    norms = np.linalg.norm(jacobian, axis=0)
    numerical = np.linalg.matrix_rank(jacobian / np.where(norms > 0, norms, 1.0), rtol=1e-10)
    m, o = widths[0], widths[-1]
    found = effective_parameters(layers, patterns, np.eye(m + 1)[:, 1:])
    assert found == numerical
    assert found <= o * (m + (bias or f.name == "hard tanh")) * len(patterns)  # hard tanh has pieces with intercepts


def test_a_linear_network_has_those_of_one_affine_map():
    layers = drawn((3, 4, 4, 2), linear(), True)
    assert effective_parameters(layers, np.zeros((1, 8), int), np.eye(4)[:, 1:]) == 2 * 4


def test_any_points_that_span_the_line_give_the_same_rank():
    layers = drawn((3, 6, 6, 1), relu(), True)
    start, way = np.array([0.25, -1.0, 0.5]), np.array([1.0, 2.0, -0.75])
    patterns = regions_on_line(layers, start, way, low=-2.0, high=2.0).patterns
    ranks = {effective_parameters(layers, patterns, [start + s * way, start + t * way]) for s, t in [(0, 1), (3, -8)]}
    assert len(ranks) == 1
    assert ranks.pop() <= 2 * len(patterns)
