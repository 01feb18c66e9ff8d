import numpy as np
import pytest

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
