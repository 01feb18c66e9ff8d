import numpy as np
import pytest
from scipy import stats

from capacity import activations as act
from capacity.activations.smooth import Activation


def test_an_activation_acts_elementwise_and_is_its_gain_times_its_argument():
    square = Activation("square", np.square, lambda z: 2 * z, lambda z: z)
    z = np.array([[1.0, -2.0], [0.0, 3.0]])
    np.testing.assert_array_equal(square(z.tolist()), z**2)
    np.testing.assert_array_equal(square.gain(z) * z, square(z))


def test_only_piecewise_linear_activations_have_a_jump_of_the_gain():
    with pytest.raises(ValueError, match="piecewise-linear"):
        _ = act.tanh().mean_and_half_jump
    with pytest.raises(ValueError, match="not 0 everywhere"):
        _ = act.Activation("zero", np.zeros_like, np.zeros_like, np.zeros_like, (0.0, 0.0)).mean_and_half_jump


PIECEWISE = [act.linear(), act.relu(), act.leaky(0.3), act.absolute(), act.hard_tanh()]


@pytest.mark.parametrize("activation", [*PIECEWISE, act.erf()], ids=lambda a: a.name)
def test_closed_moments_are_gaussian_means(activation):
    """By Gauss-Legendre quadrature between the kinks."""
    nodes, weights = np.polynomial.legendre.leggauss(60)
    for variance in (1e-4, 0.3, 2.0, 400.0):
        kinks = np.array([*(activation.kinks or ()), -1.0, 0.0, 1.0]) / np.sqrt(variance)
        edges = np.unique([-12.0, -4.0, *kinks.clip(-12, 12), 4.0, 12.0])
        u = (edges[:-1, None] + np.diff(edges)[:, None] * (nodes + 1) / 2).ravel()
        density = (np.diff(edges)[:, None] / 2 * weights).ravel() * stats.norm.pdf(u)
        found = [density @ f(np.sqrt(variance) * u) ** 2 for f in (activation, activation.derivative)]
        np.testing.assert_allclose(activation.closed_moments(variance), found, rtol=1e-10)
    both = [activation.closed_moments(q) for q in (0.5, 2.0)]
    np.testing.assert_allclose(activation.closed_moments(np.array([0.5, 2.0])), np.transpose(both), rtol=1e-15)
