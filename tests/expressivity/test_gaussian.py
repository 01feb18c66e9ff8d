import numpy as np
import pytest
from scipy import stats

from capacity.activations import hard_tanh, relu, tanh
from capacity.expressivity._gaussian import folded_mean, normal_nodes


@pytest.mark.parametrize("activation", [hard_tanh(), relu(), tanh()], ids=lambda a: a.name)
def test_nodes_and_weights_have_the_moments_of_a_normal_variable(activation):
    variances = np.array([0.0, 1e-8, 0.5, 3.0, 1e6])
    nodes, weights = normal_nodes(activation, variances, 40)
    for power, moment in enumerate([1, 0, 1, 0, 3, 0, 15]):
        np.testing.assert_allclose(np.sum(weights * nodes**power, axis=-1), moment, atol=1e-11)


def test_panels_end_at_the_kinks():
    """The share below the upper kink of hard tanh, a mean of a step, is exact."""
    for variance in (0.04, 1.0, 90.0):
        nodes, weights = normal_nodes(hard_tanh(), np.array(variance), 20)
        share = weights @ (np.sqrt(variance) * nodes <= 1)
        assert share == pytest.approx(stats.norm.cdf(1 / np.sqrt(variance)), abs=1e-13)


def test_folded_means_are_those_of_scipy():
    mean, spread = np.array([-2.0, 0.0, 0.3, 40.0]), np.array([[0.1], [1.0], [5.0]])
    np.testing.assert_allclose(folded_mean(mean, spread), stats.foldnorm.mean(np.abs(mean) / spread, scale=spread))
    np.testing.assert_array_equal(folded_mean(mean, np.zeros(4)), np.abs(mean))
