import numpy as np
import pytest
from scipy import stats

from capacity.activations import hard_tanh, relu, tanh
from capacity.activations.gaussian_quadrature import normal_nodes


@pytest.mark.parametrize("activation", [hard_tanh(), relu(), tanh()], ids=lambda a: a.name)
def test_nodes_and_weights_have_the_moments_of_a_normal_variable(activation):
    deviations = np.sqrt([0.0, 1e-8, 0.5, 3.0, 1e6])
    nodes, weights = normal_nodes(activation.breaks, deviations, 40)
    for power, moment in enumerate([1, 0, 1, 0, 3, 0, 15]):
        np.testing.assert_allclose(np.sum(weights * nodes**power, axis=-1), moment, atol=1e-11)


def test_panels_end_at_the_kinks():
    """The share below the upper kink of hard tanh, a mean of a step, is exact."""
    for deviation in (0.2, 1.0, 9.5):
        nodes, weights = normal_nodes(hard_tanh().kinks, deviation, 20)
        assert weights @ (deviation * nodes <= 1) == pytest.approx(stats.norm.cdf(1 / deviation), abs=1e-13)
