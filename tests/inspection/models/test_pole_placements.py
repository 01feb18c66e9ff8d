import numpy as np
import pytest
from scipy import linalg, signal, stats

from capacity_inspection.models import ring_poles, s4d_inv_poles, s4d_lin_poles

RATES = {
    s4d_lin_poles: [-0.5, -0.5 + 1j * np.pi, -0.5 + 2j * np.pi],
    s4d_inv_poles: [-0.5 + 6j / np.pi * (6 / k - 1) for k in (1, 3, 5)],
}


@pytest.mark.parametrize("place", RATES)
@pytest.mark.parametrize(("method", "name"), [("zero-order hold", "zoh"), ("bilinear", "bilinear")])
def test_poles_and_gains_are_those_of_the_discretised_system(place, method, name):
    poles, gains = place(3, step=0.05, method=method)
    for rate, pole, gain in zip(RATES[place], poles, gains):
        real = np.array([[rate.real, -rate.imag], [rate.imag, rate.real]])  # the same in two real states
        transition, inputs, *_ = signal.cont2discrete((real, np.eye(2), np.eye(2), np.zeros((2, 2))), 0.05, name)
        assert transition[0, 0] + 1j * transition[1, 0] == pytest.approx(pole)
        assert inputs[0, 0] + 1j * inputs[1, 0] == pytest.approx(gain)


def test_the_zero_order_hold_is_the_matrix_exponential():
    rate = -0.5 + 1j * np.pi
    augmented = linalg.expm(0.1 * np.array([[rate, 1], [0, 0]]))
    poles, gains = s4d_lin_poles(2, step=0.1)
    assert augmented[0] == pytest.approx([poles[1], gains[1]])


def test_poles_of_the_ring_are_uniform_in_it():
    poles, gains = ring_poles(4000, inner=0.6, outer=0.9, largest_angle=1.0, rng=0)
    assert stats.kstest(np.abs(poles) ** 2, stats.uniform(0.36, 0.45).cdf).pvalue > 0.01
    assert stats.kstest(np.angle(poles), stats.uniform(0, 1).cdf).pvalue > 0.01
    np.testing.assert_allclose(gains, np.sqrt(1 - np.abs(poles) ** 2))


def test_poles_of_the_whole_disc_are_stable_and_not_zero():
    moduli = np.abs(ring_poles(10_000, rng=3)[0])
    assert 0 < moduli.min() < 0.05
    assert 0.999 < moduli.max() < 1
