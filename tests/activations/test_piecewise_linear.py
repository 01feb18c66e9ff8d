import numpy as np
import pytest

from capacity.activations import absolute, hard_tanh, leaky, linear, relu


def test_each_has_one_slope_on_either_side():
    z = np.array([-2.0, -0.5, 0.5, 3.0])
    for activation, slope in ((linear(), 1.0), (relu(), 0.0), (absolute(), -1.0), (leaky(0.3), 0.3)):
        np.testing.assert_array_equal(activation(z), np.where(z > 0, z, slope * z))
        np.testing.assert_array_equal(activation.derivative(z), np.where(z > 0, 1.0, slope))
        assert activation.slopes == (slope, 1.0)


def test_gain_has_unit_second_moment_after_scaling():
    a, b = leaky(0.3).mean_and_half_jump
    assert a**2 + b**2 == pytest.approx(1)
    assert (a - b, a + b) == pytest.approx((0.3 * (a + b), np.sqrt(2 / 1.09)))


def test_at_zero_the_slope_is_that_of_the_negative_half():
    for slope in (0.2, 0.0, -1.0):
        assert leaky(slope).gain(0.0) == leaky(slope).derivative(-0.0) == slope


def test_hard_tanh_is_the_identity_up_to_one_and_a_sign_beyond():
    z = np.array([-7.0, -1.0, -0.3, 0.0, 0.4, 1.0, 2.0])
    np.testing.assert_array_equal(hard_tanh()(z), [-1, -1, -0.3, 0, 0.4, 1, 1])
    np.testing.assert_array_equal(hard_tanh().derivative(z), [0, 0, 1, 1, 1, 1, 0])
    np.testing.assert_allclose(hard_tanh().gain(z) * z, hard_tanh()(z), rtol=1e-15)
