"""The pseudo-random activation."""

import numpy as np
import pytest

from capacity import activations as act


def test_pseudo_random_gain_is_a_function_without_mean_or_memory():
    activation, z = act.pseudo_random(), np.random.default_rng(2).standard_normal((500, 400))
    gain = activation.gain(z)
    np.testing.assert_array_equal(gain, activation.gain(z[::-1].copy())[::-1])
    assert set(np.unique(gain)) == {-1.0, 1.0}
    for moment in (gain, gain * activation.gain(np.nextafter(z, np.inf)), gain * activation.gain(-z)):
        assert abs(moment.mean()) < 4 / np.sqrt(z.size)
    assert abs(np.mean(gain * act.pseudo_random(seed=1).gain(z))) < 4 / np.sqrt(z.size)
    with pytest.raises(ValueError, match="nowhere continuous"):
        activation.derivative(z)
