from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from flint import arb, arb_mat, arb_poly

from capacity.linalg import (
    certified_singular_values,
    exponential_jacobian,
    exponential_sum,
    orthonormal_basis,
    power_law_predictor,
)
from capacity.linalg.certified import _changes_sign
from capacity.models import DiagonalRecurrence
from capacity.tasks import GaussianProcess, power_law


def unpacked(model, rng):
    inputs, poles, outputs = model.initial(rng).reshape(3, -1)
    return inputs, poles, outputs


def test_balls_hold_the_jacobian_of_the_recurrence():
    model = DiagonalRecurrence(7, 3)
    balls = exponential_jacobian(*unpacked(model, 0), 7)
    values = [[float(entry.mid()) for entry in row] for row in balls.tolist()]
    assert np.allclose(values, model.jacobian(model.initial(0)), rtol=1e-13)


def test_full_capacity_of_the_recurrence_is_proved_where_double_precision_sees_less():
    model = DiagonalRecurrence(64, 32)
    proved = certified_singular_values(exponential_jacobian(*unpacked(model, 0), 64))
    assert proved.rank == 64
    assert orthonormal_basis(model.jacobian(model.initial(0))).rank < 48
    assert proved.values[-1] < 1e-18 * proved.values[0]


def test_singular_values_agree_with_numpy_where_the_matrix_is_well_conditioned():
    matrix = np.random.default_rng(0).standard_normal((5, 8))
    spectrum = certified_singular_values(matrix)
    assert np.allclose(spectrum.values, np.linalg.svd(matrix, compute_uv=False), rtol=1e-13)
    assert spectrum.positive.all()


def test_a_matrix_that_is_singular_is_not_proved_regular():
    assert certified_singular_values([[1.0, 2.0], [2.0, 4.0]]).rank == 1
    assert certified_singular_values(np.zeros((3, 2))).rank == 0


def test_too_few_digits_are_refused_rather_than_answered_wrongly():
    model = DiagonalRecurrence(32, 16)
    with pytest.raises(ValueError, match="raise digits"):
        certified_singular_values(exponential_jacobian(*unpacked(model, 0), 32, digits=30), digits=30)


def test_predictor_agrees_with_double_precision():
    exact = [float(value.mid()) for value in power_law_predictor(32, 0.7, digits=60)]
    process = GaussianProcess(power_law(0.7))
    assert np.allclose(exact, process.optimal_coefficients(32)[::-1], rtol=1e-11)


def test_exponentials_are_found_again_from_their_sum():
    poles, weights = np.array([-0.5, 0.25, 0.75, 2.0]), np.array([1.0, -3.0, 0.5, 0.125])
    sequence = [sum(arb(w) * arb(z) ** k for z, w in zip(poles, weights)) for k in range(8)]
    found = exponential_sum(sequence)
    assert found.proved_real
    assert np.allclose(found.poles, poles, rtol=1e-14)
    assert np.allclose(found.weights, weights, rtol=1e-14)
    assert np.allclose(10**found.log10_weights, np.abs(weights))


def test_complex_exponentials_are_not_called_real():
    sequence = [float(np.real((0.5 + 0.5j) ** k)) for k in range(4)]
    found = exponential_sum(sequence)
    assert not found.proved_real
    assert np.allclose(found.poles, [0.5 - 0.5j, 0.5 + 0.5j])
    assert np.allclose(found.weights, [0.5, 0.5])


def test_sequences_without_such_a_sum_are_refused():
    with pytest.raises(ValueError, match="regular Hankel"):
        exponential_sum([1.0, 2.0, 4.0, 8.0])  # one exponential, asked for two


@pytest.mark.parametrize(("radius", "proved"), [(0.01, True), (2.0, False)])
def test_what_a_ball_leaves_undecided_is_no_proof(radius, proved):
    polynomial = arb_poly([arb(-1, radius), arb(0), arb(1)])  # z^2 - 1, its constant known up to the radius
    assert _changes_sign(polynomial, [arb(-3), arb(0), arb(3)]) is proved
    diagonal = arb_mat([[arb(6), arb(0)], [arb(0), arb(1, radius)]])
    assert certified_singular_values(diagonal).positive.tolist() == [True, proved]


@pytest.mark.parametrize("entry", [2**53 + 1, Fraction(1, 3), Decimal("0.1")])
def test_nothing_is_proved_of_numbers_that_a_double_does_not_hold(entry):
    with pytest.raises(ValueError, match="expected numbers that a double holds"):
        certified_singular_values([[entry, 1], [3, 9]])
    with pytest.raises(ValueError, match="sequence: "):
        exponential_sum([entry, 3, 5, 9])
    with pytest.raises(ValueError, match="poles: "):
        exponential_jacobian([1.0], [entry], [1.0], 3)
