"""Effective parameters of networks of rectifiers, by layer."""

from itertools import combinations, pairwise

import numpy as np
import pytest
from scipy import special

from capacity.activations import leaky
from capacity.networks import Layer, forward_pass, parameter_jacobian
from capacity_studies.bridge import rectifier_rank, sample_constraints, smallest_difference, smallest_split

RNG = np.random.default_rng(0)
SAMPLES = RNG.standard_normal((150, 4))


def drawn(widths, *, bias):
    """Return layers of which each unit has a tenth of the samples on either side of its kink."""
    while True:
        layers = [
            Layer(
                RNG.standard_normal((after, before)) / np.sqrt(before),
                0.1 * RNG.standard_normal(after) if bias else None,
                leaky(0.2) if number else None,
            )
            for number, (before, after) in enumerate(pairwise(widths))
        ]
        if smallest_split(layers, SAMPLES) > 0.1:
            return layers


@pytest.mark.parametrize("bias", [False, True])
@pytest.mark.parametrize("widths", [(4, 5, 4, 3), (4, 3, 4, 3, 2), (4, 6, 2)])
def test_every_set_of_layers_has_the_rank_of_the_closed_form(widths, bias):
    layers = drawn(widths, bias=bias)
    for softmax in (False, True):
        constraints = sample_constraints(layers, SAMPLES, softmax=softmax)
        for count in range(1, len(widths)):
            for free in combinations(range(1, len(widths)), count):
                found = constraints.space([f"layer {l}" for l in free]).total
                assert found == rectifier_rank(widths, layers=free, bias=bias, softmax=softmax), (free, softmax)


def test_constraints_span_what_the_fisher_information_spans():
    layers = drawn((4, 5, 3), bias=True)
    jacobian = parameter_jacobian(layers, SAMPLES).reshape(150, 3, -1)
    p = special.softmax(forward_pass(layers, SAMPLES).outputs, axis=1)
    covariances = {False: np.tile(np.eye(3), (150, 1, 1)), True: p[:, :, None] * (np.eye(3) - p[:, None, :])}
    for softmax, covariance in covariances.items():
        fisher = np.einsum("skp,skl,slq->pq", jacobian, covariance, jacobian)
        space = sample_constraints(layers, SAMPLES, softmax=softmax).space()
        assert space.total == np.linalg.matrix_rank(fisher, hermitian=True, rtol=1e-11)
        inverse = np.linalg.pinv(fisher, rcond=1e-11, hermitian=True)
        leverage = np.einsum("skp,pq,slq,skl->s", jacobian, inverse, jacobian, covariance, optimize=True)
        np.testing.assert_allclose(space.spatial(components=3), leverage, atol=1e-7)


def test_one_class_alone_has_no_fisher_information():
    layers = drawn((4, 3, 1), bias=True)
    for free in (["layer 1"], ["layer 2"], ["layer 1", "layer 2"]):
        found = sample_constraints(layers, SAMPLES, softmax=True).space(free).total
        assert found == rectifier_rank((4, 3, 1), layers=[int(name[-1]) for name in free], softmax=True) == 0


def test_digits_that_inputs_of_single_precision_lack_are_not_taken_for_rank():
    inputs = (SAMPLES[:, :2] @ RNG.standard_normal((2, 4))).astype(np.float32)
    assert sample_constraints([Layer(np.ones((1, 4)))], inputs).space().total == 2


def test_a_layer_that_nothing_depends_on_has_no_constraints():
    layers = [Layer(np.ones((2, 4))), Layer(np.zeros((1, 2)), [1.0], leaky(0.2))]
    constraints = sample_constraints(layers, SAMPLES)
    assert [constraints.space([name]).total for name in ("layer 1", "layer 2")] == [0, 2]


def test_the_smallest_split_is_that_of_the_unit_with_fewest_samples_on_one_side():
    layers = [Layer(np.eye(2), [0.0, 2.5]), Layer([[1.0, -1.0]], [2.0]), Layer([[1.0]])]
    inputs = np.array([[-2.0, -3.0], [-1.0, 0.0], [1.0, 0.0], [3.0, 1.0], [4.0, 9.0]])
    assert smallest_split(layers, inputs) == pytest.approx(0.2)


def test_two_units_that_switch_together_or_against_each_other_are_not_told_apart():
    inputs = np.array([[-2.0, -3.0], [-1.0, 0.5], [1.0, 0.5], [3.0, 1.0], [4.0, 9.0]])
    readout = Layer([[1.0, 1.0]])
    for rows, expected in (([[1, 0], [2, 0]], 0.0), ([[1, 0], [-1, 0]], 0.0), ([[1, 0], [0, 1]], 0.2)):
        assert smallest_difference([Layer(np.array(rows, dtype=float)), readout], inputs) == pytest.approx(expected)
    assert smallest_difference([Layer([[1.0, 0.0]]), Layer([[1.0]])], inputs) == 0.5
    both = [Layer(np.array([[[1.0, 0], [0, 1]], [[1, 0], [2, 0]]])), Layer(np.ones((2, 1, 2)))]
    assert smallest_difference(both, inputs) == 0.0


def test_two_units_that_switch_together_are_one_unit_of_two_weights():
    chained = [
        Layer(np.eye(2)),
        Layer([[1.0, 0.5], [2.0, 1.0]], activation=leaky(0.2)),
        Layer([[1.0, 1.0]], activation=leaky(0.2)),
    ]
    inputs = RNG.standard_normal((60, 2))
    assert smallest_split(chained, inputs) > 0.1
    assert smallest_difference(chained, inputs) == 0.0
    assert sample_constraints(chained, inputs).space().total < rectifier_rank((2, 2, 2, 1), bias=False)
