"""Students and classifiers: gaps in parameters, against cases where they have closed forms."""

import numpy as np
import pytest

from capacity.activations import leaky, tanh
from capacity.networks import Layer, forward_pass, parameter_vector
from capacity_studies import taught
from capacity_studies.taught import classifier_gap, student_gap, student_gaps, teacher


def linear_teacher(d):
    return [Layer(np.ones((1, d)), np.zeros(1))]


def test_a_linear_student_loses_as_least_squares_does():
    d, count, draws = 4, 60, 200
    found = [student_gap(linear_teacher(d), linear_teacher(d), count, 0.3, seed, new=2000) for seed in range(draws)]
    gaps, p = np.array([gap.gap for gap in found]), d + 1
    exact = count / 2 * (p / (count - p - 1) + p / count)  # of normal inputs: an inverse Wishart matrix
    assert abs(gaps.mean() - exact) < 4 * gaps.std() / np.sqrt(draws)
    assert {(gap.rank, gap.parameters, gap.dimension) for gap in found} == {(p, p, p)}
    assert np.mean([gap.trace for gap in found]) == pytest.approx(p * (1 - p / count), rel=0.1)


def test_a_linear_student_with_a_penalty_is_a_ridge_regression():
    penalty, count, new, taught = 0.5, 50, 2000, linear_teacher(3)
    found = student_gap(taught, taught, count, 0.1, 0, penalty=penalty, new=new)
    rng = np.random.default_rng(0)
    inputs, fresh = (np.column_stack([rng.standard_normal((n, 3)), np.ones(n)]) for n in (count, new))
    truth, noise = np.array([1.0, 1.0, 1.0, 0.0]), rng.normal(0, 0.1**0.5, count)
    moments = inputs.T @ inputs / count
    ridge = np.linalg.solve(moments + penalty * np.eye(4), inputs.T @ (inputs @ truth + noise) / count)
    errors = inputs @ (truth - ridge) + noise
    training = np.square(errors).mean()
    assert found.training == pytest.approx(training / np.square(noise).mean(), rel=1e-5)
    lost = np.square(fresh @ (truth - ridge)).mean() - (training - np.square(noise).mean())
    assert found.gap == pytest.approx(count / 2 * lost / 0.1, rel=1e-5)
    held, scores = np.linalg.inv(moments + penalty * np.eye(4)), errors[:, None] * inputs
    assert found.dimension == pytest.approx(np.trace(held @ moments), rel=1e-8)
    away = scores - scores.mean(axis=0)
    assert found.trace == pytest.approx(np.trace(held @ away.T @ away) / count / 0.1, rel=1e-5)


def test_a_teacher_has_unit_variance_and_students_of_it_its_shape():
    own = teacher((2, 4, 1), leaky(0.2), 0)
    outputs = forward_pass(own, np.random.default_rng(1).standard_normal((5000, 2))).outputs
    assert np.std(outputs) == pytest.approx(1, rel=0.1)
    found = student_gaps((2, 4, 1), leaky(0.2), 40, 0.01, teachers=2, fits=3)
    assert found.gap.shape == (2, 3)
    assert (found.parameters == parameter_vector(own).size).all()


@pytest.mark.parametrize("elsewhere", [False, True])
def test_each_student_has_its_own_seed_and_starts_at_its_teacher_or_at_another_one(elsewhere, monkeypatch):
    given = []
    monkeypatch.setattr(taught, "student_gap", lambda *found: given.append(found) or taught.Gap(*[0] * 7))
    student_gaps((2, 4, 1), tanh(), 40, 0.01, teachers=2, fits=2, elsewhere=elsewhere)
    assert [seed for *_, seed in given] == [0, 1, 100, 101]
    for (own, start, *_), number in zip(given, (0, 0, 1, 1)):
        for layers, seed in ((own, number), (start, 1000 * elsewhere + number)):
            np.testing.assert_array_equal(parameter_vector(layers), parameter_vector(teacher((2, 4, 1), tanh(), seed)))


def test_a_classifier_without_anything_to_learn_has_the_gap_of_its_dimension():
    rng, count, draws = np.random.default_rng(0), 400, 60
    layers, gaps = [Layer(np.zeros((3, 2)), np.zeros(3))], []
    for draw in range(draws):
        inputs, labels = rng.standard_normal((4000, 2)), rng.integers(0, 3, 4000)
        gaps.append(classifier_gap(layers, inputs, labels, count, draw, penalty=1e-3))
    found = np.array([gap.gap for gap in gaps])
    assert {gap.rank for gap in gaps} == {6}  # nine parameters, of which a softmax sees two thirds
    assert abs(found.mean() - np.mean([gap.dimension for gap in gaps])) < 4 * found.std() / np.sqrt(draws)


def test_the_gradient_of_the_classifier_leads_to_a_stationary_point():
    rng = np.random.default_rng(0)
    inputs, labels = rng.standard_normal((90, 3)), rng.integers(0, 2, 90)
    layers = [Layer(rng.standard_normal((4, 3)), np.zeros(4)), Layer(rng.standard_normal((2, 4)), None, tanh())]
    assert classifier_gap(layers, inputs, labels, 60, 0, penalty=0.1).converged
