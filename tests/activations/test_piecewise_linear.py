import numpy as np
import pytest

from capacity.activations import absolute, leaky, linear, relu


def test_each_has_one_slope_on_either_side():
    z = np.array([-2.0, -0.5, 0.5, 3.0])
    for activation, slope in ((linear(), 1.0), (relu(), 0.0), (absolute(), -1.0), (leaky(0.3), 0.3)):
        np.testing.assert_array_equal(activation(z), np.where(z > 0, z, slope * z))
        np.testing.assert_array_equal(activation.derivative(z), np.where(z > 0, 1.0, slope))
        assert activation.slopes == (slope, 1.0)
        a, b = activation.mean_and_half_jump
        assert (a - b, a**2 + b**2) == pytest.approx((slope * (a + b), 1))


def test_at_zero_the_slope_is_that_of_the_negative_half():
    for slope in (0.2, 0.0, -1.0):
        assert leaky(slope).gain(0.0) == leaky(slope).derivative(-0.0) == slope
