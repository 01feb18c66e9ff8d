import numpy as np
import pytest
from scipy.special import log_softmax

from capacity.networks import Layer
from capacity_studies.training import classification_accuracy, cross_entropy

LABELS = np.array([0, 2, 1, 2, 2])


@pytest.fixture
def rng():
    return np.random.default_rng(0)


def test_the_loss_is_the_mean_of_minus_the_log_softmax_at_the_labels(rng):
    outputs = 3 * rng.standard_normal((4, 5, 3))
    loss, _ = cross_entropy(outputs, LABELS)
    assert np.allclose(loss, -log_softmax(outputs, axis=-1)[:, np.arange(5), LABELS].mean(axis=-1), rtol=1e-12)
    own = rng.integers(0, 3, (4, 5))
    assert np.allclose(
        cross_entropy(outputs, own)[0], [cross_entropy(*one)[0] for one in zip(outputs, own)], rtol=1e-12
    )


def test_its_gradient_is_that_of_finite_differences(rng):
    outputs = rng.standard_normal((5, 3))
    _, gradient = cross_entropy(outputs, LABELS)
    moves = 1e-5 * np.eye(15).reshape(15, 5, 3)
    slopes = (cross_entropy(outputs + moves, LABELS)[0] - cross_entropy(outputs - moves, LABELS)[0]) / 2e-5
    assert np.allclose(gradient.ravel(), slopes, atol=1e-9)


def test_outputs_of_any_size_have_a_finite_loss():
    loss, gradient = cross_entropy([[1e300, 0.0], [-1e4, 1e4]], [0, 0])
    assert loss == 1e4
    assert np.array_equal(gradient, [[0, 0], [-0.5, 0.5]])


def test_accuracy_counts_the_samples_whose_label_has_the_largest_output(rng):
    inputs, weights = rng.standard_normal((50, 4)), rng.standard_normal((6, 3, 4))
    labels = rng.integers(0, 3, 50)
    found = classification_accuracy([Layer(weights)], inputs, labels)
    assert found.tolist() == [np.mean([np.argmax(w @ x) == y for x, y in zip(inputs, labels)]) for w in weights]
