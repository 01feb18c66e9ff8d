import numpy as np
import pytest

from capacity import activations as act
from capacity.gains import Activation


def test_an_activation_acts_elementwise_and_is_its_gain_times_its_argument():
    square = Activation("square", np.square, lambda z: 2 * z, lambda z: z)
    z = np.array([[1.0, -2.0], [0.0, 3.0]])
    np.testing.assert_array_equal(square(z.tolist()), z**2)
    np.testing.assert_array_equal(square.gain(z) * z, square(z))


def test_gain_of_a_piecewise_linear_activation_has_unit_second_moment_after_scaling():
    a, b = act.leaky(0.3).mean_and_half_jump
    assert a**2 + b**2 == pytest.approx(1)
    assert (a - b, a + b) == pytest.approx((0.3 * (a + b), np.sqrt(2 / 1.09)))
    with pytest.raises(ValueError, match="piecewise-linear"):
        _ = act.tanh().mean_and_half_jump
