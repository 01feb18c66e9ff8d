"""Capacity along frequencies."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from capacity.allocation import per_frequency


@given(st.lists(st.tuples(st.floats(0, 1), st.sampled_from([0.0, 0.25, 0.5])), min_size=1, max_size=9))
def test_it_is_the_mean_over_the_directions_of_each_frequency(pairs):
    frequencies, means = per_frequency(*np.transpose(pairs))
    assert frequencies.tolist() == sorted({frequency for _, frequency in pairs})
    expected = [np.mean([capacity for capacity, frequency in pairs if frequency == one]) for one in frequencies]
    np.testing.assert_allclose(means, expected, atol=1e-15)
