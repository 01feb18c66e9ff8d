import numpy as np
import pytest
from scipy import linalg

from capacity.activations import leaky, relu
from capacity.networks import (
    DenseNetwork,
    Layer,
    forward_pass,
    parameter_jacobian,
)
from capacity_studies.geometry import (
    apply_score_factor,
    empirical_fisher,
    fisher_information,
    fisher_spectrum,
    fisher_vector_product,
    output_scores,
    parameter_cotangents,
    parameter_tangents,
    sample_scores,
    sampled_fisher,
)
from capacity_studies.training import cross_entropy

FAMILIES = ("softmax", "gaussian")


def network(sizes=(3, 5, 4, 3), activation=None, seed=0):
    net = DenseNetwork(sizes, activation or leaky(0.2))
    layers = net.with_parameters(net.initial(seed))
    layers[-1] = Layer(layers[-1].weights, np.linspace(-1, 1, sizes[-1]), layers[-1].activation)
    return layers, np.random.default_rng(seed + 1).standard_normal((6, sizes[0]))


def all_labels(family, layers, inputs):
    """Every label with its probability: classes, or the two points per output that have a Gaussian's second moment."""
    outputs = forward_pass(layers, inputs).outputs
    k = outputs.shape[1]
    if family == "softmax":
        p = np.exp(outputs) / np.exp(outputs).sum(axis=1, keepdims=True)
        return [(np.full(len(inputs), c), p[:, c]) for c in range(k)]
    signs = [sign * np.sqrt(k) * np.eye(k)[c] for c in range(k) for sign in (-1, 1)]
    return [(outputs + sign, np.full(len(inputs), 0.5 / k)) for sign in signs]


@pytest.mark.parametrize("family", FAMILIES)
def test_the_true_fisher_is_the_expectation_of_outer_products_of_scores_under_the_model(family):
    layers, inputs = network()
    scores = [
        (sample_scores(layers, inputs, y, family=family), weights) for y, weights in all_labels(family, layers, inputs)
    ]
    expected = sum(np.einsum("s,sp,sq->pq", weights, g, g) for g, weights in scores) / len(inputs)
    np.testing.assert_allclose(fisher_information(layers, inputs, family=family), expected, rtol=1e-10, atol=1e-12)


def test_scores_are_minus_the_gradients_of_the_loss_and_half_squares_have_no_factor_two():
    layers, inputs = network()
    outputs, labels = forward_pass(layers, inputs).outputs, [0, 1, 2, 0, 1, 2]
    np.testing.assert_allclose(
        output_scores(outputs, labels), -len(inputs) * cross_entropy(outputs, labels)[1], atol=1e-14
    )
    h, y = 1e-5, np.ones((6, 3))

    def loss(f):
        return 0.5 * np.sum((y - f) ** 2)

    moved = np.zeros_like(outputs)
    moved[2, 1] = h
    slope = (loss(outputs + moved) - loss(outputs - moved)) / (2 * h)
    assert output_scores(outputs, y, family="gaussian")[2, 1] == pytest.approx(-slope, abs=1e-8)


def test_the_sampled_fisher_tends_to_the_true_one_and_the_empirical_one_does_not():
    layers, inputs = network()
    true = fisher_information(layers, inputs)

    def error(estimate):
        return np.linalg.norm(estimate - true) / np.linalg.norm(true)

    assert error(sampled_fisher(layers, inputs, draws=1000, rng=0)) < 0.05
    assert error(empirical_fisher(layers, inputs, [0, 1, 2, 0, 1, 2])) > 0.2
    gaussian = fisher_information(layers, inputs, family="gaussian")
    estimate = sampled_fisher(layers, inputs, family="gaussian", draws=1000, rng=0)
    assert np.linalg.norm(estimate - gaussian) < 0.1 * np.linalg.norm(gaussian)


@pytest.mark.parametrize("family", FAMILIES)
def test_products_without_the_matrix_are_those_with_it(family):
    layers, inputs = network()
    forward, jacobian = forward_pass(layers, inputs), parameter_jacobian(layers, inputs)
    vectors = np.random.default_rng(2).standard_normal((4, jacobian.shape[1]))
    tangents = parameter_tangents(forward, vectors)
    np.testing.assert_allclose(tangents.reshape(4, -1), vectors @ jacobian.T, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(
        parameter_cotangents(forward, tangents), tangents.reshape(4, -1) @ jacobian, rtol=1e-12, atol=1e-12
    )
    products = fisher_vector_product(layers, inputs, vectors, family=family)
    expected = vectors @ fisher_information(layers, inputs, family=family)
    np.testing.assert_allclose(products, expected, rtol=1e-12, atol=1e-12)
    np.testing.assert_array_equal(fisher_vector_product(forward, None, vectors, family=family), products)


@pytest.mark.parametrize("family", FAMILIES)
def test_the_spectrum_from_the_samples_is_that_of_the_matrix(family):
    layers, inputs = network()
    expected = linalg.eigvalsh(fisher_information(layers, inputs, family=family))[::-1]
    np.testing.assert_allclose(fisher_spectrum(layers, inputs, family=family), expected[:18], atol=1e-12)
    assert np.abs(expected[18:]).max() < 1e-12


def test_a_spectrum_of_a_hundred_thousand_parameters_needs_no_matrix_of_them():
    net = DenseNetwork((20, 300, 300, 3), relu())
    layers, inputs = net.with_parameters(net.initial(0)), np.random.default_rng(0).standard_normal((10, 20))
    values, forward = fisher_spectrum(layers, inputs), forward_pass(layers, inputs)
    assert net.n_parameters > 97_000
    assert values.shape == (30,)
    trace = 0.0  # of the Fisher information, one row of R = S J at a time
    for sample in range(10):
        for k in range(3):
            unit = np.zeros((10, 3))
            unit[sample, k] = 1.0
            row = parameter_cotangents(forward, apply_score_factor(forward.outputs, unit, transpose=True))
            trace += row @ row / 10
    assert values.sum() == pytest.approx(trace, rel=1e-10)


def test_the_factor_of_a_softmax_has_the_fisher_information_as_its_square():
    outputs = np.array([[0.0, 1.0, -2.0]])
    p = np.exp(outputs[0]) / np.exp(outputs).sum()
    rows = apply_score_factor(outputs, np.eye(3)[:, None])[:, 0]
    np.testing.assert_allclose(rows @ rows.T, np.diag(p) - np.outer(p, p), atol=1e-15)
    turned = apply_score_factor(outputs, np.eye(3)[:, None], transpose=True)[:, 0]
    np.testing.assert_allclose(turned, rows.T, atol=1e-15)
